import Foundation

/// A program of the package, which SwiftPM builds beside the tests and the other programs.
public struct Program: Sendable {
  let url: URL

  struct NotBuilt: Error, CustomStringConvertible {
    let url: URL
    var description: String { "the program \(url.lastPathComponent) is not there: \(url.path)" }
  }

  /// A program by its name.
  public init(_ name: String) throws {
    #if os(Linux)
      let current = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    #else
      let current =
        Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
        ?? Bundle.main.executableURL ?? Bundle.main.bundleURL
    #endif
    url = current.deletingLastPathComponent().appendingPathComponent(name)
    guard FileManager.default.isExecutableFile(atPath: url.path) else { throw NotBuilt(url: url) }
  }

  /// Runs the program to its end. Returns what it has written, and whether its status is 0.
  public func run(_ arguments: [String]) throws -> (output: String, isRight: Bool) {
    let running = try RunningProgram(self, arguments, mergesErrors: true)
    let lines = running.remainingLines()
    return (lines.joined(separator: "\n"), running.waitForEnd() == .exit(0))
  }
}

/// A process whose lines this one reads.
public final class RunningProgram {
  /// How a process has ended.
  public enum End: Equatable, Sendable {
    case exit(Int32)
    case signal(Int32)
  }

  private let process = Process()
  private let output = Pipe()
  private var buffer = Data()

  /// Starts a process.
  public init(_ program: Program, _ arguments: [String], mergesErrors: Bool = false) throws {
    process.executableURL = program.url
    process.arguments = arguments
    process.standardOutput = output
    if mergesErrors { process.standardError = output }
    try process.run()
  }

  deinit { kill() }

  /// The next line, nil at the end of the output.
  public func nextLine() -> String? {
    while true {
      if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        defer { buffer = Data(buffer[(end + 1)...]) }
        return String(decoding: buffer[..<end], as: UTF8.self)
      }
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { return nil }
      buffer.append(data)
    }
  }

  /// The lines until the end of the output. One that has no end is not reported: the process died
  /// while it wrote it.
  public func remainingLines() -> [String] {
    Array(sequence(state: ()) { _ in self.nextLine() })
  }

  /// Kills the process, which can't notice it.
  public func kill() {
    if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
  }

  /// Waits until the process has ended.
  public func waitForEnd() -> End {
    process.waitUntilExit()
    return process.terminationReason == .uncaughtSignal
      ? .signal(process.terminationStatus) : .exit(process.terminationStatus)
  }
}
