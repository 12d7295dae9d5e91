import CSQLite
public import Foundation
public import Quarry

extension Database {
  /// The content of the database, as the bytes of a database file.
  ///
  /// ```swift
  /// let data = try dbQueue.read { db in try db.serialize() }
  /// ```
  ///
  /// It also works for databases in memory. An empty database may have no byte.
  ///
  /// - parameter schemaName: The schema: `main` by default.
  /// - throws: A `DatabaseError` when there is no such schema, when the database can't be read,
  ///   and before SQLite 3.36.
  ///
  /// See <https://www.sqlite.org/c3ref/serialize.html>.
  public func serialize(schema schemaName: String = "main") throws -> Data {
    try checkCanSerialize()
    let connection = try unsafe requireConnection()
    _ = try schema.catalogs(named: schemaName)
    // The content includes the changes of the current transaction.
    guard try pageCount(of: schemaName) > 0 else { return Data() }
    var size: sqlite3_int64 = 0
    guard let bytes = unsafe sqlite3_serialize(connection, schemaName, &size, 0) else {
      let code = unsafe sqlite3_errcode(connection)
      throw error(code: code == SQLITE_OK ? SQLITE_NOMEM : code)
    }
    defer { unsafe sqlite3_free(bytes) }
    return unsafe Data(bytes: bytes, count: Int(size))
  }

  /// Replaces the database with a database in memory, made of the bytes of a database file.
  ///
  /// ```swift
  /// try dbQueue.writeWithoutTransaction { db in try db.deserialize(data) }
  /// ```
  ///
  /// The former database is closed, and does not change: what is written from now on is in memory
  /// only, also where the former one was a file. Data without byte is an empty database.
  ///
  /// Observers are notified of a change of all tables that the former database has, at the end of
  /// an empty transaction. One that refuses its commit has its error thrown, but the database is
  /// replaced.
  ///
  /// - parameter data: The bytes of a database file.
  /// - parameter schemaName: The schema: `main` by default.
  /// - parameter readonly: Whether the database can only be read.
  /// - throws: A `DatabaseError` with code `SQLITE_NOTADB` for bytes that are no database,
  ///   `SQLITE_BUSY` when the connection is being used: inside a transaction, while rows are
  ///   fetched, and while a blob is open, or when the former database is locked. `SQLITE_MISUSE`
  ///   for the file of a pool, which its other connections would still read: the main one, and
  ///   attached ones where `Configuration.prepareDatabase` may have attached them. The former
  ///   database then stays. When the data proves to be corrupt later, statements throw
  ///   `SQLITE_CORRUPT`.
  ///
  /// See <https://www.sqlite.org/c3ref/deserialize.html>.
  public func deserialize(
    _ data: Data, schema schemaName: String = "main", readonly: Bool = false
  ) throws {
    try checkCanSerialize()
    let connection = try unsafe requireConnection()
    try checkMayWrite()
    try checkIsIdle()
    let content = SerializedDatabase(data)
    guard content.isDatabase else { throw DatabaseError(resultCode: .SQLITE_NOTADB) }
    let id = try schema.catalogs(named: schemaName)[0].id
    try checkIsAlone(id)
    // Afterwards, nobody knows the tables that are gone.
    let kinds = try eventKinds(inReplacedSchema: id)
    guard let bytes = unsafe content.copy() else { throw DatabaseError(resultCode: .SQLITE_NOMEM) }
    schemaDidChange()
    // SQLite frees the bytes, also when it fails.
    var flags = SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE
    if readonly { flags |= SQLITE_DESERIALIZE_READONLY }
    let code = unsafe sqlite3_deserialize(
      connection, schemaName, bytes, Int64(data.count), Int64(data.count), UInt32(flags))
    guard code == SQLITE_OK else { throw error(code: code) }
    schemaDidChange()
    notifyChanges(ofKinds: kinds)
    // Observations act at the end of a transaction.
    try inTransaction(.deferred) { .commit }
  }

  private func checkCanSerialize() throws {
    try checkAccess()
    try checkHasNoEngine("serialization")
    guard Self.sqliteLibVersionNumber >= 3_036_000 else {
      throw DatabaseError(message: "serialized databases require SQLite 3.36 or later")
    }
  }

  /// SQLite would take the database away from running statements, which would then read freed
  /// memory.
  private func checkIsIdle() throws {
    var reason = isInsideTransaction ? "inside a transaction" : nil
    unsafe forEachStatement { statement in
      guard reason == nil, unsafe sqlite3_stmt_busy(statement) != 0 else { return }
      reason = "while a statement or a blob is being read"
    }
    guard let reason else { return }
    throw DatabaseError(
      resultCode: .SQLITE_BUSY, message: "a database can't be replaced \(reason)")
  }

  /// What is damaged is not observed.
  private func eventKinds(inReplacedSchema id: DatabaseSchemaID) throws -> [[DatabaseEventKind]] {
    do {
      return try eventKinds(inSchema: id)
    } catch let error as DatabaseError
      where [.SQLITE_NOTADB, .SQLITE_CORRUPT].contains(error.resultCode)
    {
      return []
    }
  }

  /// Other connections of a pool would go on with the file, where nothing is written any more. A
  /// file that the application attached to this connection is none of them.
  private func checkIsAlone(_ id: DatabaseSchemaID) throws {
    let hasFile =
      unsafe sqlite3_db_filename(sqliteConnection, id.name).map { unsafe $0[0] != 0 } ?? false
    guard isInPool, hasFile, id == .main || !configuration.preparations.isEmpty else { return }
    throw DatabaseError(
      resultCode: .SQLITE_MISUSE,
      message: "a connection of a pool can't replace the file of database \(id.name), which the "
        + "others may read: deserialize in a DatabaseQueue, and copy it by `backup(to:)`")
  }

  private func pageCount(of schemaName: String) throws -> Int {
    let name = schemaName.quotedDatabaseIdentifier
    return try Int.fetchOne(self, sql: "PRAGMA \(name).page_count") ?? 0
  }
}

/// The bytes of a database file.
private struct SerializedDatabase {
  private let data: Data

  init(_ data: Data) { self.data = data }

  /// See <https://www.sqlite.org/fileformat.html#magic_header_string>.
  var isDatabase: Bool { data.isEmpty || data.starts(with: Data("SQLite format 3\0".utf8)) }

  /// The bytes in memory of SQLite. A database in memory can't have the write-ahead log that the
  /// header asks for.
  func copy() -> UnsafeMutablePointer<UInt8>? {
    guard let memory = unsafe sqlite3_malloc64(UInt64(max(1, data.count))) else { return nil }
    unsafe data.withUnsafeBytes { bytes in
      if let start = bytes.baseAddress {
        unsafe memory.copyMemory(from: start, byteCount: bytes.count)
      }
    }
    let bytes = unsafe memory.assumingMemoryBound(to: UInt8.self)
    for position in [18, 19] where unsafe position < data.count && bytes[position] == 2 {
      unsafe bytes[position] = 1
    }
    return unsafe bytes
  }
}
