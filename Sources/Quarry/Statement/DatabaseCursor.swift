/// A cursor over the rows of a statement.
///
/// A database cursor steps the statement when it moves. It must be used in the access to the database that made it.
public protocol DatabaseCursor<Element>: Cursor {
  /// The statement. Not for applications.
  var _statement: Statement { get }
}

extension DatabaseCursor {
  /// The SQL text of the query.
  public var sql: String { _statement.sql }

  /// The arguments of the query.
  public var arguments: StatementArguments { _statement.arguments }

  /// The names of the columns.
  public var columnNames: [String] { _statement.columnNames }

  /// The number of columns.
  public var columnCount: Int { _statement.columnCount }
}

/// Where a cursor is. Not for applications.
@usableFromInline enum _CursorState {
  case new, running, done
}

/// A cursor over rows, values, or records: what it makes of a row is up to its decoder.
public final class StatementCursor<Decoder: _RowDecoding>: DatabaseCursor {
  /// What the cursor makes of a row.
  public typealias Element = Decoder.Element

  @usableFromInline var run: _StatementRun<Decoder>
  @usableFromInline var state = _CursorState.new

  init(statement: Statement, adapter: (any RowAdapter)?) {
    run = _StatementRun(statement: statement, adapter: adapter)
  }

  deinit {
    let owner = run.statement.owner
    owner.perform {
      if state == .running { owner.remove(run.statement) }
      run.finish()
    } orLater: {
      { [run, state] in
        if state == .running { owner.remove(run.statement) }
        var run = run
        run.finish()
      }
    }
  }

  /// The statement. Not for applications.
  public var _statement: Statement { run.statement }

  /// The next element, or nil at the end.
  ///
  /// - Throws: ``DatabaseError`` when SQLite fails, ``RowDecodingError`` when the row can't be decoded.
  @inlinable public func next() throws -> Decoder.Element? {
    do {
      if state != .running {
        if state == .done { return nil }
        try begin()
      }
      try run.checkIsCurrent()
      if try run.step() { return try run.element() }
    } catch {
      end()
      throw error
    }
    end()
    return nil
  }

  /// Called before the first step.
  @usableFromInline func begin() throws {
    try run.statement.checkIsAllowed()
    run.statement.owner.add(run.statement)
    state = .running
  }

  /// Called after the last step, on whatever thread.
  @usableFromInline func end() {
    guard state == .running else {
      state = .done
      return
    }
    state = .done
    let owner = run.statement.owner
    owner.perform {
      owner.remove(run.statement)
    } orLater: {
      { [statement = run.statement] in owner.remove(statement) }
    }
  }
}

/// A cursor over rows.
///
/// ```swift
/// let rows = try Row.fetchCursor(db, sql: "SELECT * FROM player")
/// while let row = try rows.next() {
///   let name: String = row["name"]
/// }
/// ```
public typealias RowCursor = StatementCursor<_RowElement>

/// A cursor over the values of the first column.
public typealias DatabaseValueCursor<Value: DatabaseValueConvertible> =
  StatementCursor<_ConvertedElement<Value>>

/// A cursor over the values of the first column, read straight from SQLite.
public typealias FastDatabaseValueCursor<
  Value: DatabaseValueConvertible & StatementColumnConvertible
> = StatementCursor<_DirectElement<Value>>

/// A cursor over records.
public typealias RecordCursor<Record: FetchableRecord> = StatementCursor<_RecordElement<Record>>
