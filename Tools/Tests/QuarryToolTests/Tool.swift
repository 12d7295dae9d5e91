import Foundation
import Quarry
import Testing

/// A run of a program of this package: what it wrote, and how it ended.
struct Run: Equatable {
  var output: String
  var errors: String
  var code: Int32

  var lines: [String] { output.split(separator: "\n").map(String.init) }
}

/// The programs that SwiftPM builds beside the tests, which depend on them.
enum Tool {
  struct NotBuilt: Error {
    var path: String
  }

  static var directory: URL {
    #if os(Linux)
      let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    #else
      let tests =
        Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
        ?? Bundle.main.bundleURL
    #endif
    return tests.deletingLastPathComponent()
  }

  static func url(_ program: String) throws -> URL {
    let url = directory.appendingPathComponent(program)
    guard FileManager.default.isExecutableFile(atPath: url.path) else {
      throw NotBuilt(path: url.path)
    }
    return url
  }

  /// Runs `quarry` to its end.
  static func quarry(_ arguments: String..., input: String = "") throws -> Run {
    try run(url("quarry"), arguments, input: input)
  }

  static func run(_ program: URL, _ arguments: [String], input: String = "") throws -> Run {
    let directory = try Scratch()
    defer { directory.remove() }
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    // Files instead of pipes: none of them is ever full.
    let (inPath, outPath, errPath) = (directory / "in", directory / "out", directory / "err")
    try Data(input.utf8).write(to: URL(fileURLWithPath: inPath))
    for path in [outPath, errPath] {
      _ = FileManager.default.createFile(atPath: path, contents: nil)
    }
    process.standardInput = FileHandle(forReadingAtPath: inPath)
    process.standardOutput = FileHandle(forWritingAtPath: outPath)
    process.standardError = FileHandle(forWritingAtPath: errPath)
    try process.run()
    process.waitUntilExit()
    return try Run(
      output: String(contentsOfFile: outPath, encoding: .utf8),
      errors: String(contentsOfFile: errPath, encoding: .utf8),
      code: process.terminationReason == .exit ? process.terminationStatus : -1)
  }
}

/// A directory for the files of a test.
struct Scratch {
  let path: String

  init() throws {
    path =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("quarry-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  static func / (scratch: Scratch, name: String) -> String { "\(scratch.path)/\(name)" }

  func remove() { try? FileManager.default.removeItem(atPath: path) }

  /// The permissions of the file at a path.
  static func permissions(of path: String) -> mode_t {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
  }

  /// Writes a text file.
  func file(_ name: String, _ text: String) throws -> String {
    try Data(text.utf8).write(to: URL(fileURLWithPath: self / name))
    return self / name
  }

  /// Makes a database file.
  func database(_ name: String, _ sql: String) throws -> String {
    let queue = try DatabaseQueue(path: self / name)
    try queue.writeWithoutTransaction { db in try db.execute(sql: sql) }
    try queue.close()
    return self / name
  }
}

/// Runs a test with a directory that goes afterwards.
func withScratch(_ body: (Scratch) throws -> Void) throws {
  let scratch = try Scratch()
  defer { scratch.remove() }
  try body(scratch)
}
