extension DatabaseWriter {
  /// Rebuilds the database file, and waits for the result.
  ///
  /// See <https://www.sqlite.org/lang_vacuum.html>.
  ///
  /// - throws: A ``DatabaseError``; ``InvalidRequest`` where a trigger of the application adds some
  ///   rows only, by its `WHEN`, to a full-text table whose rowids may change.
  @_disfavoredOverload
  public func vacuum() throws {
    try writeWithoutTransaction { db throws -> Void in try db.vacuum() }
  }

  /// Rebuilds the database file.
  ///
  /// - throws: A ``DatabaseError``; ``InvalidRequest`` where a trigger of the application adds some
  ///   rows only, by its `WHEN`, to a full-text table whose rowids may change.
  public func vacuum() async throws {
    try await writeWithoutTransaction { db throws -> Void in try db.vacuum() }
  }

  /// Writes a compact copy of the database to a new file, and waits for the result.
  ///
  /// See <https://www.sqlite.org/lang_vacuum.html#vacuuminto>.
  ///
  /// - throws: A ``DatabaseError``, also for a file that exists, for an empty path, and for that of
  ///   a database in memory, where the copy would be lost.
  @_disfavoredOverload
  public func vacuum(into path: String) throws {
    try FilePath.checkCopy(path)
    try writeWithoutTransaction { db throws -> Void in
      try db.execute(sql: "VACUUM INTO ?", arguments: [path])
    }
  }

  /// Writes a compact copy of the database to a new file. See `vacuum(into:)`.
  public func vacuum(into path: String) async throws {
    try FilePath.checkCopy(path)
    try await writeWithoutTransaction { db throws -> Void in
      try db.execute(sql: "VACUUM INTO ?", arguments: [path])
    }
  }
}

extension Database {
  /// Rebuilds the database file.
  ///
  /// Tables without `INTEGER PRIMARY KEY` get new rowids: full-text indexes that have these are
  /// rebuilt. See <https://www.sqlite.org/lang_vacuum.html#how_vacuum_works>.
  func vacuum() throws {
    let tables = try externalFullTextTables().filter { try hasUnstableRowIDs($0) }
    for table in tables {
      let content = DatabaseObjectID(name: table.content ?? "", schemaID: .main)
      try checkIndexesAllRows(table, of: content, for: "vacuumed")
    }
    try execute(sql: "VACUUM")
    for table in tables { try table.execute("rebuild", in: self) }
  }

  /// Whether a full-text table has rowids that VACUUM may change, and can be rebuilt.
  private func hasUnstableRowIDs(_ table: FullTextTable) throws -> Bool {
    guard let content = table.content, table.module.contentRowID == nil,
      try tableExists(content, in: "main")
    else { return false }
    let key = try primaryKey(content, in: "main")
    return try key.rowIDColumn == nil && key.rowIDName != nil
      && missingContentColumn(of: table) == nil
  }
}
