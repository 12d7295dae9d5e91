// How a row follows a cursor.
//
// A cursor has one row, which reads from the statement (or from a batch, at an index). Before the
// cursor moves, it asks for a row that nobody else holds: `Row.unshare`. When somebody does hold
// the row, that row is detached (it takes a copy of its values, and stays behind), and the cursor
// goes on with a new one. The rows of scopes move with their row, and are detached in the same way.

extension Row {
  /// Replaces the row of a cursor that is about to move with a new one, if somebody else holds it.
  ///
  /// The row is `inout`, so that it is looked at where it is: a copy of the reference is another
  /// holder.
  static func unshare(_ row: inout Row) {
    if isKnownUniquelyReferenced(&row) {
      if row.hasChildren { row.detachSharedChildren() }
    } else {
      row = row.leaveBehind()
    }
  }

  /// See `unshare`, for the row of a cursor that may have none. Returns whether the row is another
  /// one now.
  static func unshare(_ row: inout Row?) -> Bool {
    if isKnownUniquelyReferenced(&row) {
      if row?.hasChildren == true { row?.detachSharedChildren() }
      return false
    }
    row = row?.leaveBehind()
    return true
  }

  /// Moves a row in memory, and its scopes.
  func move(to index: Int) {
    show(index)
    guard let extras else { return }
    for child in extras.children { child.move(to: index) }
  }

  /// Makes a row in memory move over other rows of the same layout.
  func moveOver(_ batch: RowBatch) {
    if self.batch === batch { return }
    show(batch)
    guard let extras else { return }
    // Requests with the same SQL may prefetch other associations.
    if extras.decoders?.fit(batch) == false { extras.decoders = nil }
    for child in extras.children { child.moveOver(batch) }
  }

  /// Ends a fetch, for a row in memory that moves over the rows of the next one. Nobody else holds
  /// the row.
  func rest() {
    detachSharedChildren()
    endDecoding()
    forgetFailure()
    show(nil)
    guard let extras else { return }
    for child in extras.children { child.rest() }
    for prefetched in extras.prefetchedRows { prefetched.row.rest() }
  }

  /// Ends the decoders and containers that records have kept, when the rows are over.
  func endDecoding() {
    moveCount &+= 1
    unownedDecoders?.use { $0.forgetKept(moveCount) }
    if hasChildren, let extras { for child in extras.children { child.endDecoding() } }
  }

  /// A copy that doesn't depend on any statement.
  ///
  /// ```swift
  /// let first = try rows.next()?.copy()
  /// ```
  public func copy() -> Row {
    guard let statement = liveStatement else { return row(showing: layout) ?? self }
    return Row(batch: RowBatch(copying: statement), index: 0, layout: layout)
  }

  /// Makes the row independent of its statement: its values are copied.
  func detach() {
    if let statement = liveStatement { become(RowBatch(copying: statement)) }
    isDecodingRecord = false
    moveCount = rootMoveCount
    if isScope { setParent(nil) }
    detachChildren()
  }

  private func leaveBehind() -> Row {
    guard let successor = row(showing: layout) else { return self }
    successor.isDecodingRecord = isDecodingRecord
    detach()
    return successor
  }

  /// Another row of the same values, nil for a row without any.
  func row(showing layout: RowLayout) -> Row? {
    if let statement = liveStatement { return Row(live: statement, layout: layout) }
    return batch.map { Row(batch: $0, index: batchIndex, layout: layout) }
  }

  private func detachChildren() {
    guard let extras else { return }
    for child in extras.children { child.detach() }
    extras.children = []
    extras.childNames = []
  }

  func detachSharedChildren() {
    guard hasChildren, let extras else { return }
    var index = 0
    while index < extras.children.count {
      if isKnownUniquelyReferenced(&extras.children[index]) {
        if extras.children[index].hasChildren { extras.children[index].detachSharedChildren() }
        index += 1
      } else {
        extras.children[index].detach()
        extras.children.remove(at: index)
        extras.childNames.remove(at: index)
      }
    }
  }

  func setParent(_ parent: Row?) {
    isScope = parent != nil
    makeExtras().parent = parent.map(Unretained.init)
  }

  func makeExtras() -> RowExtras {
    if let extras { return extras }
    let extras = RowExtras()
    self.extras = extras
    return extras
  }
}

extension RowBatch {
  /// One row: the current row of a statement.
  convenience init(copying statement: Statement) {
    self.init(layout: statement.columns.layout, columnCount: statement.columnCount)
    sql = statement.sql
    isExact = statement.isExact
    unsafe append(statement.sqliteStatement)
  }
}
