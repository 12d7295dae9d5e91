/// A cursor over the rows of a statement.
///
/// A database cursor steps the statement when it moves. It ends with the access to the database that made it: later, and
/// elsewhere, it throws. The row that it showed last stays readable.
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

/// A cursor over rows, values, or records: what it makes of a row is up to its decoder.
public final class StatementCursor<Decoder: _RowDecoding>: DatabaseCursor {
  /// The type of the values that rows are decoded to.
  public typealias Element = Decoder.Element

  /// The statement. Not for applications.
  public let _statement: Statement

  @usableFromInline var run: _StatementRun<Decoder>

  init(statement: Statement, adapter: SharedRowAdapter?) {
    _statement = statement
    run = _StatementRun(statement: statement, adapter: adapter)
  }

  deinit {
    _statement.owner.perform {
      run.finish()
    } orLater: {
      { [run] in
        var run = run
        run.finish()
      }
    }
  }

  /// The next element, or nil at the end.
  ///
  /// - Throws: ``RowDecodingError`` when the row can't be decoded: the cursor then goes on with the next row.
  ///   ``DatabaseError`` when SQLite fails: the cursor then throws it again. ``DatabaseError`` with code `SQLITE_MISUSE`
  ///   outside of the access of the cursor, and from the functions and records that the cursor is calling.
  @inlinable public func next() throws -> Decoder.Element? {
    // Before the run is touched, which is in use while it calls.
    if _statement.execution.activity == .calling { throw _statement.callError() }
    return try run.next()
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
