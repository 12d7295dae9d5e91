/// What is made for the records of a type that have the same columns.
final class ColumnPlan {
  let layout: ColumnLayout
  /// Where records have the columns of the key of the table.
  @exclusivity(unchecked) var keyIndexes: [Int?]?
  @exclusivity(unchecked) var insertion: RecordInsertion?
  /// The insertions of several rows.
  @exclusivity(unchecked) var insertions: [RecordInsertion] = []
  /// The update of all columns.
  @exclusivity(unchecked) var update: RecordUpdate?

  init(_ layout: ColumnLayout) {
    self.layout = layout
  }
}
