/// A change of a row, with the values before and after it.
///
/// See <https://www.sqlite.org/c3ref/preupdate_blobwrite.html>.
public struct DatabasePreUpdateEvent {
  /// The kind of change. The raw values are SQLite's.
  public typealias Kind = DatabaseEvent.Kind

  /// The kind of change.
  public let kind: Kind

  /// The name of the schema: `main`, `temp`, or the name of an attached database.
  public let databaseName: String

  /// The name of the table, as it is declared.
  public let tableName: String

  /// The number of columns.
  public let count: Int

  /// 0 for the changes of the statement itself, 1 for those of its triggers, 2 for those of their
  /// triggers.
  public let depth: Int

  /// The rowid before the change, nil for an insertion.
  public let initialRowID: Int64?

  /// The rowid after the change, nil for a deletion.
  public let finalRowID: Int64?

  /// The values before the change, nil for an insertion.
  public let initialDatabaseValues: [DatabaseValue]?

  /// The values after the change, nil for a deletion.
  public let finalDatabaseValues: [DatabaseValue]?

  /// Learns whether an observer implements the method that it is called with.
  var interest: PreUpdateInterest?

  /// A value before the change, nil for an insertion.
  public func initialDatabaseValue(atIndex index: Int) -> DatabaseValue? {
    precondition(0..<count ~= index, "row index out of range")
    return initialDatabaseValues?[index]
  }

  /// A value after the change, nil for a deletion.
  public func finalDatabaseValue(atIndex index: Int) -> DatabaseValue? {
    precondition(0..<count ~= index, "row index out of range")
    return finalDatabaseValues?[index]
  }

  /// A copy that can be kept.
  public func copy() -> DatabasePreUpdateEvent { self }
}

/// Whether an observer has an own implementation of `databaseWillChange(with:)`, which its first
/// call shows.
final class PreUpdateInterest {
  var isMissing = false
}
