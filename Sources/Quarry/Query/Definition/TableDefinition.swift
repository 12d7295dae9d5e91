/// A table to create.
///
/// ```swift
/// try db.create(table: "book") { t in
///   t.autoIncrementedPrimaryKey("id")
///   t.column("title", .text).notNull()
///   t.belongsTo("author", onDelete: .cascade).notNull()
/// }
/// ```
///
/// See <https://www.sqlite.org/lang_createtable.html>.
public final class TableDefinition {
  private var model: TableModel
  private var isInPrimaryKeyBody = false

  package init(name: String, options: TableOptions, body: (TableDefinition) throws -> Void) throws {
    if options.contains(.strict), Database.sqliteLibVersionNumber < 3_037_000 {
      throw DatabaseError(message: "strict tables require SQLite 3.37.0")
    }
    model = TableModel(name: name, options: options)
    try body(self)
  }

  /// The statements that create the table, then its indexes.
  ///
  /// - parameter createdName: The name of the table in its own statement, where it gets its name
  ///   later.
  package func statements(
    _ schema: any SchemaReader, createdAs createdName: String? = nil
  ) throws -> [String] {
    try TableResolver(model, schema: schema, createdAs: createdName).statements()
  }

  /// Adds an integer primary key, whose values are never used twice.
  ///
  /// ```swift
  /// // "id" INTEGER PRIMARY KEY AUTOINCREMENT
  /// t.autoIncrementedPrimaryKey("id")
  /// ```
  ///
  /// See <https://www.sqlite.org/autoinc.html>.
  @discardableResult
  public func autoIncrementedPrimaryKey(
    _ name: String,
    onConflict conflictResolution: Database.ConflictResolution? = nil
  ) -> ColumnDefinition {
    column(name, .integer).primaryKey(onConflict: conflictResolution, autoincrement: true)
  }

  /// Adds a column that is the primary key.
  ///
  /// ```swift
  /// // "code" TEXT PRIMARY KEY NOT NULL
  /// t.primaryKey("code", .text)
  /// ```
  @discardableResult
  public func primaryKey(
    _ name: String, _ type: Database.ColumnType,
    onConflict conflictResolution: Database.ConflictResolution? = nil
  ) -> ColumnDefinition {
    let column = column(name, type).primaryKey(onConflict: conflictResolution)
    // SQLite accepts NULL in primary keys, except in integer ones.
    return type.rawValue.uppercased() == "INTEGER" ? column : column.notNull()
  }

  /// Adds columns that make the primary key together.
  ///
  /// ```swift
  /// // "shop" TEXT NOT NULL, "isbn" TEXT NOT NULL, PRIMARY KEY ("shop", "isbn")
  /// t.primaryKey {
  ///   t.column("shop", .text)
  ///   t.column("isbn", .text)
  /// }
  /// ```
  ///
  /// - throws: The error of `body`.
  public func primaryKey(
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    body: () throws -> Void
  ) rethrows {
    let start = model.items.count
    let wasInPrimaryKeyBody = isInPrimaryKeyBody
    isInPrimaryKeyBody = true
    defer { isInPrimaryKeyBody = wasInPrimaryKeyBody }
    try body()
    setPrimaryKey(.items(start..<model.items.count, ConflictClause(resolution: conflictResolution)))
  }

  /// Makes the primary key of columns that are declared elsewhere in the definition.
  ///
  /// ```swift
  /// // PRIMARY KEY ("shop", "isbn")
  /// t.primaryKey(["shop", "isbn"])
  /// ```
  public func primaryKey(
    _ columns: [String],
    onConflict conflictResolution: Database.ConflictResolution? = nil
  ) { setPrimaryKey(.columns(columns, ConflictClause(resolution: conflictResolution))) }

  /// Adds a column.
  ///
  /// ```swift
  /// // "title" TEXT
  /// t.column("title", .text)
  /// ```
  @discardableResult
  public func column(_ name: String, _ type: Database.ColumnType? = nil) -> ColumnDefinition {
    let column = ColumnDefinition(name: name, type: type)
    if isInPrimaryKeyBody { column.notNull() }
    model.items.append(.column(column))
    return column
  }

  /// Adds a column.
  ///
  /// ```swift
  /// t.column(sql: "title TEXT NOT NULL COLLATE NOCASE")
  /// ```
  public func column(sql: String) { addRawColumn(SQL(sql: sql)) }

  /// Adds a column.
  ///
  /// ```swift
  /// t.column(literal: "title TEXT DEFAULT \(defaultTitle)")
  /// ```
  public func column(literal: SQL) { addRawColumn(literal) }

  /// Forbids that two rows have the same values in the columns.
  ///
  /// ```swift
  /// // UNIQUE ("title", "authorId")
  /// t.uniqueKey(["title", "authorId"])
  /// ```
  public func uniqueKey(
    _ columns: [String],
    onConflict conflictResolution: Database.ConflictResolution? = nil
  ) { model.uniqueKeys.append((columns, ConflictClause(resolution: conflictResolution))) }

  /// Adds a foreign key on columns that are declared elsewhere in the definition.
  ///
  /// ```swift
  /// // FOREIGN KEY ("shop", "isbn") REFERENCES "stock"("shop", "isbn")
  /// t.foreignKey(["shop", "isbn"], references: "stock")
  /// ```
  ///
  /// See <https://www.sqlite.org/foreignkeys.html>.
  ///
  /// - parameter columns: The columns of the foreign key.
  /// - parameter table: The table that is referenced.
  /// - parameter destinationColumns: The columns that are referenced. Nil for the primary key of
  ///   the table.
  /// - parameter deleteAction: What happens when the referenced row is deleted.
  /// - parameter updateAction: What happens when the referenced key changes.
  /// - parameter isDeferred: True if the foreign key is checked at the end of transactions.
  public func foreignKey(
    _ columns: [String], references table: String, columns destinationColumns: [String]? = nil,
    onDelete deleteAction: Database.ForeignKeyAction? = nil,
    onUpdate updateAction: Database.ForeignKeyAction? = nil, deferred isDeferred: Bool = false
  ) {
    let reference = ReferenceModel(
      table: table, columns: destinationColumns, onDelete: deleteAction, onUpdate: updateAction,
      isDeferred: isDeferred)
    model.items.append(.foreignKey(columns: columns, reference))
  }

  /// Adds the columns that reference the primary key of another table, and their index.
  ///
  /// ```swift
  /// // "authorId" INTEGER REFERENCES "author"("id")
  /// // CREATE INDEX "book_on_authorId" ON "book"("authorId")
  /// t.belongsTo("author")
  ///
  /// // "translatorId" INTEGER REFERENCES "person"("id")
  /// t.belongsTo("translator", inTable: "person")
  /// ```
  ///
  /// Inside of `primaryKey { }`, no index is created: that of the key begins with its first column.
  ///
  /// - parameter name: The name of the relation. The names of the columns begin with it.
  /// - parameter table: The table that is referenced, in the schema of this one. Nil if its name is
  ///   `name`, or the plural of it.
  /// - parameter deleteAction: What happens when the referenced row is deleted.
  /// - parameter updateAction: What happens when the referenced key changes.
  /// - parameter isDeferred: True if the foreign key is checked at the end of transactions.
  /// - parameter isIndexed: False to create no index.
  @discardableResult
  public func belongsTo(
    _ name: String, inTable table: String? = nil,
    onDelete deleteAction: Database.ForeignKeyAction? = nil,
    onUpdate updateAction: Database.ForeignKeyAction? = nil, deferred isDeferred: Bool = false,
    indexed isIndexed: Bool = true
  ) -> ForeignKeyDefinition {
    let foreignKey = ForeignKeyDefinition(
      BelongsToModel(
        name: name, table: table, onDelete: deleteAction, onUpdate: updateAction,
        isDeferred: isDeferred, isIndexed: isIndexed && !isInPrimaryKeyBody))
    if isInPrimaryKeyBody { foreignKey.notNull() }
    model.items.append(.belongsTo(foreignKey))
    return foreignKey
  }

  /// Adds a condition on rows.
  ///
  /// ```swift
  /// // CHECK ("birthYear" < "deathYear")
  /// t.check(Column("birthYear") < Column("deathYear"))
  /// ```
  public func check(_ condition: some SQLSpecificExpressible) {
    model.checks.append(SQL(condition))
  }

  /// Adds a condition on rows.
  ///
  /// ```swift
  /// // CHECK (birthYear < deathYear)
  /// t.check(sql: "birthYear < deathYear")
  /// ```
  public func check(sql: String) { model.checks.append(SQL(sql: sql)) }

  /// Adds a table constraint.
  ///
  /// ```swift
  /// t.constraint(sql: "UNIQUE (title COLLATE NOCASE)")
  /// ```
  public func constraint(sql: String) { model.constraints.append(SQL(sql: sql)) }

  /// Adds a table constraint.
  ///
  /// ```swift
  /// t.constraint(literal: "CHECK (year > \(firstYear))")
  /// ```
  public func constraint(literal: SQL) { model.constraints.append(literal) }

  private func setPrimaryKey(_ key: TableModel.PrimaryKey) {
    if model.primaryKey != nil { addFault("can't define several primary keys") }
    model.primaryKey = key
  }

  private func addRawColumn(_ sql: SQL) {
    if isInPrimaryKeyBody { addFault("Primary key columns can not be defined with raw SQL") }
    model.items.append(.rawColumn(sql))
  }

  private func addFault(_ message: String) { if model.fault == nil { model.fault = message } }
}
