import Foundation
import Quarry

/// A database as statements that make it again: tables, rows, then indexes, triggers and views.
struct SQLDump {
  var catalog: Catalog
  /// The tables and views to write, all of them if empty.
  var names: [String]
  var hasRows: Bool

  func write(_ db: Database) throws {
    var file = try TextFile(path: nil)
    file.write("PRAGMA foreign_keys = OFF;\nBEGIN;\n")
    let tables = catalog.tables.filter { $0.kind == .table || $0.kind == .virtual }
    for table in tables where isWritten(table.name) {
      file.write(table.sql + ";\n")
      if hasRows { try writeRows(of: table, db, to: &file) }
    }
    if hasRows, names.isEmpty { try writeSequences(db, to: &file) }
    try writeOthers(db, to: &file)
    file.write("COMMIT;\n")
    try file.close()
  }

  private func isWritten(_ name: String) -> Bool {
    names.isEmpty || names.contains { $0.isSameName(as: name) }
  }

  private func writeRows(
    of table: Catalog.Table, _ db: Database, to file: inout TextFile
  ) throws {
    if let problem = table.problem { throw ToolError("\(table.name): \(problem)") }
    if table.kind == .virtual, table.hasContentElsewhere {
      let name = table.quotedName
      return file.write("INSERT INTO \(name) (\(name)) VALUES ('rebuild');\n")
    }
    let columns = table.columns.filter { !$0.isGenerated }.map(\.quotedName)
    let rowID = table.hiddenRowIDName.map { [$0] } ?? []
    let list = (rowID + columns).joined(separator: ", ")
    let rows = try Row.fetchCursor(db, sql: "SELECT \(list) FROM \(table.quotedName)")
    while let row = try rows.next() {
      let literals = try row.sqlLiterals().joined(separator: ", ")
      file.write("INSERT INTO \(table.quotedName) (\(list)) VALUES (\(literals));\n")
    }
  }

  /// The numbers that `AUTOINCREMENT` does not use again.
  private func writeSequences(_ db: Database, to file: inout TextFile) throws {
    guard try db.tableExists("sqlite_sequence") else { return }
    file.write("DELETE FROM sqlite_sequence;\n")
    let rows = try Row.fetchCursor(db, sql: "SELECT name, seq FROM sqlite_sequence")
    while let row = try rows.next() {
      let literals = try row.sqlLiterals().joined(separator: ", ")
      file.write("INSERT INTO sqlite_sequence (name, seq) VALUES (\(literals));\n")
    }
  }

  private func writeOthers(_ db: Database, to file: inout TextFile) throws {
    let shadows = Set(catalog.tables.filter { $0.kind == .shadow }.map(\.name.nameKey))
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT tbl_name, sql FROM sqlite_master
        WHERE type IN ('index', 'trigger', 'view') AND sql IS NOT NULL
        ORDER BY type = 'trigger', rowid
        """)
    for row in rows {
      let table: String = try row.decode(atIndex: 0)
      guard !shadows.contains(table.nameKey), isWritten(table) else { continue }
      file.write(try row.decode(String.self, atIndex: 1) + ";\n")
    }
  }
}

extension Catalog.Table {
  /// Whether a full-text table reads the texts of another table.
  ///
  /// See <https://www.sqlite.org/fts5.html#external_content_tables>.
  var hasContentElsewhere: Bool {
    sql.contains(#/(?i)\bcontent\s*=/#)
  }

  /// What SQL calls the rowid where no column is its alias. Nil where there is none.
  var hiddenRowIDName: String? {
    guard hasRowID, rowIDColumn == nil, kind != .view else { return nil }
    return ["rowid", "_rowid_", "oid"].first { column($0) == nil }
  }
}

extension Row {
  /// The values as SQL literals that stand for the same bytes.
  fileprivate func sqlLiterals() throws -> [String] {
    try databaseValues.enumerated().map { index, value in
      switch value.storage {
      case .null: "NULL"
      case .int64(let integer): integer.description
      case .double(let double): double.sqlLiteral
      case .string(let text): try textLiteral(text, at: index)
      case .blob(let data): "X'\(data.hexadecimal)'"
      }
    }
  }

  /// A text as it is, or by its bytes: SQL ends at a NUL, and is UTF-8.
  private func textLiteral(_ text: String, at index: Int) throws -> String {
    guard text.unicodeScalars.contains(where: { $0 == "\0" || $0 == "\u{FFFD}" }) else {
      return "'" + text.replacing(scalar: "'", with: "''") + "'"
    }
    let bytes = try withUnsafeData(atIndex: index) { $0?.hexadecimal ?? "" }
    return "CAST(X'\(bytes)' AS TEXT)"
  }
}

extension Double {
  fileprivate var sqlLiteral: String {
    isFinite ? description : self < 0 ? "-9e999" : "9e999"
  }
}
