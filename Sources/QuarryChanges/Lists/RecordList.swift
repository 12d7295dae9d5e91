import Quarry

/// The records of a list, in which some rows may change.
struct RecordList<Record> {
  private(set) var elements: [IdentifiedRecord<Record>]
  private let order: RowOrder?
  private var places: [Int64: RowPlace] = [:]

  /// - parameter order: The order of elements that all have a place. Nil where no rows are changed.
  init(_ elements: [IdentifiedRecord<Record>], _ order: RowOrder?) {
    self.elements = elements
    self.order = order
    if order == nil { return }
    places.reserveCapacity(elements.count)
    for case let place? in elements.lazy.map(\.place) { places[place.rowID] = place }
  }

  /// Takes rows out of the list, and puts others in. Returns the changes, which are those of
  /// ``RecordListChanges/init(from:to:)``.
  ///
  /// - parameter rowIDs: The rows that may have changed.
  /// - parameter rows: Those of them that are in the list afterwards.
  mutating func replace(
    _ rowIDs: Set<Int64>, with rows: [IdentifiedRecord<Record>]
  ) -> RecordListChanges<Record> {
    let old = elements
    let removed = rowIDs.compactMap { places.removeValue(forKey: $0) }.map(offset).sorted()
    let added = rows.sorted { precedes($0, $1) }
    for case let place? in added.map(\.place) { places[place.rowID] = place }
    var merger = ListMerger(old: old, removed: removed)
    for element in added {
      if let place = element.place { merger.keep(upTo: offset(of: place)) }
      merger.insert(element)
    }
    merger.keep(upTo: old.count)
    elements = merger.elements
    return RecordListChanges(
      from: old, to: elements, formerOffsets: merger.formerOffsets, deleted: merger.deleted,
      mayBeUpdated: merger.inserted)
  }

  private func precedes(_ lhs: IdentifiedRecord<Record>, _ rhs: IdentifiedRecord<Record>) -> Bool {
    guard let order, let left = lhs.place, let right = rhs.place else { return false }
    return order.precedes(left, right)
  }

  /// The offset of the first element that does not precede a place.
  private func offset(of place: RowPlace) -> Int {
    var (low, high) = (0, elements.count)
    while low < high {
      let middle = (low + high) / 2
      if let other = elements[middle].place, order?.precedes(other, place) == true {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }
}

extension RecordList: Sendable where Record: Sendable {}

/// Makes a list of another one and of new elements, in order.
private struct ListMerger<Record> {
  private let old: [IdentifiedRecord<Record>]
  /// The offsets of the elements that are left out, ascending.
  private var removed: ArraySlice<Int>
  /// The offsets of those that have not come again.
  private var offsets: [RecordKey: Int] = [:]
  private var next = 0
  private(set) var elements: [IdentifiedRecord<Record>] = []
  /// For each element, the offset in the old list.
  private(set) var formerOffsets: [Int?] = []
  /// The offsets of the new elements.
  private(set) var inserted: [Int] = []

  init(old: [IdentifiedRecord<Record>], removed: [Int]) {
    self.old = old
    self.removed = removed[...]
    for offset in removed { offsets[old[offset].key] = offset }
    elements.reserveCapacity(old.count + 16)
    formerOffsets.reserveCapacity(old.count + 16)
  }

  /// The offsets of the old elements that are gone, ascending.
  var deleted: [Int] { offsets.values.sorted() }

  mutating func keep(upTo end: Int) {
    while next < end {
      let stop = min(removed.first ?? end, end)
      elements += old[next..<stop]
      formerOffsets += (next..<stop).lazy.map(Optional.some)
      next = stop
      if removed.first == next, next < end {
        removed.removeFirst()
        next += 1
      }
    }
  }

  mutating func insert(_ element: IdentifiedRecord<Record>) {
    inserted.append(elements.count)
    elements.append(element)
    formerOffsets.append(offsets.removeValue(forKey: element.key))
  }
}
