import Foundation
import Quarry
import Testing

/// Files that are missing, locked, or no databases; arguments that are wrong.
struct FileTests {
  static let readers = [
    ["inspect"], ["dump"], ["query", "SELECT 1"], ["explain", "SELECT 1"], ["check"], ["records"],
    ["export", "book"],
  ]

  private func run(_ command: [String], on path: String) throws -> Run {
    try Tool.run(Tool.url("quarry"), [command[0], path] + command.dropFirst())
  }

  @Test(arguments: readers)
  func `a missing file is an error, and stays missing`(command: [String]) throws {
    try withScratch { scratch in
      let path = scratch / "none.sqlite"
      try #expect(
        run(command, on: path)
          == Run(output: "", errors: "quarry: \(path): no such file\n", code: 2))
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }

  @Test(arguments: readers)
  func `a file that is no database is an error`(command: [String]) throws {
    try withScratch { scratch in
      let path = try scratch.file("notes.txt", String(repeating: "These are notes. ", count: 100))
      let run = try run(command, on: path)
      #expect(
        run.errors == "quarry: \(path): the file is no SQLite database, or it is encrypted\n")
      #expect(run.code == 2)
    }
  }

  @Test(arguments: readers)
  func `a directory is an error`(command: [String]) throws {
    try withScratch { scratch in
      let run = try run(command, on: scratch.path)
      #expect(run.errors == "quarry: \(scratch.path): a directory, and no file\n")
      #expect(run.code == 2)
    }
  }

  @Test(arguments: readers)
  func `a locked file is an error after the timeout`(command: [String]) throws {
    try withScratch { scratch in
      let path = try scratch.database("shop.sqlite", Schemas.shop)
      let queue = try DatabaseQueue(path: path)
      try queue.inTransaction(.exclusive) { db in
        try db.execute(sql: "UPDATE book SET year = 0")
        let run = try run(command + ["--timeout", "0"], on: path)
        #expect(
          run.errors
            == "quarry: \(path): database is locked: another program is using the file; --timeout waits longer\n"
        )
        #expect(run.code == 2)
        return .rollback
      }
    }
  }

  @Test(arguments: readers.filter { $0[0] != "export" })
  func `an empty database is read`(command: [String]) throws {
    try withScratch { scratch in
      let run = try run(command, on: scratch.file("empty.sqlite", ""))
      #expect(run.errors == "")
      #expect(run.code == 0)
    }
  }

  @Test(arguments: readers)
  func `reading leaves no trace`(command: [String]) throws {
    try withScratch { scratch in
      let path = try scratch.database("shop.sqlite", Schemas.shop)
      let before = try Data(contentsOf: URL(fileURLWithPath: path))
      let run = try run(command, on: path)
      #expect(run.code == 0)
      let after = try Data(contentsOf: URL(fileURLWithPath: path))
      #expect(before == after)
      try #expect(FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["shop.sqlite"])
    }
  }

  @Test func `a file may have the name of a database in memory`() throws {
    try withScratch { scratch in
      let process = Process()
      process.executableURL = try Tool.url("quarry")
      process.arguments = ["query", ":memory:", "SELECT 1"]
      process.currentDirectoryURL = URL(fileURLWithPath: scratch.path)
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationStatus == 2)
    }
  }

  static let commands = [
    "inspect", "dump", "query", "explain", "check", "diff", "records", "import", "export",
    "cluster",
  ]

  @Test(arguments: commands)
  func `each command has help with an example`(command: String) throws {
    let run = try Tool.quarry(command, "--help")
    #expect(run.output.contains("USAGE: quarry \(command)"))
    #expect(run.output.contains("Example: quarry \(command) "))
    #expect(run.code == 0)
  }

  @Test func `help lists the exit codes`() throws {
    let words = try Tool.quarry("--help").output.split(whereSeparator: \.isWhitespace)
    let text = words.joined(separator: " ")
    #expect(
      text.contains(
        """
        Exit codes: 0 for success; 1 for findings of check, nodes of a cluster that do not answer, differences of diff \
        and of records --check, rehearsals of migrate that fail, and rows that import --skip-rejected has passed over; 2 for an error; 64 for wrong arguments.
        """))
  }

  @Test(arguments: [
    ["frobnicate"], ["dump"], ["query", "x", "--format", "xml"], ["diff", "one"],
    ["records", "x", "--to", "a", "--check", "b"],
  ])
  func `wrong arguments end with their own code`(arguments: [String]) throws {
    let run = try Tool.run(Tool.url("quarry"), arguments)
    #expect(run.errors.contains("Usage: quarry"))
    #expect(run.code == 64)
  }

  @Test func `a full disk is an error`() throws {
    guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
    try withScratch { scratch in
      let process = Process()
      process.executableURL = try Tool.url("quarry")
      process.arguments = ["dump", try scratch.database("shop.sqlite", Schemas.shop)]
      process.standardOutput = FileHandle(forWritingAtPath: "/dev/full")
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationStatus == 2)
    }
  }
}
