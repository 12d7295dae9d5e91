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

  /// Whether the rows hang on a scope, or on one inside.
  func isInside(_ path: [String]) -> Bool { scopePath.prefix(path.count).hasSameTexts(as: path) }

  func children(parent: Int) -> ArraySlice<Int32> {
    order[Int(starts[parent])..<Int(starts[parent + 1])]
  }
}

/// Where the rows of a to-many association hang.
struct PrefetchedPlace {
  let scopePath: [String]
  let key: String
}

/// A row that moves over the rows of a to-many association.
struct PrefetchedRow {
  /// The key of the association. Another one may have rows of the same layout, by the same SQL, and
  /// the decoders of the row know which properties led to them.
  let key: String
  let row: Row

  func shows(_ association: PrefetchedAssociation) -> Bool {
    row.layout === association.layout && key.hasSameBytes(as: association.key)
  }
}

/// The rows of one to-many association of one row.
@usableFromInline struct PrefetchedGroup {
  let association: PrefetchedAssociation
  let parent: Int
  /// The row of the parent. It keeps the row that moves over the children, for the next parent that
  /// it shows: the association is shared by rows that several threads may read.
  let parentRow: Row

  var key: BinaryText { BinaryText(association.key) }
  private var children: ArraySlice<Int32> { association.children(parent: parent) }
  @usableFromInline var count: Int { children.count }
  var rows: [Row] {
    children.map { Row(batch: association.children, index: Int($0), layout: association.layout) }
  }

  /// Calls `body` with the row of each child in turn. The row moves: whoever keeps it gets a copy.
  @usableFromInline func forEachRow(_ body: (Row) throws -> Void) throws {
    var row = parentRow.takeChildRow(of: association)
    row.isDecodingRecord = true
    for index in children {
      Row.unshare(&row)
      row.move(to: Int(index))
      try row.throwingFailures(body)
    }
    Row.unshare(&row)
    parentRow.makeExtras().prefetchedRows.append(PrefetchedRow(key: association.key, row: row))
  }
}

extension Row {
  /// The row that moves over the children of an association. It is taken away, since decoding a
  /// child may come back here.
  fileprivate func takeChildRow(of association: PrefetchedAssociation) -> Row {
    guard let extras,
      let index = extras.prefetchedRows.firstIndex(where: { $0.shows(association) })
    else { return Row(batch: association.children, index: 0, layout: association.layout) }
    let row = extras.prefetchedRows.remove(at: index).row
    row.moveOver(association.children)
    return row
  }
}
