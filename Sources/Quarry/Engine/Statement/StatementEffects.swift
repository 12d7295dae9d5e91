import CSQLite

/// The effects of a statement beyond its rows, known when it is compiled.
package struct StatementEffects {
  /// The statement changes the schema, attaches or detaches a database, or sets which foreign keys
  /// and triggers run, or what LIKE compares.
  package var changesSchema = false
  package var transaction: TransactionEffect?
  /// A pragma was compiled: the statement itself, or one that a full-text table needs.
  package var isPragma = false
  /// The statement is `PRAGMA query_only`, which touches no file.
  var isQueryOnlyPragma = false
  /// The name of the savepoint that the statement begins, releases, or rolls back to.
  package var savepointName: String?
  var reads = StatementReads()
  /// The statement calls a function.
  var callsFunctions = false
  /// The number of queries in the statement that are not parts of others.
  var selectCount = 0

  /// What the statement may change, in the order in which SQLite reports it. Updates of one table
  /// are one kind, as far as a set of strings can have the names of their columns.
  package private(set) var kinds: [DatabaseEventKind] = []
  /// The keys of the tables that the statement changes, alters or drops.
  private(set) var changedTables: Set<BinaryText> = []
  /// The names of the schemas that these tables are in.
  private(set) var changedSchemas: Set<BinaryText> = []
  /// The keys of the tables that the statement alters or drops.
  private(set) var alteredTables: Set<BinaryText> = []
  /// The names of the tables of the main database whose rows the statement may change, also by a
  /// drop: SQLite deletes the rows of a table first that foreign keys concern, with their actions.
  private(set) var changedMainTables: [String] = []
  /// SQLite announces the deletion next that stands for the drop of a table.
  private var isAnnouncingDrop = false
  /// The statement may delete all rows of a table at once, without report.
  var mayTruncate = false
  /// What is dropped is no deletion of rows.
  fileprivate(set) var isDropping = false

  /// See ``Statement/isReadonly``.
  package private(set) var isReadonly = true
  /// False when nothing has to be checked where only reads are possible.
  private(set) var mayWrite = false
  /// The statement may be `VACUUM`, which SQLite does not announce.
  package private(set) var isVacuum = false
  /// The statement is `PRAGMA optimize`, which runs `ANALYZE` though SQLite takes it for a read.
  var mayExecuteSQL = false

  package enum TransactionEffect {
    case begin, commit, rollback
    case beginSavepoint, releaseSavepoint, rollbackToSavepoint
  }

  /// Adds what the compiled statement knows of itself. An explanation does not do what it explains.
  mutating func complete(_ handle: StatementHandle) {
    isReadonly = handle.isReadonly
    mayWrite = (!isReadonly || mayExecuteSQL) && !handle.isExplanation
    if handle.isExplanation { forgetChanges() }
    isVacuum = mayWrite && changedTables.isEmpty && handle.mentions("VACUUM")
    // To list tables, SQLite compiles the views. The pragmas of other statements are those of
    // full-text tables.
    if isPragma, handle.beginsWithPragma { reads = StatementReads() }
  }

  private mutating func forgetChanges() {
    transaction = nil
    kinds = []
    changedTables = []
    changedSchemas = []
    alteredTables = []
    changedMainTables = []
    mayTruncate = false
  }

  /// The statement may end with a commit.
  var mayCommit: Bool { mayWrite || isCommitOrRelease }
  /// Whether the statement is `COMMIT`, or a `RELEASE`, which commits where its savepoint has begun
  /// the transaction.
  var isCommitOrRelease: Bool { transaction == .commit || transaction == .releaseSavepoint }

  /// Nothing has to be done after the execution.
  var isEmpty: Bool { !changesSchema && transaction == nil }
}

extension StatementEffects {
  /// Adds insertions or deletions.
  mutating func add(_ kind: DatabaseEventKind) {
    changedTables.insert(kind.tableName.identifierKey)
    // Foreign keys may delete rows of other tables.
    if case .delete = kind, isDropping || kind.tableName.isSchemaTable { return }
    kinds.append(kind)
  }

  /// Adds an update of a column.
  mutating func addUpdate(ofTable table: String, column: String) {
    changedTables.insert(table.identifierKey)
    kinds.addUpdate(ofTable: table, column: column)
  }

  mutating func addAlteration(ofTable table: String, isDrop: Bool) {
    if isDrop { (isDropping, isAnnouncingDrop) = (true, true) }
    alteredTables.insert(table.identifierKey)
    changedTables.insert(table.identifierKey)
  }

  /// Adds a table whose rows may change.
  mutating func addChange(_ schema: String?, _ table: String) {
    if let schema { changedSchemas.insert(BinaryText(schema)) }
    guard schema == "main" else { return }
    if isAnnouncingDrop {
      isAnnouncingDrop = false
    } else if !changedMainTables.contains(table) {
      changedMainTables.append(table)
    }
  }
}

extension String {
  fileprivate var isSchemaTable: Bool { self == "sqlite_master" || self == "sqlite_temp_master" }
}

private func text(_ characters: UnsafePointer<CChar>?) -> String? {
  unsafe characters.map { unsafe String(cString: $0) }
}

/// Learns the effects of statements from SQLite's authorizer, which is called while a statement is
/// compiled.
///
/// See <https://www.sqlite.org/c3ref/set_authorizer.html>.
final class StatementEffectsRecorder {
  private var effects = StatementEffects()
  /// How many recordings are nested.
  private var depth = 0
  /// Knows whether somebody follows the deletions of a table.
  weak var broker: ObservationBroker?
  /// A statement was compiled that deletes all rows of a table at once.
  var hasTruncation = false
  /// A statement was compiled that attaches a database.
  private(set) var hasAttached = false
  /// Whether SQLite may have another busy timeout than the one that is known.
  var mayHaveOtherBusyTimeout = false
  /// Whether `PRAGMA busy_timeout` has set one.
  var hasSetBusyTimeout = false
  /// True while SQLite compiles statements for `VACUUM`, which copies all tables.
  var isVacuuming = false
  /// True while SQLite compiles statements for which all columns are NULL.
  var readsNulls = false
  /// The tables of earlier statements that were compiled outside of a recording.
  private var earlierTablesOfOthers: Set<BinaryText> = []

  private var earlierMainTables: [String] = []

  /// Notes the tables of a statement that reads: others have compiled statements meanwhile.
  func noteTablesOfOthers(_ effects: StatementEffects) {
    if effects.isReadonly { earlierTablesOfOthers.formUnion(effects.changedTables) }
  }

  /// Called before the first step of a statement.
  func willStep() {
    earlierMainTables = []
    guard depth == 0, !effects.changedTables.isEmpty else { return }
    earlierTablesOfOthers.formUnion(effects.changedTables)
    effects = StatementEffects()
  }

  /// Whether a statement that SQLite has compiled again makes no other changes than before, as far
  /// as it is known.
  func hasCompiled(within former: StatementEffects) -> Bool {
    depth == 0 && effects.changedTables.isSubset(of: former.changedTables)
      && (effects.kinds.isEmpty || "\(effects.kinds)" == "\(former.kinds)")
  }

  /// Called after a step for which SQLite has compiled the statement again: with the effects that
  /// it had, it is none of others.
  func didCompileAgain(_ former: StatementEffects) {
    guard depth == 0, effects.changedTables.isSubset(of: former.changedTables) else { return }
    effects = StatementEffects()
  }

  /// The keys of the tables that others than the library have compiled statements for, which may be
  /// executed at any time: applications in C, extensions, full-text tables. Also those of
  /// statements that SQLite has compiled again, and whose effects are no longer what they were.
  var tablesOfOthers: Set<BinaryText> {
    depth > 0 ? earlierTablesOfOthers : earlierTablesOfOthers.union(effects.changedTables)
  }

  /// The tables of the main database that others have compiled a statement for since a step began:
  /// those of its statement, where SQLite has compiled it again.
  var mainTablesOfOthers: [String] {
    depth > 0 || effects.changedMainTables.isEmpty ? earlierMainTables : effects.changedMainTables
  }

  /// Registers the recorder, which must live as long as the connection.
  func install(on connection: SQLiteConnection) {
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe sqlite3_set_authorizer(
      connection,
      { context, action, first, second, schema, _ in
        guard let recorder = unsafe Unmanaged<StatementEffectsRecorder>.context(context)
        else { return SQLITE_OK }
        // The copies have the names of the tables.
        if recorder.isVacuuming, let schema = unsafe schema,
          unsafe String(cString: schema).hasPrefix("vacuum_")
        {
          return SQLITE_OK
        }
        switch action {
        case SQLITE_READ:
          if recorder.readsNulls { return SQLITE_IGNORE }
          unsafe recorder.recordRead(schema, first, second)
        case SQLITE_DELETE: return unsafe recorder.recordDeletion(text(schema), text(first))
        default: unsafe recorder.record(action, text(schema), text(first), text(second))
        }
        return SQLITE_OK
      }, unsafe context)
  }

  /// Calls `compile`, and returns the effects of the statement that it compiles.
  ///
  /// A compilation may run SQL of the application: a virtual table that SQLite opens for the
  /// statement, a function that it calls with constants. The statements of that have effects of
  /// their own. Those that FTS5 and R*Tree prepare for themselves are reported as parts of the
  /// outer statement: they read and write rows, which is no effect.
  func record<T>(_ compile: () throws -> T) rethrows -> (T, StatementEffects) {
    let outer = effects
    (earlierTablesOfOthers, earlierMainTables) = (tablesOfOthers, mainTablesOfOthers)
    depth += 1
    defer {
      depth -= 1
      // What SQLite compiles again outside of a recording belongs to nobody.
      effects = depth == 0 ? StatementEffects() : outer
    }
    effects = StatementEffects()
    let result = try compile()
    return (result, effects)
  }

  private func recordRead(
    _ schema: UnsafePointer<CChar>?, _ table: UnsafePointer<CChar>?,
    _ column: UnsafePointer<CChar>?
  ) {
    guard let table = unsafe table else { return }
    unsafe effects.reads.append(schema: schema, table: table, column: column)
  }

  /// Returns `SQLITE_IGNORE` to have SQLite delete the rows of a table one by one, and report them.
  ///
  /// See <https://www.sqlite.org/lang_delete.html#the_truncate_optimization>.
  private func recordDeletion(_ schema: String?, _ table: String?) -> CInt {
    guard let table else { return SQLITE_OK }
    effects.add(.delete(tableName: table))
    effects.addChange(schema, table)
    guard !effects.isDropping, !table.isSchemaTable else { return SQLITE_OK }
    if broker?.wantsDeletions(ofTable: table) == true { return SQLITE_IGNORE }
    // A session has SQLite delete row by row anyway.
    if let broker, broker.sessionCount > 0 { return SQLITE_OK }
    effects.mayTruncate = true
    hasTruncation = true
    return SQLITE_OK
  }

  private func record(_ action: CInt, _ schema: String?, _ first: String?, _ second: String?) {
    switch action {
    case SQLITE_SELECT: effects.selectCount += 1
    case SQLITE_INSERT:
      guard let table = first else { return }
      effects.add(.insert(tableName: table))
      effects.addChange(schema, table)
    case SQLITE_UPDATE:
      guard let table = first, let column = second else { return }
      effects.addUpdate(ofTable: table, column: column)
      effects.addChange(schema, table)
    case SQLITE_FUNCTION: effects.callsFunctions = true
    case SQLITE_RECURSIVE, SQLITE_ANALYZE, SQLITE_REINDEX: break
    case SQLITE_PRAGMA:
      effects.isPragma = true
      switch first?.lowercased() {
      case "query_only": effects.isQueryOnlyPragma = true
      // Other statements change other tables from now on.
      case "foreign_keys" where second != nil: effects.changesSchema = true
      case "recursive_triggers" where second != nil: effects.changesSchema = true
      case "schema_version" where second != nil: effects.changesSchema = true
      // LIKE is another function from now on.
      case "case_sensitive_like" where second != nil: effects.changesSchema = true
      case "optimize": effects.mayExecuteSQL = true
      case "busy_timeout" where second != nil:
        mayHaveOtherBusyTimeout = true
        hasSetBusyTimeout = true
      default: break
      }
    case SQLITE_TRANSACTION, SQLITE_SAVEPOINT:
      effects.transaction = transactionEffect(action, first)
      effects.savepointName = second
    default:
      if action == SQLITE_ATTACH { hasAttached = true }
      effects.changesSchema = true
      recordDefinition(action, first, second)
    }
  }

  /// Records the table that a statement alters or drops.
  private func recordDefinition(_ action: CInt, _ first: String?, _ second: String?) {
    switch action {
    case SQLITE_DROP_TABLE, SQLITE_DROP_TEMP_TABLE, SQLITE_DROP_VTABLE:
      if let first { effects.addAlteration(ofTable: first, isDrop: true) }
    case SQLITE_ALTER_TABLE:
      // The first argument is the schema.
      if let second { effects.addAlteration(ofTable: second, isDrop: false) }
    case SQLITE_DROP_INDEX, SQLITE_DROP_TEMP_INDEX, SQLITE_DROP_TRIGGER, SQLITE_DROP_TEMP_TRIGGER,
      SQLITE_DROP_VIEW, SQLITE_DROP_TEMP_VIEW:
      // Something else than a table.
      effects.isDropping = true
    default: break
    }
  }

  private func transactionEffect(
    _ action: CInt, _ name: String?
  ) -> StatementEffects.TransactionEffect? {
    switch (action, name) {
    case (SQLITE_TRANSACTION, "BEGIN"): .begin
    case (SQLITE_TRANSACTION, "COMMIT"): .commit
    case (SQLITE_TRANSACTION, "ROLLBACK"): .rollback
    case (SQLITE_SAVEPOINT, "BEGIN"): .beginSavepoint
    case (SQLITE_SAVEPOINT, "RELEASE"): .releaseSavepoint
    case (SQLITE_SAVEPOINT, "ROLLBACK"): .rollbackToSavepoint
    default: nil
    }
  }
}
