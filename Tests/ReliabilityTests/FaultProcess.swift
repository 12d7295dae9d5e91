import Foundation
import QuarryTestSupport
import Testing

/// The program Tests/FaultTarget, which SwiftPM builds beside the tests.
enum FaultProcess {
  struct NotBuilt: Error, CustomStringConvertible {
    let path: String
    var description: String { "the program FaultTarget is not there: \(path)" }
  }

  /// Runs the program. Returns what it has written, and whether it found nothing wrong.
  static func run(_ arguments: [String]) throws -> (output: String, isRight: Bool) {
    let process = Process()
    let output = Pipe()
    process.executableURL = try executable()
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let isRight = process.terminationReason == .exit && process.terminationStatus == 0
    return (String(decoding: data, as: UTF8.self), isRight)
  }

  private static func executable() throws -> URL {
    #if os(Linux)
      let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    #else
      let tests =
        Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
        ?? Bundle.main.bundleURL
    #endif
    let url = tests.deletingLastPathComponent().appendingPathComponent("FaultTarget")
    guard FileManager.default.isExecutableFile(atPath: url.path) else {
      throw NotBuilt(path: url.path)
    }
    return url
  }
}

extension Trait where Self == ConditionTrait {
  /// The test runs on SQLite 3.40, where the outcome of each fault has been judged. Later versions
  /// tolerate other ones.
  static var onJudgedSQLite: Self {
    .enabled(if: SQLiteBuild.version / 1000 == 3_040, "its faults are judged on SQLite 3.40")
  }
}
