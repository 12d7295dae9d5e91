import Quarry

// See <https://www.sqlite.org/pragma.html#pragfunc>.
extension Catalog {
  init(_ db: Database) throws {
    let kinds = try Self.kinds(db)
    let objects = try Row.fetchAll(
      db,
      sql: #"""
        SELECT type, name, sql FROM sqlite_master
        WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\_%' ESCAPE '\'
        """#)
    tables =
      try objects
      .map { row in
        try Table(
          name: row.decode(atIndex: 1), kind: .table,
          sql: row.decode(String?.self, atIndex: 2) ?? "", type: row.decode(atIndex: 0))
      }
      .sorted { ($0.name.lowercased(), $0.name) < ($1.name.lowercased(), $1.name) }
    for index in tables.indices {
      tables[index].read(db, kinds[tables[index].name.nameKey])
    }
    for index in tables.indices { completeForeignKeys(ofTableAt: index) }
  }

  /// The kind of each table, and whether it is WITHOUT ROWID. SQLite 3.37 has brought `table_list`.
  private static func kinds(
    _ db: Database
  ) throws -> [[UInt8]: (type: String, isWithoutRowID: Bool)] {
    guard Database.sqliteLibVersionNumber >= 3_037_000 else { return [:] }
    let rows = try Row.fetchAll(
      db, sql: "SELECT name, type, wr FROM pragma_table_list WHERE schema = 'main'")
    return try Dictionary(
      rows.map { row in
        try (
          row.decode(String.self, atIndex: 0).nameKey,
          (row.decode(atIndex: 1), row.decode(atIndex: 2))
        )
      }, uniquingKeysWith: { first, _ in first })
  }

  /// A foreign key without columns of the other table means its primary key.
  private mutating func completeForeignKeys(ofTableAt index: Int) {
    for position in tables[index].foreignKeys.indices {
      let key = tables[index].foreignKeys[position]
      guard key.tableColumns.isEmpty else { continue }
      let other = tables.first { $0.name.isSameName(as: key.table) }
      tables[index].foreignKeys[position].tableColumns = other?.primaryKey ?? []
    }
  }
}

extension Catalog.Table {
  fileprivate init(name: String, kind: Kind, sql: String, type: String) {
    let isVirtual = sql.uppercased().hasPrefix("CREATE VIRTUAL")
    self.init(
      name: name, kind: type == "view" ? .view : isVirtual ? .virtual : .table, sql: sql)
  }

  fileprivate mutating func read(_ db: Database, _ kind: (type: String, isWithoutRowID: Bool)?) {
    if kind?.type == "shadow" { self.kind = .shadow }
    hasRowID = self.kind != .view && kind?.isWithoutRowID != true
    do {
      columns = try readColumns(db)
      guard self.kind != .view else { return }
      rowIDColumn = try db.primaryKey(name, in: "main").rowIDColumn
      foreignKeys = try readForeignKeys(db)
      indexes = try readIndexes(db)
    } catch {
      problem = (error as? DatabaseError)?.message ?? "\(error)"
    }
  }

  private func readColumns(_ db: Database) throws -> [Catalog.Column] {
    let sql = """
      SELECT name, type, "notnull", dflt_value, pk, hidden FROM pragma_table_xinfo(?, 'main')
      WHERE hidden <> 1
      """
    return try Row.fetchAll(db, sql: sql, arguments: [name]).map { row in
      try Catalog.Column(
        name: row.decode(atIndex: 0), type: row.decode(atIndex: 1),
        isNotNull: row.decode(atIndex: 2), defaultSQL: row.decode(atIndex: 3),
        keyPosition: row.decode(atIndex: 4), isGenerated: row.decode(Int.self, atIndex: 5) >= 2)
    }
  }

  private func readForeignKeys(_ db: Database) throws -> [Catalog.ForeignKey] {
    let sql = """
      SELECT id, "table", "from", "to", on_delete FROM pragma_foreign_key_list(?, 'main')
      ORDER BY id DESC, seq
      """
    var keys: [(id: Int, key: Catalog.ForeignKey)] = []
    for row in try Row.fetchAll(db, sql: sql, arguments: [name]) {
      let id: Int = try row.decode(atIndex: 0)
      if keys.last?.id != id {
        let key = try Catalog.ForeignKey(
          columns: [], table: row.decode(atIndex: 1), tableColumns: [],
          onDelete: row.decode(atIndex: 4))
        keys.append((id, key))
      }
      keys[keys.count - 1].key.columns.append(try row.decode(atIndex: 2))
      let other = try row.decode(String?.self, atIndex: 3)
      if let other { keys[keys.count - 1].key.tableColumns.append(other) }
    }
    return keys.map(\.key)
  }

  private func readIndexes(_ db: Database) throws -> [Catalog.Index] {
    let sql = """
      SELECT name, "unique", origin, partial FROM pragma_index_list(?, 'main') ORDER BY name
      """
    return try Row.fetchAll(db, sql: sql, arguments: [name]).map { row in
      let index: String = try row.decode(atIndex: 0)
      let columns = try Optional<String>.fetchAll(
        db, sql: "SELECT name FROM pragma_index_info(?, 'main') ORDER BY seqno", arguments: [index])
      return try Catalog.Index(
        name: index, columns: columns, isUnique: row.decode(atIndex: 1),
        isPartial: row.decode(atIndex: 3), origin: row.decode(atIndex: 2))
    }
  }
}
