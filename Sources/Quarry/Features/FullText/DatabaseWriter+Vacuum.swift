extension DatabaseWriter {
  /// Rebuilds the database file, and waits for the result.
  ///
  /// See <https://www.sqlite.org/lang_vacuum.html>.
  @_disfavoredOverload
  public func vacuum() throws {
    try writeWithoutTransaction { db throws -> Void in try db.vacuum() }
  }

  /// Rebuilds the database file.
  public func vacuum() async throws {
    try await writeWithoutTransaction { db throws -> Void in try db.vacuum() }
  }

  /// Writes a compact copy of the database to a new file, and waits for the result.
  ///
  /// See <https://www.sqlite.org/lang_vacuum.html#vacuuminto>.
  @_disfavoredOverload
  public func vacuum(into path: String) throws {
    try FilePath.check(path)
    try writeWithoutTransaction { db throws -> Void in
      try db.execute(sql: "VACUUM INTO ?", arguments: [path])
    }
  }

  /// Writes a compact copy of the database to a new file.
  public func vacuum(into path: String) async throws {
    try FilePath.check(path)
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
    try execute(sql: "VACUUM")
    for table in try externalFullTextTables() {
      guard let content = table.content, table.module.contentRowID == nil,
        try tableExists(content, in: "main")
      else { continue }
      let key = try primaryKey(content, in: "main")
      guard key.rowIDColumn == nil, key.rowIDName != nil,
        try missingContentColumn(of: table) == nil
      else { continue }
      try table.execute("rebuild", in: self)
    }
  }
}
