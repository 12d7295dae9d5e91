import Foundation

/// The program that SwiftPM has built beside the tests, as a process.
final class Program {
  private let process = Process()
  private let output: FileHandle
  private let outputFile: URL

  /// Starts the program. What it prints goes to a file, so that it is there after a kill.
  init(_ arguments: [String], output file: URL) throws {
    _ = FileManager.default.createFile(atPath: file.path, contents: nil)
    outputFile = file
    output = try FileHandle(forWritingTo: file)
    process.executableURL = Self.directory.appendingPathComponent("Sync")
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = output
    try process.run()
  }

  func kill() {
    Foundation.kill(process.processIdentifier, SIGKILL)
  }

  /// The exit code, or the signal as a negative number.
  func wait() -> Int32 {
    process.waitUntilExit()
    try? output.close()
    let isSignal = process.terminationReason == .uncaughtSignal
    return isSignal ? -process.terminationStatus : process.terminationStatus
  }

  /// The lines that are whole: the last one may be cut off by a kill.
  var lines: [String] {
    get throws {
      let text = try String(contentsOf: outputFile, encoding: .utf8)
      return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(
        String.init)
    }
  }

  private static var directory: URL {
    #if os(Linux)
      let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    #else
      let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? .main
      let tests = bundle.bundleURL
    #endif
    return tests.deletingLastPathComponent()
  }
}
