/// The rows of a to-many association, fetched for all rows of a batch.
///
/// The rows of parent `i` are `order[starts[i]..<starts[i + 1]]`, indexes of rows in `children`.
final class PrefetchedAssociation {
  /// Where the rows hang: names of to-one scopes, then the key of the association.
  let scopePath: [String]
  let key: String
  let children: RowBatch
  /// The columns and scopes of the children.
  let layout: RowLayout
  let starts: [Int32]
  let order: [Int32]

  /// One row that moves over the children while they are decoded.
  private var movingRow: Row?

  init(
    scopePath: [String], key: String, children: RowBatch, layout: RowLayout,
    starts: [Int32], order: [Int32]
  ) {
    self.scopePath = scopePath
    self.key = key
    self.children = children
    self.layout = layout
    self.starts = starts
    self.order = order
  }

  func count(parent: Int) -> Int {
    Int(starts[parent + 1] - starts[parent])
  }

  func rows(parent: Int) -> [Row] {
    order[Int(starts[parent])..<Int(starts[parent + 1])].map {
      Row(batch: children, index: Int($0), layout: layout)
    }
  }

  /// Calls `body` with the row of each child in turn. The row moves: whoever keeps it gets a copy.
  func forEachRow(parent: Int, _ body: (Row) throws -> Void) throws {
    var row = movingRow ?? Row(batch: children, index: 0, layout: layout)
    movingRow = nil
    row.isDecodingRecord = true
    for position in Int(starts[parent])..<Int(starts[parent + 1]) {
      Row.unshare(&row)
      row.move(to: Int(order[position]))
      try body(row)
      try row.throwDecodingError()
    }
    Row.unshare(&row)
    movingRow = row
  }
}

/// The rows of one to-many association of one row.
struct PrefetchedGroup {
  let association: PrefetchedAssociation
  let parent: Int

  var count: Int { association.count(parent: parent) }
  var rows: [Row] { association.rows(parent: parent) }

  func forEachRow(_ body: (Row) throws -> Void) throws {
    try association.forEachRow(parent: parent, body)
  }
}
