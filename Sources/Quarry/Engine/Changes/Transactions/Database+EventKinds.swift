extension Database {
  /// The kinds of a statement, with the generated columns of the tables that it updates.
  ///
  /// - throws: the interruption of a query of the schema.
  package func announcedKinds(of statement: Statement) throws -> [DatabaseEventKind] {
    let kinds = statement.effects.kinds
    guard kinds.contains(where: \.isUpdate) else { return kinds }
    if let known = statement.announcedKinds, known.generation == schema.generation {
      return known.kinds
    }
    do {
      let announced = try addingGeneratedColumns(to: kinds)
      statement.announcedKinds = (schema.generation, announced)
      return announced
    } catch let error as DatabaseError where error.resultCode != .SQLITE_INTERRUPT {
      return kinds
    }
  }

  /// Adds the generated columns of a table to its updates: any column may be one that they are
  /// computed from, and SQLite only announces the latter.
  ///
  /// See <https://www.sqlite.org/gencol.html>.
  ///
  /// - throws: the error of a query of the schema.
  func addingGeneratedColumns(to kinds: [DatabaseEventKind]) throws -> [DatabaseEventKind] {
    try kinds.reduce(into: kinds) { announced, kind in
      guard case .update(let table, _) = kind else { return }
      for column in try generatedColumns(ofTables: table) {
        announced.addUpdate(ofTable: table, column: column)
      }
    }
  }

  /// Where the schema can't be read, statements are compiled instead, for which SQLite looks at no
  /// file: in a deferred transaction without a lock (``mayReadVersions``), and beside attached
  /// databases, which may be locked, and which most statements don't concern.
  private func generatedColumns(ofTables name: String) throws -> [String] {
    if name.identifierKey.hasPrefix("sqlite_") { return [] }
    let schemas = try schema.allCatalogs().map(\.id.name)
    if engine != nil || mayReadVersions && schema.attachedIDs.isEmpty {
      return try schema.generatedColumns(ofTables: name)
    }
    if !mayReadVersions { try schema.verifyOnce() }
    return schemas.filter { knowsTable(name, inSchema: $0) }
      .flatMap {
        refusedColumns(of: "\($0.quotedDatabaseIdentifier).\(name.quotedDatabaseIdentifier)")
      }
  }

  /// The columns of a table that no statement may set.
  private func refusedColumns(of table: String) -> [String] {
    let query = "SELECT * FROM \(table)"
    // Rows have the generated columns, insertions don't.
    guard compile("INSERT INTO \(table) \(query)") == nil, let columns = compile(query)?.columnNames
    else { return [] }
    return columns.filter {
      compile("UPDATE \(table) SET \($0.quotedDatabaseIdentifier) = NULL") == nil
    }
  }
}
