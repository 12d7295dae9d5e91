public import Quarry

// Accesses that are repeated.

extension DatabaseReader {
  /// Reads the database in a transaction, again if another connection has locked the database, and
  /// waits for the result. See ``RetryPolicy`` and `read(deadline:_:)`.
  ///
  /// - Throws: the error of the closure; `DatabaseError` whose `accessLimit` is
  ///   the limit that was reached.
  @_disfavoredOverload
  public func read<T>(
    retry: RetryPolicy, deadline: ContinuousClock.Instant? = nil,
    _ value: (Database) throws -> T
  ) throws -> T {
    try AccessTries.run(retry, before: deadline) {
      guard let deadline else { return try read(value) }
      return try read(deadline: deadline, value)
    }
  }

  /// Reads the database in a transaction, again if another connection has locked the database. See
  /// ``RetryPolicy`` and `read(deadline:_:)`.
  public func read<T: Sendable>(
    retry: RetryPolicy, deadline: ContinuousClock.Instant? = nil,
    _ value: @Sendable (Database) throws -> T
  ) async throws -> T {
    try await AccessTries.run(retry, before: deadline) { try await read(before: deadline, value) }
  }

  /// Reads the database in a transaction, until a deadline if there is one.
  func read<T: Sendable>(
    before deadline: ContinuousClock.Instant?, _ value: @Sendable (Database) throws -> T
  ) async throws -> T {
    guard let deadline else { return try await read(value) }
    return try await read(deadline: deadline, value)
  }
}

extension DatabaseWriter {
  /// Writes in a transaction, again if another connection has locked the database, and waits for
  /// the result.
  ///
  /// ```swift
  /// try dbQueue.write(retry: .whenLocked, deadline: .now + .seconds(2)) { db in
  ///   try Author(id: 1, name: "Franz Kafka").insert(db)
  /// }
  /// ```
  ///
  /// The closure runs once for each try. See ``RetryPolicy`` and `write(deadline:_:)`.
  ///
  /// - Throws: the error of the closure; `DatabaseError` whose `accessLimit` is
  ///   the limit that was reached.
  @_disfavoredOverload
  public func write<T>(
    retry: RetryPolicy, deadline: ContinuousClock.Instant? = nil,
    _ updates: (Database) throws -> T
  ) throws -> T {
    try AccessTries.run(retry, before: deadline) {
      guard let deadline else { return try write(updates) }
      return try write(deadline: deadline, updates)
    }
  }

  /// Writes in a transaction, again if another connection has locked the database. See
  /// ``RetryPolicy`` and `write(deadline:_:)`.
  public func write<T: Sendable>(
    retry: RetryPolicy, deadline: ContinuousClock.Instant? = nil,
    _ updates: @Sendable (Database) throws -> T
  ) async throws -> T {
    try await AccessTries.run(retry, before: deadline) {
      guard let deadline else { return try await write(updates) }
      return try await write(deadline: deadline, updates)
    }
  }
}
