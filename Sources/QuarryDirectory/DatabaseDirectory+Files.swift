import Quarry

extension DatabaseDirectory {
  /// Makes a database that does not exist, and opens it, so that it is migrated. Waits.
  ///
  /// ```swift
  /// try directory.create("acme")
  /// ```
  ///
  /// - Parameter key: The key of the database.
  /// - throws: ``DirectoryError`` with the code ``DirectoryError/Code-swift.enum/exists`` if there
  ///   is one already, and the errors of `lease(_:)`. If the new database can't be opened, its
  ///   empty file stays: the next access tries again, and `remove(_:)` removes it.
  @_disfavoredOverload
  public func create(_ key: String) throws {
    try createFile(key)
    try acquire(key).release()
  }

  /// Makes a database that does not exist, and opens it. See `create(_:)`.
  ///
  /// - Parameter key: The key of the database.
  public func create(_ key: String) async throws {
    try await onQueue { try self.createFile(key) }
    try await acquire(key).release()
  }

  private func createFile(_ key: String) throws {
    try state.withLock { try $0.checkIsOpen(key) }
    guard try files.create(key) else {
      throw DirectoryError(
        .exists, key: key,
        "there is a database \(try files.path(for: key)) already: remove it, or take another key")
    }
  }

  /// Closes a database, and removes its files. Waits.
  ///
  /// Accesses that come meanwhile wait, and find no database.
  ///
  /// ```swift
  /// try directory.remove("acme")
  /// ```
  ///
  /// - Parameter key: The key of the database.
  /// - throws: ``DirectoryError`` with the code ``DirectoryError/Code-swift.enum/inUse`` while an
  ///   access or a lease uses the database, or waits for it; also if there is none, if it can't be
  ///   closed, or a file not removed.
  @_disfavoredOverload
  public func remove(_ key: String) throws {
    while true {
      switch try reserve(key) {
      case .entry(let entry, let writer): return try remove(entry, writer)
      case .wait(let waiter): _ = waiter.wait()
      }
    }
  }

  /// Closes a database, and removes its files. See `remove(_:)`.
  ///
  /// - Parameter key: The key of the database.
  public func remove(_ key: String) async throws {
    while true {
      switch try reserve(key) {
      case .entry(let entry, let writer):
        return try await onQueue { try self.remove(entry, writer) }
      case .wait(let waiter): _ = await waiter.value()
      }
    }
  }

  private func reserve(_ key: String) throws -> Reservation<Writer> {
    _ = try files.path(for: key)
    return try state.withLock { try $0.reserve(key) }
  }

  private func remove(_ entry: DirectoryEntry<Writer>, _ writer: Writer?) throws {
    if let writer {
      do {
        try writer.close()
      } catch {
        if state.withLock({ $0.failedToClose(entry, writer) }) { retryClosingLater() }
        throw DirectoryError(cannotClose: entry.key, error)
      }
    }
    defer { state.withLock { $0.closed(entry, freesSlot: writer != nil) } }
    try files.remove(entry.key)
  }
}
