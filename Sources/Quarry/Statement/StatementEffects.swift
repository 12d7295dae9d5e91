import CSQLite

/// The effects of a statement beyond its rows, known when it is compiled.
struct StatementEffects {
  /// The statement changes the schema, or attaches or detaches a database.
  var changesSchema = false
  var transaction: TransactionEffect?
  /// The statement is `PRAGMA query_only`, which touches no file.
  var isQueryOnlyPragma = false
  /// The tables that the statement reads, itself or through views: see ``StatementEffectsRecorder/recordingReadTables(_:)``.
  var readTables: Set<ReadTable> = []

  struct ReadTable: Hashable {
    var schema: String
    var table: String
  }

  /// See ``Statement/isReadonly``.
  private(set) var isReadonly = true
  /// False when nothing has to be checked where only reads are possible.
  private(set) var mayWrite = false
  /// The statement is `PRAGMA optimize`, which runs `ANALYZE` though SQLite takes it for a read.
  var mayExecuteSQL = false

  enum TransactionEffect {
    case begin, commit, rollback
    case beginSavepoint, releaseSavepoint, rollbackToSavepoint
  }

  /// Adds what the compiled statement knows of itself. An explanation does not do what it explains.
  mutating func complete(_ handle: StatementHandle) {
    isReadonly = handle.isReadonly
    mayWrite = (!isReadonly || mayExecuteSQL) && !handle.isExplanation
    if handle.isExplanation { transaction = nil }
  }

  /// Nothing has to be done after the execution.
  var isEmpty: Bool { !changesSchema && transaction == nil }
}

/// Learns the effects of statements from SQLite's authorizer, which is called while a statement is compiled.
///
/// See <https://www.sqlite.org/c3ref/set_authorizer.html>.
final class StatementEffectsRecorder {
  private var effects = StatementEffects()
  private var recordsReadTables = false

  /// Registers the recorder, which must live as long as the connection.
  func install(on connection: SQLiteConnection) {
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe sqlite3_set_authorizer(
      connection,
      { context, action, first, second, schema, _ in
        guard let context = unsafe context else { return SQLITE_OK }
        let recorder = unsafe Unmanaged<StatementEffectsRecorder>.fromOpaque(context)
        if action == SQLITE_READ {
          unsafe recorder.takeUnretainedValue().recordRead(schema, first)
        } else {
          unsafe recorder.takeUnretainedValue().record(action, first, second)
        }
        return SQLITE_OK
      }, unsafe context)
  }

  /// Calls `compile`, and returns the effects of the statement that it compiles.
  ///
  /// A compilation may run SQL of the application: a virtual table that SQLite opens for the statement, a function that it
  /// calls with constants. The statements of that have effects of their own. Those that FTS5 and R*Tree prepare for
  /// themselves are reported as parts of the outer statement: they read and write rows, which is no effect.
  func record<T>(_ compile: () throws -> T) rethrows -> (T, StatementEffects) {
    let outer = effects
    defer { effects = outer }
    effects = StatementEffects()
    let result = try compile()
    return (result, effects)
  }

  /// Records the tables that the statements compiled by `body` read as well.
  func recordingReadTables<T>(_ body: () throws -> T) rethrows -> T {
    recordsReadTables = true
    defer { recordsReadTables = false }
    return try body()
  }

  private func recordRead(_ schema: UnsafePointer<CChar>?, _ table: UnsafePointer<CChar>?) {
    guard recordsReadTables, let schema = unsafe schema, let table = unsafe table else { return }
    unsafe effects.readTables.insert(
      StatementEffects.ReadTable(
        schema: String(cString: schema), table: String(cString: table)))
  }

  private func record(
    _ action: CInt, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?
  ) {
    switch action {
    case SQLITE_READ, SQLITE_SELECT, SQLITE_FUNCTION, SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE,
      SQLITE_RECURSIVE, SQLITE_ANALYZE, SQLITE_REINDEX:
      break
    case SQLITE_PRAGMA:
      switch unsafe first.map({ unsafe String(cString: $0) })?.lowercased() {
      case "query_only": effects.isQueryOnlyPragma = true
      case "optimize": effects.mayExecuteSQL = true
      default: break
      }
    case SQLITE_TRANSACTION:
      effects.transaction = unsafe transactionEffect(first)
    case SQLITE_SAVEPOINT:
      effects.transaction = unsafe savepointEffect(first)
    default:
      effects.changesSchema = true
    }
  }

  private func transactionEffect(
    _ name: UnsafePointer<CChar>?
  ) -> StatementEffects.TransactionEffect? {
    switch unsafe name.map({ unsafe String(cString: $0) }) {
    case "BEGIN": .begin
    case "COMMIT": .commit
    case "ROLLBACK": .rollback
    default: nil
    }
  }

  private func savepointEffect(
    _ name: UnsafePointer<CChar>?
  ) -> StatementEffects.TransactionEffect? {
    switch unsafe name.map({ unsafe String(cString: $0) }) {
    case "BEGIN": .beginSavepoint
    case "RELEASE": .releaseSavepoint
    case "ROLLBACK": .rollbackToSavepoint
    default: nil
    }
  }
}
