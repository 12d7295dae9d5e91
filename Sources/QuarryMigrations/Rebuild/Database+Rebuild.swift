public import Quarry

extension Database {
  /// Gives another definition to a table, and keeps its rows, indexes, triggers and views.
  ///
  /// It does what `ALTER TABLE` can't: change types, constraints, keys, options.
  ///
  /// ```swift
  /// migrator.registerMigration("Prices are not null") { db in
  ///   try db.rebuild(table: "book", copying: [Column("price").set(to: Column("price") ?? 0)]) { t in
  ///     t.autoIncrementedPrimaryKey("id")
  ///     t.column("title", .text).notNull()
  ///     t.column("price", .double).notNull()
  ///     t.belongsTo("author")
  ///   }
  /// }
  /// ```
  ///
  /// The columns that both definitions have are copied. `values` gives other values, as expressions
  /// over the columns of the old table, which are no aggregates. A row that violates a constraint
  /// is an error, whatever the `ON CONFLICT` clause of the constraint. Rowids are kept: a new
  /// `INTEGER PRIMARY KEY` receives them. A column or value that becomes one must not be NULL.
  ///
  /// Full-text indexes of the table are made anew if rowids may change, since a column with values
  /// becomes the `INTEGER PRIMARY KEY`, and if values of their columns may: those that `values`
  /// gives, those of another type, generated ones. So are those whose texts are in a view of the
  /// table. One that needs the rowids of a table that becomes `WITHOUT ROWID` is an error. An index
  /// on a column that the table loses stays as it is: drop it. The statistics of the table are
  /// lost: run `ANALYZE` afterwards, if the application does.
  ///
  /// Foreign keys must not be enforced meanwhile: call the method in a migration with deferred
  /// foreign key checks, or outside of any transaction. The migration checks those of the main
  /// schema at its end, so that tables which refer to each other can be rebuilt one after the
  /// other. Outside, the method checks those of the table, and those that reference it, at its end.
  /// Nobody checks them where the application has turned that off, by
  /// `disablingDeferredForeignKeyChecks()` or `foreignKeysEnabled`.
  ///
  /// See <https://www.sqlite.org/lang_altertable.html#otheralter>.
  ///
  /// - parameter name: The name of the table.
  /// - parameter options: The options of the table: those of its present definition are not kept.
  /// - parameter values: The values of columns that are not those of the same column.
  /// - parameter body: Defines the columns and constraints. Indexes that exist are kept without
  ///   being defined.
  /// - throws: A `DatabaseError` for a violated constraint, a violated foreign key, for an index,
  ///   trigger or view that does not fit the new definition, and for an index that exists with
  ///   another definition than the new one of its name (leave it out, as by `indexed: false`, or
  ///   drop it before), an `InvalidRequest` for an invalid definition, for rows of which no column
  ///   stays, for a value that is an aggregate, for NULL in a column or value that becomes the
  ///   `INTEGER PRIMARY KEY`, and where a full-text index would be made anew to which a trigger of
  ///   the application adds some rows only, by its `WHEN`, and the error of `body`. A
  ///   `DatabaseError` for a table whose name a temporary table or view has, too. The table is as
  ///   it was then.
  public func rebuild(
    table name: String, options: TableOptions = [], copying values: [ColumnAssignment] = [],
    body: (TableDefinition) throws -> Void
  ) throws {
    let table = try rebuildableTable(name)
    var options = options.subtracting([.ifNotExists, .temporary])
    if table.schemaID == .temp { options.insert(.temporary) }
    let definition = try TableDefinition(name: table.name, options: options, body: body)
    let rebuild = TableRebuild(table: table, definition: definition, values: values)
    guard try areForeignKeysEnabled() else {
      return try rebuild.run(self, checkingForeignKeys: false)
    }
    guard !isInsideTransaction else {
      throw DatabaseError(
        resultCode: .SQLITE_MISUSE,
        message: """
          table \(table.name) can't be rebuilt in a transaction that enforces foreign keys: \
          register the migration with deferred foreign key checks
          """)
    }
    try withoutForeignKeys { try rebuild.run(self, checkingForeignKeys: true) }
  }

  private func rebuildableTable(_ name: String) throws -> DatabaseObjectID {
    let table = try schema.resolve(name)
    guard table.kind == .table, !table.isVirtual,
      table.id.schemaID == .main || table.id.schemaID == .temp
    else {
      throw DatabaseError(
        resultCode: .SQLITE_MISUSE,
        message: """
          \(table.id.schemaID.name).\(table.id.name) can't be rebuilt: it is no table of the main \
          or the temporary schema
          """)
    }
    // The statements of its indexes and triggers have its name without the schema.
    guard try schema.tableID(table.id.name) == table.id else {
      throw DatabaseError(
        resultCode: .SQLITE_MISUSE,
        message: """
          \(table.id.schemaID.name).\(table.id.name) can't be rebuilt while a temporary table or \
          view has its name: drop that one, or rebuild the table on another connection
          """)
    }
    return table.id
  }
}
