/// The statements for the records of a type that have the same columns.
final class ColumnStatements {
  let columnSet: ColumnSet
  /// The indexes of the columns of the key of the table.
  var keyIndexes: [Int?]?
  var insert: InsertStatement?
  /// The insertions of several rows.
  var inserts: [InsertStatement] = []
  /// The updates of all columns, and of some, the oldest first.
  var updates: [UpdateStatement] = []

  init(_ columnSet: ColumnSet) {
    self.columnSet = columnSet
  }
}
