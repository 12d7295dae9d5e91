/// A collection whose elements are decoded from prefetched rows.
///
/// Those of the standard library are decoded from one row that moves over the prefetched rows: an
/// unkeyed container would need a row for each element.
protocol PrefetchedCollection {
  associatedtype Element: Decodable
  init(_ group: PrefetchedGroup, _ decode: (Row) throws -> Element) throws
}

extension Array: PrefetchedCollection where Element: Decodable {
  init(_ group: PrefetchedGroup, _ decode: (Row) throws -> Element) throws {
    // The standard library would write a count to the empty array, which all threads share.
    guard group.count > 0 else {
      self = []
      return
    }
    // Here, `append` would look up the type of the array for each element, which takes 330
    // instructions.
    unsafe try self.init(unsafeUninitializedCapacity: group.count) { elements, count in
      try group.forEachRow { row in
        unsafe elements.initializeElement(at: count, to: try decode(row))
        count += 1
      }
    }
  }
}

extension Set: PrefetchedCollection where Element: Decodable {
  init(_ group: PrefetchedGroup, _ decode: (Row) throws -> Element) throws {
    self.init(minimumCapacity: group.count)
    try group.forEachRow { insert(try decode($0)) }
  }
}
