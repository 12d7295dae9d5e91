/// Records. Not for applications.
public enum _RecordElement<Record: FetchableRecord>: _RowDecoding {
  /// A record, decoded from the row of the cursor.
  @inlinable public static func element(
    _ run: inout _StatementRun<_RecordElement<Record>>
  ) throws -> Record {
    // Taken, not copied: a copy of the reference would be counted for each row.
    let row = try run.row.take() ?? run.makeRow(forRecord: true)
    defer { run.row = row }
    do {
      let record = try Record(row: row)
      guard row.hasFailed else { return record }
      try row.throwDecodingError()
      return record
    } catch {
      throw row.failure(before: error, of: Record.self)
    }
  }
}

/// A cursor over records.
public typealias RecordCursor<Record: FetchableRecord> = StatementCursor<_RecordElement<Record>>
