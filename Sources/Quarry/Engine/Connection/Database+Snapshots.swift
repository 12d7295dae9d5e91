import CSQLite

extension Database {
  /// Begins the transaction of a snapshot, which stays open as long as the connection.
  ///
  /// See <https://www.sqlite.org/c3ref/snapshot_open.html>.
  ///
  /// - parameter snapshot: The state that another connection has seen. Nil for the present one.
  func beginSnapshot(_ snapshot: WALSnapshot? = nil) throws {
    // SQLite only looks at the mode of the database once it has read from it.
    if snapshot != nil { try execute(sql: "SELECT rootpage FROM sqlite_master LIMIT 1") }
    try beginTransaction(.deferred)
    if let snapshot {
      let code = unsafe snapshot.open(try requireConnection())
      guard code == SQLITE_OK else { throw error(code: code) }
    }
    try execute(sql: "SELECT rootpage FROM sqlite_master LIMIT 1")
    isSnapshot = true
  }

  /// Calls a function with a snapshot of the state that the connection sees.
  ///
  /// - Throws: ``DatabaseError`` with code `SQLITE_ERROR` when SQLite has no snapshots, when the
  ///   database has no write-ahead log, and in a transaction that writes.
  func takingWALSnapshot<T>(_ body: (WALSnapshot) throws -> T) throws -> T {
    guard WALSnapshot.isSupported else {
      throw DatabaseError(
        message: "snapshot pools need an SQLite library with SQLITE_ENABLE_SNAPSHOT")
    }
    let connection = try unsafe requireConnection()
    try checkAccess()
    let opensTransaction = !isInsideTransaction
    if opensTransaction { try beginTransaction(.deferred) }
    defer { if opensTransaction { try? rollback() } }
    try execute(sql: "SELECT rootpage FROM sqlite_master LIMIT 1")
    let (snapshot, code) = unsafe WALSnapshot.take(from: connection)
    guard let snapshot else {
      throw DatabaseError(
        resultCode: ResultCode(rawValue: code),
        message: "no snapshot of the database: it needs a write-ahead log that is not empty, "
          + "and no transaction that writes")
    }
    return try body(snapshot)
  }

  /// Whether SQLite has ended the transaction of a snapshot.
  var isSnapshotLost: Bool { isSnapshot && !isInsideTransaction }

  /// Throws when SQLite has ended the transaction of a snapshot.
  func checkSnapshot() throws {
    guard isSnapshotLost else { return }
    throw DatabaseError(resultCode: .SQLITE_ABORT, message: "Snapshot is lost.")
  }

  /// Throws for a statement that would end the transaction of a snapshot.
  func checkKeepsSnapshot(_ effect: StatementEffects.TransactionEffect) throws {
    guard isSnapshot, effect == .commit || effect == .rollback else { return }
    throw DatabaseError.misuse("The transaction of a snapshot ends with the snapshot.")
  }
}

/// A state of a database with a write-ahead log. It can be opened as long as a connection keeps it
/// from being written over.
///
/// SQLite does not change it: threads can share it. See
/// <https://www.sqlite.org/c3ref/snapshot.html>.
@safe final class WALSnapshot: @unchecked Sendable {
  private let snapshot: UnsafeMutablePointer<sqlite3_snapshot>

  private init(_ snapshot: UnsafeMutablePointer<sqlite3_snapshot>) {
    unsafe self.snapshot = unsafe snapshot
  }

  deinit { unsafe quarry_snapshot_free(snapshot) }

  /// Whether the SQLite library has snapshots.
  static var isSupported: Bool { quarry_has_snapshots() != 0 }

  static func take(from connection: SQLiteConnection) -> (WALSnapshot?, code: CInt) {
    var snapshot: UnsafeMutablePointer<sqlite3_snapshot>?
    let code = unsafe quarry_snapshot_get(connection, "main", &snapshot)
    guard code == SQLITE_OK, let snapshot = unsafe snapshot else { return (nil, code) }
    return unsafe (WALSnapshot(snapshot), code)
  }

  func open(_ connection: SQLiteConnection) -> CInt {
    unsafe quarry_snapshot_open(connection, "main", snapshot)
  }
}
