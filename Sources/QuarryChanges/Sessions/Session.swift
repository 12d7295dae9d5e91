import CSQLite
import Foundation
import Quarry

/// A session of SQLite, which records the changes of a connection until it is ended.
///
/// See <https://www.sqlite.org/session/session.html>.
@safe final class Session {
  private var session: OpaquePointer?
  /// Ends after the session: one of a transaction that stays open would keep its connection alive.
  private let connection: Unretained<Database>
  private var db: Database { connection.object }
  let filter: TableFilter
  private let initialChangesCount: Int

  /// - parameter tables: Those to record, nil for all that can be recorded.
  convenience init(
    _ db: Database, schema: String, tables: [String]?, besides excluded: [String] = []
  ) throws {
    try Self.checkAvailability()
    try self.init(
      db, schema: schema, TableFilter(db, schema: schema, tables: tables, besides: excluded))
  }

  init(_ db: Database, schema: String, _ filter: TableFilter) throws {
    connection = Unretained(db)
    self.filter = filter
    initialChangesCount = Session.changesCount(of: db)
    try db.beginSession()
    var session: OpaquePointer?
    var code = try unsafe quarry_session_create(db.requireConnection(), schema, &session)
    if code == SQLITE_OK {
      let context = unsafe Unmanaged.passUnretained(filter).toOpaque()
      unsafe quarry_session_table_filter(
        session,
        { context, table in
          guard let context = unsafe context, let table = unsafe table else { return 0 }
          let filter = unsafe Unmanaged<TableFilter>.fromOpaque(context).takeUnretainedValue()
          return unsafe filter.includes(String(cString: table)) ? 1 : 0
        }, unsafe context)
      code = unsafe quarry_session_attach(session, nil)
    }
    unsafe self.session = unsafe session
    guard code != SQLITE_OK else { return }
    if unsafe session == nil { db.endSession() } else { end() }
    throw db.error(code: code)
  }

  deinit { end() }

  /// Ends the session: before its connection is closed.
  func end() {
    guard let session = unsafe session else { return }
    unsafe quarry_session_delete(session)
    unsafe self.session = nil
    db.endSession()
  }

  static var isAvailable: Bool { quarry_has_sessions() != 0 }

  static func checkAvailability() throws {
    guard !isAvailable else { return }
    throw ChangesetError(
      .unavailable,
      "this SQLite (\(SQLiteVersion.linked)) has no sessions: changes are recorded "
        + "and applied by a library with SQLITE_ENABLE_SESSION and SQLITE_ENABLE_PREUPDATE_HOOK, "
        + "such as Debian's")
  }

  /// Whether nothing was changed. Changes that were undone since may count.
  var isEmpty: Bool { unsafe quarry_session_isempty(session) != 0 }

  /// The changes since the beginning: the differences between the rows then and now.
  ///
  /// - parameter checksNulls: False if the changes were checked before, and only a log has written
  ///   since: its own tables, and the rows that it shows or hides.
  /// - throws: ``ChangesetError`` for a changed table that can't be recorded.
  func changes(asPatchset: Bool = false, checksNulls: Bool = true) throws -> Changeset {
    try filter.check(db)
    var recorded = try uncorrectedChanges(asPatchset: asPatchset)
    let looseTables = filter.changedTablesWithLooseKeys
    if !looseTables.isEmpty {
      // A patchset does not show a key that was replaced.
      try (asPatchset ? uncorrectedChanges() : recorded).checkKeys()
      recorded = try recorded.withoutRepeatedInsertions(in: looseTables, besides: formerRows)
    }
    if filter.addedDefaults.isEmpty { return recorded }
    let changes = try asPatchset ? recorded : filter.addedDefaults.restored(in: recorded)
    if checksNulls {
      let count = Self.changesCount(of: db) - initialChangesCount
      try filter.checkNulls(in: recorded, changesCount: count, db)
    }
    return changes
  }

  /// The number of changes of rows since the connection was opened. `REPLACE` and updates of keys
  /// remove rows that do not count.
  static func changesCount(of db: Database) -> Int { db.totalChangesCount + db.blobWriteCount }

  /// The first change of SQL, as SQLite records it, in a database of its own.
  static func recordedChange(of sql: String, after rows: String) -> Change? {
    try? DatabaseQueue().inDatabase { db -> Change? in
      try db.execute(sql: rows)
      // The filter has checked nothing: the bytes are those of SQLite.
      let session = try Session(
        db, schema: "main", TableFilter(db, schema: "main", tables: nil, besides: []))
      defer { session.end() }
      try db.execute(sql: sql)
      return try session.uncorrectedChanges().changes.first
    }
  }

  /// The changes as SQLite has them.
  func uncorrectedChanges(asPatchset: Bool = false) throws -> Changeset {
    var count: CInt = 0
    var bytes: UnsafeMutableRawPointer?
    let code =
      unsafe asPatchset
      ? quarry_session_patchset(session, &count, &bytes)
      : quarry_session_changeset(session, &count, &bytes)
    defer { unsafe sqlite3_free(bytes) }
    guard code == SQLITE_OK else { throw failure(code) }
    return unsafe Changeset(bytes, count, isPatchset: asPatchset)
  }

  /// The rows that were touched and stood there before, as deletions of a patchset: a session takes
  /// the rows that it does not find for deleted ones.
  private func formerRows() throws -> Changeset {
    try db.readingNulls { try uncorrectedChanges(asPatchset: true) }
  }

  /// Writes the changes to a file in pieces.
  func write(to file: FileHandle, asPatchset: Bool) throws {
    try filter.check(db)
    if !filter.changedTablesWithLooseKeys.isEmpty || !filter.addedDefaults.isEmpty {
      return try file.write(contentsOf: Data(changes(asPatchset: asPatchset).bytes))
    }
    let output = FileOutput(file)
    let context = unsafe Unmanaged.passUnretained(output).toOpaque()
    let write: quarry_output = { context, bytes, count in
      guard let context = unsafe context else { return SQLITE_MISUSE }
      let output = unsafe Unmanaged<FileOutput>.fromOpaque(context).takeUnretainedValue()
      return unsafe output.write(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
    }
    let code =
      unsafe asPatchset
      ? quarry_session_patchset_stream(session, write, context)
      : quarry_session_changeset_stream(session, write, context)
    if let error = output.error { throw error }
    guard code == SQLITE_OK else { throw failure(code) }
  }

  private func failure(_ code: CInt) -> any Error {
    guard code == SQLITE_SCHEMA else { return db.error(code: code) }
    return ChangesetError(
      .unrecordable,
      "the columns of a table have changed since the recording began: alter and drop tables before "
        + "or after it")
  }
}

/// The error of a file, which passes through SQLite.
private final class FileOutput {
  private let file: FileHandle
  private(set) var error: (any Error)?

  init(_ file: FileHandle) { self.file = file }

  func write(_ bytes: UnsafeRawBufferPointer) -> CInt {
    do {
      try file.write(contentsOf: unsafe Data(bytes))
      return SQLITE_OK
    } catch {
      self.error = error
      return SQLITE_IOERR
    }
  }
}

extension Changeset {
  /// A result of SQLite.
  init(_ bytes: UnsafeMutableRawPointer?, _ count: CInt, isPatchset: Bool) {
    let buffer = unsafe UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : Int(count))
    unsafe self.init(checked: Array(buffer), isPatchset: isPatchset)
  }

  /// Calls a function of SQLite with the bytes.
  func withBytes<T>(_ body: (CInt, UnsafeMutableRawPointer?) throws -> T) throws -> T {
    guard let count = CInt(exactly: bytes.count) else {
      throw DatabaseError(
        resultCode: .SQLITE_TOOBIG, message: "the changeset has more than 2 gigabytes: filter it")
    }
    return try unsafe bytes.withUnsafeBytes { buffer in
      // SQLite declares the bytes as variable, and does not change them.
      try unsafe body(count, UnsafeMutableRawPointer(mutating: buffer.baseAddress))
    }
  }
}
