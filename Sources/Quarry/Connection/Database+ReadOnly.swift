extension Database {
  /// Runs statements that can only read.
  ///
  /// ```swift
  /// // PRAGMA query_only = 1 … PRAGMA query_only = 0
  /// try db.readOnly {
  ///   try db.execute(sql: "DELETE FROM player") // throws SQLITE_READONLY
  /// }
  /// ```
  ///
  /// See <https://www.sqlite.org/pragma.html#pragma_query_only>.
  ///
  /// - Throws: the error of the closure.
  public func readOnly<T>(_ value: () throws -> T) throws -> T {
    if configuration.readonly { return try value() }
    try beginReadOnly()
    let result: Result<T, any Error>
    do {
      result = .success(try value())
    } catch {
      result = .failure(error)
    }
    try endReadOnly()
    return try result.get()
  }

  /// True where only reads are possible.
  var isReadOnly: Bool { configuration.readonly || readOnlyDepth > 0 }

  func beginReadOnly() throws {
    if !isReadOnly { try executeInternally("PRAGMA query_only = 1") }
    readOnlyDepth += 1
  }

  func endReadOnly() throws {
    readOnlyDepth -= 1
    if !isReadOnly { try ignoringCancellation { try executeInternally("PRAGMA query_only = 0") } }
  }
}
