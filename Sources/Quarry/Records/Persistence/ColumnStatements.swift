/// The statements for the records of a type that have the same columns.
final class ColumnStatements {
  let columnSet: ColumnSet
  /// The indexes of the columns of the key of the table.
  var keyIndexes: [Int?]?
  var inserts = RecentValues<InsertKey, InsertStatement>(capacity: 16)
  var updates = RecentValues<UpdateKey, UpdateStatement>(capacity: 16)

  init(_ columnSet: ColumnSet) { self.columnSet = columnSet }
}

struct InsertKey: Hashable {
  let conflict: Database.ConflictResolution
  let rowCount: Int
  /// The name of the rowid, if the statement returns it.
  let rowIDName: BinaryText?
}

/// The columns to update, all if nil.
struct UpdateKey: Hashable {
  let conflict: Database.ConflictResolution
  let columns: [String]?

  static func == (lhs: UpdateKey, rhs: UpdateKey) -> Bool {
    lhs.conflict == rhs.conflict && lhs.columns.hasSameTexts(as: rhs.columns)
  }

  // Not the names: few sets of columns are updated.
  func hash(into hasher: inout Hasher) { hasher.combine(conflict) }
}
