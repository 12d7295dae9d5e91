import CSQLite
public import Foundation
import Quarry

/// A blob of a row, read and written in parts, without loading it as a whole.
///
/// ```swift
/// try db.execute(sql: "INSERT INTO file (id, content) VALUES (1, zeroblob(1000000))")
/// try db.withBlob(table: "file", column: "content", rowID: 1, access: .readWrite) { blob in
///   try blob.write(Data("PNG".utf8), at: 1)
///   let head = try blob.read(at: 0, count: 4)
///   let chunks = blob.chunks(size: 65_536)
///   while let chunk = try chunks.next() { hash.update(data: chunk) }
/// }
/// ```
///
/// The size of a blob does not change: `zeroblob(n)` in SQL makes room. Texts have bytes, too.
/// Writes check no constraint, and run no trigger.
///
/// A stream is over when the row is changed or deleted by a statement, and when a transaction or a
/// savepoint is rolled back that had written before the stream was opened in it, or in which the
/// stream writes: all methods then throw an error with code `SQLITE_ABORT`, until
/// ``reopen(rowID:)``. The end of the access closes it.
///
/// See <https://www.sqlite.org/c3ref/blob_open.html>.
@safe public final class DatabaseBlob {
  /// The access of a stream.
  public enum Access: Sendable {
    /// Read the blob.
    case readOnly
    /// Read the blob, and write over it.
    case readWrite
  }

  /// The table of the blob.
  public let table: String

  /// The column of the blob, by its declared name.
  public private(set) var column: String

  /// The row of the blob.
  public private(set) var rowID: Int64

  /// The number of bytes.
  public private(set) var count: Int

  private weak var database: Database?
  private let owner: ConnectionOwner
  private var handle: OpaquePointer?
  /// What has closed the stream, until it is opened again.
  private var ending = Ending.call
  /// True when SQLite has ended the stream, and committed what it wrote, until it is opened again.
  private var isOver = false
  private enum Ending {
    case call, interruption, rollback, endOfAccess
  }

  let access: Access
  private(set) var schemaTable: CachedTable
  /// The `clearCount` of the schema that the table is from.
  private var clearCount: Int
  package var depth = 0

  init(
    _ database: Database, table: CachedTable, column: String, rowID: Int64, access: Access
  ) throws {
    self.database = database
    owner = database.owner
    self.table = table.id.name
    schemaTable = table
    clearCount = database.schema.clearCount
    self.column = column
    self.rowID = rowID
    self.access = access
    count = 0
    try open(in: database)
  }

  /// Opens the stream of the row, in the place of the former one.
  private func open(in database: Database) throws {
    let connection = try unsafe database.requireConnection()
    if access == .readWrite { try database.checkMayWrite(" - \(place)") }
    let schema = database.schema
    if clearCount != schema.clearCount {
      schemaTable = try schema.resolve(table, in: schemaTable.id.schemaID.name)
    }
    column = try declaredColumn(in: schema)
    database.recordBlob(schemaTable, column: column, rowID: rowID)
    var opened: OpaquePointer?
    let code = unsafe sqlite3_blob_open(
      connection, schemaTable.id.schemaID.name, table, column, rowID,
      access == .readOnly ? 0 : 1, &opened)
    guard code == SQLITE_OK, let stream = unsafe opened else { throw failure(code, of: database) }
    release()
    (ending, isOver) = (.call, false)
    clearCount = schema.clearCount
    unsafe handle = unsafe stream
    count = unsafe Int(sqlite3_blob_bytes(stream))
    depth = database.streamDepth
  }

  /// Opens the stream again once the schema has changed: its column may have another number, or an
  /// index now.
  private func followSchema(of database: Database) throws {
    guard clearCount != database.schema.clearCount, let handle = unsafe handle else { return }
    var byte: UInt8 = 0
    if unsafe sqlite3_blob_read(handle, &byte, 0, 0) == SQLITE_OK { try open(in: database) }
  }

  /// In an access, the commit of what was written may fail: the access throws its error in the end.
  deinit {
    if access == .readWrite, owner.isInAccess {
      do { try close() } catch { owner.postponeToEndOfAccess(error) }
    }
    release()
  }

  /// Closes the stream when no other thread uses the connection, of which SQLite may have the last
  /// half.
  private func release() {
    guard let handle = unsafe handle else { return }
    unsafe self.handle = nil
    let close: () -> Void = { [owner, access, weak database] in
      if unsafe sqlite3_blob_close(handle) != SQLITE_OK { database?.mayHaveRolledBack() }
      if access == .readWrite { owner.writingBlobDidClose() }
    }
    owner.perform(close) { close }
  }

  /// Reads bytes.
  ///
  /// - parameter offset: Where to start, in bytes.
  /// - parameter count: The number of bytes: by default, all bytes to the end.
  /// - throws: A `DatabaseError` with code `SQLITE_RANGE` for bytes outside of the blob,
  ///   `SQLITE_ABORT` when the row has changed, `SQLITE_MISUSE` when the stream or its connection
  ///   is closed.
  public func read(at offset: Int = 0, count: Int? = nil) throws -> Data {
    let count = count ?? max(0, self.count - max(0, offset))
    try check(offset, count)
    var data = Data(count: count)
    try unsafe data.withUnsafeMutableBytes { try unsafe read(into: $0, at: offset) }
    return data
  }

  /// Fills a buffer with bytes. See ``read(at:count:)``.
  ///
  /// - parameter buffer: The memory for the bytes. Its size is the number of bytes to read.
  /// - parameter offset: Where to start, in bytes.
  public func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws {
    let (handle, database) = try unsafe prepare()
    try check(offset, buffer.count)
    let code = unsafe sqlite3_blob_read(
      handle, buffer.baseAddress, CInt(buffer.count), CInt(offset))
    guard code == SQLITE_OK else { throw failure(code, of: database) }
  }

  /// Writes bytes over those of the blob.
  ///
  /// - parameter data: The new bytes.
  /// - parameter offset: Where to start, in bytes.
  /// - throws: A `DatabaseError` with code `SQLITE_RANGE` for bytes outside of the blob,
  ///   `SQLITE_READONLY` for a stream that only reads, `SQLITE_ABORT` when the row has changed,
  ///   `SQLITE_MISUSE` when the stream or its connection is closed.
  public func write(_ data: some ContiguousBytes, at offset: Int = 0) throws {
    let (_, database) = try unsafe prepare()
    if access == .readWrite { try database.checkMayWrite(" - \(place)") }
    try followSchema(of: database)
    try unsafe data.withUnsafeBytes { bytes in
      try check(offset, bytes.count)
      let code = database.observingBlob(schemaTable, column: column, rowID: rowID) {
        // `data` may run code.
        guard let handle = unsafe handle else { return SQLITE_ABORT }
        return unsafe sqlite3_blob_write(handle, bytes.baseAddress, CInt(bytes.count), CInt(offset))
      }
      if code == SQLITE_OK { return }
      guard unsafe handle == nil else { throw failure(code, of: database) }
      try database.checkCancellation()
      throw closedError
    }
  }

  /// The bytes, part after part.
  ///
  /// - parameter size: The number of bytes of a part; the last one may be shorter.
  /// - precondition: `size` is positive.
  public func chunks(size: Int) -> DatabaseBlobChunkCursor {
    precondition(size > 0, "the size of chunks must be positive")
    return DatabaseBlobChunkCursor(blob: self, size: size)
  }

  /// Moves to the blob of another row of the same table, or begins again with the same one: faster
  /// than another stream.
  ///
  /// - throws: A `DatabaseError` when there is no such row, or no blob or text in it: the stream
  ///   can then only be reopened. Also where only reads are possible, for a stream that writes and
  ///   is over.
  ///
  /// See <https://www.sqlite.org/c3ref/blob_reopen.html>.
  public func reopen(rowID: Int64) throws {
    let database = try willUse()
    try followSchema(of: database)
    self.rowID = rowID
    count = 0
    database.recordBlob(schemaTable, column: column, rowID: rowID)
    guard let handle = unsafe handle else { return try open(in: database) }
    let code = unsafe sqlite3_blob_reopen(handle, rowID)
    // SQLite does not open a stream again that is over.
    if ResultCode(rawValue: code).primaryResultCode == .SQLITE_ABORT {
      return try open(in: database)
    }
    guard code == SQLITE_OK else {
      isOver = true
      throw failure(code, of: database)
    }
    count = unsafe Int(sqlite3_blob_bytes(handle))
    depth = database.streamDepth
  }

  /// Closes the stream. Does nothing when it is closed.
  ///
  /// Outside of a transaction, this is the commit of what was written. After a failed call of a
  /// stream that writes, SQLite rolls back instead: it does so with errors of input and output, a
  /// full disk, and damaged files.
  ///
  /// - throws: A `DatabaseError` when what was written is not committed, or a transaction is rolled
  ///   back; the error of the observer that refuses the commit.
  public func close() throws {
    ending = .call
    guard let handle = unsafe handle else { return }
    guard let database else { return release() }
    try database.checkAccess()
    try unsafe close(handle, in: database)
  }

  /// SQLite returns the code of the last failed call again: this is an error only where SQLite has
  /// rolled back, in place of a commit, or the transaction around the stream.
  private func close(_ handle: OpaquePointer, in database: Database) throws {
    unsafe self.handle = nil
    let wasInTransaction = database.isInsideTransaction
    let code = unsafe sqlite3_blob_close(handle)
    let mayRollBack = wasInTransaction ? !database.isInsideTransaction : access == .readWrite
    if code != SQLITE_OK, mayRollBack { throw failure(code, of: database) }
    // After a failed call, the close of a stream that reads rolls back, too.
    if code != SQLITE_OK { database.mayHaveRolledBack() }
    if access == .readWrite { owner.writingBlobDidClose() }
  }

  /// The stream and its connection, for the next call.
  private func prepare() throws -> (OpaquePointer, Database) {
    let database = try willUse()
    guard let handle = unsafe handle else { throw closedError }
    return unsafe (handle, database)
  }

  /// The connection, for the next call. The stream is open, or a rollback has ended it.
  private func willUse() throws -> Database {
    guard let database, unsafe database.sqliteConnection != nil else {
      throw DatabaseError.misuse("Connection is closed")
    }
    try checkIsOpen()
    try database.willUseBlob(isReadOnly: access == .readOnly)
    // Observers of a former commit may have closed it.
    try checkIsOpen()
    return database
  }

  private func checkIsOpen() throws {
    if unsafe handle == nil, ending != .rollback { throw closedError }
  }

  private var closedError: DatabaseError {
    switch ending {
    case .call: .misuse("Blob is closed: \(place)")
    case .interruption:
      DatabaseError(resultCode: .SQLITE_INTERRUPT, message: "interrupted - \(place)")
    case .rollback:
      DatabaseError(
        resultCode: .SQLITE_ABORT, message: "a rollback has ended the stream - \(place)")
    case .endOfAccess:
      .misuse("the stream was used outside of its access - \(place)")
        .detailed("the access has ended: use the stream inside of the closure that has opened it")
    }
  }

  private func check(_ offset: Int, _ count: Int) throws {
    guard offset < 0 || count < 0 || offset > self.count - count else { return }
    let message = "no \(count) bytes at offset \(offset): there are \(self.count) bytes"
    throw DatabaseError(resultCode: .SQLITE_RANGE, message: "\(message) - \(place)")
  }

  var place: String { "in column \(column) of table \(table), row \(rowID)" }

  /// The error of a call that SQLite refuses: where it has ended a stream that writes, it has
  /// committed, or rolled back.
  private func failure(_ code: CInt, of database: Database) -> any Error {
    // Not after `SQLITE_ABORT_ROLLBACK`.
    if code == SQLITE_ABORT { isOver = true }
    let failure = error(code, of: database)
    let veto = database.takeVeto()
    // The other codes are those of rollbacks.
    if veto == nil, code == SQLITE_ABORT || code == SQLITE_ERROR { database.lowerStreams() }
    database.mayHaveRolledBack()
    if access == .readWrite { owner.writingBlobDidClose() }
    guard ResultCode(rawValue: code) == .SQLITE_CONSTRAINT_COMMITHOOK else { return failure }
    return veto ?? failure
  }

  private func error(_ code: CInt, of database: Database) -> any Error {
    let reason =
      switch ResultCode(rawValue: code).primaryResultCode {
      case .SQLITE_ABORT: "the row was changed or deleted"
      case .SQLITE_READONLY where access == .readOnly: "the stream is read-only"
      default: database.lastErrorMessage ?? ""
      }
    if code == SQLITE_INTERRUPT {
      database.endInterruptedStatements()
      do { try database.checkCancellation() } catch { return error }
    }
    return DatabaseError(resultCode: ResultCode(rawValue: code), message: "\(reason) - \(place)")
  }
}

extension DatabaseBlob: BlobStream {
  package func interrupt() {
    guard let handle = unsafe handle else { return }
    unsafe self.handle = nil
    ending = .interruption
    unsafe sqlite3_blob_close(handle)
  }

  package func didRollBack() {
    guard !isOver, let handle = unsafe handle else { return }
    unsafe self.handle = nil
    ending = .rollback
    unsafe sqlite3_blob_close(handle)
  }

  package func endAccess() throws {
    if ending == .rollback { ending = .endOfAccess }
    guard let handle = unsafe handle, let database else { return }
    ending = .endOfAccess
    try unsafe close(handle, in: database)
  }
}
