import Foundation

/// The running program of Tests/KillTarget.
struct KillTarget {
  private let process = Process()
  private let output = Pipe()

  struct NotBuilt: Error, CustomStringConvertible {
    var path: String
    var description: String { "the program KillTarget is not there: \(path)" }
  }

  init(path: String, journal: String) throws {
    process.executableURL = try Self.executableURL()
    process.arguments = [path, journal]
    process.standardOutput = output
    try process.run()
  }

  static func executableURL() throws -> URL {
    guard FileManager.default.isExecutableFile(atPath: executable.path) else {
      throw NotBuilt(path: executable.path)
    }
    return executable
  }

  /// SwiftPM builds the program beside the tests, which depend on it.
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

  /// Kills the process some microseconds after it has written a number of lines. Returns all the
  /// lines that it has written, and whether it died of the kill.
  func kill(afterLine count: Int, delay: useconds_t) -> (lines: [String], isKilled: Bool) {
    var text = Data()
    var lineCount = 0
    var isShot = false
    func shoot() {
      guard !isShot, lineCount >= count else { return }
      isShot = true
      usleep(delay)
      Foundation.kill(process.processIdentifier, SIGKILL)
    }
    shoot()
    while true {
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { break }
      text.append(data)
      lineCount += data.count { $0 == UInt8(ascii: "\n") }
      shoot()
    }
    process.waitUntilExit()
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
    let isKilled =
      process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL
    return (lines, isKilled)
  }
}
