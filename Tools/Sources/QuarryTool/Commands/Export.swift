import ArgumentParser
import Quarry

/// Writes the rows of a table as CSV or JSON Lines.
struct Export: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Writes the rows of a table or view as CSV or JSON Lines.",
    discussion: """
      Example: quarry export shop.sqlite book --to books.csv
               quarry export shop.sqlite book --format jsonl | wc -l
      """)

  @OptionGroup var file: FileOptions

  @Argument(help: "A table or view.")
  var table: String

  @Option(help: "The file to write; standard output by default.", completion: .file())
  var to: String?

  @Option(help: "csv, json or jsonl; by default the ending of the file, or csv.")
  var format: RowFormat?

  @OptionGroup var options: RowOptions
  @OptionGroup var progress: ProgressOptions

  func run() throws {
    let database = file.database
    try database.read { db in
      let table = try Catalog(db).table(table, path: file.file)
      let format = try format ?? RowFormat(path: to) ?? .csv
      try checkIsNotTheDatabase()
      let count = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM \(table.quotedName)") ?? 0
      let bar = progress.bar(total: count)
      var printer = try RowPrinter(format, options, path: to)
      let written = try printer.print(
        db.makeStatement(sql: "SELECT * FROM \(table.quotedName)"), progress: bar)
      try printer.close()
      bar.finish(rows: written)
    }
  }

  private func checkIsNotTheDatabase() throws {
    guard let to, file.database.isSameFile(as: to) else { return }
    throw ToolError("\(file.file): can't export a database into itself")
  }
}

extension RowFormat {
  /// The format of a file by its ending. Nil if there is no file.
  init?(path: String?) throws {
    guard let path else { return nil }
    let ending = path.split(separator: "/").last?.split(separator: ".").last.map(String.init) ?? ""
    switch ending.lowercased() {
    case "csv": self = .csv
    case "json": self = .json
    case "jsonl", "ndjson": self = .jsonl
    default: throw ToolError("\(path): the ending names no format; --format does")
    }
  }
}
