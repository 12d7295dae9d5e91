/// A prepared statement.
///
/// ```swift
/// let statement = try db.makeStatement(sql: "UPDATE player SET score = ? WHERE id = ?")
/// try statement.execute(arguments: [1000, 1])
/// try statement.execute(arguments: [2000, 2])
/// ```
///
/// A statement belongs to one connection, and runs one query at a time.
///
/// See <https://www.sqlite.org/c3ref/stmt.html>.
public final class Statement {
  // A statement is composed of parts that know nothing of each other, each with its own invariant:
  //
  //     handle      the calls of SQLite, without any policy
  //     bindings    what is bound to the parameters
  //     execution   whether the statement runs, and for which cursor
  //     columns     the layouts of the rows
  //     rows        the row that reads from the statement
  //
  // An execution goes through them in this order: arguments are bound (Statement+Arguments), it
  // starts and is stepped to its end (Statement+Execution, or a StatementRun row after row), rows
  // are shown by the layout of the columns, and `endExecution` makes the row independent and resets
  // the handle. All that start an execution end it.

  let handle: StatementHandle

  /// The SQL text, without white space and semicolons at both ends.
  public let sql: String

  @safe @exclusivity(unchecked) package private(set) var effects: StatementEffects
  /// The generation of the schema that the effects are those of: see ``renewEffects(_:)``.
  private var effectsGeneration: Int
  /// What the engine of the connection keeps for the statement.
  package var engineContext: AnyObject?
  /// State shared with the connection, which the statement may outlive.
  let owner: ConnectionOwner
  /// Whether the values of its rows convert exactly.
  let isExact: Bool
  /// True for the statements of the library's own requests: see ``release()``.
  var isInternal = false
  /// SQLite deletes all rows of a table at once, and does not report them.
  var mayTruncate: Bool
  /// The `RegionIndex` version for which this statement has no observers.
  var unfollowedVersion = -1
  /// The kinds of its changes, once it was executed for observers.
  var announcedKinds: (generation: Int, kinds: [DatabaseEventKind])?
  /// See ``Database/silentTables(of:)``.
  var silentTables: (reprepareCount: CInt, tables: SilentTables)?

  @safe @exclusivity(unchecked) var bindings: StatementBindings
  @safe @exclusivity(unchecked) @usableFromInline var execution = StatementExecution()
  @safe @exclusivity(unchecked) var columns: StatementColumns
  @safe @exclusivity(unchecked) var rows = StatementRows()
  /// The executions that cursors of the application have begun: rarely any.
  var applicationExecutions: [ApplicationExecution] = []

  init(handle: StatementHandle, sql: String, effects: StatementEffects, database: Database) {
    self.handle = handle
    self.sql = sql
    self.effects = effects
    effectsGeneration = database.schema.generation
    owner = database.owner
    isExact = database.configuration.conversions == .exact
    mayTruncate = effects.mayTruncate
    bindings = StatementBindings(handle, sql: sql)
    columns = StatementColumns(handle)
  }

  deinit {
    assert(execution.activity == .none, "a statement is released without a reset")
    owner.perform {
      handle.finalize()
    } orLater: {
      { [handle] in handle.finalize() }
    }
  }
}

extension Statement {
  /// The SQLite statement.
  public var sqliteStatement: SQLiteStatement { unsafe handle.pointer }

  /// True if the statement only reads.
  ///
  /// See <https://www.sqlite.org/c3ref/stmt_readonly.html>.
  public var isReadonly: Bool { effects.isReadonly }

  /// The connection, which must not be gone: see ``ConnectionOwner/isConnectionGone``.
  var database: Database {
    guard let database = owner.database else { preconditionFailure("the connection is gone") }
    return database.object
  }
}

// The effects of a statement that is older than a change of the schema.
extension Statement {
  /// Learns the effects again when the schema may have changed: a new trigger changes other tables.
  ///
  /// SQLite compiles the statement again in its first step, which is too late: the hooks are
  /// installed for those who follow its changes.
  @inline(__always) func renewEffects(_ database: Database) {
    if effectsGeneration != database.schema.generation { learnEffects(database) }
  }

  private func learnEffects(_ database: Database) {
    let former = effectsGeneration
    // SQLite may call a function of the application, which executes the statement.
    effectsGeneration = database.schema.generation
    // An engine compares its statements with the schema itself. Some pragmas act when they are
    // compiled.
    if database.engine != nil || handle.beginsWithPragma { return }
    guard let effects = database.presentEffects(of: sql) else {
      // The first step throws the error.
      effectsGeneration = former
      return
    }
    self.effects = effects
    if effects.mayTruncate { mayTruncate = true }
    unfollowedVersion = -1
    announcedKinds = nil
    silentTables = nil
  }

  /// Has the next execution for an observer learn the effects.
  func doubtEffects() { effectsGeneration = -1 }
}

extension Statement {
  /// The number of columns of the rows, 0 for statements that return no row.
  public var columnCount: Int { columns.layout.count }

  /// The names of the columns. New ones last until another schema gives other columns to the
  /// statement.
  public var columnNames: [String] {
    get { columns.layout.columnNames }
    set { columns.rename(newValue) }
  }

  /// The index of the leftmost column with a name, without regard to the case of letters.
  public func index(ofColumn name: String) -> Int? { columns.layout.index(ofColumn: name) }

  func withUnsafeBytes<T>(
    ofColumn column: Int, _ body: (UnsafeRawBufferPointer?) throws -> T
  ) rethrows -> T { try unsafe body(handle.bytes(column)) }
}

extension Statement: CustomStringConvertible {
  /// The SQL text.
  public var description: String { "SQL: \(sql)" }
}
