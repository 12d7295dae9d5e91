/// A cursor over the rows of a statement.
///
/// A database cursor steps the statement when it moves. It ends with the access to the database
/// that made it: later, and elsewhere, it throws. The row that it showed last stays readable.
///
/// A class of an application is a database cursor, too, if it decodes the rows itself:
///
/// ```swift
/// final class TitleCursor: DatabaseCursor {
///   let _statement: Statement
///   var _isDone = false
///
///   init(_ statement: Statement) { _statement = statement }
///
///   func _element(sqliteStatement: SQLiteStatement) throws -> String {
///     String.fromStatement(sqliteStatement, atUncheckedIndex: 0) ?? "untitled"
///   }
/// }
///
/// let titles = try TitleCursor(db.makeStatement(sql: "SELECT title FROM book"))
/// while let title = try titles.next() { print(title) }
/// ```
///
/// The cursor gets `next()` and `forEach`. The execution begins with the first row and ends with
/// the last one, with the access, or when the cursor is released. C functions may bind the
/// parameters before the first row, and may reset the statement, so that the next row is the first
/// one again.
public protocol DatabaseCursor<Element>: Cursor {
  // Again: the compiler infers it from `_element`.
  /// The type of the elements.
  associatedtype Element

  /// The statement, for one cursor at a time.
  var _statement: Statement { get }

  /// True after the last row. A cursor begins with false; `next()` sets it.
  var _isDone: Bool { get set }

  /// Returns the element of the current row. Only the methods of the cursor call it.
  ///
  /// An error is thrown by `next()`; the cursor then goes on with the next row.
  ///
  /// - parameter sqliteStatement: The SQLite statement, on a row: for the functions
  ///   `sqlite3_column_…`, and for
  ///   ``StatementColumnConvertible/fromStatement(_:atUncheckedIndex:)``.
  func _element(sqliteStatement: SQLiteStatement) throws -> Element
}

extension DatabaseCursor {
  /// Returns the next element, or nil at the end.
  ///
  /// - Throws: the error of an element: the cursor then goes on with the next row.
  ///   ``DatabaseError`` when SQLite fails: the cursor then throws it again. ``DatabaseError`` with
  ///   code `SQLITE_MISUSE` outside of the access of the cursor, from the functions and elements
  ///   that the cursor is calling, and when the statement was executed again.
  @inlinable public func next() throws -> Element? {
    if _isDone { return nil }
    let statement = _statement
    guard try statement.step(self) else {
      _isDone = true
      return nil
    }
    defer { statement.applicationDidRead() }
    return try unsafe _element(sqliteStatement: statement.sqliteStatement)
  }
}

extension DatabaseCursor {
  /// The SQL text of the query.
  public var sql: String { _statement.sql }

  /// The arguments of the query. Values that C functions have bound are not among them.
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
  /// - Throws: ``RowDecodingError`` when the row can't be decoded: the cursor then goes on with the
  ///   next row. ``DatabaseError`` when SQLite fails: the cursor then throws it again.
  ///   ``DatabaseError`` with code `SQLITE_MISUSE` outside of the access of the cursor, and from
  ///   the functions and records that the cursor is calling.
  @inlinable public func next() throws -> Decoder.Element? {
    // Before the run is touched, which is in use while it calls.
    if _statement.execution.activity == .calling { throw _statement.callError() }
    return try run.next()
  }
}

// What the library's own cursors don't need, since they have a `next()` of their own.
extension StatementCursor {
  /// True after the last row. Setting it has no effect.
  public var _isDone: Bool {
    get { run.state == .over }
    set {}
  }

  /// The element of the current row.
  public func _element(sqliteStatement: SQLiteStatement) throws -> Decoder.Element {
    try run.element()
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
