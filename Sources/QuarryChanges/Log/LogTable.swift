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
  fileprivate let affinities: [Affinity]
  /// For each column its position in the primary key, from 1, or 0.
  let keyPositions: [UInt8]
  private(set) var uniqueGroups: [Group] = []
  fileprivate(set) var foreignKeys: [ForeignKey] = []

  var keyColumns: [Int] { keyPositions.indices.filter { keyPositions[$0] != 0 } }
  var quotedName: String { "main.\(name.quotedDatabaseIdentifier)" }

  /// The positions of columns that a change of a row may not simply pass through, since another row
  /// may have the value meanwhile.
  var uniqueColumns: Set<Int> { Set(uniqueGroups.flatMap(\.columns)) }

  fileprivate var keyGroup: Group {
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

/// What SQLite makes of values that are compared with those of a column.
///
/// See <https://www.sqlite.org/datatype3.html#determination_of_column_affinity>.
private enum Affinity {
  case numeric, text, none

  init(_ type: String) {
    let type = type.uppercased()
    self =
      if type.contains("INT") {
        .numeric
      } else if ["CHAR", "CLOB", "TEXT"].contains(where: type.contains) {
        .text
      } else {
        type.isEmpty || type.contains("BLOB") ? .none : .numeric
      }
  }
}

extension LogTable {
  fileprivate init(_ db: Database, _ table: String) throws {
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
    ).map(Affinity.init)
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

  fileprivate func unloggable(_ reason: String, _ column: String? = nil) -> ChangesetError {
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

/// The tables that are logged, by their names in lowercase.
struct LogSchema {
  private(set) var tables: [String: LogTable] = [:]

  init(_ db: Database, _ names: [String]) throws {
    for name in names {
      let table = try LogTable(db, name)
      tables[table.name.lowercasedASCII] = table
    }
    let children = try Row.fetchAll(
      db,
      sql: """
        SELECT child.name AS child, keys.id, keys."table" AS parent, keys."from", keys."to"
        FROM main.sqlite_master AS child, pragma_foreign_key_list(child.name, 'main') AS keys
        WHERE child.type = 'table' AND instr(upper(child.sql), 'REFERENCES')
        ORDER BY child.name, keys.id, keys.seq
        """)
    let groups = Dictionary(grouping: children) { row in
      "\(row["id"] as Int) \(row["child"] as String)"
    }
    for rows in groups.values { try add(rows) }
  }

  var hasForeignKeys: Bool { tables.values.contains { !$0.foreignKeys.isEmpty } }

  subscript(name: String) -> LogTable? { tables[name.lowercasedASCII] }

  /// Adds a foreign key, whose rows are its columns.
  private mutating func add(_ rows: [Row]) throws {
    let (child, parent): (String, String) = (rows[0]["child"], rows[0]["parent"])
    switch (self[child], self[parent]) {
    case (nil, nil): return
    case (let table?, nil):
      throw table.unloggable("it references \(parent), which is not. List both")
    case (nil, let table?):
      throw table.unloggable(
        "\(child) references it, whose rows would miss theirs when others delete them. List both")
    case (let table?, let other?):
      let columns = rows.compactMap { row in
        table.columns.firstIndex { $0.isSameIdentifier(as: row["from"]) }
      }
      let names = rows.compactMap { $0["to"] as String? }
      let group = try other.group(names, child: child)
      for (column, key) in zip(columns, group.columns)
      where table.affinities[column] != other.affinities[key] {
        throw table.unloggable(
          "its column \(table.columns[column]) references \(other.columns[key]) of \(other.name), which has "
            + "another type. Declare both alike", table.columns[column])
      }
      tables[child.lowercasedASCII]?.foreignKeys.append(
        LogTable.ForeignKey(
          columns: columns, parent: parent.lowercasedASCII, parentGroup: group))
    }
  }
}

extension LogTable {
  /// The unique columns that a foreign key references: those of the key, where it names none.
  fileprivate func group(_ names: [String], child: String) throws -> Group {
    if names.isEmpty { return keyGroup }
    let columns = names.compactMap { name in
      self.columns.firstIndex { $0.isSameIdentifier(as: name) }
    }
    let group = ([keyGroup] + uniqueGroups).first { Set($0.columns) == Set(columns) }
    guard let group else {
      throw unloggable(
        "\(child) references \(names.joined(separator: ", ")), which is no key of it")
    }
    return Group(
      columns: columns,
      collations: columns.map { column in
        group.collations[group.columns.firstIndex(of: column) ?? 0]
      })
  }
}

extension LogTable.Group {
  /// The bytes that are equal where SQLite takes the values for equal. Nil with a null, which equals
  /// nothing, and for columns that the row does not have.
  func bytes(_ values: [DatabaseValue], _ ownColumns: [Int]? = nil) -> [UInt8]? {
    var bytes: [UInt8] = []
    for (column, collation) in zip(ownColumns ?? columns, collations) {
      guard column < values.count, !values[column].isNull else { return nil }
      bytes += ChangesetWriter.record([values[column].canonical(collation)])
    }
    return bytes
  }
}

extension DatabaseValue {
  /// The value of those that are equal for SQLite: whole numbers are integers.
  func canonical(_ collation: Collation = .binary) -> DatabaseValue {
    switch (storage, collation) {
    case (.double(let number), _): Int64(exactly: number)?.databaseValue ?? self
    case (.string(let text), .nocase): text.lowercasedASCII.databaseValue
    case (.string(let text), .rtrim):
      String(text.reversed().drop { $0 == " " }.reversed()).databaseValue
    default: self
    }
  }
}

/// A row, by its table in lowercase and the bytes of its key.
struct RowKey: Hashable {
  let table: String
  let bytes: [UInt8]

  /// - parameter isKey: Whether the values are those of the key only.
  init(_ table: LogTable, _ values: [DatabaseValue], isKey: Bool = false) {
    self.table = table.name.lowercasedASCII
    let key = isKey ? values : table.keyColumns.map { values[$0] }
    bytes = ChangesetWriter.record(key.map { $0.canonical() })
  }

  init(table: String, bytes: [UInt8]) {
    self.table = table
    self.bytes = bytes
  }

  /// The values of the key, in the order of the columns.
  func values(_ table: LogTable) -> [DatabaseValue] {
    var writer = ChangesetWriter()
    let count = table.keyColumns.count
    writer.append(.insert, of: "k", (1...count).map { UInt8(clamping: $0) }, new: [])
    let changeset = Changeset(checked: writer.bytes + bytes, isPatchset: false)
    return changeset.changes.first?.newValues?.map { $0 ?? .null } ?? []
  }
}
