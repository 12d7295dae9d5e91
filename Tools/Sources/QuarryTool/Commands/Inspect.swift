import ArgumentParser
import Foundation
import Quarry

/// Shows what a database contains.
struct Inspect: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows tables, columns, keys, indexes, sizes and row counts.",
    discussion: """
      Counts and sizes read the whole file: --fast leaves them out. A diagram is a file, written in addition to the text: \
      PK marks primary keys, FK foreign keys, whose lines are dashed if they accept NULL.

      Example: quarry inspect shop.sqlite
               quarry inspect shop.sqlite --diagram shop.svg --diagram shop.mmd
      """)

  @OptionGroup var file: FileOptions

  @Flag(help: "Count no rows, and measure no sizes.")
  var fast = false

  @Option(help: "Also write an entity-relationship diagram: .svg, or .mmd for Mermaid.")
  var diagram: [String] = []

  @Flag(help: "Show the table that records the migrations in diagrams.")
  var withMigrations = false

  func run() throws {
    try file.database.read { db in
      let catalog = try Catalog(db)
      for path in diagram {
        try Diagram(catalog, hasMigrations: withMigrations).write(to: path)
      }
      let sizes = fast ? [:] : Self.sizes(db)
      try showFile(db)
      for table in catalog.tables where table.kind != .shadow {
        try show(table, sizes, db)
      }
    }
  }

  private func showFile(_ db: Database) throws {
    let pageCount = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
    let pageSize = try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0
    let encoding = try String.fetchOne(db, sql: "PRAGMA encoding") ?? ""
    let journal = try String.fetchOne(db, sql: "PRAGMA journal_mode") ?? ""
    let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    Output.line(
      """
      \(file.file): \((pageCount * pageSize).asByteCount), \
      \(pageCount.counted("page")) of \(pageSize) bytes, \(encoding), journal mode \(journal), \
      user version \(version)
      """)
  }

  private func show(_ table: Catalog.Table, _ sizes: [[UInt8]: Int], _ db: Database) throws {
    Output.line()
    let facts = fast || table.problem != nil ? [] : try facts(table, sizes, db)
    let kind = table.kind == .virtual ? "virtual table" : table.kind.rawValue
    let suffix = facts.isEmpty ? "" : " (\(facts.joined(separator: ", ")))"
    Output.line("\(kind) \(table.name.onOneLine)\(suffix)")
    if let problem = table.problem { Output.line("  can't be read: \(problem)") }
    let nameWidth = table.columns.map(\.name.onOneLine.displayWidth).max() ?? 0
    let typeWidth = table.columns.map(\.type.onOneLine.displayWidth).max() ?? 0
    for column in table.columns {
      let name = column.name.onOneLine.padded(toWidth: nameWidth)
      let type = column.type.onOneLine.padded(toWidth: typeWidth)
      let line = "  \(name)  \(type)  \(table.remarks(on: column))"
      Output.line(line.trimmingSuffix(" "))
    }
    for index in table.indexes { Output.line("  " + index.summary(sizes)) }
  }

  private func facts(
    _ table: Catalog.Table, _ sizes: [[UInt8]: Int], _ db: Database
  ) throws -> [String] {
    var facts: [String] = []
    do {
      let count = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM \(table.quotedName)") ?? 0
      facts.append(count.counted("row"))
    } catch let error as DatabaseError {
      facts.append("can't be read: \(error.message ?? "")")
    }
    if let size = sizes[table.name.nameKey] { facts.append(size.asByteCount) }
    if table.kind == .table, !table.hasRowID { facts.append("without rowid") }
    return facts
  }

  /// The bytes of each table and index. Empty where SQLite was built without `dbstat`.
  ///
  /// See <https://www.sqlite.org/dbstat.html>.
  private static func sizes(_ db: Database) -> [[UInt8]: Int] {
    let rows = try? Row.fetchAll(
      db, sql: "SELECT name, pgsize FROM dbstat WHERE aggregate = TRUE")
    let pairs = (rows ?? []).compactMap { row in
      (try? (row.decode(String.self, atIndex: 0).nameKey, row.decode(Int.self, atIndex: 1)))
    }
    return Dictionary(pairs, uniquingKeysWith: +)
  }
}

extension Catalog.Table {
  /// `primary key, not null, -> author(id)`
  fileprivate func remarks(on column: Catalog.Column) -> String {
    var remarks: [String] = []
    if column.keyPosition > 0 {
      remarks.append(primaryKey.count > 1 ? "primary key \(column.keyPosition)" : "primary key")
    }
    if column.isNotNull { remarks.append("not null") }
    if column.isGenerated { remarks.append("generated") }
    if let sql = column.defaultSQL { remarks.append("default \(sql.onOneLine)") }
    for key in foreignKeys {
      guard let index = key.columns.firstIndex(where: { $0.isSameName(as: column.name) }) else {
        continue
      }
      let other = index < key.tableColumns.count ? key.tableColumns[index] : "?"
      let action = key.onDelete == "NO ACTION" ? "" : " on delete \(key.onDelete.lowercased())"
      remarks.append("-> \(key.table)(\(other))\(action)".onOneLine)
    }
    return remarks.joined(separator: ", ")
  }
}

extension Catalog.Index {
  fileprivate func summary(_ sizes: [[UInt8]: Int]) -> String {
    let size = sizes[name.nameKey].map { ", \($0.asByteCount)" } ?? ""
    return "index \(name) \(terms)\(size)".onOneLine
  }
}
