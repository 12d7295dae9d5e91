import Quarry

/// Which tables a session records.
final class TableFilter {
  private let schema: String
  private let included: Set<String>?
  private let excluded: Set<String>
  let shadowTables: Set<String>
  /// The tables that were changed, without those that are left out on purpose.
  private var changed: [String] = []
  /// Those that can be recorded, of recordings with the same schema.
  private var checked: Set<String> = []
  /// Of the tables that were checked.
  private var checkedDefaults = AddedDefaults()
  /// Those of the tables that were checked whose keys SQLite takes for equal to others.
  private var tablesWithLooseKeys: Set<String> = []
  /// The filter of the schema, for recordings one after the other.
  var base: TableFilter?

  init(_ db: Database, schema: String, tables: [String]?, besides excluded: [String]) throws {
    self.schema = schema
    included = tables.map { Set($0.map { $0.lowercasedASCII }) }
    self.excluded = Set(excluded.map { $0.lowercasedASCII })
    shadowTables = try db.shadowTables(in: schema)
    for table in tables ?? [] { try db.checkIsRecordable(table, in: schema) }
  }

  /// A filter of the same tables, for another recording.
  init(_ other: TableFilter) {
    schema = other.schema
    included = other.included
    excluded = other.excluded
    shadowTables = other.shadowTables
    base = other
  }

  /// The defaults that SQLite takes for NULL, of the tables that were checked.
  var addedDefaults: AddedDefaults { (base ?? self).checkedDefaults }

  /// Whether a key of a changed table may have been replaced by one that SQLite takes for equal.
  var mayConfuseKeys: Bool {
    let tables = (base ?? self).tablesWithLooseKeys
    return changed.contains { tables.contains($0) }
  }

  /// Whether a table was changed that is recorded.
  var hasChanged: Bool { !changed.isEmpty }

  /// Called by SQLite when a table is changed that is not recorded yet.
  func includes(_ table: String) -> Bool {
    let name = table.lowercasedASCII
    if name.hasPrefix("sqlite_") || excluded.contains(name) { return false }
    let isIncluded =
      if let included {
        included.contains(name)
      } else {
        // The content of virtual tables belongs to their modules, which know nothing of changes
        // that others make.
        !shadowTables.contains(name)
      }
    if isIncluded { changed.append(table) }
    return isIncluded
  }

  /// Throws for a changed table that SQLite can't record.
  func check(_ db: Database) throws {
    let base = base ?? self
    for table in changed where !base.checked.contains(table) {
      guard try db.tableExists(table, in: schema) else { continue }
      try db.checkIsRecordable(table, in: schema)
      if AddedDefaults.areLost { try base.checkedDefaults.add(table, in: schema, db) }
      if try db.hasLooseKey(table, in: schema) { base.tablesWithLooseKeys.insert(table) }
      base.checked.insert(table)
    }
  }

  /// Throws where SQLite may have left out a change.
  ///
  /// - parameter changeset: The changes as SQLite has them.
  /// - parameter changesCount: The number of changes of rows: see ``Session/changesCount(of:)``.
  func checkNulls(in changeset: Changeset, changesCount: Int, _ db: Database) throws {
    try addedDefaults.checkNulls(
      of: changed, in: changeset, changesCount: changesCount, schema: schema, db)
  }
}

extension String {
  /// As SQLite compares names: without regard to the case of ASCII letters.
  var lowercasedASCII: String {
    String(
      decoding: utf8.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 + 32 : $0 },
      as: UTF8.self)
  }
}

extension Database {
  /// The names of the virtual tables of a schema, in lowercase.
  func virtualTables(in schema: String) throws -> [String] {
    try String.fetchAll(
      self,
      sql: """
        SELECT name FROM \(schema.quotedDatabaseIdentifier).sqlite_master
        WHERE type = 'table' AND rootpage = 0
        """
    ).map { $0.lowercasedASCII }
  }

  /// The names of the shadow tables of a schema, in lowercase.
  fileprivate func shadowTables(in schema: String) throws -> Set<String> {
    // SQLite 3.37.0 has brought PRAGMA table_list.
    if Self.sqliteLibVersionNumber >= 3_037_000 {
      let names = try String.fetchAll(
        self,
        sql: """
          SELECT name FROM pragma_table_list WHERE type = 'shadow' AND schema = ? COLLATE NOCASE
          """, arguments: [schema])
      return Set(names.map(\.lowercasedASCII))
    }
    let tables = try Row.fetchAll(
      self,
      sql: """
        SELECT name, sql FROM \(schema.quotedDatabaseIdentifier).sqlite_master
        WHERE type = 'table' AND rootpage = 0
        """)
    return Set(tables.flatMap { Self.shadowNames(of: $0["name"], sql: $0["sql"]) })
  }

  /// The names of the shadow tables of a virtual table of one of SQLite's modules, in lowercase.
  static func shadowNames(of table: String, sql: String) -> [String] {
    let module = sql.lowercased().firstMatch(of: /\busing\s+["'`\[]?(fts[345]|rtree)\b/)
    guard let module else { return [] }
    let suffixes =
      switch module.1 {
      case "fts5": ["data", "idx", "content", "docsize", "config"]
      case "rtree": ["node", "parent", "rowid"]
      default: ["content", "segments", "segdir", "docsize", "stat"]
      }
    return suffixes.map { "\(table)_\($0)".lowercasedASCII }
  }

  /// Throws for a table that SQLite can't record.
  func checkIsRecordable(_ table: String, in schema: String) throws {
    func fail(_ reason: String, column: String? = nil) -> ChangesetError {
      ChangesetError(
        .unrecordable, "changes of \(table) can't be recorded: \(reason)", table: table,
        column: column)
    }
    guard try tableExists(table, in: schema) else {
      throw fail("there is no such table in the schema \(schema)")
    }
    if try virtualTables(in: schema).contains(table.lowercasedASCII) {
      throw fail(
        "it is a virtual table, whose module stores it as it likes. Record the table that it is made from"
      )
    }
    let columns = try Row.fetchAll(
      self, sql: "SELECT name, type, pk, hidden FROM pragma_table_xinfo(?, ?)",
      arguments: [table, schema])
    if let generated = columns.first(where: { $0["hidden"] == 2 || $0["hidden"] == 3 }) {
      let name: String = generated["name"]
      throw fail(
        "SQLite does not record tables with generated columns, such as \(name). "
          + "Compute it in a view, or list the tables to record", column: name)
    }
    if let key = columns.first(where: { $0["pk"] != 0 && Self.isReal($0["type"]) }) {
      let name: String = key["name"]
      throw fail(
        "its key has the column \(name) of type REAL, whose whole numbers SQLite mistakes for integers "
          + "when it records them. Declare another key, or list the tables to record", column: name)
    }
    if !columns.contains(where: { $0["pk"] != 0 }) {
      throw fail(
        "it declares no primary key, which identifies rows. Declare one, or list the tables to record"
      )
    }
    if let name = try keyColumnWithOtherCollation(table, in: schema) {
      throw fail(
        "its key compares the column \(name) by another collation than the column has, by which "
          + "SQLite finds other rows too. Declare the same collation for both, or list the tables "
          + "to record", column: name)
    }
    if let name = try mistakenColumn(among: columns, of: table, in: schema) {
      throw fail(
        "SQLite \(SQLiteVersion.linked) mistakes the numbers of its column \(name): it is "
          + "WITHOUT ROWID, has a column of type REAL, and others before those of its key. "
          + "Declare the columns of the key first, in their order, or list the tables to record",
        column: name)
    }
  }
}
