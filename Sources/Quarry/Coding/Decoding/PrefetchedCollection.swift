// Collections of the standard library are decoded from one row that moves over the prefetched rows: an unkeyed
// container would need a row for each element.

/// A collection of records that is decoded from prefetched rows.
protocol PrefetchedRecordCollection {
  init(records group: PrefetchedGroup) throws
}

/// A collection of other decodable values that is decoded from prefetched rows.
protocol PrefetchedCollection {
  init(elements group: PrefetchedGroup, _ decoder: PrefetchedRowsDecoder) throws
}

extension Array: PrefetchedRecordCollection where Element: FetchableRecord {
  init(records group: PrefetchedGroup) throws {
    self.init()
    reserveCapacity(group.count)
    try group.forEachRow { append(try Element.decoded(from: $0)) }
  }
}

extension Set: PrefetchedRecordCollection where Element: FetchableRecord {
  init(records group: PrefetchedGroup) throws {
    self.init(minimumCapacity: group.count)
    try group.forEachRow { insert(try Element.decoded(from: $0)) }
  }
}

extension Array: PrefetchedCollection where Element: Decodable {
  init(elements group: PrefetchedGroup, _ decoder: PrefetchedRowsDecoder) throws {
    self.init()
    reserveCapacity(group.count)
    try group.forEachRow { append(try decoder.element(Element.self, from: $0)) }
  }
}

extension Set: PrefetchedCollection where Element: Decodable {
  init(elements group: PrefetchedGroup, _ decoder: PrefetchedRowsDecoder) throws {
    self.init(minimumCapacity: group.count)
    try group.forEachRow { insert(try decoder.element(Element.self, from: $0)) }
  }
}
