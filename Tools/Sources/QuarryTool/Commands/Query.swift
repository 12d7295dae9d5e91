import ArgumentParser
import Foundation
import Quarry

/// Runs SQL: that of the command line, of standard input, or of a prompt.
struct Query: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs SQL, once or at a prompt.",
    discussion: """
      Without SQL, statements are read from standard input: at a prompt with history, if it is a terminal. A line that \
      begins with a dot is a command, as .tables and .schema are; .help lists them. The file is opened read-only unless \
      --write is given; the SQL of the command line then runs in one transaction.

      Example: quarry query shop.sqlite "SELECT title, year FROM book ORDER BY year LIMIT 3"
               quarry query shop.sqlite "SELECT * FROM book" --format csv > books.csv
               quarry query shop.sqlite .tables
               quarry query shop.sqlite
      """)

  @OptionGroup var file: FileOptions

  @Argument(help: "One or several statements, or a command such as .tables.")
  var sql: String?

  @Option(help: "One of: \(RowFormat.allCases.map(\.rawValue).joined(separator: ", ")).")
  var format = RowFormat.box

  @Flag(help: "Allow statements that write.")
  var write = false

  @OptionGroup var options: RowOptions

  func run() throws {
    var database = file.database
    database.acceptsQuotedTexts = false
    if let sql, !DotCommand.isCommand(sql) {
      let body = { (db: Database) in
        do {
          try run(sql, db, format)
        } catch {
          throw readable(error)
        }
      }
      try write ? database.write(body) : database.read(body)
    } else {
      try database.open(readonly: !write) { queue in
        var session = QuerySession(query: self, queue: queue)
        if let sql {
          _ = try session.enter(sql)
        } else if isatty(STDIN_FILENO) == 1 {
          var prompt = Prompt(session)
          try prompt.run()
        } else {
          try Self.runInput(&session)
        }
      }
    }
  }

  /// An error with the way out of a refused write.
  func readable(_ error: any Error) -> ToolError {
    if !write, (error as? DatabaseError)?.extendedResultCode == .SQLITE_READONLY {
      return ToolError(
        "\(file.file): attempt to write a readonly database: --write allows statements that write")
    }
    return ToolError(error, path: file.file)
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
  private static func runInput(_ session: inout QuerySession) throws {
    let reader = LineReader.standardInput()
    var firstLine = 1
    while let line = try reader.next(keepingEnd: true) {
      if session.text.allSatisfy(\.isWhitespace) { firstLine = reader.line }
      guard try naming(firstLine, { try session.enter(line) }) else { return }
    }
    try naming(firstLine) { try session.finish() }
  }

  /// Errors of a statement name the line where it begins.
  private static func naming<T>(_ line: Int, _ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch {
      throw ToolError("standard input, line \(line): \(error)")
    }
  }
}
