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

/// The columns to update, all if nil, in any order.
struct UpdateKey: Hashable {
  let conflict: Database.ConflictResolution
  let columns: [String]?

  static func == (lhs: UpdateKey, rhs: UpdateKey) -> Bool {
    guard lhs.conflict == rhs.conflict else { return false }
    guard let columns = lhs.columns, let others = rhs.columns else {
      return lhs.columns == nil && rhs.columns == nil
    }
    return columns.hasSameTexts(as: others)
      || columns.allSatisfy(others.containsText) && others.allSatisfy(columns.containsText)
  }

  func hash(into hasher: inout Hasher) {
    // Not the names, which come in any order, and some of them twice.
    hasher.combine(conflict)
  }
}
