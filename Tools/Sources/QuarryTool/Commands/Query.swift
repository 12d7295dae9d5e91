import ArgumentParser
import Foundation
import Quarry

/// Runs SQL: that of the command line, of standard input, or of a prompt.
struct Query: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs SQL, once or at a prompt.",
    discussion: """
      Without SQL, statements are read from standard input: at a prompt with history, if it is a terminal. The file is \
      opened read-only unless --write is given; the SQL of the command line then runs in one transaction.

      Example: quarry query shop.sqlite "SELECT title, year FROM book ORDER BY year LIMIT 3"
               quarry query shop.sqlite "SELECT * FROM book" --format csv > books.csv
               quarry query shop.sqlite
      """)

  @OptionGroup var file: FileOptions

  @Argument(help: "One or several statements.")
  var sql: String?

  @Option(help: "One of: \(RowFormat.allCases.map(\.rawValue).joined(separator: ", ")).")
  var format = RowFormat.box

  @Flag(help: "Allow statements that write.")
  var write = false

  @OptionGroup var options: RowOptions

  func run() throws {
    var database = file.database
    database.acceptsQuotedTexts = false
    if let sql {
      let body = { (db: Database) in try run(sql, db, format) }
      try write ? database.write(body) : database.read(body)
    } else if isatty(STDIN_FILENO) == 1 {
      try database.open(readonly: !write) { queue in
        var prompt = Prompt(query: self, queue: queue)
        try prompt.run()
      }
    } else {
      try database.open(readonly: !write) { try runInput($0) }
    }
  }

  /// Writes the rows of each statement.
  func run(_ sql: String, _ db: Database, _ format: RowFormat) throws {
    var printer = try RowPrinter(format, options)
    let statements = try db.allStatements(sql: sql)
    while let statement = try statements.next() {
      if statement.columnCount > 0 {
        try printer.print(statement)
      } else {
        try statement.execute()
      }
    }
    try printer.close()
  }

  /// Runs each statement of standard input when it is complete. The first error ends it.
  private func runInput(_ queue: DatabaseQueue) throws {
    var text = ""
    var number = 0
    var firstLine = 1
    while let line = readLine(strippingNewline: false) {
      number += 1
      if text.isEmpty { firstLine = number }
      text += line
      if StatementScanner.isComplete(text) {
        try runPart(text, firstLine, queue)
        text = ""
      }
    }
    try runPart(text, firstLine, queue)
  }

  private func runPart(_ sql: String, _ line: Int, _ queue: DatabaseQueue) throws {
    do {
      try queue.inDatabase { db in try run(sql, db, format) }
    } catch {
      throw ToolError("standard input, line \(line): \(ToolError(error, path: file.file))")
    }
  }
}
