import ArgumentParser
import Foundation
import Quarry

/// Reads rows from a CSV or JSON Lines file into a table.
struct Import: ParsableCommand {
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case csv, jsonl
  }

  static let configuration = CommandConfiguration(
    abstract: "Inserts the rows of a CSV or JSON Lines file into a table.",
    discussion: """
      The import is one transaction: a line with a mistake is named, and nothing is imported. With --skip-rejected, \
      rows that the table refuses are listed and passed over, and the exit code is 1. A line that is no CSV or no JSON \
      ends the import in all cases.

      An empty CSV field is NULL in a column of numbers, and an empty text in others, unless --null says what NULL looks \
      like. In a column of blobs, X'01FF' is a blob.

      Example: quarry import shop.sqlite book books.csv
               quarry import new.sqlite book books.csv --create --type year=INTEGER
      """)

  @OptionGroup var file: FileOptions

  @Argument(help: "The table.")
  var table: String

  @Argument(
    help: "The file to read. Its header, or its keys, are the names of columns.",
    completion: .file())
  var source: String

  @Option(help: "csv or jsonl; by default the ending of the file.")
  var format: Format?

  @Flag(help: "Create the table, and the database file, where they are missing.")
  var create = false

  @Option(help: "The type of a column that --create makes: year=INTEGER. TEXT by default in CSV.")
  var type: [String] = []

  @Option(help: "The CSV field that means NULL, where it is not in quotes.")
  var null: String?

  @Option(help: "The character between two CSV fields.")
  var delimiter = ","

  @Flag(help: "List the rows that the table refuses, and go on.")
  var skipRejected = false

  @OptionGroup var progress: ProgressOptions

  func validate() throws {
    guard delimiter.count == 1 else { throw ValidationError("--delimiter takes one character") }
    guard type.allSatisfy({ $0.contains("=") }) else {
      throw ValidationError("--type takes a column and its type: year=INTEGER")
    }
  }

  func run() throws {
    let isNew = !FileManager.default.fileExists(atPath: file.file)
    let source = try makeSource()
    do {
      let (count, rejected) = try file.database.write(creating: create) { db in
        try importRows(db, source)
      }
      Output.line("\(count.counted("row")) imported into \(table.onOneLine)")
      guard rejected > 0 else { return }
      Output.note("\(rejected.counted("row")) rejected")
      throw ExitCode(1)
    } catch let error as ToolError {
      // The database was made for rows that did not come.
      if isNew { try? FileManager.default.removeItem(atPath: file.file) }
      throw error
    }
  }

  private func makeSource() throws -> any ImportSource {
    guard FileManager.default.fileExists(atPath: source) else {
      throw ToolError("\(source): no such file")
    }
    let ending = source.split(separator: ".").last?.lowercased() ?? ""
    guard let format = format ?? Format(rawValue: ending == "ndjson" ? "jsonl" : ending) else {
      throw ToolError("\(source): the ending names no format; --format does")
    }
    switch format {
    case .csv: return CSVSource(path: source, delimiter: Character(delimiter), null: null)
    case .jsonl: return JSONSource(path: source)
    }
  }

  private func importRows(
    _ db: Database, _ source: any ImportSource
  ) throws -> (count: Int, rejected: Int) {
    if create { try createTable(db, source) }
    let table = try Catalog(db).table(table, path: file.file)
    guard table.kind != .view else { throw ToolError("\(file.file): \(table.name) is a view") }
    let bar = progress.bar(total: try source.size)
    var target = ImportTarget(table: table, source: self.source, skipsRejected: skipRejected)
    try source.read(into: table, db) { row in
      try target.insert(row, db)
      bar.advance(to: row.position, rows: target.count)
    }
    bar.finish(rows: target.count)
    return (target.count, target.rejected)
  }

  private func createTable(_ db: Database, _ source: any ImportSource) throws {
    guard try !db.tableExists(table) else { return }
    let types = type.map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (column: String(parts[0]), type: String(parts[1]))
    }
    let columns = try source.columns(db)
    let unknown = types.first { given in
      !columns.contains { $0.name.isSameName(as: given.column) }
    }
    if let unknown { throw ToolError("\(self.source): no such column: \(unknown.column)") }
    try db.create(table: table) { definition in
      for column in columns {
        let given = types.last { $0.column.isSameName(as: column.name) }
        let type = given?.type ?? column.type
        definition.column(column.name, type.map(Database.ColumnType.init(rawValue:)))
      }
    }
  }
}
