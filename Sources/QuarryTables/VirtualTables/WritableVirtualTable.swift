public import Quarry

/// A ``VirtualTable`` whose rows statements can insert, update and delete.
///
/// The changes are made at once. A table that has to undo them when a statement fails, or when a
/// transaction is rolled back, is a ``TransactionalVirtualTable``.
///
/// A row is known by its rowid, or by the value of the primary key column of the table. An update
/// of that value to NULL is refused with `SQLITE_CONSTRAINT_NOTNULL`, before the table sees the
/// row.
///
/// A change that the table refuses throws a ``/Quarry/DatabaseError`` with the code
/// `SQLITE_CONSTRAINT`, or a more precise one, so that the conflict resolution of the statement
/// applies: `INSERT OR IGNORE` skips the row. `INSERT OR REPLACE` is the work of the table.
///
/// See <https://www.sqlite.org/vtab.html#the_xupdate_method>.
public protocol WritableVirtualTable: VirtualTable {
  /// Inserts a row.
  ///
  /// A table with a primary key column gives the row a key, or throws, where that of `row` is NULL:
  /// SQLite takes the update of a row with NULL for an insertion.
  ///
  /// - returns: The rowid of the row. It isn't used if the table has a primary key column.
  func insert(_ row: VirtualTableRow) throws -> Int64

  /// Replaces the values of a row.
  ///
  /// - parameter key: The rowid of the row, or its former primary key.
  /// - parameter row: The new values, with the new rowid.
  func update(_ key: DatabaseValue, to row: VirtualTableRow) throws

  /// Deletes a row.
  ///
  /// - parameter key: The rowid of the row, or its primary key.
  func delete(_ key: DatabaseValue) throws
}

/// A row that is written to a ``WritableVirtualTable``.
public struct VirtualTableRow: Sendable {
  /// The values of all columns, in the order of ``VirtualTable/columns``. NULL where the statement
  /// gives none.
  public let values: [DatabaseValue]

  /// The rowid that the statement asks for. Nil if the table has to choose one, and if it has a
  /// primary key column.
  public let rowID: Int64?

  /// The conflict resolution algorithm for a row that conflicts with this one. A table that can't
  /// replace the other row throws a constraint error; all other resolutions are SQLite's work once
  /// the table has thrown one.
  public let conflictResolution: Database.ConflictResolution

  /// The value of a column.
  public subscript(_ column: Int) -> DatabaseValue { values[column] }
}

/// A ``WritableVirtualTable`` that takes part in the transactions of its connection.
///
/// ```swift
/// func begin() { snapshots = [(level: -1, books)] }
/// func savepoint(_ level: Int) { snapshots.append((level, books)) }
/// func release(_ level: Int) { snapshots.removeAll { $0.level >= level } }
/// func rollback(to level: Int) {
///   snapshots.removeAll { $0.level > level }
///   if let snapshot = snapshots.last { books = snapshot.books }
/// }
/// func rollback() { books = snapshots[0].books }
/// ```
///
/// A transaction of a table begins before its first change, and ends with the transaction of the
/// connection. A statement that changes several rows has a savepoint of its own, so that it has no
/// effect when it fails.
///
/// See <https://www.sqlite.org/vtab.html#the_xbegin_method>.
public protocol TransactionalVirtualTable: WritableVirtualTable {
  /// Begins a transaction.
  func begin() throws

  /// Called before a transaction is committed. An error rolls it back. Does nothing, by default.
  func prepareToCommit() throws

  /// Ends a transaction whose changes stay. Does nothing, by default.
  func commit()

  /// Ends a transaction, and undoes its changes.
  func rollback()

  /// Begins a savepoint. It may have begun before the table was first changed.
  func savepoint(_ level: Int) throws

  /// Ends a savepoint whose changes stay, and those of higher levels.
  func release(_ level: Int) throws

  /// Undoes the changes since a savepoint, which stays, unlike those of higher levels.
  func rollback(to level: Int) throws
}

extension TransactionalVirtualTable {
  /// Does nothing.
  public func prepareToCommit() throws {}

  /// Does nothing.
  public func commit() {}
}
