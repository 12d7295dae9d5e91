import Foundation
import Quarry

extension FuzzTarget {
  private static let folder = NSTemporaryDirectory() + "/quarry-fuzz-\(getpid())"

  private static func makeFiles() throws {
    let files = FileManager.default
    try? files.removeItem(atPath: folder)
    try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for (name, sql) in [
      ("a.sqlite", "INSERT INTO book VALUES (1, 'Emma', 1815, X'00ff'), (2, 'é\"', NULL, NULL)"),
      ("b.sqlite", "CREATE VIEW v AS SELECT title FROM book; CREATE INDEX i ON book(year)"),
    ] {
      let queue = try DatabaseQueue(path: "\(folder)/\(name)")
      try queue.inDatabase { db in
        try db.execute(
          sql: "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, year, cover BLOB); \(sql)")
      }
      try queue.close()
    }
    for (name, text) in [
      ("t.csv", "title,year\nEmma,1815\n\"a \"\"b\"\"\",\n"),
      ("t.jsonl", "{\"title\": \"Emma\", \"year\": 1815}\n[]\n"),
    ] { try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)")) }
  }

  /// Command lines of `quarry`, whose path is in `QUARRY_TOOL`: an argument on each line. They end
  /// with one of the documented codes, and say why.
  static let commands = FuzzTarget(name: "commands", maximumSize: 300) { bytes in
    guard let tool = ProcessInfo.processInfo.environment["QUARRY_TOOL"] else {
      wrong("QUARRY_TOOL is the path of the program quarry")
    }
    // No file outside of the folder.
    let text = String(decoding: bytes, as: UTF8.self)
      .replacing("/", with: "_").replacing("~", with: "_").replacing("\0", with: "")
    let arguments = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    try makeFiles()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: tool)
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    // A file instead of a pipe: it is never full.
    let output = "\(folder)/output"
    _ = FileManager.default.createFile(atPath: output, contents: nil)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle(forWritingAtPath: output)
    process.standardError = process.standardOutput
    try process.run()
    process.waitUntilExit()
    let code = process.terminationStatus
    let said = FileManager.default.contents(atPath: output) ?? Data()
    guard process.terminationReason == .exit, [0, 1, 2, 64].contains(code) else {
      wrong("quarry \(arguments) ends with \(code): \(String(decoding: said, as: UTF8.self))")
    }
    if code != 0, said.isEmpty { wrong("quarry \(arguments) ends with \(code), without a message") }
  }
}
