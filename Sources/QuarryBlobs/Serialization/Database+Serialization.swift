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
  /// The content includes the changes of the current transaction, but SQLite does not have those of
  /// a database that ``deserialize(_:schema:readonly:)`` has made, until they are committed.
  ///
  /// - parameter schemaName: The schema: `main` by default.
  /// - throws: A `DatabaseError` when there is no such schema, when the database can't be read,
  ///   and before SQLite 3.36. `SQLITE_BUSY` for a deserialized database in a transaction that
  ///   writes, or has begun as an immediate one.
  ///
  /// See <https://www.sqlite.org/c3ref/serialize.html>.
  public func serialize(schema schemaName: String = "main") throws -> Data {
    try checkCanSerialize()
    let connection = try unsafe requireConnection()
    let id = try schema.catalogs(named: schemaName)[0].id
    guard !writes(to: id) || !isDeserialized(id) else {
      throw DatabaseError(
        resultCode: .SQLITE_BUSY,
        message: "a deserialized database can't be serialized inside a transaction that writes: "
          + "serialize after the commit")
    }
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
  /// only, also where the former one was a file. Data without byte is an empty database with
  /// UTF-8.
  ///
  /// Observers are notified of a change of all tables that the former database has, at the end of
  /// an empty transaction. One that refuses its commit has its error thrown, but the database is
  /// replaced.
  ///
  /// SQLite makes `json_each`, and other tables that stand in no schema, a part of the main
  /// database when they are first used. Requests with many values or keys, and prefetches of
  /// associations, may use `json_each`. Afterwards, the data are copied to a main database in
  /// memory; a file, a database that can only be read, and one of another page size, can't be
  /// replaced any more, nor can the main database become one that can only be read. Tables of
  /// pragmas, and those that the library has registered, don't matter.
  ///
  /// - parameter data: The bytes of a database file.
  /// - parameter schemaName: The schema: `main` by default, and not `temp`.
  /// - parameter readonly: Whether the database can only be read.
  /// - throws: A `DatabaseError` with code `SQLITE_NOTADB` for bytes that are no database,
  ///   `SQLITE_CORRUPT` where the end of the database is missing, `SQLITE_BUSY` when the connection
  ///   is being used: inside a transaction, while rows are fetched, and while a blob is open, or
  ///   when the former database is locked. `SQLITE_MISUSE` for the temporary database, for the
  ///   main one after a use of `json_each`, and for the file of a pool, which its other
  ///   connections would still read: the main one, and attached ones where
  ///   `Configuration.prepareDatabase` may have attached them. `SQLITE_ERROR` for data with another
  ///   text encoding than the connection, and for UTF-16 as the main database, unless the
  ///   connection is a new one without content. The former database then stays.
  ///   When the data proves to be corrupt later, statements throw `SQLITE_CORRUPT`.
  ///
  /// See <https://www.sqlite.org/c3ref/deserialize.html>.
  public func deserialize(
    _ data: Data, schema schemaName: String = "main", readonly: Bool = false
  ) throws {
    try checkCanSerialize()
    _ = try unsafe requireConnection()
    try checkMayWrite()
    try checkIsIdle()
    let content = SerializedDatabase(data)
    try content.check()
    let id = try schema.catalogs(named: schemaName)[0].id
    guard id != .temp else {
      throw DatabaseError.misuse("the temporary database can't be replaced")
    }
    try checkIsAlone(id)
    try checkTextEncoding(of: content, in: id)
    try readingDamagedSchemas {
      // Afterwards, nobody knows the tables that are gone.
      let kinds = try unlessDamaged { try eventKinds(inSchema: id) } ?? []
      if id == .main, let table = try tableTiedToMainDatabase() {
        try replaceMainContent(by: data, readonly: readonly, since: table)
      } else {
        try replace(id, by: content, readonly: readonly)
      }
      notifyChanges(ofKinds: kinds)
    }
    // Observations act at the end of a transaction.
    try inTransaction(.deferred) { .commit }
  }

  private func replace(
    _ id: DatabaseSchemaID, by content: SerializedDatabase, readonly: Bool
  ) throws {
    // SQLite frees the bytes, also when it fails.
    var flags = SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE
    if readonly { flags |= SQLITE_DESERIALIZE_READONLY }
    let count = Int64(content.data.count)
    try unsafe replaceDatabase(id) { connection in
      guard let bytes = unsafe content.copy() else { return SQLITE_NOMEM }
      return unsafe sqlite3_deserialize(connection, id.name, bytes, count, count, UInt32(flags))
    }
  }

  /// Copies a database to the main one, which keeps its place.
  private func replaceMainContent(by data: Data, readonly: Bool, since table: String) throws {
    do {
      guard !isFile(.main), !readonly else { throw DatabaseError(resultCode: .SQLITE_READONLY) }
      try DatabaseQueue().inDatabase { source in
        try source.deserialize(data)
        try source.backup(to: self)
      }
    } catch DatabaseError.SQLITE_READONLY {
      throw DatabaseError(
        resultCode: .SQLITE_MISUSE,
        message:
          "the main database can't be replaced any more, since \(table) was used, which SQLite "
          + "makes a part of it: deserialize before, or in another DatabaseQueue")
    }
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
    if virtualTableCalls.isRunning { reason = "while a virtual table is being asked" }
    unsafe forEachStatement { statement in
      guard reason == nil, unsafe sqlite3_stmt_busy(statement) != 0 else { return }
      reason = "while a statement or a blob is being read"
    }
    guard let reason else { return }
    throw DatabaseError(
      resultCode: .SQLITE_BUSY, message: "a database can't be replaced \(reason)")
  }

  /// A connection that has had content keeps its text encoding, and takes a new main database for
  /// one with UTF-8: it could read none of its databases any more.
  private func checkTextEncoding(of content: SerializedDatabase, in id: DatabaseSchemaID) throws {
    let isMain = id == .main
    guard let encoding = content.textEncoding ?? (isMain ? .utf8 : nil) else { return }
    for encoding in isMain ? [.utf8, encoding] : [encoding] {
      // Has no effect once the connection keeps one.
      if isMain { try execute(sql: "PRAGMA encoding = '\(encoding.name)'") }
      let letter = try Data.fetchOne(makeStatement(sql: "SELECT CAST('a' AS BLOB)"))
      guard letter != encoding.letter else { continue }
      throw DatabaseError(
        message: "data with the text encoding \(content.textEncoding?.name ?? encoding.name) can't "
          + "replace a database of this connection, which keeps its own: deserialize in a new "
          + "DatabaseQueue")
    }
  }

  /// Other connections of a pool would go on with the file, where nothing is written any more. A
  /// file that the application attached to this connection is none of them.
  private func checkIsAlone(_ id: DatabaseSchemaID) throws {
    guard isInPool, isFile(id), id == .main || !configuration.preparations.isEmpty else { return }
    throw DatabaseError(
      resultCode: .SQLITE_MISUSE,
      message: "a connection of a pool can't replace the file of database \(id.name), which the "
        + "others may read: deserialize in a DatabaseQueue, and copy it by `backup(to:)`")
  }

  /// Whether a database is a file. SQLite has a name for bytes in memory, too.
  private func isFile(_ id: DatabaseSchemaID) -> Bool {
    guard let name = unsafe sqlite3_db_filename(sqliteConnection, id.name) else { return false }
    return unsafe name[0] != 0 && !isDeserialized(id)
  }

  /// Whether a database is made of bytes in memory, which SQLite need not copy.
  private func isDeserialized(_ id: DatabaseSchemaID) -> Bool {
    let flags = UInt32(SQLITE_SERIALIZE_NOCOPY)
    return unsafe sqlite3_serialize(sqliteConnection, id.name, nil, flags) != nil
  }

  private func pageCount(of schemaName: String) throws -> Int {
    let name = schemaName.quotedDatabaseIdentifier
    return try Int.fetchOne(self, sql: "PRAGMA \(name).page_count") ?? 0
  }
}

/// See <https://www.sqlite.org/fileformat.html#text_encoding>.
private struct TextEncoding {
  let name: String
  /// The letter a.
  let letter: Data

  static let utf8 = Self(name: "UTF-8", letter: Data([0x61]))
}

/// The bytes of a database file.
///
/// See <https://www.sqlite.org/fileformat.html#the_database_header>.
private struct SerializedDatabase {
  let data: Data

  init(_ data: Data) { self.data = data }

  /// Throws for bytes that are no database, and where the end of it is missing: SQLite would take
  /// the missing bytes of a page for zeros.
  func check() throws {
    if data.isEmpty { return }
    let headerSize = 100
    guard data.starts(with: Data("SQLite format 3\0".utf8)),
      data.count < headerSize || isHeaderReadable
    else { throw DatabaseError(resultCode: .SQLITE_NOTADB) }
    guard data.count < headerSize || data.count < byteCount else { return }
    throw DatabaseError(
      resultCode: .SQLITE_CORRUPT,
      message: "the end of the database is missing: there are \(data.count) bytes, instead of "
        + "\(max(headerSize, byteCount))")
  }

  /// Whether SQLite reads a database with this header, whatever its pages are.
  private var isHeaderReadable: Bool {
    let size = bytesPerPage
    let reservedSize = number(at: 20, byteCount: 1)
    return size.nonzeroBitCount == 1 && size >= 512 && size - reservedSize >= 480
      && number(at: 19, byteCount: 1) <= 2 && number(at: 21, byteCount: 3) == 0x40_20_20
      && number(at: 47, byteCount: 1) <= 4
  }

  /// Nil without content.
  var textEncoding: TextEncoding? {
    switch number(at: 56) {
    case 0: nil
    case 1: .utf8
    case 2: TextEncoding(name: "UTF-16le", letter: Data([0x61, 0]))
    case 3: TextEncoding(name: "UTF-16be", letter: Data([0, 0x61]))
    case let number: TextEncoding(name: "\(number)", letter: Data())
    }
  }

  private var bytesPerPage: Int {
    // 1 is the size that two bytes can't hold.
    let pageSize = number(at: 16, byteCount: 2)
    return pageSize == 1 ? 65536 : max(1, pageSize)
  }

  /// The number of bytes of all pages.
  private var byteCount: Int {
    // SQLite before 3.7 has not written the number of pages.
    let hasPageCount = number(at: 24) == number(at: 92)
    let pageCount = hasPageCount ? number(at: 28) : 0
    guard pageCount == 0 else { return pageCount * bytesPerPage }
    return (data.count + bytesPerPage - 1) / bytesPerPage * bytesPerPage
  }

  private func number(at offset: Int, byteCount: Int = 4) -> Int {
    data.dropFirst(offset).prefix(byteCount).reduce(0) { $0 << 8 | Int($1) }
  }

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
