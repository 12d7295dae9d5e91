extension Database {
  /// Writes the rows of SQL statements.
  ///
  /// ```swift
  /// // Arthur|1000
  /// // Barbara|500
  /// try db.dumpSQL("SELECT name, score FROM player ORDER BY name")
  /// ```
  ///
  /// All statements are executed, also those that write. A blank line separates the rows of two statements.
  ///
  /// - parameter format: the format of rows.
  /// - parameter stream: where the text is written, nil for the standard output.
  /// - throws: ``DatabaseError``, the errors of the format.
  public func dumpSQL(
    _ sql: SQL, format: some DumpFormat = .debug(), to stream: (any TextOutputStream)? = nil
  ) throws {
    var stream = DumpStream(stream)
    let statements = try allStatements(literal: sql)
    while let statement = try statements.next() {
      stream.margin()
      try dump(statement, format: format, to: &stream)
    }
  }

  /// Writes the rows of a request.
  ///
  /// ```swift
  /// // Arthur|1000
  /// // Barbara|500
  /// try db.dumpRequest(Player.select(Column("name"), Column("score")).order(Column("name")))
  /// ```
  ///
  /// The rows of joined associations continue the row. Those of `including(all:)` come after, below the keys that
  /// lead to them:
  ///
  /// ```swift
  /// // 1|Herman Melville
  /// //
  /// // books
  /// // 1|Moby-Dick|1
  /// try db.dumpRequest(Author.including(all: Author.books))
  /// ```
  ///
  /// See ``dumpSQL(_:format:to:)``.
  public func dumpRequest(
    _ request: some FetchRequest, format: some DumpFormat = .debug(),
    to stream: (any TextOutputStream)? = nil
  ) throws {
    var stream = DumpStream(stream)
    try dump(request, format: format, to: &stream, path: [])
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
  /// The rows of a table are in the order of its primary key.
  ///
  /// - parameter tables: the names.
  /// - parameter format: the format of rows.
  /// - parameter tableHeader: when the name of a table stands above its rows.
  /// - parameter stableOrder: true if the rows of views are sorted, by all of their columns. Otherwise, they
  ///   are in the order of the view, which may vary.
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
  /// The tables of SQLite, and those that virtual tables keep their data in, are left out.
  ///
  /// See ``dumpTables(_:format:tableHeader:stableOrder:to:)``.
  public func dumpContent(
    format: some DumpFormat = .debug(), to stream: (any TextOutputStream)? = nil
  ) throws {
    var stream = DumpStream(stream)
    let objects = try dumpedObjects()
    dump(objects, to: &stream)
    let tables = objects.filter { $0.type == "table" }.map(\.name)
    try dump(
      tables: tables, format: format, hasHeader: true, stableOrder: true, to: &stream)
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
  /// Objects are sorted by name, and the indexes and triggers of a table come after it.
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
    try statement.prepareFetch(nil)
    defer { statement.release() }
    if try statement.start() {
      repeat {
        try format.writeRow(self, statement: statement, to: &stream)
      } while try statement.step()
    }
    format.finalize(self, statement: statement, to: &stream)
  }

  /// - parameter path: the keys of the associations that lead to the request.
  private func dump(
    _ request: some FetchRequest, format: some DumpFormat, to stream: inout DumpStream,
    path: [String]
  ) throws {
    let prepared = try request.makePreparedRequest(self, forSingleResult: false)
    if !path.isEmpty {
      stream.margin()
      stream.write(path.joined(separator: ".") + "\n")
    }
    try dump(prepared.statement, format: format, to: &stream)
    guard let prefetch = prepared.prefetch else { return }
    // The statement has forgotten its arguments.
    let parents = try request.makePreparedRequest(self, forSingleResult: false)
      .statement.fetchBatch(adapter: prepared.adapter)
    for association in prefetch.prefetches {
      let (children, _) = try prefetch.request(for: association, parents: parents)
      try dump(
        children, format: format, to: &stream,
        path: path + association.scopePath + [association.key])
    }
  }

  private func dump(
    tables: [String], format: some DumpFormat, hasHeader: Bool, stableOrder: Bool,
    to stream: inout DumpStream
  ) throws {
    for table in tables {
      stream.margin()
      if hasHeader { stream.write(table + "\n") }
      try dump(
        rows(ofTable: table, stableOrder: stableOrder), format: format, to: &stream, path: [])
    }
  }

  private func rows(
    ofTable name: String, stableOrder: Bool
  ) throws -> QueryInterfaceRequest<Row> {
    let table = Table(name)
    guard try viewExists(name) else { return table.orderByPrimaryKey() }
    return stableOrder ? table.all().withStableOrder() : table.all()
  }
}

extension Database {
  /// The objects of the main schema, without those that other ones create.
  private func dumpedObjects() throws -> [SchemaObject] {
    let shadows = try shadowTables()
    return try readObjects(of: .main)
      .filter { object in
        object.sql != nil && !Database.isSQLiteInternalTable(object.name)
          && !shadows.contains(object.tableName)
      }
      .sorted { lhs, rhs in
        let (left, right) = (lhs.dumpRank, rhs.dumpRank)
        return left.lexicographicallyPrecedes(right)
      }
  }

  /// The tables that virtual tables keep their data in. Not known to SQLite before 3.37.0.
  private func shadowTables() throws -> Set<String> {
    guard Database.sqliteLibVersionNumber >= 3_037_000 else { return [] }
    return try String.fetchSet(
      self, sql: "SELECT name FROM pragma_table_list WHERE type = 'shadow'")
  }

  private func dump(_ objects: [SchemaObject], to stream: inout DumpStream) {
    stream.margin()
    stream.write("sqlite_master\n")
    for sql in objects.lazy.compactMap(\.sql) { stream.write(sql + ";\n") }
  }
}

extension SchemaObject {
  /// Tables and views by name, each before its indexes and triggers.
  fileprivate var dumpRank: [String] {
    let isChild = type == "index" || type == "trigger"
    return [tableName.lowercased(), tableName, isChild ? type : "", name]
  }
}
