import CSQLite
import Foundation

/// An SQLite connection.
///
/// See <https://www.sqlite.org/c3ref/sqlite3.html>.
public typealias SQLiteConnection = OpaquePointer

/// A connection to a database.
///
/// You don't create connections: a ``DatabaseQueue`` gives one to the closures of its `read` and
/// `write` methods, and the connection must not be used elsewhere.
///
/// ```swift
/// try dbQueue.write { db in
///   try db.execute(sql: "INSERT INTO player (name) VALUES (?)", arguments: ["Alice"])
/// }
/// ```
///
/// Each chapter of SQLite has its file: statements, transactions, trace, backup, and so on.
@safe public final class Database {
  /// The configuration of the connection.
  public let configuration: Configuration

  /// The label of the connection.
  public let description: String

  let path: String

  /// The SQLite connection, or nil once it is closed.
  @safe @exclusivity(unchecked) public private(set) var sqliteConnection: SQLiteConnection?

  /// The connection for other threads, which can do no more than interrupt it.
  let interruptible = unsafe Locked<SQLiteConnection?>(nil)
  /// The access that uses the connection, for statements and cursors that leave it.
  package let owner = ConnectionOwner()
  let effectsRecorder = StatementEffectsRecorder()
  let updateHook = UpdateHook()
  let broker = ObservationBroker()
  let publicStatements = StatementCache(capacity: 128)
  let statements = StatementCache(capacity: 256)
  let frequentStatements = FrequentStatements()
  package let schema: DatabaseSchemaReader
  /// What floors above keep on the connection.
  let slots = ConnectionSlots()
  @safe @exclusivity(unchecked) @usableFromInline var defaultCallbacks = DefaultCallbacks()

  /// The access that the connection is used in.
  @safe @exclusivity(unchecked) var access = ConnectionAccess()
  @safe @exclusivity(unchecked) var transactions = TransactionState()
  /// The records to set back after a rollback, as long as a transaction that updates them runs.
  package weak var raisedVersions: AnyObject?
  var readOnlyDepth = 0
  /// True while a backup writes to the database: SQLite does not survive another use of the
  /// connection.
  var isBackupDestination = false
  /// Whether the connection is one of a pool, whose connections share a file.
  package var isInPool = false
  /// Whether the connection is a snapshot: its transaction stays open.
  var isSnapshot = false
  var blobs: [WeakBlobStream] = []
  var busyCallback: BusyCallback?
  /// SQLite's own timeout in milliseconds, unless `PRAGMA busy_timeout` has changed it.
  var knownBusyTimeout: CInt = 0
  var pendingRegistrations: [any Registration] = []
  /// The tables that are registered on the connection, which stand in no schema, by the keys of
  /// their names.
  var registeredTables: [BinaryText: ModuleRegistration] = [:]
  package let virtualTableCalls = VirtualTableCalls()
  /// Why functions could not be added, by name.
  var refusals: [BinaryText: String] = [:]
  /// The statements that have been reported as doubtful.
  var reports: Set<BinaryText> = []
  let suspension: Suspension?
  let accessObserver: (any AccessObserver)?
  /// Executes the statements, where that is not SQLite.
  package let engine: (any ConnectionEngine)?
  package var statementCounts = StatementCounts()
  var traceFunction: ((TraceEvent) -> Void)?
  var tracingOptions: TracingOptions = []
  /// The functions that are none of SQLite's, once planning has asked for them: what it has planned
  /// is forgotten with them.
  var addedFunctions: [AddedFunction]?
  /// Called with the SQL of a statement that fails while it runs, and the values of its arguments.
  package var failureFunction: ((_ exactSQL: String) -> Void)?
  /// Whether the schema is read for the error of a statement.
  var isExplaining = false
  /// The reasons why the file may seem to be no database, beside that it is none.
  package var formatAdvice: String?
  /// The error that SQLite has forgotten, since it was explained by other statements.
  private(set) var shadowedError: DatabaseError?
  /// The counts of the last statement, where those of its observers have shadowed them.
  var shadowedChanges: ChangeCounts?

  /// Opens a connection.
  init(path: String, description: String, configuration: Configuration) throws {
    self.path = path
    self.description = description
    self.configuration = configuration
    accessObserver = configuration.makeAccessObserver?()
    engine = configuration.makeEngine?()
    schema = DatabaseSchemaReader(source: configuration.schemaSource)
    let connection = try unsafe Self.open(
      engine == nil ? path : ":memory:", isReadOnly: configuration.readonly && engine == nil)
    sqliteConnection = unsafe connection
    unsafe interruptible.withLock { unsafe $0 = unsafe connection }
    suspension =
      unsafe configuration.observesSuspensionNotifications
      ? Suspension(interruptible: interruptible) : nil
    owner.database = Unretained(self)
    schema.database = self
    if !configuration.usesPreUpdateHook { broker.hasPreUpdateHook = false }
    do {
      try setUp()
    } catch {
      closeLeniently()
      guard var error = error as? DatabaseError else { throw error }
      if configuration.isUntrusted, error.path == nil { error.path = path }
      if error.resultCode == .SQLITE_BUSY { error.addDetails("while opening `\(path)`") }
      throw error
    }
  }

  deinit {
    // Another thread may be cleaning up what it has released: a cursor, a statement.
    owner.endConnection(closeLeniently)
  }

  private static func open(_ path: String, isReadOnly: Bool) throws -> SQLiteConnection {
    try FilePath.check(path)
    var flags =
      isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    // A connection is only used by one thread at a time: SQLite need not lock.
    flags |= SQLITE_OPEN_NOMUTEX
    let isURI = path.hasPrefix("file:")
    if isURI { flags |= SQLITE_OPEN_URI }
    let name = isURI && isReadOnly ? FilePath.readingURI(path) : path
    var connection: SQLiteConnection?
    let code = unsafe sqlite3_open_v2(name, &connection, flags, nil)
    guard code == SQLITE_OK, let connection = unsafe connection else {
      let message = unsafe DatabaseError.message(of: connection)
      unsafe sqlite3_close_v2(connection)
      throw DatabaseError(resultCode: ResultCode(rawValue: code), message: message)
        .detailed(OpeningAdvice.text(path, isReadOnly: isReadOnly), path: path)
    }
    return unsafe connection
  }

  private func setUp() throws {
    guard let sqliteConnection else { return }
    unsafe sqlite3_extended_result_codes(sqliteConnection, 1)
    effectsRecorder.broker = broker
    unsafe effectsRecorder.install(on: sqliteConnection)
    setUpBusyMode()
    updateTrace()
    addPredefinedFunctions()
    let quoted: CInt = configuration.acceptsDoubleQuotedStringLiterals ? 1 : 0
    configure(SQLITE_DBCONFIG_DQS_DDL, quoted)
    configure(SQLITE_DBCONFIG_DQS_DML, quoted)
    guard let limit = configuration.accessTimeLimit else {
      return try ConnectionAccess.open(self, prepare)
    }
    try limitingTime(limit, nil) { cancellation in
      try ConnectionAccess.open(self, cancellation: cancellation, prepare)
    }
  }

  private func prepare() throws {
    if let engine { return try prepare(engine) }
    if configuration.isUntrusted { try beginDistrust() }
    try prepareForeignKeys()
    for anExtension in configuration.loadableExtensions { try anExtension.load(on: self) }
    for prepare in configuration.preparations { try prepare(self) }
    // C functions may have set it, and which foreign keys and triggers run.
    effectsRecorder.mayHaveOtherBusyTimeout = !configuration.preparations.isEmpty
    if !configuration.preparations.isEmpty { schema.clear() }
    try endingBusyWaits {
      try checkFormat()
      if configuration.checksContent { try checkContent() }
      if configuration.journalMode == .wal, !configuration.readonly { try activateWAL() }
    }
  }

  private func prepare(_ engine: any ConnectionEngine) throws {
    updateTransactionHooks()
    if configuration.readonly { beginReadOnly() }
    try engine.open(self)
  }

  func prepareForeignKeys() throws {
    if configuration.foreignKeysEnabled {
      try execute(sql: "PRAGMA foreign_keys = ON")
    } else if engine != nil {
      // SQLite's own default is that they are not.
      try execute(sql: "PRAGMA foreign_keys = OFF")
    }
    if configuration.recursiveTriggersEnabled { try execute(sql: "PRAGMA recursive_triggers = ON") }
  }

  /// Reads the schema once, so that opening a file that is not a database fails immediately
  /// (`SQLITE_NOTADB`).
  private func checkFormat() throws {
    do {
      try execute(sql: "SELECT * FROM sqlite_master LIMIT 1")
    } catch DatabaseError.SQLITE_NOTADB {
      throw DatabaseError(resultCode: .SQLITE_NOTADB).detailed(formatAdvice, path: path)
    }
  }

  private func activateWAL() throws {
    let mode = try waitingForLocks { try String.fetchOne(self, sql: "PRAGMA journal_mode = WAL") }
    guard mode == "wal" else {
      let advice =
        "a database in memory has no WAL: `DatabasePool.temporary()`, or a `DatabaseQueue`"
      throw DatabaseError(message: "could not activate WAL Mode at path: \(path)")
        .detailed(isSharedWithOthers ? nil : advice)
    }
    try execute(sql: "PRAGMA synchronous = NORMAL")
    try createWALFile()
  }

  /// Readers can't open a database in WAL mode without its `-wal` file: any write makes one. An
  /// empty file gets its encoding with its first table; in others, a value is written that is
  /// there. A connection that is writing has opened the log already, and is not waited for.
  private func createWALFile() throws {
    let log = (filePath ?? path) + "-wal"
    let attributes = try? FileManager.default.attributesOfItem(atPath: log)
    if let size = attributes?[.size] as? Int, size > 0 { return }
    try withoutWaitingForLocks {
      do {
        try inSavepoint {
          if try readMainSchemaVersion() == 0 {
            try execute(
              sql: "CREATE TABLE quarry_wal (id INTEGER PRIMARY KEY); DROP TABLE quarry_wal")
          } else {
            let version = try Int.fetchOne(self, sql: "PRAGMA user_version") ?? 0
            try execute(sql: "PRAGMA user_version = \(version)")
          }
          return .commit
        }
      } catch DatabaseError.SQLITE_BUSY {}
    }
  }
}

extension Database {
  /// Closes the connection.
  ///
  /// Nothing is left of it then, so that hooks can stay.
  ///
  /// - Throws: ``DatabaseError`` with code `SQLITE_BUSY` when statements are still alive: the
  ///   connection stays open.
  func close() throws {
    guard let sqliteConnection else { return }
    willClose()
    let code = unsafe sqlite3_close(sqliteConnection)
    guard code == SQLITE_OK else {
      unsafe interruptible.withLock { unsafe $0 = unsafe sqliteConnection }
      broker.witness?.connectionStaysOpen(self)
      throw error(code: code).detailed(logUnfinalizedStatements())
    }
    self.sqliteConnection = nil
    registeredTables = [:]
  }

  /// Closes the connection. SQLite keeps it as long as somebody has a statement or a blob of it.
  private func closeLeniently() {
    guard let sqliteConnection else { return }
    suspension?.end()
    willClose()
    unsafe removeHooks(from: sqliteConnection)
    unsafe sqlite3_close_v2(sqliteConnection)
    self.sqliteConnection = nil
  }

  private func willClose() {
    broker.recorders.forEach { $0.connectionWillClose() }
    broker.witness?.connectionWillClose(self)
    clearStatementCaches()
    engine?.close()
    unsafe interruptible.withLock { unsafe $0 = nil }
    forgetInterruption()
  }

  /// Removes all that refers to the connection object. Functions and collations go with SQLite's
  /// connection.
  private func removeHooks(from connection: SQLiteConnection) {
    unsafe sqlite3_trace_v2(connection, 0, nil, nil)
    unsafe sqlite3_progress_handler(connection, 0, nil, nil)
    unsafe sqlite3_busy_handler(connection, nil, nil)
    unsafe sqlite3_set_authorizer(connection, nil, nil)
    unsafe sqlite3_update_hook(connection, nil, nil)
    unsafe sqlite3_commit_hook(connection, nil, nil)
    unsafe sqlite3_rollback_hook(connection, nil, nil)
    unsafe broker.preUpdateHook.removeFallback(from: connection)
  }

  /// Logs the statements and blobs that are left. Returns a list of the statements.
  private func logUnfinalizedStatements() -> String {
    var list: [String] = []
    unsafe forEachStatement { statement in
      let sql = unsafe sqlite3_sql(statement).map { unsafe String(cString: $0) }
      Self.logError?(.SQLITE_MISUSE, sql.map { "unfinalized statement: \($0)" } ?? "unclosed blob")
      list.append(sql.map { "`\($0.trimmedSQL)`" } ?? "a blob stream")
    }
    let shown = list.prefix(3).joined(separator: ", ")
    return "a cursor, a statement or a backup is still in use: release it before"
      + (list.isEmpty ? "" : ": \(shown)\(list.count > 3 ? ", …" : "")")
  }

  /// Calls a function with all statements of the connection, also those of SQLite itself, and of
  /// blobs.
  package func forEachStatement(_ body: (SQLiteStatement) -> Void) {
    var statement = unsafe sqlite3_next_stmt(sqliteConnection, nil)
    while let pointer = unsafe statement {
      unsafe body(pointer)
      unsafe statement = unsafe sqlite3_next_stmt(sqliteConnection, pointer)
    }
  }

  func clearStatementCaches() {
    statements.removeAll()
    publicStatements.removeAll()
    addedFunctions = nil
    slots.empty()
  }

  /// Whether the connection is closed.
  package var isClosed: Bool { unsafe sqliteConnection == nil }

  /// The open connection.
  ///
  /// - Throws: ``DatabaseError`` with code `SQLITE_MISUSE` when the connection is closed, and while
  ///   a backup writes to its database.
  package func requireConnection() throws -> SQLiteConnection {
    guard let sqliteConnection else { throw DatabaseError.misuse("Connection is closed") }
    if isBackupDestination { throw Self.backupError() }
    return unsafe sqliteConnection
  }

  /// Adds findings, which statements may have to find, to an error.
  func explain(_ error: inout DatabaseError, _ body: (inout DatabaseError) -> Void) {
    guard !isExplaining else { return }
    isExplaining = true
    // Observers are notified of a rollback after the statement that has failed.
    owner.hasWaitingWork = false
    body(&error)
    isExplaining = false
    shadowedError = error
    // The next statement forgets the error.
    owner.hasWaitingWork = true
  }

  func forgetShadowedError() { if shadowedError != nil { shadowedError = nil } }

  /// The error that the connection reports for a result code.
  ///
  /// - parameter trimmedByteCount: How many bytes at the beginning of the compiled text `sql`
  ///   lacks.
  package func error(
    code: CInt, sql: String? = nil, arguments: StatementArguments? = nil,
    trimmedByteCount: Int = 0
  ) -> DatabaseError {
    var offset: Int?
    if sql != nil, let sqliteConnection {
      offset = unsafe Int(quarry_error_offset(sqliteConnection)) - trimmedByteCount
    }
    return unsafe DatabaseError(
      code: code, message: DatabaseError.message(of: sqliteConnection), sql: sql,
      arguments: arguments, publicStatementArguments: configuration.publicStatementArguments,
      sqlOffset: offset)
  }

  /// An error of the library, with the statement at fault.
  func error(
    _ code: ResultCode, _ message: String, sql: String?, _ arguments: StatementArguments?
  ) -> DatabaseError {
    DatabaseError(
      resultCode: code, message: message, sql: sql, arguments: arguments,
      publicStatementArguments: configuration.publicStatementArguments)
  }
}

extension Database: CustomStringConvertible, CustomDebugStringConvertible {
  /// The label of the connection, as `<Database: label>`.
  public var debugDescription: String { "<Database: \(description)>" }
}

extension Database {
  /// The rowid of the last inserted row.
  ///
  /// See <https://www.sqlite.org/c3ref/last_insert_rowid.html>.
  public var lastInsertedRowID: Int64 {
    unsafe sqliteConnection.map(sqlite3_last_insert_rowid) ?? 0
  }

  /// The path of the file of the main database, as SQLite has opened it: empty for one in memory,
  /// nil for a closed connection.
  ///
  /// See <https://www.sqlite.org/c3ref/db_filename.html>.
  var filePath: String? {
    unsafe sqliteConnection.flatMap { unsafe sqlite3_db_filename($0, "main") }
      .map { unsafe String(cString: $0) }
  }

  /// The path of the file for other connections: a relative one would be that of another file once
  /// the current directory is another one. The path of a URI is absolute behind an authority.
  ///
  /// See <https://www.sqlite.org/uri.html>.
  var absolutePath: String {
    guard !path.hasPrefix("/"), !path.hasPrefix("file:/"), let filePath, !filePath.isEmpty
    else { return path }
    return path.hasPrefix("file:") ? FilePath.uri(path, of: filePath) : filePath
  }

  /// The number of rows changed by the last INSERT, UPDATE, or DELETE statement.
  ///
  /// What observers write at the end of its transaction does not count, until another statement is
  /// executed.
  ///
  /// See <https://www.sqlite.org/c3ref/changes.html>.
  public var changesCount: Int {
    if let shadowedChanges { return shadowedChanges.last }
    return sqliteChangesCount
  }

  /// The number of rows changed since the connection was opened.
  ///
  /// See <https://www.sqlite.org/c3ref/total_changes.html>.
  public var totalChangesCount: Int {
    if let engine { return engine.changesCount.total }
    return unsafe sqliteConnection.map { unsafe Int(sqlite3_total_changes($0)) } ?? 0
  }

  /// The last error code.
  ///
  /// See <https://www.sqlite.org/c3ref/errcode.html>.
  public var lastErrorCode: ResultCode {
    if let shadowedError { return shadowedError.extendedResultCode }
    return unsafe ResultCode(rawValue: sqliteConnection.map(sqlite3_errcode) ?? SQLITE_MISUSE)
  }

  /// The last error message.
  public var lastErrorMessage: String? {
    if let shadowedError { return shadowedError.message }
    return unsafe DatabaseError.message(of: sqliteConnection)
  }

  /// The version of SQLite, as a number: 3040001 for 3.40.1.
  public static var sqliteLibVersionNumber: CInt { sqlite3_libversion_number() }

  /// How many arguments a statement can have at most.
  ///
  /// See <https://www.sqlite.org/limits.html>.
  public var maximumStatementArgumentCount: Int { limit(.statementArgumentCount) }

  /// Frees as much memory as possible.
  ///
  /// See <https://www.sqlite.org/c3ref/db_release_memory.html>.
  public func releaseMemory() {
    clearStatementCaches()
    schema.clear()
    if let sqliteConnection { unsafe sqlite3_db_release_memory(sqliteConnection) }
  }
}
