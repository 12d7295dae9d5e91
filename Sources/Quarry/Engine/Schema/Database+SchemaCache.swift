extension Database {
  /// The source of the primary keys of views. See ``Configuration/schemaSource``.
  public var schemaSource: (any DatabaseSchemaSource)? { schema.source }

  /// Runs `action` with another schema source.
  ///
  /// ```swift
  /// // No view has a primary key
  /// try db.withSchemaSource(nil) { ... }
  /// ```
  ///
  /// - throws: The error of `action`.
  public func withSchemaSource<T>(
    _ schemaSource: (any DatabaseSchemaSource)?,
    execute action: () throws -> T
  ) rethrows -> T {
    let previous = schema.source
    useSchemaSource(schemaSource)
    defer { useSchemaSource(previous) }
    return try action()
  }

  /// The number that SQLite increments with each change of the schema.
  ///
  /// See <https://www.sqlite.org/pragma.html#pragma_schema_version>.
  ///
  /// - throws: A ``DatabaseError``.
  public func schemaVersion() throws -> Int32 {
    try Int32.fetchOne(self, sql: "PRAGMA schema_version") ?? 0
  }

  /// Forgets what was read from the schema, and the cached statements.
  ///
  /// The library does it when a statement changes the schema, and when it notices that another
  /// connection did: at the beginning of an access or of a transaction, or when SQLite compiles a
  /// statement again. Call this method when another connection may change the schema in the middle
  /// of an access, between statements that are in no transaction.
  public func clearSchemaCache() {
    schema.clear()
    clearStatementCaches()
  }

  private func useSchemaSource(_ source: (any DatabaseSchemaSource)?) {
    schema.source = source
    clearSchemaCache()
  }
}
