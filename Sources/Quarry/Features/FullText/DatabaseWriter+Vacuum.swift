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
