import Quarry

/// A table whose changes are logged: its columns, and the constraints that concern other rows.
struct LogTable {
  /// Columns that are unique together, with their collations.
  struct Group: Hashable {
    let columns: [Int]
    let collations: [Collation]
  }

  struct ForeignKey: Hashable {
    let columns: [Int]
    /// In lowercase.
    let parent: String
    let parentGroup: Group
  }

  let name: String
  let columns: [String]
  let affinities: [ColumnInfo.Affinity]
  /// For each column its default, as the version of a row has it that is older than the column.
  let defaults: [DatabaseValue]
  /// For each column its position in the primary key, from 1, or 0.
  let keyPositions: [UInt8]
  private(set) var uniqueGroups: [Group] = []
  var foreignKeys: [ForeignKey] = []

  var keyColumns: [Int] { keyPositions.indices.filter { keyPositions[$0] != 0 } }
  var quotedName: String { "main.\(name.quotedDatabaseIdentifier)" }

  /// The positions of columns that a change of a row may not simply pass through, since another row
  /// may have the value meanwhile.
  var uniqueColumns: Set<Int> { Set(uniqueGroups.flatMap(\.columns)) }

  var keyGroup: Group {
    // In the order of the key, which foreign keys have.
    let columns = keyColumns.sorted { keyPositions[$0] < keyPositions[$1] }
    return Group(columns: columns, collations: columns.map { _ in .binary })
  }
}

/// The collations whose equality is known here.
enum Collation: String {
  case binary = "BINARY"
  case nocase = "NOCASE"
  case rtrim = "RTRIM"
}

extension LogTable {
  init(_ db: Database, _ table: String) throws {
    try db.checkIsRecordable(table, in: "main")
    let declared = try String.fetchOne(
      db,
      sql: """
        SELECT name FROM main.sqlite_master WHERE type = 'table' AND name = ? COLLATE NOCASE
        """, arguments: [table])
    name = declared ?? table
    let columns = try db.plainColumns(of: name)
    self.columns = columns.map(\.name)
    affinities = try String.fetchAll(
      db, sql: "SELECT type FROM pragma_table_info(?, 'main')", arguments: [name]
    ).map(ColumnInfo.affinity)
    let isStrict = try db.isStrict(name, in: "main")
    defaults = try Row.fetchAll(
      db, sql: "SELECT type, \"notnull\", dflt_value FROM pragma_table_info(?, 'main')",
      arguments: [name]
    ).map { row -> DatabaseValue in
      guard let sql = row["dflt_value"] as String? else { return .null }
      let known = try AddedDefaults.value(of: sql, type: row["type"], isStrict: isStrict)
      // No other value is the same everywhere: NULL is, where the column may have it.
      if known != nil || row["notnull"] == false { return known ?? .null }
      return try DatabaseValue.fetchOne(db, sql: "SELECT \(sql)") ?? .null
    }
    keyPositions = columns.map { UInt8(clamping: $0.key) }
    for index in try LogIndex.fetchAll(db, self) {
      if index.isKey {
        try checkKey(index, db)
      } else {
        uniqueGroups.append(Group(columns: index.columns, collations: index.collations))
      }
    }
  }

  /// The key that identifies a row must be equal for SQLite where its bytes are, and never be null.
  private func checkKey(_ index: LogIndex, _ db: Database) throws {
    if let place = index.collations.firstIndex(where: { $0 != .binary }) {
      let column = columns[index.columns[place]]
      throw unloggable(
        "its key has the column \(column) with the collation \(index.collations[place].rawValue): "
          + "two keys would be one. Declare a key with the collation BINARY", column)
    }
    let nullable = try String.fetchOne(
      db,
      sql: """
        SELECT name FROM pragma_table_info(?, 'main') WHERE pk > 0 AND "notnull" = 0
        """, arguments: [name])
    guard let nullable else { return }
    throw unloggable(
      "its key has the column \(nullable), which may be null: SQLite does not record such rows. "
        + "Declare it NOT NULL", nullable)
  }

  func unloggable(_ reason: String, _ column: String? = nil) -> ChangesetError {
    ChangesetError(
      .unrecordable, "the table \(name) can't be logged: \(reason)", table: name, column: column)
  }
}

/// A unique index.
private struct LogIndex {
  let isKey: Bool
  let columns: [Int]
  let collations: [Collation]

  static func fetchAll(_ db: Database, _ table: LogTable) throws -> [LogIndex] {
    try Row.fetchAll(
      db,
      sql: """
        SELECT name, origin, partial FROM pragma_index_list(?, 'main') WHERE "unique" ORDER BY name
        """, arguments: [table.name]
    ).map { row in
      let name: String = row["name"]
      guard row["partial"] == false else {
        throw table.unloggable(
          "its unique index \(name) has a condition, which other databases can't decide for rows that "
            + "they don't show. Use a unique index without a condition")
      }
      return try LogIndex(db, table, name, isKey: row["origin"] == "pk")
    }
  }

  private init(_ db: Database, _ table: LogTable, _ name: String, isKey: Bool) throws {
    self.isKey = isKey
    let parts = try Row.fetchAll(
      db,
      sql: """
        SELECT name, coll FROM pragma_index_xinfo(?, 'main') WHERE "key" ORDER BY seqno
        """, arguments: [name])
    columns = try parts.map { part in
      let column: String? = part["name"]
      if let place = table.columns.firstIndex(where: { $0 == column }) { return place }
      throw table.unloggable(
        "its unique index \(name) has an expression. Use a column, or an index that is not unique")
    }
    collations = try parts.map { part in
      let collation: String = part["coll"]
      if let known = Collation(rawValue: collation.uppercased()) { return known }
      throw table.unloggable(
        "its unique index \(name) has the collation \(collation), which is not one of SQLite's own",
        part["name"])
    }
  }
}
