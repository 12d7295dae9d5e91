extension Database {
  /// Gives another definition to a table, and keeps its rows, indexes, triggers and views.
  ///
  /// - parameter didRebuild: Is called in the transaction of the rebuild, with the columns whose
  ///   values may be others than before: nil if the rowids may be.
  func rebuild(
    table name: String, options: TableOptions, copying values: [ColumnAssignment],
    body: (TableDefinition) throws -> Void,
    didRebuild: (DatabaseObjectID, Set<BinaryText>?) throws -> Void
  ) throws {
    try checkOptions(options)
    let table = try rebuildableTable(name)
    var options = options.subtracting([.ifNotExists, .temporary])
    if table.schemaID == .temp { options.insert(.temporary) }
    let definition = TableDefinition(name: table.name, options: options)
    try body(definition)
    let rebuild = TableRebuild(table: table, definition: definition.model, values: values)
    guard try areForeignKeysEnabled() else { return try runRebuild(rebuild, didRebuild) }
    guard !isInsideTransaction else {
      throw DatabaseError(
        resultCode: .SQLITE_MISUSE,
        message: """
          table \(table.name) can't be rebuilt in a transaction that enforces foreign keys: \
          register the migration with deferred foreign key checks
          """)
    }
    try withoutForeignKeys { try runRebuild(rebuild, didRebuild) }
  }

  private func runRebuild(
    _ rebuild: TableRebuild, _ didRebuild: (DatabaseObjectID, Set<BinaryText>?) throws -> Void
  ) throws {
    try inSavepoint {
      try didRebuild(rebuild.table, rebuild.run(self))
      return .commit
    }
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
    return table.id
  }
}
