/// The statements for the records of a type that have the same columns.
final class ColumnStatements {
  let columnSet: ColumnSet
  /// Where records have the columns of the key of the table.
  @safe @exclusivity(unchecked) var keyIndexes: [Int?]?
  @safe @exclusivity(unchecked) var insert: InsertStatement?
  /// The insertions of several rows.
  @safe @exclusivity(unchecked) var inserts: [InsertStatement] = []
  /// The update of all columns.
  @safe @exclusivity(unchecked) var update: UpdateStatement?

  init(_ columnSet: ColumnSet) {
    self.columnSet = columnSet
  }
}
