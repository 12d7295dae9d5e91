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
    // Sessions accept schemas that don't exist.
    if schema != "main" { _ = try db.tableExists("sqlite_master", in: schema) }
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

  /// The changed tables in which a key may have been replaced by one that SQLite takes for equal.
  var changedTablesWithLooseKeys: Set<String> {
    (base ?? self).tablesWithLooseKeys.intersection(changed)
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
}
