/// The facts about a table, read once.
extension DatabaseSchemaReader {
  package func columns(of table: CachedTable) throws -> [ColumnInfo] {
    if let columns = table.columns { return columns }
    let columns = try database.readColumns(of: table.id)
    // Another connection has dropped the table.
    guard !columns.isEmpty else { throw DatabaseError.noSuchTable(table.id.name) }
    table.columns = columns
    return columns
  }

  package func indexes(on table: CachedTable) throws -> [IndexInfo] {
    if let indexes = table.indexes { return indexes }
    let indexes = try database.readIndexes(on: table.id)
    table.indexes = indexes
    return indexes
  }

  package func foreignKeys(from table: CachedTable) throws -> [ForeignKeyInfo] {
    if let foreignKeys = table.foreignKeys { return foreignKeys }
    let foreignKeys = try database.readForeignKeys(from: table.id).map { declaration in
      // Foreign keys never leave their schema. SQLite accepts one to a table that does not exist.
      try declaration.resolved { destination in
        try resolveIfExists(destination, in: table.id.schemaID.name)
          .flatMap { try primaryKey(of: $0)?.columns } ?? []
      }
    }
    table.foreignKeys = foreignKeys
    return foreignKeys
  }

  /// The foreign keys that lead to a table, with the tables that declare them, in the order of
  /// their names.
  func foreignKeys(to parent: CachedTable) throws -> [(table: String, key: ForeignKeyInfo)] {
    let schema = parent.id.schemaID.name
    let tables = try catalogs(named: schema).flatMap(objects).filter { $0.type == "table" }
    return try tables.map(\.name).sorted().flatMap { child in
      try foreignKeys(from: resolve(child, in: schema))
        .filter { $0.destinationTable.isSameIdentifier(as: parent.id.name) }
        .map { (child, $0) }
    }
  }

  package func hasRowID(_ table: CachedTable) throws -> Bool {
    switch table.kind {
    case .view: false
    case .builtIn: true
    case .table: try !options(of: table).isWithoutRowID
    }
  }

  func isStrict(_ table: CachedTable) throws -> Bool {
    try table.kind == .table && options(of: table).isStrict
  }

  private func options(of table: CachedTable) throws -> DeclaredOptions {
    if let options = table.options { return options }
    let options = try database.readOptions(of: table.id, sql: table.sql)
    table.options = options
    return options
  }

  func primaryKey(of table: CachedTable) throws -> PrimaryKeyInfo? {
    switch table.primaryKey {
    case .known(let key): return key
    case .asking:
      // The schema source asks for the key that it is asked for.
      return nil
    case .unknown: break
    }
    table.primaryKey = .asking
    do {
      let key = try table.kind == .view ? keyOfView(table) : keyOfTable(table)
      table.primaryKey = .known(key)
      return key
    } catch {
      table.primaryKey = .unknown
      throw error
    }
  }

  private func keyOfTable(_ table: CachedTable) throws -> PrimaryKeyInfo {
    let columns = try columns(of: table)
    let keyColumns = columns.primaryKeyColumns
    if keyColumns.isEmpty { return .hiddenRowID(named: columns.freeRowIDName()) }
    let hasRowID = try hasRowID(table)
    if hasRowID, PrimaryKeyInfo.isRowIDCandidate(keyColumns), try !hasDescendingKey(table) {
      let column = keyColumns[0].name
      return .rowID(column, named: columns.freeRowIDName(besides: column) ?? column)
    }
    var key = PrimaryKeyInfo.regular(
      keyColumns.map(\.name), rowIDName: hasRowID ? columns.freeRowIDName() : nil)
    key.keyCollations = try keyCollations(of: table)
    return key
  }

  /// See ``PrimaryKeyInfo/keyCollations``.
  private func keyCollations(of table: CachedTable) throws -> [BinaryText: String] {
    guard let sql = table.sql, sql.uppercased().contains("COLLATE"),
      let index = try indexes(on: table).first(where: { $0.origin == .primaryKeyConstraint })
    else { return [:] }
    var collations: [BinaryText: String] = [:]
    for term in try terms(of: index, on: table.id)
    where !term.collation.isSameIdentifier(as: term.columnCollation) {
      collations[term.column.identifierKey] = term.collation
    }
    return collations
  }

  /// The columns of an index, with the collations of both.
  ///
  /// See <https://www.sqlite.org/pragma.html#pragma_index_xinfo>.
  func terms(
    of index: IndexInfo, on table: DatabaseObjectID
  ) throws -> [(column: String, columnCollation: String, collation: String)] {
    let id = DatabaseObjectID(name: index.name, schemaID: table.schemaID)
    // The rowid, or the primary key, comes after the columns of the index.
    return try zip(index.columns, database.rows(ofPragma: "index_xinfo", id)).map { column, row in
      try (
        column, database.collation(ofColumn: column, in: table) ?? "BINARY", row.decode(atIndex: 4)
      )
    }
  }

  /// `INTEGER PRIMARY KEY DESC` is no alias of the rowid: it has an index of its own.
  /// See <https://www.sqlite.org/lang_createtable.html#rowids_and_the_integer_primary_key>.
  private func hasDescendingKey(_ table: CachedTable) throws -> Bool {
    guard let sql = table.sql, sql.uppercased().contains("DESC") else { return false }
    return try indexes(on: table).contains { $0.origin == .primaryKeyConstraint }
  }

  private func keyOfView(_ view: CachedTable) throws -> PrimaryKeyInfo? {
    guard let names = try source?.columnsForPrimaryKey(database, inView: view.id), !names.isEmpty
    else { return nil }
    let columns = try columns(of: view)
    let key = try names.map { name in
      let column = columns.first { $0.name.isSameIdentifier(as: name) }
      guard let column else {
        throw InvalidRequest("No such column in \(view.viewDescription): \(name)")
      }
      return column.name
    }
    return .regular(key, rowIDName: nil)
  }
}
