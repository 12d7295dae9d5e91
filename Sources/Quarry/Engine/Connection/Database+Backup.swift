import CSQLite

/// How far a backup is.
public struct DatabaseBackupProgress: Sendable {
  /// The number of pages still to be copied.
  public let remainingPageCount: Int

  /// The number of pages of the source.
  public let totalPageCount: Int

  /// Whether all pages are copied.
  public let isCompleted: Bool

  /// The number of pages already copied.
  public var completedPageCount: Int { totalPageCount - remainingPageCount }
}

extension Database {
  /// Replaces the content of another database with the content of this one.
  ///
  /// - Parameters:
  ///   - destination: The connection whose database is overwritten.
  ///   - pagesPerStep: the number of pages copied at once. A negative number, the default, is all
  ///     pages.
  ///   - progress: called after each step. An error that it throws before the end stops the backup.
  ///     It can read this database, and not use the destination.
  /// - Throws: ``DatabaseError`` when SQLite fails, for zero pages per step, and for databases with
  ///   different encodings of texts, unless the destination is new: a ``DatabaseQueue`` whose
  ///   databases, attached ones included, have no page yet; the error of `progress`.
  ///   `CancellationError` when the task of the access is cancelled: the destination stays as it
  ///   was. So it does when the deadline of one of the two accesses passes, which
  ///   ``DatabaseError/accessLimit`` reports. Statements that `progress` executes on the
  ///   destination throw an error with code `SQLITE_MISUSE`.
  ///
  /// See <https://www.sqlite.org/backup.html>.
  public func backup(
    to destination: Database, pagesPerStep: CInt = -1,
    progress: ((DatabaseBackupProgress) throws -> Void)? = nil
  ) throws { try backup(.main, to: destination, pagesPerStep: pagesPerStep, progress: progress) }

  /// Replaces the content of another database with that of a schema of this one.
  ///
  /// - parameter destination: A connection to a file, unless the schema is the main one.
  func backup(
    _ schema: DatabaseSchemaID, to destination: Database, pagesPerStep: CInt = -1,
    progress: ((DatabaseBackupProgress) throws -> Void)? = nil
  ) throws {
    try checkHasNoEngine("a backup")
    try destination.checkHasNoEngine("a backup")
    let source = try unsafe requireConnection()
    let target = try unsafe destination.requireConnection()
    try checkAccess()
    try destination.checkAccess()
    guard pagesPerStep != 0 else {
      throw DatabaseError.misuse("a backup of 0 pages per step would never end")
    }
    try destination.checkMayWrite()
    try destination.checkCanTakePages(of: self)
    guard let backup = unsafe sqlite3_backup_init(target, "main", source, schema.name) else {
      throw unsafe backupError(destination.error(code: sqlite3_errcode(target)), destination)
    }
    destination.isBackupDestination = true
    let result = Result {
      try unsafe copyPages(backup, to: destination, pagesPerStep: pagesPerStep, progress: progress)
    }
    let code = unsafe sqlite3_backup_finish(backup)
    destination.isBackupDestination = false
    try result.get()
    guard code == SQLITE_OK else { throw backupError(destination.error(code: code), destination) }
    destination.schemaDidChange()
  }

  private func backupError(_ error: DatabaseError, _ destination: Database) -> DatabaseError {
    error.detailed("while copying the database `\(path)` to `\(destination.path)`")
  }

  /// The error of the use of a destination before its backup has ended.
  ///
  /// See <https://www.sqlite.org/c3ref/backup_finish.html>.
  static func backupError(sql: String? = nil) -> DatabaseError {
    .misuse("the destination of a backup can't be used before the backup has ended", sql: sql)
  }

  /// The pages of a database without file keep their size. SQLite 3.40 forgets to refuse a source
  /// without page whose pages have another one: if they are smaller, it asks for the size of the
  /// file that is not there, and crashes.
  private func checkCanTakePages(of source: Database) throws {
    if !isFile, try pragma("page_count") > 0,
      try source.pragma("page_size") != pragma("page_size")
    {
      throw DatabaseError(resultCode: .SQLITE_READONLY)
    }
    guard let other = try source.textEncoding, let encoding = try textEncoding, encoding != other
    else { return }
    throw source.backupError(
      DatabaseError(
        message: "the text encoding of the source is \(other), and that of the destination is "
          + "\(encoding): copy it into a new file that a DatabaseQueue opens"), self)
  }

  /// The encoding that a connection keeps once it has read a schema. Nil while its databases are
  /// without content, and for a damaged schema, which SQLite copies or replaces.
  ///
  /// See <https://www.sqlite.org/pragma.html#pragma_encoding>.
  private var textEncoding: String? {
    get throws {
      do {
        guard try readSchemaIDs().contains(where: { try pragma("\($0.sqlName).page_count") > 0 })
        else { return nil }
        return try String.fetchOne(self, sql: "PRAGMA encoding")
      } catch DatabaseError.SQLITE_CORRUPT {
        return nil
      }
    }
  }

  private func pragma(_ name: String) throws -> Int {
    try Int.fetchOne(self, sql: "PRAGMA \(name)") ?? 0
  }

  private func copyPages(
    _ backup: OpaquePointer, to destination: Database, pagesPerStep: CInt,
    progress: ((DatabaseBackupProgress) throws -> Void)?
  ) throws {
    while true {
      try checkCancellation()
      try destination.checkCancellation()
      let code = unsafe sqlite3_backup_step(backup, pagesPerStep)
      guard code == SQLITE_OK || code == SQLITE_DONE else {
        let error = backupError(DatabaseError(resultCode: ResultCode(rawValue: code)), destination)
        throw (access.isCancelled ? self : destination).explainedError(error)
      }
      let state = unsafe DatabaseBackupProgress(
        remainingPageCount: Int(sqlite3_backup_remaining(backup)),
        totalPageCount: Int(sqlite3_backup_pagecount(backup)), isCompleted: code == SQLITE_DONE)
      if state.isCompleted {
        // The copy is complete: it's too late to stop it.
        try? progress?(state)
        return
      }
      try progress?(state)
    }
  }
}
