public import CSQLite

/// A way to decode a row. Not for applications.
public protocol _RowDecoding {
  associatedtype Element
  static func element(_ run: inout _StatementRun<Self>) throws -> Element
}

/// Where a run is. Not for applications.
@usableFromInline enum _RunState { case new, running, over }

/// One execution of a statement, row after row. Not for applications.
@safe public struct _StatementRun<Decoder: _RowDecoding> {
  /// The statement.
  public let statement: Statement
  @usableFromInline let adapter: SharedRowAdapter?
  @usableFromInline let sqliteStatement: SQLiteStatement
  /// The row that moves with the statement, once it is asked for.
  @usableFromInline var row: Row?
  @usableFromInline var state = _RunState.new
  @usableFromInline let execution: Int
  private let access: Int
  /// The error that a cursor throws for ever.
  private var failure: (any Error)?
  @usableFromInline var column: CInt = -1
  /// The column of values that are read straight from SQLite: negative where they are converted.
  @usableFromInline var directColumn: CInt = -1

  @usableFromInline init(statement: Statement, adapter: SharedRowAdapter?) {
    self.statement = statement
    self.adapter = adapter
    unsafe sqliteStatement = unsafe statement.sqliteStatement
    execution = statement.execution.number
    access = statement.owner.accessNumber
  }

  /// Moves to the first row, or to the next one.
  @inlinable mutating func step() throws -> Bool { state == .running ? try advance() : try start() }

  /// Moves to the first row.
  @inlinable mutating func start() throws -> Bool {
    state = .running
    return try statement.start()
  }

  /// Moves from a row to the next one.
  @inlinable mutating func advance() throws -> Bool {
    if row != nil { releaseSharedRow() }
    // The fast path of the engine.
    let code = unsafe sqlite3_step(sqliteStatement)
    if code == SQLITE_ROW { return true }
    try statement.end(code: code)
    return false
  }

  @inlinable mutating func element() throws -> Decoder.Element { try Decoder.element(&self) }

  /// Leaves the row with a copy of its values, when somebody holds it.
  @inlinable mutating func releaseSharedRow() {
    row?.moveCount &+= 1
    if isKnownUniquelyReferenced(&row), row?.hasChildren == false { return }
    leaveSharedRow()
  }

  @inline(never) @usableFromInline mutating func leaveSharedRow() {
    if Row.unshare(&row), let row, row.isLive { statement.rows.moving = Unretained(row) }
  }

  /// The row, made at the first use: by then the statement has been compiled for the current
  /// schema.
  @usableFromInline func makeRow(forRecord: Bool) throws -> Row {
    let row = try statement.liveRow(adapter)
    row.isDecodingRecord = forRecord
    statement.rows.moving = Unretained(row)
    return row
  }

  /// The row, for who reads it directly.
  mutating func shownRow() throws -> Row {
    if let row { return row }
    let row = try makeRow(forRecord: false)
    self.row = row
    return row
  }

  /// The column of values: the first one.
  @inlinable mutating func valueColumn() throws -> CInt {
    column >= 0 ? column : try findValueColumn()
  }

  @usableFromInline mutating func findValueColumn() throws -> CInt {
    let layout = try statement.columns.layout(adapter)
    guard layout.count > 0 else {
      throw DatabaseError.misuse("no column to read a value from", sql: statement.sql)
    }
    column = CInt(layout.physicalIndex(0))
    if !statement.isExact { directColumn = column }
    return column
  }

  /// The column of values that are read straight from SQLite: negative where they are converted.
  @inlinable mutating func findDirectColumn() throws -> CInt {
    if directColumn >= 0 { return directColumn }
    _ = try valueColumn()
    return directColumn
  }

  /// The value of the first column, converted from a database value. Not inlined: its variables
  /// would take registers from the loop over values that are not converted.
  @inline(never) @usableFromInline mutating func convertedValue<Value: DatabaseValueConvertible>()
    throws -> Value
  {
    let stored = DatabaseValue(try valueColumn(), of: statement)
    guard let value = Value._fromColumn(stored) else { throw try conversionError(Value.self) }
    return value
  }

  /// Ends the execution.
  @usableFromInline mutating func finish() {
    statement.keep(&row)
    if execution == statement.execution.number { statement.release() }
  }
}

// The run of a cursor, between whose steps anything may happen.
extension _StatementRun {
  /// The next element. An element that can't be decoded is passed over by the next call.
  @inlinable mutating func next() throws -> Decoder.Element? {
    if state != .running || execution != statement.execution.number {
      guard try checkIsCurrent() else { return nil }
    }
    statement.execution.activity = .calling
    defer { statement.execution.activity = .betweenRows }
    do {
      guard try step() else {
        state = .over
        return nil
      }
    } catch {
      fail(error)
      throw error
    }
    do {
      return try element()
    } catch {
      row?.forgetFailure()
      throw error
    }
  }

  /// Returns false after the last row.
  @usableFromInline func checkIsCurrent() throws -> Bool {
    if let failure { throw failure }
    if state == .over { return false }
    try statement.checkIsCurrent(execution, access: access)
    return true
  }

  @usableFromInline mutating func fail(_ error: any Error) {
    state = .over
    failure = error
  }
}

/// Rows. Not for applications.
public enum _RowElement: _RowDecoding {
  /// The row of the cursor.
  public static func element(_ run: inout _StatementRun<_RowElement>) throws -> Row {
    try run.shownRow()
  }
}

/// Values that are converted from a database value. Not for applications.
public enum _ConvertedElement<Value: DatabaseValueConvertible>: _RowDecoding {
  /// The value of the first column.
  public static func element(_ run: inout _StatementRun<_ConvertedElement<Value>>) throws -> Value {
    try run.convertedValue()
  }
}

/// Values that are read straight from SQLite. Not for applications.
public enum _DirectElement<Value: DatabaseValueConvertible & StatementColumnConvertible>:
  _RowDecoding
{
  /// The value of the first column.
  @inlinable public static func element(
    _ run: inout _StatementRun<_DirectElement<Value>>
  ) throws -> Value {
    let column = try run.findDirectColumn()
    if column < 0 { return try run.convertedValue() }
    guard let value = unsafe Value.fromStatement(run.sqliteStatement, atUncheckedIndex: column)
    else { throw try run.conversionError(Value.self) }
    return value
  }
}

extension _StatementRun {
  @usableFromInline mutating func conversionError(_ type: Any.Type) throws -> any Error {
    let row = try shownRow()
    guard let index = (0..<row.count).first(where: { row.layout.physicalIndex($0) == Int(column) })
    else { return row.conversionError(type, at: 0) }
    return row.conversionError(type, at: index)
  }
}
