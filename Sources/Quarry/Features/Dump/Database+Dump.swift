extension Database {
  /// Writes the rows of SQL statements.
  ///
  /// ```swift
  /// // Arthur|1000
  /// // Barbara|500
  /// try db.dumpSQL("SELECT name, score FROM player ORDER BY name")
  /// ```
  ///
  /// All statements are executed, also those that write. Columns whose name begins with `grdb_` are
  /// left out of rows; headers have them.
  ///
  /// - parameter sql: The SQL of the query.
  /// - parameter format: the format of rows.
  /// - parameter stream: where the text is written, nil for the standard output.
  /// - throws: ``DatabaseError``, the errors of the format.
  public func dumpSQL(
    _ sql: SQL, format: some DumpFormat = .debug(), to stream: (any TextOutputStream)? = nil
  ) throws {
    var stream = DumpStream(stream)
    let statements = try allStatements(literal: sql)
    while let statement = try statements.next() { try dump(statement, format: format, to: &stream) }
  }

  /// Writes the rows of a request.
  ///
  /// ```swift
  /// // Arthur|1000
  /// // Barbara|500
  /// try db.dumpRequest(Player.select(Column("name"), Column("score")).order(Column("name")))
  /// ```
  ///
  /// The rows of joined associations continue the row. Those of `including(all:)` come after, if
  /// there is a row at all, below the keys that lead to them from the request that includes them:
  ///
  /// ```swift
  /// // 1|Herman Melville
  /// //
  /// // books
  /// // 1|Moby-Dick
  /// try db.dumpRequest(Author.including(all: Author.books))
  /// ```
  ///
  /// See ``dumpSQL(_:format:to:)``.
  public func dumpRequest(
    _ request: some FetchRequest, format: some DumpFormat = .debug(),
    to stream: (any TextOutputStream)? = nil
  ) throws {
    var stream = DumpStream(stream)
    try dump(request, format: format, to: &stream)
  }

  /// Writes the rows of tables and views.
  ///
  /// ```swift
  /// // player
  /// // 1|Arthur|1000
  /// // 2|Barbara|500
  /// //
  /// // team
  /// // 1|Red
  /// try db.dumpTables(["player", "team"])
  /// ```
  ///
  /// The rows of a table are in the order of its primary key: of its rowid where it declares none,
  /// and of all columns where these have all names of the rowid.
  ///
  /// - parameter tables: the names.
  /// - parameter format: the format of rows.
  /// - parameter tableHeader: when the name of a table is written above its rows.
  /// - parameter stableOrder: true if the rows of views are sorted, by all of their columns.
  ///   Otherwise, they are in the order of the view, which may vary.
  /// - parameter stream: where the text is written, nil for the standard output.
  /// - throws: ``DatabaseError`` for an unknown table, the errors of the format.
  public func dumpTables(
    _ tables: [String], format: some DumpFormat = .debug(),
    tableHeader: DumpTableHeaderOptions = .automatic, stableOrder: Bool = false,
    to stream: (any TextOutputStream)? = nil
  ) throws {
    var stream = DumpStream(stream)
    let hasHeader = tableHeader == .always || tables.count > 1
    try dump(
      tables: tables, format: format, hasHeader: hasHeader, stableOrder: stableOrder, to: &stream)
  }

  /// Writes the SQL of the schema, and the rows of all tables.
  ///
  /// ```swift
  /// // sqlite_master
  /// // CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT, score INTEGER);
  /// //
  /// // player
  /// // 1|Arthur|1000
  /// // 2|Barbara|500
  /// try db.dumpContent()
  /// ```
  ///
  /// The tables of SQLite (`sqlite_…`) and of the library (`grdb_…`), and those that virtual tables
  /// keep their data in, are left out.
  ///
  /// See ``dumpTables(_:format:tableHeader:stableOrder:to:)``.
  public func dumpContent(
    format: some DumpFormat = .debug(), to stream: (any TextOutputStream)? = nil
  ) throws {
    var stream = DumpStream(stream)
    let objects = try dumpedObjects()
    dump(objects, to: &stream)
    let tables = objects.filter { $0.type == "table" }.map(\.name)
    stream.margin()
    try dump(
      tables: tables, in: "main", format: format, hasHeader: true, stableOrder: true, to: &stream)
  }

  /// Writes the SQL of the schema.
  ///
  /// ```swift
  /// // sqlite_master
  /// // CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT, score INTEGER);
  /// // CREATE INDEX player_on_name ON player(name);
  /// try db.dumpSchema()
  /// ```
  ///
  /// Objects are sorted by name, without regard to case, and the indexes and triggers of a table
  /// come after it.
  ///
  /// See ``dumpContent(format:to:)``.
  public func dumpSchema(to stream: (any TextOutputStream)? = nil) throws {
    var stream = DumpStream(stream)
    try dump(dumpedObjects(), to: &stream)
  }
}

extension Database {
  private func dump(
    _ statement: Statement, format: some DumpFormat, to stream: inout DumpStream
  ) throws {
    var format = format
    try statement.fetch {
      guard try statement.start() else { return }
      repeat {
        try format.writeRow(self, statement: statement, to: &stream)
      } while try statement.step()
    }
    format.finalize(self, statement: statement, to: &stream)
  }

  private func dump(
    _ request: some FetchRequest, format: some DumpFormat, to stream: inout DumpStream
  ) throws {
    let prepared = try request.makePreparedRequest(self, forSingleResult: false)
    try dump(prepared.statement, format: format, to: &stream)
    guard let prefetch = prepared.prefetch else { return }
    // The statement has forgotten its arguments.
    let parents = try request.makePreparedRequest(self, forSingleResult: false)
      .statement.fetchBatch(adapter: prepared.sharedAdapter)
    if parents.rowCount == 0 { return }
    for association in prefetch.prefetches {
      let (children, _) = try prefetch.relation(for: association, self, parents: parents)
      stream.margin()
      stream.write(association.keyPath.joined(separator: ".") + "\n")
      try dump(QueryInterfaceRequest<Row>(relation: children), format: format, to: &stream)
    }
  }

  private func dump(
    tables: [String], in schema: String? = nil, format: some DumpFormat, hasHeader: Bool,
    stableOrder: Bool, to stream: inout DumpStream
  ) throws {
    for (index, table) in tables.enumerated() {
      if index > 0 { stream.margin() }
      if hasHeader { stream.write(table + "\n") }
      try dump(
        rows(ofTable: table, in: schema, stableOrder: stableOrder), format: format, to: &stream)
    }
  }

  /// SQL has the names of the schema and of the table apart: "main.player" may be the name of a
  /// table, too.
  private func rows(
    ofTable name: String, in schemaName: String?, stableOrder: Bool
  ) throws -> SQLRequest<Row> {
    let table = try schema.resolve(name, in: schemaName)
    let sql =
      "SELECT * FROM \(table.id.schemaID.sqlName).\(table.id.name.quotedDatabaseIdentifier)"
    if table.kind == .view, !stableOrder { return SQLRequest(sql: sql) }
    return try SQLRequest(sql: sql + " ORDER BY " + stableTerms(of: table).joined(separator: ", "))
  }

  /// The primary key, or the numbers of all columns where nothing identifies a row.
  private func stableTerms(of table: CachedTable) throws -> [String] {
    if let key = try schema.primaryKey(of: table), key.isNamed {
      return key.columns.map(\.quotedDatabaseIdentifier)
    }
    return try (1...schema.columns(of: table).count).map { "\($0)" }
  }
}

extension Database {
  /// The objects of the main schema, without those of SQLite, of the library, and of virtual
  /// tables.
  private func dumpedObjects() throws -> [SchemaObject] {
    let shadows = try shadowTables()
    return try readObjects(of: .main)
      .filter { object in
        object.sql != nil && !object.isInternal && !shadows.containsText(object.tableName)
      }
      .sorted { $0.dumpRank.lexicographicallyPrecedes($1.dumpRank) }
  }

  /// The tables that virtual tables keep their data in. Not known to SQLite before 3.37.0.
  private func shadowTables() throws -> [String] {
    guard Database.sqliteLibVersionNumber >= 3_037_000 else { return [] }
    return try String.fetchAll(
      self,
      sql: "SELECT name FROM pragma_table_list WHERE type = 'shadow' AND schema = 'main'")
  }

  private func dump(_ objects: [SchemaObject], to stream: inout DumpStream) {
    stream.write("sqlite_master\n")
    for sql in objects.lazy.compactMap(\.sql) { stream.write(sql + ";\n") }
  }
}

extension SchemaObject {
  /// By table, without regard to case: the table, its indexes, then its triggers. A view is alone.
  fileprivate var dumpRank: [String] {
    let rank = ["table": "0", "index": "1"][type] ?? "2" + type
    return [tableName.lowercased(), rank, name.lowercased()]
  }
}
