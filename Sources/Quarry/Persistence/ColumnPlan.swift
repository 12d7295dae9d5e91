/// What is made for the records of a type that have the same columns.
final class ColumnPlan {
  let layout: ColumnLayout
  /// Where records have the columns of the key of the table.
  @safe @exclusivity(unchecked) var keyIndexes: [Int?]?
  @safe @exclusivity(unchecked) var insertion: RecordInsertion?
  /// The insertions of several rows.
  @safe @exclusivity(unchecked) var insertions: [RecordInsertion] = []
  /// The update of all columns.
  @safe @exclusivity(unchecked) var update: RecordUpdate?

  init(_ layout: ColumnLayout) {
    self.layout = layout
  }
}
