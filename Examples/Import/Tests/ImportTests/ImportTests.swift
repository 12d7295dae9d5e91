import Foundation
import Quarry
import Testing

@testable import Import

/// The program as a process.
final class ImportTests {
  private let directory: URL

  init() throws {
    directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("import-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: directory)
  }

  private func file(_ name: String, _ text: String) throws -> String {
    let url = directory.appendingPathComponent(name)
    try Data(text.utf8).write(to: url)
    return url.path
  }

  private var database: String { directory.appendingPathComponent("shop.sqlite").path }

  @Test func `progress, and the lines that were rejected`() throws {
    let path = try file(
      "sales.csv",
      """
      receipt,isbn,copies,price
      a,9781234567890,2,9.5
      b,9781234567890,many,9.5
      c,9781234567890,1,9.5

      """)
    let run = try Program("Import", [path, database, "--batch", "2"]).end()
    #expect(run.code == 1)
    #expect(run.output == "\(path):3: copies: 'many' is no number of copies\n")
    #expect(
      run.errors == """
        [######################        ] 76 %, 1 sales, 1 lines rejected
        [##############################] 100 %, 2 sales, 1 lines rejected

        """)
  }

  @Test func `an import that is killed goes on where it was`() throws {
    let count = 20_000
    let lines = (1...count).map { "r\($0),9781234567890,\($0),1\n" }
    let path = try file("sales.csv", "receipt,isbn,copies,price\n" + lines.joined())
    let arguments = [path, database, "--batch", "500"]
    let first = try Program("Import", arguments)
    try first.waitForErrors()
    first.send(SIGKILL)
    let killed = try first.end()
    try #require(killed.code == -SIGKILL, "\(killed)")

    let second = try Program("Import", arguments).end()
    #expect(second.code == 0, "\(second.errors)")
    let queue = try DatabaseQueue(path: database)
    let copies = try queue.read { db in
      try Int.fetchAll(db, sql: "SELECT copies FROM sale ORDER BY rowid")
    }
    #expect(copies == Array(1...count))
    // It has not begun again: the first line of progress is not that of the first batch.
    #expect(!second.errors.contains(", 500 sales,"))
  }

  @Test func `mistakes have an exit code and a message`() throws {
    let csv = try file("sales.csv", "receipt,isbn,copies,price\n")
    let text = try file("text", String(repeating: "This is no database. ", count: 100))
    let missing = directory.appendingPathComponent("missing").path
    let cases: [([String], Int32, [String])] = [
      ([], 64, ["Missing expected argument '<file>'"]),
      ([csv], 64, ["Missing expected argument '<database>'"]),
      ([csv, database, "--batch", "0"], 64, ["--batch is 1 or more."]),
      ([missing, database], 1, ["\(missing): can't be read: No such file or directory"]),
      ([directory.path, database], 1, ["\(directory.path): can't be read: Is a directory"]),
      ([text, database], 1, ["\(text):1: the columns are not receipt,isbn,copies,price"]),
      ([csv, text], 1, [text, "file is not a database"]),
      ([csv, "\(missing)/shop.sqlite"], 1, ["\(missing)/shop.sqlite", "unable to open"]),
    ]
    for (arguments, code, messages) in cases {
      let run = try Program("Import", arguments).end()
      #expect(run.code == code, "\(run)")
      #expect(run.output == "")
      for message in messages { #expect(run.errors.contains(message), "\(run.errors)") }
    }
  }

  @Test func `a file without lines is imported`() throws {
    let run = try Program("Import", [file("a.csv", "receipt,isbn,copies,price"), database]).end()
    #expect(run.code == 0)
    #expect(run.errors.contains("100 %, 0 sales, 0 lines rejected"))
  }
}
