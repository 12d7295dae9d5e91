// The row that reads from a statement. A fetch takes the one that the last fetch has left, since
// making a row takes longer than reading one.

/// The row of a statement: moving while a fetch runs, else idle.
struct StatementRows {
  /// The row of the last fetch, for the next one: with it come its scopes and decoders.
  var idle: Row?
  /// The row of the fetch that runs. Its cursor owns it.
  var moving: Unretained<Row>?
  /// The row of the last fetch that copied its rows, to prefetch their associations: see `idle`.
  var idleInMemory: Row?
}

extension Statement {
  /// A row that reads from the statement: the one of the last fetch when nobody holds it.
  func liveRow(_ adapter: SharedRowAdapter?) throws -> Row {
    let layout = try columns.layout(adapter)
    if let row = rows.idle.take(), row.layout === layout { return row }
    return Row(live: self, layout: layout)
  }

  /// Keeps the row of a fetch for the next one, or detaches it when somebody holds it.
  ///
  /// The row is `inout` for the same reason as in `Row.unshare`.
  func keep(_ shownRow: inout Row?) {
    guard shownRow?.isLive == true else { return }
    rows.moving = nil
    let isUnshared = isKnownUniquelyReferenced(&shownRow)
    guard let row = shownRow.take() else { return }
    guard isUnshared else { return row.detach() }
    row.detachSharedChildren()
    row.endDecoding()
    row.extras?.decodingError = nil
    row.hasFailed = false
    row.lastColumn = -1
    rows.idle = row
  }

  /// A row that moves over copied rows: see `liveRow(_:)`.
  func rowInMemory(_ batch: RowBatch) -> Row {
    guard let row = rows.idleInMemory.take(), row.layout === batch.layout else {
      return Row(batch: batch, index: 0, layout: batch.layout)
    }
    row.moveOver(batch)
    return row
  }

  /// Keeps the row of a fetch for the next one, or detaches it when somebody holds it.
  func keepInMemory(_ row: inout Row) {
    guard isKnownUniquelyReferenced(&row) else { return row.detach() }
    row.rest()
    rows.idleInMemory = row
  }

  /// The row of a cursor that somebody still has keeps its values.
  func detachMovingRow() {
    guard let row = rows.moving?.object else { return }
    rows.moving = nil
    row.detach()
  }
}
