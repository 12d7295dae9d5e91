import Foundation
public import Quarry

/// Another process that uses the same file: the program of Tests/KillTarget, whose lines this one
/// reads.
public final class PeerProcess {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var buffer = Data()

  /// - parameter arguments: See Tests/KillTarget/Peer.swift.
  public convenience init(_ pool: DatabasePool, _ arguments: String...) throws {
    try self.init(arguments: ["peer", pool.path] + arguments)
  }

  public init(arguments: [String]) throws {
    process.executableURL = try Self.executableURL()
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  public struct NotBuilt: Error, CustomStringConvertible {
    var path: String
    public var description: String { "the program KillTarget is not there: \(path)" }
  }

  /// SwiftPM builds the program beside the tests, which depend on it.
  private static func executableURL() throws -> URL {
    guard FileManager.default.isExecutableFile(atPath: executable.path) else {
      throw NotBuilt(path: executable.path)
    }
    return executable
  }

  private static var executable: URL {
    if let path = ProcessInfo.processInfo.environment["QUARRY_KILL_TARGET"] {
      return URL(fileURLWithPath: path)
    }
    #if os(Linux)
      let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    #else
      let tests =
        Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
        ?? Bundle.main.bundleURL
    #endif
    return tests.deletingLastPathComponent().appendingPathComponent("KillTarget")
  }

  deinit {
    if process.isRunning { kill() }
  }

  /// The next line, nil at the end of the output.
  public func nextLine() -> String? {
    while true {
      if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        defer { buffer.removeSubrange(...end) }
        return String(decoding: buffer[..<end], as: UTF8.self)
      }
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { return nil }
      buffer.append(data)
    }
  }

  /// The lines until the end of the output.
  public func remainingLines() -> [String] {
    Array(sequence(state: ()) { _ in self.nextLine() })
  }

  public func send(_ line: String) {
    input.fileHandleForWriting.write(Data("\(line)\n".utf8))
  }

  public func kill() {
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  public func waitForExit() -> Int32 {
    process.waitUntilExit()
    return process.terminationStatus
  }
}
