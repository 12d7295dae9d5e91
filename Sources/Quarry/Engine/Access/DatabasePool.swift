import Foundation

/// A database with one connection that writes, and several that read at the same time.
///
/// ```swift
/// let dbPool = try DatabasePool(path: "/path/to/library.sqlite")
/// try dbPool.write { db in
///   try db.execute(sql: "INSERT INTO book (title) VALUES (?)", arguments: ["The Trial"])
/// }
/// let count = try dbPool.read { db in
///   try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM book")
/// }
/// ```
///
/// Each read sees the last state that was committed before it began, and no later one. The database
/// file is put into WAL mode. See <https://www.sqlite.org/wal.html>.
public final class DatabasePool: _ConnectionWriter {
  /// The configuration of the connections.
  public let configuration: Configuration

  /// The path of the database file.
  public let path: String

  // In the order of their release.
  let readers: ReaderPool
  private let writingConnection: SerialConnection
  private let file: PoolFile
  private let temporaryFile: TemporaryDatabaseFile?

  private let snapshotCount = Locked(0)

  /// Opens the database file, and creates it if it does not exist. Readers are opened on demand.
  ///
  /// - Throws: ``DatabaseError`` when the file can't be opened, is not a database, or does not
  ///   support WAL mode, and when ``Configuration/maximumReaderCount`` is less than 1.
  public convenience init(path: String, configuration: Configuration = Configuration()) throws {
    try self.init(path: path, configuration: configuration, temporaryFile: nil)
  }

  private init(
    path: String, configuration: Configuration, temporaryFile: TemporaryDatabaseFile?
  ) throws {
    self.path = path
    self.configuration = configuration
    self.temporaryFile = temporaryFile
    let file = PoolFile(path: path)
    self.file = file
    readers = try ReaderPool(configuration) { number in
      let label = configuration.poolLabel("reader.\(number)")
      try file.check()
      return try SerialConnection(
        path: file.absolutePath, label: label, configuration: configuration.forReader(),
        writer: file.writer, verifiesSchema: true)
    }
    let label = configuration.poolLabel("writer")
    writingConnection = try SerialConnection(
      path: path, label: label, configuration: configuration.forWriter(),
      readers: readers)
    file.remember(writingConnection.db)
  }

  /// The connection that writes.
  public var _writer: _WriterConnection { _WriterConnection(connection: writingConnection) }

  var barrier: PoolBarrier { PoolBarrier(writer: writer, readers: readers) }
}

// The life of the pool.
extension DatabasePool {
  /// Opens a pool on a new temporary file, which disappears with the pool and its snapshots: for
  /// tests and previews, since a database in memory can't be read while it is written.
  ///
  /// - Throws: ``DatabaseError`` when the file can't be created.
  public static func temporary(
    configuration: Configuration = Configuration()
  ) throws -> DatabasePool {
    let file = TemporaryDatabaseFile()
    return try DatabasePool(path: file.path, configuration: configuration, temporaryFile: file)
  }

  /// Opens readers in advance, before the first reads.
  ///
  /// - Parameter count: The number of readers, ``Configuration/maximumReaderCount`` by default.
  /// - Throws: ``DatabaseError`` when a connection can't be opened.
  public func openReaders(_ count: Int? = nil) throws {
    try readers.warmUp(count ?? configuration.maximumReaderCount)
  }

  /// Waits for the running accesses, and closes the connections. Later accesses throw, and so do
  /// those that wait for the call to return. Snapshots stay open. Does nothing when the pool is
  /// closed.
  ///
  /// The readers are closed before the writer. If no other connection has the file open, the WAL is
  /// checkpointed, and its files are removed.
  ///
  /// - Throws: ``DatabaseError`` with code `SQLITE_BUSY` when statements are still in use: the pool
  ///   stays open and usable. With code `SQLITE_MISUSE` inside an access to the pool.
  public func close() throws { try barrier.close() }

  /// Stops the statements that are running: they throw `SQLITE_INTERRUPT`.
  public func interrupt() {
    writer.db.interrupt()
    for reader in readers.connections { reader.db.interrupt() }
  }

  /// Frees as much memory as possible, and closes the readers, unless
  /// ``Configuration/persistentReadOnlyConnections`` is set. Waits for the running accesses.
  ///
  /// - precondition: It is not called in an access to the pool.
  public func releaseMemory() {
    precondition(readers.currentReader == nil, DatabaseError.reentrancyMessage)
    writer.syncWithoutError { db in db.releaseMemory() }
    // A closed pool has no reader left.
    guard !configuration.persistentReadOnlyConnections, (try? readers.beginBarrier()) != nil
    else { return }
    readers.invalidate()
    readers.endBarrier()
  }

  /// Frees as much memory as possible, without waiting. See ``releaseMemory()``.
  public func releaseMemoryEventually() {
    if !configuration.persistentReadOnlyConnections { readers.invalidate() }
    writer.asyncWithoutError { db in db.releaseMemory() }
  }

  /// Closes the readers, immediately or when their access ends. Later reads open new ones.
  public func invalidateReadOnlyConnections() { readers.invalidate() }
}

// Snapshots.
extension DatabasePool {
  /// Opens a connection that always sees the current state of the database.
  ///
  /// ```swift
  /// let snapshot = try dbPool.writeWithoutTransaction { db in
  ///   try db.inTransaction {
  ///     try db.execute(sql: "DELETE FROM loan")
  ///     return .commit
  ///   }
  ///   return try dbPool.makeSnapshot() // sees no loan, whatever others write afterwards
  /// }
  /// ```
  ///
  /// In a write access, the snapshot sees exactly the last commit. Elsewhere, another write may
  /// commit first.
  ///
  /// - Throws: ``DatabaseError`` with code `SQLITE_MISUSE` in a transaction of the writer, and when
  ///   the pool is closed.
  public func makeSnapshot() throws -> DatabaseSnapshot {
    try checkCanMakeSnapshot("makeSnapshot()")
    let number = snapshotCount.withLock { count in
      count += 1
      return count
    }
    try file.check()
    return try DatabaseSnapshot(
      file: file, label: configuration.poolLabel("snapshot.\(number)"),
      configuration: configuration, temporaryFile: temporaryFile)
  }

  /// Opens several connections that always see the current state of the database. See
  /// ``DatabaseSnapshotPool``.
  ///
  /// - Throws: ``DatabaseError`` where SQLite has no snapshots, in a transaction of the writer, and
  ///   when the pool is closed.
  public func makeSnapshotPool() throws -> DatabaseSnapshotPool {
    try checkCanMakeSnapshot("makeSnapshotPool()")
    return try unsafeReentrantRead { db in
      try DatabaseSnapshotPool(
        db, path: path, configuration: configuration, temporaryFile: temporaryFile)
    }
  }

  private func checkCanMakeSnapshot(_ method: String) throws {
    guard !readers.isClosed else { throw ReaderPool.closedError }
    guard !writer.isInsideAccess || !writer.db.isInsideTransaction else {
      throw DatabaseError.misuse("\(method) must not be called from inside a transaction.")
    }
  }
}

extension Configuration {
  /// The label of a connection of a pool.
  func poolLabel(_ suffix: String) -> String { "\(label ?? "Quarry.DatabasePool").\(suffix)" }

  /// The configuration of a connection that reads while another one writes.
  func forReader() -> Configuration {
    var configuration = self
    configuration.readsForPool = !readonly
    configuration.readonly = true
    // The writer, which is opened first, has checked it.
    configuration.checksContent = false
    configuration.poolReaderCount = poolReaderCount ?? maximumReaderCount
    configuration.maximumReaderCount = 1
    configuration.allowsUnsafeTransactions = false
    configuration.observesSuspensionNotifications = false
    // Readers only wait for connections that use the file exclusively, as when they recover it.
    configuration.busyMode = .timeout(10)
    return configuration
  }

  /// The configuration of the pool that a connection belongs to, if any, for other readers.
  func forPool() -> Configuration {
    var configuration = self
    configuration.maximumReaderCount = poolReaderCount ?? maximumReaderCount
    return configuration
  }

  /// The configuration of a snapshot, whose transaction stays open.
  func forSnapshot() -> Configuration {
    var configuration = forReader()
    configuration.allowsUnsafeTransactions = true
    return configuration
  }

  fileprivate func forWriter() -> Configuration {
    var configuration = self
    configuration.journalMode = .wal
    if readonly { configuration.observesSuspensionNotifications = false }
    if case .immediateError = busyMode { configuration.busyMode = .callback(Self.waitsForReader) }
    return configuration
  }

  /// A reader that finds the index of the log half written takes the lock of writers for an
  /// instant, to read the index again (`walIndexReadHdr` in SQLite's `wal.c`). The writer of a pool
  /// that has its file for itself must not fail for that: it tries again for a tenth of a second.
  private static let waitsForReader: Database.BusyCallback = { numberOfTries in
    guard numberOfTries < 100 else { return false }
    Thread.sleep(forTimeInterval: 0.001)
    return true
  }
}
