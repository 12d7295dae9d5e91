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
  /// The SQLite statement.
  public let sqliteStatement: SQLiteStatement

  /// The SQL text, without white space and semicolons at both ends.
  public let sql: String

  let handle: StatementHandle
  let effects: StatementEffects
  let owner: ConnectionOwner
  /// The connection, which may be gone: see ``ConnectionOwner/isConnectionGone``.
  var database: Database { unownedDatabase.takeUnretainedValue() }
  /// For each execution: counting references to the connection is slow.
  let unownedDatabase: Unmanaged<Database>
  private let epilogue: StatementEpilogue

  /// True if the statement only reads.
  ///
  /// See <https://www.sqlite.org/c3ref/stmt_readonly.html>.
  public let isReadonly: Bool
  /// False when nothing has to be checked where only reads are possible.
  let mayWrite: Bool

  /// True for the statements of the toolkit's own requests: see ``release()``.
  var isInternal = false
  @exclusivity(unchecked) @usableFromInline var activity = StatementActivity.none
  /// The statement that was started before this one, while both run: see ``ConnectionOwner``.
  var runningBefore: Unmanaged<Statement>?
  /// What has ended the execution of a cursor.
  @exclusivity(unchecked) var cursorBreak: (execution: Int, reason: CursorBreak)?
  /// The values that are bound, unless their owner keeps them.
  @exclusivity(unchecked) var boundValues = PackedValues(capacity: 0, byteCapacity: 0)

  /// The arguments of the next execution, unless they are the bound values.
  @exclusivity(unchecked) var givenArguments: StatementArguments? = StatementArguments()
  /// False when arguments are missing, or can't be stored.
  @exclusivity(unchecked) var isReady: Bool
  /// A bound value that can't be stored: thrown by the execution.
  @exclusivity(unchecked) var bindingError: DatabaseError?

  /// Whether executions tell what their first step has done.
  var notesFirstStep = false
  @exclusivity(unchecked) private(set) var firstStep: StatementFirstStep?

  /// The columns. Read again when SQLite compiled the statement again.
  @exclusivity(unchecked) private(set) var layout: RowLayout
  private var reprepareCount: CInt = 0
  /// The names that SQLite gives to the columns: the layout may have others.
  private var compiledColumnNames: [String]

  /// The layout of the last joined request.
  @exclusivity(unchecked) private var treeLayout: (tree: RowScopeTree, layout: RowLayout)?
  /// The row of the last fetch, for the next one: with it come its scopes and decoders.
  @exclusivity(unchecked) private var idleRow: Row?
  /// The row of the fetch that runs. Its cursor owns it.
  unowned(unsafe) var movingRow: Row?
  /// Changes when an execution begins or ends: a cursor whose execution is over must leave the statement alone.
  @exclusivity(unchecked) @usableFromInline private(set) var executionCount = 0

  let parameterCount: Int
  private(set) lazy var parameterNames = (0..<parameterCount).map { handle.parameterName($0 + 1) }
  /// True if no parameter has a name.
  private(set) lazy var hasOnlyPositions = parameterNames.allSatisfy { $0 == nil }

  init(handle: StatementHandle, sql: String, effects: StatementEffects, database: Database) {
    self.handle = handle
    self.sql = sql
    self.effects = effects
    unownedDatabase = .passUnretained(database)
    owner = database.owner
    epilogue = database.epilogue
    sqliteStatement = handle.pointer
    isReadonly = handle.isReadonly
    mayWrite = (!isReadonly || effects.mayExecuteSQL) && !handle.isExplanation
    parameterCount = handle.parameterCount
    isReady = parameterCount == 0
    compiledColumnNames = handle.columnNames
    layout = RowLayout(columnNames: compiledColumnNames)
  }

  deinit {
    owner.perform {
      handle.finalize()
    } orLater: {
      { [handle] in handle.finalize() }
    }
  }
}

extension Statement {
  /// The number of columns of the rows, 0 for statements that return no row.
  public var columnCount: Int { layout.count }

  /// The names of the columns. New ones last until another schema gives other columns to the statement.
  public var columnNames: [String] {
    get { layout.columnNames }
    set {
      precondition(newValue.count == layout.count, "wrong number of column names")
      layout = RowLayout(columnNames: newValue)
      treeLayout = nil
      idleRow = nil
    }
  }

  /// The index of the leftmost column with a name, without regard to the case of letters.
  public func index(ofColumn name: String) -> Int? { layout.index(ofColumn: name) }

  func isNull(atColumn column: Int) -> Bool { handle.isNull(column) }

  func isNumber(atColumn column: Int) -> Bool { handle.isNumber(column) }

  func withUnsafeBytes<T>(
    ofColumn column: Int, _ body: (UnsafeRawBufferPointer?) throws -> T
  ) rethrows -> T {
    try body(handle.bytes(column))
  }
}

extension Statement {
  /// Executes the statement, and forgets its rows, if any.
  ///
  /// ```swift
  /// try statement.execute(arguments: ["score": 1000, "id": 1])
  /// ```
  ///
  /// - Throws: ``DatabaseError`` when arguments don't fit, or when SQLite fails.
  public func execute(arguments: StatementArguments? = nil) throws {
    if let arguments { try setArguments(arguments) }
    try run()
  }

  /// Steps to the end.
  func run() throws {
    try prepareExecution()
    defer { reset() }
    guard try start() else { return }
    while try step() {}
  }

  /// Begins an execution, and moves to the first row. Returns false when there is none.
  ///
  /// - Throws: ``DatabaseError`` when SQLite fails, `CancellationError` when the access was cancelled.
  @usableFromInline func start() throws -> Bool {
    try checkIsAllowed()
    try unownedDatabase._withUnsafeGuaranteedRef { try $0.willExecute(self) }
    activity = .calling
    owner.didStart(self)
    let code = handle.step()
    if notesFirstStep {
      firstStep = StatementFirstStep(
        rowID: database.lastInsertedRowID, hasRow: code == ResultCode.SQLITE_ROW.rawValue)
    }
    if reprepareCount != handle.reprepareCount { didRecompile() }
    if code == ResultCode.SQLITE_ROW.rawValue { return true }
    try end(code: code)
    return false
  }

  /// Moves to the next row. Returns false at the end.
  func step() throws -> Bool {
    let code = handle.step()
    if code == ResultCode.SQLITE_ROW.rawValue { return true }
    try end(code: code)
    return false
  }

  /// Ends the execution after a step that returned no row.
  ///
  /// - Throws: ``DatabaseError`` when SQLite fails, `CancellationError` when the access was cancelled.
  @usableFromInline func end(code: CInt) throws {
    movingRow?.endDecoding()
    guard code == ResultCode.SQLITE_DONE.rawValue else {
      throw database.didFail(self, code: code)
    }
    if !effects.isEmpty { try database.didExecute(self) }
  }

  /// Ends the current execution, and the claims of its cursor.
  ///
  /// - Throws: ``DatabaseError`` when the statement is calling its user, and the error of an execution that writes and
  ///   was left in the middle of its rows.
  func prepareExecution() throws {
    if activity != .none {
      try checkIsAllowed()
      try checkIsNotCalling()
      try endExecution()
    }
    executionCount &+= 1
  }

  /// Ends the execution where no error can be thrown. The arguments stay.
  func reset() {
    guard activity != .none else { return }
    do {
      try endExecution()
    } catch {
      owner.postpone(error)
    }
  }

  /// Ends the execution. The arguments stay.
  ///
  /// - Throws: the error of an execution that writes, and was left in the middle of its rows.
  func endExecution() throws {
    guard activity != .none else { return }
    executionCount &+= 1
    detachMovingRow()
    let error = isReadonly || columnCount == 0 ? nil : endWriting()
    activity = .none
    owner.didEnd(self)
    handle.reset()
    if epilogue.isNeeded { epilogue.run() }
    if let error { throw error }
  }

  /// Steps to the end of an execution that writes and returns rows: what it does counts when it is done.
  private func endWriting() -> (any Error)? {
    guard handle.isBusy, owner.accessThread.isCurrent else { return nil }
    activity = .calling
    do {
      while try step() {}
      return nil
    } catch {
      return error
    }
  }

  /// The row of a cursor that somebody still has keeps its values.
  func detachMovingRow() {
    guard let row = movingRow else { return }
    movingRow = nil
    row.detach()
  }

  /// Ends the use of a statement of the toolkit's own requests: its arguments are forgotten, and the memory of large
  /// ones is freed.
  @usableFromInline func release() {
    reset()
    if isInternal, parameterCount > 0 {
      forgetArguments()
      boundValues.removeAll()
    }
  }

  /// A row that reads from the statement: the one of the last fetch when nobody holds it.
  func liveRow(_ adapter: (any RowAdapter)?) throws -> Row {
    let layout = try rowLayout(adapter)
    if let row = idleRow, row.layout === layout {
      idleRow = nil
      return row
    }
    return Row(live: self, layout: layout)
  }

  /// Keeps the row of a fetch for the next one, or detaches it when somebody holds it.
  ///
  /// The row is `inout` for the same reason as in `Row.unshare`.
  func keep(_ shownRow: inout Row?) {
    guard shownRow?.liveStatement != nil else { return }
    movingRow = nil
    let isUnshared = isKnownUniquelyReferenced(&shownRow)
    guard let row = shownRow.take() else { return }
    guard isUnshared else { return row.detach() }
    row.detachSharedChildren()
    row.endDecoding()
    row.extras?.decodingError = nil
    row.hasFailed = false
    row.lastColumn = -1
    idleRow = row
  }

  /// The layout of the rows that an adapter shows. Joined requests share theirs from an execution to the next one.
  func rowLayout(_ adapter: (any RowAdapter)?) throws -> RowLayout {
    guard let adapter else { return layout }
    guard let tree = adapter as? RowScopeTree else { return try adapter.layout(over: layout) }
    if let treeLayout, treeLayout.tree == tree { return treeLayout.layout }
    let treeLayout = try tree.layout(over: layout)
    self.treeLayout = (tree, treeLayout)
    return treeLayout
  }

  /// SQLite compiled the statement again: maybe because another connection has changed the schema. It can't do that
  /// during a transaction.
  private func didRecompile() {
    reprepareCount = handle.reprepareCount
    if !database.isInsideTransaction { database.doubtSchema() }
    let names = handle.columnNames
    guard names != compiledColumnNames else { return }
    compiledColumnNames = names
    layout = RowLayout(columnNames: names)
    treeLayout = nil
    idleRow = nil
  }
}

extension Statement: CustomStringConvertible {
  /// The SQL text.
  public var description: String { "SQL: \(sql)" }
}
