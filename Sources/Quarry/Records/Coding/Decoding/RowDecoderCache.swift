// How Codable records are decoded.
//
// A row that moves with a statement, or over rows in memory, is one object that shows other values
// after each move. So the decoder of a record is made once, and used again for each of the values
// of the row:
//
//     Row ── RowDecoderCache ── RecordDecoder, one per record type
//                                 ── KeyedRowDecoding, one per type of coding keys: a KeyTable, key -> column
//                                      ── PropertyDecoder, one per property other than a plain value
//
// All read the current values of the row through a `RowReference`, which ends with the cache. A
// decoder or container that escapes from the initialiser of a record is not used again once the row
// has moved, and throws.

/// The decoders of Codable records from a row, kept from a move of the row to the next one.
final class RowDecoderCache: RowDecoders {
  fileprivate let reference: RowReference
  @safe @exclusivity(unchecked) fileprivate var decoders = CoderSlots<RecordDecoder>()

  /// The moves of the row when the decoders were last requested.
  private var moveCount: Int

  /// The prefetched associations of the row: decoders know which properties they feed.
  private let associations: [PrefetchedPlace]

  init(row: Row) {
    reference = RowReference(row: row)
    moveCount = row.rootMoveCount
    associations =
      row.batch?.prefetched.map { PrefetchedPlace(scopePath: $0.scopePath, key: $0.key) } ?? []
  }

  deinit { reference.end() }

  /// The row no longer reads from a statement.
  override func leaveStatement() { reference.leaveStatement() }

  override func fit(_ batch: RowBatch) -> Bool {
    associations.elementsEqual(batch.prefetched) {
      $0.key.hasSameBytes(as: $1.key) && $0.scopePath.hasSameTexts(as: $1.scopePath)
    }
  }

  /// The decoder of a type, if there is one.
  @inline(__always) fileprivate func knownDecoder(
    for type: any FetchableRecord.Type, style: RecordDecoder.Style, of row: Row
  ) -> RecordDecoder? {
    let moveCount = row.rootMoveCount
    if moveCount != self.moveCount { forgetKept(moveCount) }
    return decoders.first { $0.decodes(type, style) }?.object
  }

  /// Ends the decoders and containers that records of earlier rows have kept.
  @inline(__always) override func forgetKept(_ moveCount: Int) {
    self.moveCount = moveCount
    decoders.removeShared(end: { $0.end() }, keep: { $0.forgetSharedContainers() })
  }
}

/// The row that decoders read, as long as it exists.
@safe final class RowReference {
  private(set) var row: Unretained<Row>?

  /// The statement of a live row, for containers that read its columns without any detour.
  let statement: FixedMemory<SQLiteStatement?>
  /// The first column of the row in the statement.
  let offset: CInt

  init(row: Row) {
    self.row = Unretained(row)
    unsafe statement = FixedMemory(CollectionOfOne(row.directStatement))
    offset = row.offset
  }

  /// The reference of decoders that outlived their row.
  static var ended: RowReference {
    let reference = RowReference(row: Row())
    reference.end()
    return reference
  }

  func end() {
    row = nil
    leaveStatement()
  }

  /// The row no longer reads from a statement.
  func leaveStatement() { unsafe statement.start.pointee = nil }
}

extension Row {
  /// The decoder of a record, the same one after each move of the row.
  @usableFromInline func decoder(for type: any FetchableRecord.Type) -> any Decoder {
    recordDecoder(for: type)
  }

  /// The decoder of a record, the same one after each move of the row.
  @inline(__always) func recordDecoder(
    for type: any FetchableRecord.Type, style: RecordDecoder.Style = .record,
    path: [any CodingKey] = []
  ) -> RecordDecoder {
    let decoder = unownedDecoders?.use {
      known($0, as: RowDecoderCache.self).knownDecoder(for: type, style: style, of: self)
    }
    if let decoder { return decoder }
    return addDecoder(for: type, style: style, path: path)
  }

  private func addDecoder(
    for type: any FetchableRecord.Type, style: RecordDecoder.Style, path: [any CodingKey]
  ) -> RecordDecoder {
    let extras = makeExtras()
    let cache =
      extras.decoders.map { known($0, as: RowDecoderCache.self) } ?? RowDecoderCache(row: self)
    extras.decoders = cache
    let decoder = RecordDecoder(
      RowDecodingContext(
        recordType: type, style: style, reference: cache.reference, codingPath: path))
    cache.decoders.add(decoder)
    return decoder
  }
}
