public import Foundation
public import Quarry

/// A state of a record, in the history of its table.
///
/// See `Database.createHistory(of:snapshot:)`.
public struct HistoryEntry<Record: FetchableRecord>: FetchableRecord {
  /// A change of a row.
  public enum Operation: String, Sendable, DatabaseValueConvertible {
    /// The row was inserted.
    case insert
    /// The row was updated: the entry has the new values.
    case update
    /// The row was deleted: the entry has the last values.
    case delete
    /// The row was there when the history was created.
    case snapshot
  }

  /// The number of the entry: later entries have higher ones.
  public var id: Int64

  /// The change.
  public var operation: Operation

  /// The time of the change.
  public var date: Date

  /// The record after the change, or before its deletion.
  public var record: Record

  /// Decodes an entry.
  ///
  /// - Throws: `RowDecodingError`, or the error of the record: columns that the table got later are
  ///   null in earlier entries.
  public init(row: Row) throws {
    id = try row.decode(forColumn: "historyId")
    operation = try row.decode(forColumn: "historyOperation")
    date = try row.decode(forColumn: "historyDate")
    record = try Record(row: row)
  }
}

extension HistoryEntry: Sendable where Record: Sendable {}
extension HistoryEntry: Identifiable {}
extension HistoryEntry: Equatable where Record: Equatable {}

extension TableRecord where Self: FetchableRecord {
  /// The history of all records, oldest changes first.
  ///
  /// ```swift
  /// // SELECT * FROM "book_history" ORDER BY "historyId"
  /// let entries = try Book.history().fetchAll(db)
  /// ```
  ///
  /// The request throws a `DatabaseError` if the table has no history, or got columns that its
  /// history does not record.
  public static func history() -> QueryInterfaceRequest<HistoryEntry<Self>> {
    let table = databaseTableName
    return Table<HistoryEntry<Self>>(table + "_history")
      .order(Column("historyId"))
      .selectWhenConnected { db in
        try HistoryTable(table, db).checkColumns(db)
        return [AllColumns()]
      }
  }

  /// The history of one record, oldest changes first.
  ///
  /// ```swift
  /// // SELECT * FROM "book_history" WHERE "id" = ? ORDER BY "historyId"
  /// let entries = try Book.history(key: 1).fetchAll(db)
  /// ```
  ///
  /// See `history()`.
  ///
  /// - parameter key: the primary key, which has one column. It is encoded as the record does.
  public static func history(
    key: some DatabaseValueConvertible & Sendable
  ) -> QueryInterfaceRequest<HistoryEntry<Self>> {
    let table = databaseTableName
    return history().filterWhenConnected { db in
      let history = try HistoryTable(table, db)
      let columns = history.key
      guard columns.count == 1 else {
        throw HistoryTable.error(
          table, "of one key, since its primary key has \(columns.count) columns: give a dictionary"
        )
      }
      return try history.condition(columns[0], key, of: Self.self)
    }
  }

  /// The history of the records with a key, which may have several columns.
  ///
  /// ```swift
  /// // SELECT * FROM "shelf_history" WHERE ("room" = ?) AND ("number" = ?) ORDER BY "historyId"
  /// let entries = try Shelf.history(key: ["room": "A", "number": 7]).fetchAll(db)
  /// ```
  ///
  /// See `history()`.
  public static func history(
    key: [String: any DatabaseValueConvertible & Sendable]
  ) -> QueryInterfaceRequest<HistoryEntry<Self>> {
    let table = databaseTableName
    return key.sorted { $0.key < $1.key }.reduce(history()) { request, pair in
      request.filterWhenConnected { db in
        try HistoryTable(table, db).condition(pair.key, pair.value, of: Self.self)
      }
    }
  }
}

extension HistoryTable {
  /// The condition that a column, of the table or of its history, has a value, as the record stores
  /// it.
  fileprivate func condition(
    _ name: String, _ value: any DatabaseValueConvertible & Sendable,
    of recordType: any TableRecord.Type
  ) throws -> SQLExpression {
    let column = columns.first { $0.name.isSameIdentifier(as: name) }
    guard let column else { return Column(name) == value }
    return try column.equals(value.storedValue(in: column.name, of: recordType))
  }

  /// - Throws: `DatabaseError` for a history that does not record all columns.
  fileprivate func checkColumns(_ db: Database) throws {
    try requireHistory(db)
    guard let missing = try missingColumns(db).first else { return }
    throw Self.error(
      table,
      "it does not record column \(missing.name.quotedDatabaseIdentifier): call `updateHistory(of:)` "
        + "in the migration that adds it")
  }
}
