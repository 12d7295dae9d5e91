extension DatabaseReader {
  /// Calls `body` with an empty temporary database, for what must not happen in this one.
  ///
  /// See ``Database/withTemporaryDatabase(_:)``.
  package func withTemporaryDatabase<T>(_ body: (DatabaseQueue) throws -> T) throws -> T {
    let isFile = try unsafeRead { $0.isFile }
    return try configuration.withTemporaryDatabase(isFile: isFile, body)
  }
}

extension Database {
  /// Calls `body` with an empty temporary database, with the configuration of this one, and in a
  /// file if this one is in a file: the functions that prepare its connection may need one.
  package func withTemporaryDatabase<T>(_ body: (DatabaseQueue) throws -> T) throws -> T {
    try configuration.withTemporaryDatabase(isFile: isFile, body)
  }

  fileprivate var isFile: Bool { filePath?.isEmpty == false }
}

extension Configuration {
  /// SQLite deletes a database without path when it is closed. See
  /// <https://www.sqlite.org/inmemorydb.html#temp_db>.
  fileprivate func withTemporaryDatabase<T>(
    isFile: Bool, _ body: (DatabaseQueue) throws -> T
  ) throws -> T {
    let file = isFile ? TemporaryDatabaseFile() : nil
    return try withExtendedLifetime(file) {
      let queue = try DatabaseQueue(path: file?.path ?? "", configuration: forTemporaryDatabase)
      // Before its file.
      defer { try? queue.close() }
      return try body(queue)
    }
  }
}
