import Foundation

/// Runs the program that SwiftPM has built beside the tests.
struct Program {
  var environment: [String: String]

  struct Result: Equatable {
    var code: Int32
    var output: String
    var errors: String
  }

  func run(_ arguments: [String], input: String = "") throws -> Result {
    let process = Process()
    process.executableURL = Self.directory.appendingPathComponent("Notes")
    process.arguments = arguments
    process.environment = environment
    let (stdin, output, errors) = (Pipe(), Pipe(), Pipe())
    process.standardInput = stdin
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    stdin.fileHandleForWriting.write(Data(input.utf8))
    try stdin.fileHandleForWriting.close()
    let texts = [output, errors].map { pipe in
      String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }
    process.waitUntilExit()
    return Result(code: process.terminationStatus, output: texts[0], errors: texts[1])
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
