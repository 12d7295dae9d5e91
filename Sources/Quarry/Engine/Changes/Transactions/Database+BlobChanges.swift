// Streams of blobs, of the library QuarryBlobs, read and write without a statement, so that nothing
// is compiled, and SQLite reports no change.
//
// See <https://www.sqlite.org/c3ref/blob_open.html>.

extension Database {
  /// Adds a blob to the region that is recorded, if there is one.
  package func recordBlob(_ table: CachedTable, column: String, rowID: Int64) {
    guard broker.recordsRegion else { return }
    let region = TableRegion(
      name: table.id.name, columns: [column.identifierKey: column], rowIDs: [rowID])
    broker.recordedRegion?.formUnion(DatabaseRegion(region))
  }

  /// The number of writes to blobs, which are not in ``totalChangesCount``.
  package var blobWriteCount: Int { broker.blobWriteCount }

  /// Calls `write`, which writes to a blob, and reports an update of its row.
  ///
  /// - returns: The result code of `write`.
  package func observingBlob(
    _ table: CachedTable, column: String, rowID: Int64, _ write: () -> CInt
  ) -> CInt {
    broker.blobWriteCount += 1
    guard owner.isObserved else { return write() }
    broker.witness?.tablesMayChange([table.id.name.identifierKey.text])
    // No stream writes beside generated columns.
    let followed = broker.follow(
      [.update(tableName: table.id.name, columnNames: [column])],
      ofTables: [table.id.name.identifierKey], by: broker.registrations)
    // SQLite's hook takes the write for a deletion, which is none of an outer statement's changes.
    broker.begin(followed)
    let code = write()
    broker.followed.removeLast()
    guard code == ResultCode.SQLITE_OK.rawValue else { return code }
    let event = DatabaseEvent(
      kind: .update, databaseName: table.id.schemaID.name, tableName: table.id.name, rowID: rowID,
      initialRowID: rowID)
    if !followed.followers.isEmpty { broker.pending.append(.row(event, followed)) }
    if followed.hasRegions {
      followed.touchRegions(event, &broker.pending, mayTouchOtherRows: false)
    }
    didChange(followed)
    return code
  }
}
