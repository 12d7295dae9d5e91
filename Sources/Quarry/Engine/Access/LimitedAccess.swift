// Accesses with a deadline.

/// The connections that read, and the transaction of their accesses.
public struct _ReadingSource: Sendable {
  let connections: any TimedAccessSource
  let transaction: AccessTransaction
  /// Whether the current thread has the writer of the pool.
  var isUrgent = false

  /// Runs a part of an access, which learns whether it may keep its reader while others wait: if
  /// so, at least one reader is left to accesses that don't.
  package func withHold<T>(_ body: (_ isHeld: Bool) throws -> T) rethrows -> T {
    guard let pool = connections as? ReaderPool, pool.beginHold() else { return try body(false) }
    defer { pool.endHold() }
    return try body(true)
  }
}

extension DatabaseReader {
  /// Reads the database in a transaction until a deadline, and waits for the result.
  ///
  /// ```swift
  /// let books = try dbQueue.read(deadline: .now + .seconds(2)) { db in
  ///   try Book.fetchAll(db)
  /// }
  /// ```
  ///
  /// When the deadline passes, a waiting access ends without having run its closure, a wait for a
  /// lock ends, and a running statement is interrupted. What is not SQL runs to its end. A deadline
  /// that has passed before executes nothing.
  ///
  /// - Throws: the error of the closure; ``DatabaseError`` whose ``DatabaseError/accessLimit`` is
  ///   `deadline`; the errors of an access without deadline.
  @_disfavoredOverload
  public func read<T>(
    deadline: ContinuousClock.Instant, _ value: (Database) throws -> T
  ) throws -> T {
    let source = _readingSource
    return try source.connections.sync(
      source.transaction, before: deadline, isUrgent: source.isUrgent, value)
  }

  /// Reads the database in a transaction until a deadline. See `read(deadline:_:)`.
  public func read<T: Sendable>(
    deadline: ContinuousClock.Instant, _ value: @Sendable (Database) throws -> T
  ) async throws -> T {
    let source = _readingSource
    return try await source.connections.run(source.transaction, before: deadline, value)
  }
}

extension DatabaseWriter {
  /// Writes in a transaction until a deadline, and waits for the result.
  ///
  /// ```swift
  /// try dbQueue.write(deadline: .now + .seconds(2)) { db in
  ///   try Author(id: 1, name: "Franz Kafka").insert(db)
  /// }
  /// ```
  ///
  /// When the deadline passes, a waiting access ends without having run its closure, a wait for a
  /// lock ends, and a running statement is interrupted. A transaction that has not committed is
  /// rolled back, even if the closure catches the error. What is not SQL runs to its end. A
  /// deadline that has passed before executes nothing.
  ///
  /// - Throws: the error of the closure; ``DatabaseError`` whose ``DatabaseError/accessLimit`` is
  ///   `deadline`; the errors of an access without deadline.
  @_disfavoredOverload
  public func write<T>(
    deadline: ContinuousClock.Instant, _ updates: (Database) throws -> T
  ) throws -> T {
    try writer.sync(.none, before: deadline) { db in try db.commitResult(of: updates) }
  }

  /// Writes in a transaction until a deadline. See `write(deadline:_:)`.
  public func write<T: Sendable>(
    deadline: ContinuousClock.Instant, _ updates: @Sendable (Database) throws -> T
  ) async throws -> T {
    try await writer.run(.none, before: deadline) { db in try db.commitResult(of: updates) }
  }
}
