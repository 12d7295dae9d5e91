import ArgumentParser
import Quarry

/// Writes the schema and the rows.
struct Dump: ParsableCommand {
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case sql, debug, json, line, list, quote
  }

  static let configuration = CommandConfiguration(
    abstract: "Writes the schema and the rows of all tables, or of those that are named.",
    discussion: """
      The default format, sql, writes statements that make the database again. Full-text tables with content='' stay \
      empty, as their texts are not stored: a warning names them. The other formats are those of the library's dumps.

      Example: quarry dump shop.sqlite > shop.sql
               quarry dump shop.sqlite book --format json
      """)

  @OptionGroup var file: FileOptions

  @Argument(help: "Tables and views; all of them by default.")
  var tables: [String] = []

  @Option(help: "One of: \(Format.allCases.map(\.rawValue).joined(separator: ", ")).")
  var format = Format.sql

  @Flag(help: "Write the schema alone.")
  var schema = false

  func run() throws {
    try file.database.read { db in
      let catalog = try Catalog(db)
      let names = try tables.map { try catalog.table($0, path: file.file).name }
      switch format {
      case .sql: try SQLDump(catalog: catalog, names: names, hasRows: !schema).write(db)
      case .debug: try dump(db, names, .debug())
      case .json: try dump(db, names, .json())
      case .line: try dump(db, names, .line())
      case .list: try dump(db, names, .list(header: true))
      case .quote: try dump(db, names, .quote(header: true))
      }
    }
  }

  private func dump(_ db: Database, _ names: [String], _ format: some DumpFormat) throws {
    if schema {
      try db.dumpSchema()
    } else if names.isEmpty {
      try db.dumpContent(format: format)
    } else {
      try db.dumpTables(names, format: format, stableOrder: true)
    }
  }
}
