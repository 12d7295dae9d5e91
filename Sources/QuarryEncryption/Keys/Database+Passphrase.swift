import CSQLite
public import Foundation
public import Quarry

extension Database {
  /// Opens an encrypted database, or creates one, with a passphrase.
  ///
  /// ```swift
  /// var configuration = Configuration()
  /// configuration.prepareDatabase { db in
  ///   try db.usePassphrase(readersPassphrase())
  /// }
  /// let queue = try DatabaseQueue(path: path, configuration: configuration)
  /// ```
  ///
  /// The passphrase is for each connection: readers of a pool have it from the same function. It
  /// comes before all that reads or writes the database, and before the settings of the cipher,
  /// such as `PRAGMA kdf_iter`. A passphrase of 64 hexadecimal digits in `x'…'` is the key itself,
  /// of 256 bits, without the derivation that takes some tenths of a second for each connection.
  ///
  /// The connection fails to open with `SQLITE_NOTADB` when the passphrase is another one than that
  /// of the file, or the file is not encrypted.
  ///
  /// - throws: A `DatabaseError` for an empty passphrase, after the connection has read or
  ///   written the database, where SQLite has no encryption (the trait `SQLCipher` is off), and for
  ///   a database of a cluster.
  ///
  /// See <https://www.zetetic.net/sqlcipher/sqlcipher-api/#key>.
  public func usePassphrase(_ passphrase: String) throws { try unsafe passphrase.withKey(use) }

  /// Opens an encrypted database, or creates one, with a passphrase in bytes: see
  /// ``usePassphrase(_:)-(String)``.
  ///
  /// The bytes of a text in UTF-8 are the same passphrase as the text.
  public func usePassphrase(_ passphrase: Data) throws {
    try unsafe passphrase.withUnsafeBytes(use)
  }

  /// Opens an encrypted database, or creates one, with a passphrase in bytes, which are zero
  /// afterwards, also when it throws.
  ///
  /// ```swift
  /// configuration.prepareDatabase { db in
  ///   var passphrase = try [UInt8](readersPassphrase().utf8)
  ///   try db.usePassphrase(wiping: &passphrase)
  /// }
  /// ```
  ///
  /// Other variables with the same bytes have a copy of their own, which stays; the library and
  /// SQLCipher keep none. See ``usePassphrase(_:)-(String)``.
  public func usePassphrase(wiping passphrase: inout [UInt8]) throws {
    defer { passphrase.wipe() }
    try unsafe passphrase.withUnsafeBytes(use)
  }

  /// Encrypts the database with another passphrase.
  ///
  /// ```swift
  /// try dbQueue.writeWithoutTransaction { db in try db.changePassphrase("seven seas") }
  /// ```
  ///
  /// The file is written as a whole, in a transaction. Connections that are open have the former
  /// passphrase. Those of a pool are opened anew, and the functions of
  /// `Configuration.prepareDatabase(_:)` return the new one from now on:
  ///
  /// ```swift
  /// try dbPool.barrierWriteWithoutTransaction { db in
  ///   try db.changePassphrase("seven seas")
  ///   keychain.passphrase = "seven seas"
  ///   dbPool.invalidateReadOnlyConnections()
  /// }
  /// ```
  ///
  /// After an error the database has all of its rows, and its former passphrase. Where a disk fails
  /// while the change is committed, it may have the new one.
  ///
  /// - throws: A `DatabaseError` with code `SQLITE_BUSY` while another connection writes or,
  ///   without write-ahead log, reads; for an empty passphrase, in a transaction, for a database
  ///   that is not encrypted (`exportDatabase(to:passphrase:)` encrypts it), where SQLite has no
  ///   encryption, and when SQLite fails.
  ///
  /// See <https://www.zetetic.net/sqlcipher/sqlcipher-api/#rekey>.
  public func changePassphrase(_ passphrase: String) throws {
    try unsafe passphrase.withKey(change)
  }

  /// Encrypts the database with another passphrase in bytes: see ``changePassphrase(_:)-(String)``.
  public func changePassphrase(_ passphrase: Data) throws {
    try unsafe passphrase.withUnsafeBytes(change)
  }

  /// Encrypts the database with another passphrase in bytes, which are zero afterwards: see
  /// ``changePassphrase(_:)-(String)``.
  public func changePassphrase(wiping passphrase: inout [UInt8]) throws {
    defer { passphrase.wipe() }
    try unsafe passphrase.withUnsafeBytes(change)
  }
}

extension Database {
  private func use(_ key: UnsafeRawBufferPointer) throws {
    let connection = try unsafe cipherConnection("usePassphrase")
    // Pages with several keys in a file would be lost.
    guard unsafe !hasUsedPages(connection) else {
      throw misuse(
        "`usePassphrase` comes too late: the connection has read or written the database",
        "call it first in `prepareDatabase`; `changePassphrase` changes the passphrase")
    }
    try unsafe setKey(key, of: "main")
    formatAdvice =
      "its passphrase or the settings of its cipher are others, or it is not encrypted, or no database"
  }

  private func change(_ key: UnsafeRawBufferPointer) throws {
    let connection = try unsafe cipherConnection("changePassphrase")
    try checkMayWrite()
    // SQLCipher would commit the transaction.
    guard !isInsideTransaction else {
      throw misuse("`changePassphrase` is a transaction of its own", Self.withoutTransaction)
    }
    guard try isEncrypted else {
      throw misuse(
        "the database is not encrypted",
        "`exportDatabase(to:passphrase:)` writes an encrypted copy")
    }
    try unsafe check(key)
    // Without a lock, SQLCipher reports no error, and leaves pages with several keys in the file.
    try beginTransaction(.exclusive)
    let version: Int64
    do { version = try unsafe raiseSchemaVersion(connection) } catch {
      try? rollback()
      throw error
    }
    do {
      let code = unsafe quarry_rekey(connection, key.baseAddress, CInt(key.count))
      guard code == SQLITE_OK else { throw error(code: code) }
      // SQLCipher has committed: observers have nothing to refuse.
      do { try commit() } catch { try rollback() }
      // Or it has undone all because of an error, without a word.
      guard try unsafe schemaVersion(connection) == version else { throw Self.unchangedPassphrase }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_NOTADB {
      // The connection has the new passphrase, the file has not.
      throw closing(after: Self.unchangedPassphrase)
    } catch let error as DatabaseError {
      throw closing(after: error)
    }
  }

  private func closing(after error: DatabaseError) -> DatabaseError {
    var error = error
    error.addDetails("close this connection, whose passphrase may be another one than the file's")
    try? rollback()
    return error
  }

  /// Changes the version of the schema, and nothing else: so it shows whether the transaction has
  /// been committed. `PRAGMA schema_version` does nothing on a defensive connection.
  private func raiseSchemaVersion(_ connection: SQLiteConnection) throws -> Int64 {
    let view = "main.quarry_passphrase"
    try execute(sql: "CREATE VIEW \(view) AS SELECT 1; DROP VIEW \(view)")
    return try unsafe schemaVersion(connection)
  }

  /// By the functions of SQLite: an access that is canceled meanwhile must know it, too.
  private func schemaVersion(_ connection: SQLiteConnection) throws -> Int64 {
    try ignoringInterruptions {
      var statement: SQLiteStatement?
      defer { unsafe sqlite3_finalize(statement) }
      guard
        unsafe sqlite3_prepare_v2(connection, "PRAGMA main.schema_version", -1, &statement, nil)
          == SQLITE_OK, unsafe sqlite3_step(statement) == SQLITE_ROW
      else { throw unsafe error(code: sqlite3_errcode(connection)) }
      return unsafe sqlite3_column_int64(statement, 0)
    }
  }

  private static var unchangedPassphrase: DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_ERROR,
      message: "SQLCipher has not changed the passphrase, and does not report the reason: "
        + "the disk may be full, or broken")
  }

  /// Sets the key of a database that the connection has neither read nor written.
  func setKey(_ key: UnsafeRawBufferPointer, of schema: String) throws {
    let connection = try unsafe requireConnection()
    try unsafe check(key)
    try unsafe checkResult(quarry_key(connection, schema, key.baseAddress, CInt(key.count)))
  }

  private func check(_ key: UnsafeRawBufferPointer) throws {
    if unsafe key.isEmpty { throw misuse("the passphrase is empty") }
    if key.count > Int(CInt.max) { throw misuse("the passphrase has more than 2 GB") }
  }

  private func checkResult(_ code: CInt) throws { if code != SQLITE_OK { throw error(code: code) } }

  private func hasUsedPages(_ connection: SQLiteConnection) -> Bool {
    [
      SQLITE_DBSTATUS_CACHE_HIT, SQLITE_DBSTATUS_CACHE_MISS, SQLITE_DBSTATUS_CACHE_WRITE,
    ].contains { counter in
      var (count, highest): (CInt, CInt) = (0, 0)
      unsafe sqlite3_db_status(connection, counter, &count, &highest, 0)
      return count > 0
    }
  }

  static let withoutTransaction = "call it in `writeWithoutTransaction`"

  func misuse(_ message: String, _ details: String? = nil) -> DatabaseError {
    var error = DatabaseError(resultCode: .SQLITE_MISUSE, message: message)
    error.addDetails(details)
    return error
  }
}

extension String {
  func withKey(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    var text = self
    try text.withUTF8 { utf8 in try unsafe body(UnsafeRawBufferPointer(utf8)) }
  }
}

extension [UInt8] {
  fileprivate mutating func wipe() {
    unsafe withUnsafeMutableBytes { bytes in unsafe quarry_wipe(bytes.baseAddress, bytes.count) }
  }
}
