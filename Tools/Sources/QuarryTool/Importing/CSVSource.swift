import Foundation
import Quarry
import QuarryTables

/// The rows of a CSV file, which the library reads as a virtual table.
struct CSVSource: ImportSource {
  var path: String
  var delimiter: Character
  var null: String?

  /// The number of lines.
  var size: Int {
    get throws { try LineReader.countLines(path) }
  }

  func columns(_ db: Database) throws -> [(name: String, type: String?)] {
    try header().map { ($0, "TEXT") }
  }

  func read(
    into table: Catalog.Table, _ db: Database, _ body: (ImportRow) throws -> Void
  ) throws {
    let names = try header()
    if let unknown = names.first(where: { table.column($0) == nil }) {
      throw ToolError("\(path):1: table \(table.name) has no column \(unknown)")
    }
    let columns = ColumnFilter(names, table)
    try db.register(
      table: "quarry_import",
      CSVTable(path: path, columns: typed(names, table), delimiter: delimiter, null: null))
    defer { try? db.unregister(module: "quarry_import") }
    let rowID = ["rowid", "_rowid_", "oid"].first { name in
      !names.contains { $0.isSameName(as: name) }
    }
    let rows = try Row.fetchCursor(db, sql: "SELECT *, \(rowID ?? "0") FROM quarry_import")
    while let row = try rows.next() {
      let values = Array(row.databaseValues)
      let line: Int = try row.decode(atIndex: names.count)
      let kept = columns.indices.map { value(values[$0], table.column(names[$0])) }
      try body(ImportRow(columns: columns.names, values: kept, line: line, position: line))
    }
  }

  private func header() throws -> [String] {
    try CSVTable(path: path, delimiter: delimiter).columns.map(\.name)
  }

  /// An empty field is NULL in a column of numbers, unless NULL is written in another way.
  private func typed(_ names: [String], _ table: Catalog.Table) -> [VirtualTableColumn] {
    names.map { name in
      switch table.column(name)?.affinity {
      case .integer, .real, .numeric: VirtualTableColumn(name, null == nil ? .numeric : .text)
      default: VirtualTableColumn(name, .text)
      }
    }
  }

  private func value(_ value: DatabaseValue, _ column: Catalog.Column?) -> DatabaseValue {
    guard case .string(let text) = value.storage else { return value }
    guard column?.affinity == .blob, let data = Data(blobLiteral: text) else { return value }
    return data.databaseValue
  }
}
