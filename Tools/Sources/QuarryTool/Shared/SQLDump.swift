import Foundation
import Quarry

/// A database as statements that make it again: tables with their rows, indexes, views, triggers,
/// and at last virtual tables, which may read any of the others.
struct SQLDump {
  var catalog: Catalog
  /// The tables and views to write, all of them if empty.
  var names: [String]
  var hasRows: Bool

  func write(_ db: Database) throws {
    var file = try TextFile(path: nil)
    file.write("PRAGMA foreign_keys = OFF;\nBEGIN;\n")
    try writeTables(.table, db, to: &file)
    if hasRows, names.isEmpty { try writeSequences(db, to: &file) }
    try writeOthers(db, to: &file)
    try writeTables(.virtual, db, to: &file)
    if hasRows { writeRebuilds(to: &file) }
    file.write("COMMIT;\n")
    try file.close()
  }

  private func isWritten(_ name: String) -> Bool {
    names.isEmpty || names.contains { $0.isSameName(as: name) }
  }

  private func writtenTables(_ kind: Catalog.Table.Kind) -> [Catalog.Table] {
    catalog.tables.filter { $0.kind == kind && isWritten($0.name) }
  }

  private func writeTables(
    _ kind: Catalog.Table.Kind, _ db: Database, to file: inout TextFile
  ) throws {
    for table in writtenTables(kind) {
      file.write(table.sql.terminated)
      guard hasRows else { continue }
      if let problem = table.problem { throw ToolError("\(table.name): \(problem)") }
      if table.usesModule("fts5") { try writeSettings(of: table, db, to: &file) }
      if table.isContentless {
        Output.note("\(table.name): without its rows: with content='', texts are not stored")
      } else if kind == .table || storesRows(table) {
        try writeRows(of: table, db, to: &file)
      }
    }
  }

  /// The settings of an FTS5 table, such as its ranking. The version is that of its format.
  ///
  /// See <https://www.sqlite.org/fts5.html#special_insert_commands>.
  private func writeSettings(
    of table: Catalog.Table, _ db: Database, to file: inout TextFile
  ) throws {
    let name = table.quotedName
    let settings = "\(table.name)_config".quotedDatabaseIdentifier
    let sql = "SELECT k, v FROM \(settings) WHERE k <> 'version' ORDER BY k"
    for row in try Row.fetchAll(db, sql: sql) {
      let literals = try row.sqlLiterals().joined(separator: ", ")
      file.write("INSERT INTO \(name) (\(name), rank) VALUES (\(literals));\n")
    }
  }

  /// Whether a virtual table keeps its rows in shadow tables. Others, such as `fts5vocab`, show
  /// what is elsewhere.
  ///
  /// See <https://www.sqlite.org/vtab.html#the_xshadowname_method>.
  private func storesRows(_ table: Catalog.Table) -> Bool {
    let start = "\(table.name)_".nameKey
    let hasShadow = catalog.tables.contains { other in
      let name = other.name.nameKey
      // The shadow tables of the table `a_b` are none of the table `a`.
      return other.kind == .shadow && name.starts(with: start)
        && !name.dropFirst(start.count).contains(UInt8(ascii: "_"))
    }
    return hasShadow && !table.hasContentElsewhere
  }

  /// Fills full-text tables from the tables that they read, which have their rows by now.
  private func writeRebuilds(to file: inout TextFile) {
    for table in writtenTables(.virtual) where table.hasContentElsewhere {
      let name = table.quotedName
      file.write("INSERT INTO \(name) (\(name)) VALUES ('rebuild');\n")
    }
  }

  private func writeRows(
    of table: Catalog.Table, _ db: Database, to file: inout TextFile
  ) throws {
    let columns = table.columns.filter { !$0.isGenerated }.map(\.quotedName)
    let rowID = table.hiddenRowIDName.map { [$0] } ?? []
    let languages = try languageColumns(of: table, db)
    let list = (rowID + columns + languages).joined(separator: ", ")
    let rows = try Row.fetchCursor(db, sql: "SELECT \(list) FROM \(table.quotedName)")
    while let row = try rows.next() {
      let literals = try row.sqlLiterals().joined(separator: ", ")
      file.write("INSERT INTO \(table.quotedName) (\(list)) VALUES (\(literals));\n")
    }
  }

  /// The hidden column of an FTS4 table with the languages of its rows, if it has one.
  ///
  /// See <https://www.sqlite.org/fts3.html>.
  private func languageColumns(of table: Catalog.Table, _ db: Database) throws -> [String] {
    guard table.usesModule("fts4") else { return [] }
    let sql = "SELECT name FROM pragma_table_xinfo(?, 'main') WHERE hidden = 1 ORDER BY cid"
    let hidden = try String.fetchAll(db, sql: sql, arguments: [table.name])
    // Before it are those with the name of the table, and with the rowid.
    return hidden.dropFirst(2).filter { $0 != "__langid" }.map(\.quotedDatabaseIdentifier)
  }

  /// The numbers that `AUTOINCREMENT` does not use again. Their table is made with the first table
  /// that has some, and stays when that is dropped.
  private func writeSequences(_ db: Database, to file: inout TextFile) throws {
    guard try db.tableExists("sqlite_sequence") else { return }
    let tables = writtenTables(.table).filter { $0.sql.contains(#/(?i)\bautoincrement\b/#) }
    let names = Set(tables.map(\.name.nameKey))
    let rows = try Row.fetchAll(db, sql: "SELECT name, seq FROM sqlite_sequence").filter { row in
      try row.decode(String?.self, atIndex: 0).map { names.contains($0.nameKey) } ?? false
    }
    if rows.isEmpty { return }
    file.write("DELETE FROM sqlite_sequence;\n")
    for row in rows {
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
      file.write(try row.decode(String.self, atIndex: 1).terminated)
    }
  }
}

extension Catalog.Table {
  fileprivate func usesModule(_ name: String) -> Bool {
    let words = sql.matches(of: #/(?i)\busing\s+\W?(\w+)/#)
    return kind == .virtual && words.contains { String($0.output.1).isSameName(as: name) }
  }

  /// Whether a full-text table reads the texts of another table.
  ///
  /// See <https://www.sqlite.org/fts5.html#external_content_tables>.
  fileprivate var hasContentElsewhere: Bool {
    kind == .virtual && !isContentless && sql.contains(#/(?i)\bcontent\s*=/#)
  }

  /// Whether a full-text table has an index, and no texts to read or to build it from.
  ///
  /// See <https://www.sqlite.org/fts5.html#contentless_tables>.
  fileprivate var isContentless: Bool {
    kind == .virtual && sql.contains(#/(?i)\bcontent\s*=\s*(?:''|""|``|\[\]|[,)])/#)
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
      case .string(let text): try textLiteral(text, at: index)
      default: value.sqlLiteral
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

extension String {
  /// The statement with a semicolon that is in no comment at its end.
  fileprivate var terminated: String {
    let candidates = ["", "\n", "*/"].map { "\(self)\($0);\n" }
    return candidates.first { StatementScanner.state(of: $0) == .complete } ?? candidates[0]
  }
}
