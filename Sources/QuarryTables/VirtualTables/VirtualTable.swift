public import Quarry

/// A table whose rows come from Swift: from a collection, a file, or a computation.
///
/// ```swift
/// struct Squares: VirtualTable {
///   let columns = [VirtualTableColumn("root", .integer), VirtualTableColumn("square", .integer)]
///
///   func makeCursor(_ db: Database, for scan: VirtualTableScan) -> Cursor { Cursor() }
///
///   struct Cursor: VirtualTableCursor {
///     var rowID: Int64 = 0
///
///     mutating func next() -> Bool {
///       rowID += 1
///       return rowID <= 100
///     }
///
///     func value(at column: Int) -> (any DatabaseValueConvertible)? {
///       column == 0 ? rowID : rowID * rowID
///     }
///   }
/// }
///
/// try db.register(table: "squares", Squares())
/// // SELECT square FROM squares WHERE root > 90
/// ```
///
/// This is all that a table needs: SQLite filters and sorts its rows. A table that finds some of
/// its rows faster than by reading all of them says so in `plan(_:)`. A table that can be written
/// to is a ``WritableVirtualTable``.
///
/// Errors that the table throws are thrown by the statements that use it, as a
/// ``/Quarry/DatabaseError`` whose message begins with the name of the table. A
/// ``/Quarry/DatabaseError`` keeps its result code.
///
/// See `Database.register(table:_:)`, and <https://www.sqlite.org/vtab.html>.
public protocol VirtualTable: Sendable {
  /// The type that reads the rows.
  associatedtype Cursor: VirtualTableCursor

  /// The columns, which may not change. At least one; parameters come last.
  var columns: [VirtualTableColumn] { get }

  /// The places where the table may be used: anywhere, by default.
  var trust: SchemaTrust { get }

  /// Chooses the constraints and the order that the cursors take care of: none, by default.
  ///
  /// SQLite calls it when it compiles a statement, several times if the table is joined.
  ///
  /// See <https://www.sqlite.org/vtab.html#the_xbestindex_method>.
  ///
  /// - parameter query: The question, and the answer.
  func plan(_ query: inout VirtualTableQuery) throws

  /// Returns a cursor in front of the first row.
  ///
  /// - parameter db: The connection that runs the statement. It can execute other statements, also
  ///   later in the scan.
  /// - parameter scan: The conditions that `plan(_:)` has chosen, with their values.
  func makeCursor(_ db: Database, for scan: VirtualTableScan) throws -> Cursor

  /// Called when `ALTER TABLE` gives a new name to a table of a module. Does nothing, by default.
  func rename(to name: String) throws

  /// Called when a table of a module is dropped. Does nothing, by default.
  func destroy() throws
}

extension VirtualTable {
  /// Anywhere.
  public var trust: SchemaTrust { .normal }

  /// Chooses nothing: SQLite looks at all rows.
  public func plan(_ query: inout VirtualTableQuery) throws {}

  /// Does nothing.
  public func rename(to name: String) throws {}

  /// Does nothing.
  public func destroy() throws {}
}

/// Reads the rows of a ``VirtualTable``.
public protocol VirtualTableCursor {
  /// Moves to the next row: to the first one, at the first call. Returns false after the last one.
  ///
  /// SQLite looks between two rows whether the statement was interrupted. So a cursor that passes
  /// over very many rows for a constraint does well to return one from time to time, unless it has
  /// used the constraint as exact.
  mutating func next() throws -> Bool

  /// Returns the value of a column of the current row. Nil is NULL.
  ///
  /// It is not called for parameters that have an argument: their value is the argument.
  ///
  /// - parameter column: The position in ``VirtualTable/columns``.
  func value(at column: Int) throws -> (any DatabaseValueConvertible)?

  /// The rowid of the current row. No two rows of a table share a rowid, and a row has the same one
  /// in each scan, whatever its conditions: SQLite may combine several scans by rowid.
  ///
  /// It isn't used if the table has primary key columns.
  var rowID: Int64 { get throws }
}
