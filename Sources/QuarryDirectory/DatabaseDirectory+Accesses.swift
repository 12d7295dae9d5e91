public import Quarry

extension DatabaseDirectory {
  /// Takes a lease of a database, and opens it if it is not open. Waits.
  ///
  /// - Parameter key: The key of the database.
  /// - throws: ``DirectoryError`` when the database is missing, can't be opened, or not in time,
  ///   and for an invalid key.
  @_disfavoredOverload
  public func lease(_ key: String) throws -> DatabaseLease<Writer> {
    while true {
      do {
        return try acquire(key)
      } catch let error as DirectoryError where error.code == .missing && options.createsMissing {
        _ = try files.create(key)
      }
    }
  }

  /// Takes a lease of a database, and opens it if it is not open.
  ///
  /// - Parameter key: The key of the database.
  /// - throws: ``DirectoryError`` when the database is missing, can't be opened, or not in time,
  ///   and for an invalid key. `CancellationError` when the task is canceled.
  public func lease(_ key: String) async throws -> DatabaseLease<Writer> {
    while true {
      do {
        return try await acquire(key)
      } catch let error as DirectoryError where error.code == .missing && options.createsMissing {
        try await onQueue { _ = try self.files.create(key) }
      }
    }
  }

  /// Calls a function with a database, which stays open meanwhile, and waits for the result.
  ///
  /// ```swift
  /// try directory.withDatabase("acme") { dbPool in
  ///   try dbPool.vacuum()
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - key: The key of the database.
  ///   - body: What is done. It must not keep the database: see ``DatabaseLease``.
  /// - throws: The error of `body`, and the errors of `lease(_:)`.
  @_disfavoredOverload
  public func withDatabase<T>(_ key: String, _ body: (Writer) throws -> T) throws -> T {
    let lease = try lease(key)
    defer { lease.release() }
    return try body(lease.database)
  }

  /// Calls a function with a database, which stays open meanwhile.
  ///
  /// - Parameters:
  ///   - key: The key of the database.
  ///   - isolation: The actor of the caller.
  ///   - body: What is done. It must not keep the database: see ``DatabaseLease``.
  /// - throws: The error of `body`, and the errors of `lease(_:)`.
  public func withDatabase<T>(
    _ key: String, isolation: isolated (any Actor)? = #isolation,
    _ body: (Writer) async throws -> T
  ) async throws -> T {
    let lease = try await lease(key)
    defer { lease.release() }
    return try await body(lease.database)
  }

  /// Reads a database in a transaction, and waits for the result.
  ///
  /// ```swift
  /// let count = try directory.read("acme") { db in try Player.fetchCount(db) }
  /// ```
  ///
  /// - Parameters:
  ///   - key: The key of the database.
  ///   - value: The reads.
  /// - throws: The error of `value`, and the errors of `lease(_:)`.
  @_disfavoredOverload
  public func read<T>(_ key: String, _ value: (Database) throws -> T) throws -> T {
    try withDatabase(key) { writer throws in try writer.read(value) }
  }

  /// Reads a database in a transaction.
  ///
  /// - Parameters:
  ///   - key: The key of the database.
  ///   - value: The reads.
  /// - throws: The error of `value`, and the errors of `lease(_:)`.
  public func read<T: Sendable>(
    _ key: String, _ value: @Sendable (Database) throws -> T
  ) async throws -> T { try await withDatabase(key) { writer in try await writer.read(value) } }

  /// Writes in a transaction, and waits for the result.
  ///
  /// ```swift
  /// try directory.write("acme") { db in try player.insert(db) }
  /// ```
  ///
  /// - Parameters:
  ///   - key: The key of the database.
  ///   - updates: The changes.
  /// - throws: The error of `updates`, after a rollback, and the errors of `lease(_:)`.
  @_disfavoredOverload
  public func write<T>(_ key: String, _ updates: (Database) throws -> T) throws -> T {
    try withDatabase(key) { writer throws in try writer.write(updates) }
  }

  /// Writes in a transaction.
  ///
  /// - Parameters:
  ///   - key: The key of the database.
  ///   - updates: The changes.
  /// - throws: The error of `updates`, after a rollback, and the errors of `lease(_:)`.
  public func write<T: Sendable>(
    _ key: String, _ updates: @Sendable (Database) throws -> T
  ) async throws -> T { try await withDatabase(key) { writer in try await writer.write(updates) } }
}
