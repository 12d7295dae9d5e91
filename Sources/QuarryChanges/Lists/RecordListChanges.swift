/// A change of a list of records.
///
/// Offsets named `from`, and those of deletions, are of the list before the changes. All others are
/// of the list after them.
public enum RecordListChange<Record> {
  /// A record that was in the list is not any more.
  case deleted(Record, at: Int)
  /// A record was not in the list before.
  case inserted(Record, at: Int)
  /// A record has another place among those that stay: some others have moved past it, or it past
  /// them. It is the record after the changes.
  case moved(Record, from: Int, to: Int)
  /// The row of a record has other values. One that has moved, too, has two changes.
  case updated(old: Record, new: Record, at: Int)
}

extension RecordListChange: Equatable where Record: Equatable {}
extension RecordListChange: Sendable where Record: Sendable {}

/// The records of a request, and the changes since the list before.
///
/// See ``Quarry/ValueObservation/changes(of:identifiedBy:)``.
public struct RecordListChanges<Record> {
  /// The records after the changes, in the order of the request.
  public let records: [Record]

  /// The changes: deletions, moves, and insertions, each by ascending offset, and then updates.
  ///
  /// The list after the changes is the one before, without the records that are deleted or have
  /// moved, and with those that are inserted or have moved put at their offsets, in ascending
  /// order.
  public let changes: [RecordListChange<Record>]
}

extension RecordListChanges: Equatable where Record: Equatable {}
extension RecordListChanges: Sendable where Record: Sendable {}

extension RecordListChanges {
  /// Compares two lists, in which no key is twice. Takes time in proportion to `n log n`.
  init(from old: [IdentifiedRecord<Record>], to new: [IdentifiedRecord<Record>]) {
    var offsets: [RecordKey: Int] = [:]
    for (offset, element) in old.enumerated() { offsets[element.key] = offset }
    let formerOffsets = new.map { offsets.removeValue(forKey: $0.key) }
    // Those that are left in the dictionary are not in the new list.
    self.init(
      from: old, to: new, formerOffsets: formerOffsets, deleted: offsets.values.sorted(),
      mayBeUpdated: new.indices)
  }

  /// - Parameters:
  ///   - formerOffsets: For each new element, its offset in the old list.
  ///   - deleted: The offsets of the old elements that are not in the new list, ascending.
  ///   - mayBeUpdated: The offsets of the new elements that may differ, ascending.
  init(
    from old: [IdentifiedRecord<Record>], to new: [IdentifiedRecord<Record>],
    formerOffsets: [Int?], deleted: [Int], mayBeUpdated: some Sequence<Int>
  ) {
    records = new.map(\.record)
    let staying = formerOffsets.compactMap(\.self).longestIncreasingSubsequence
    var stayingCount = 0
    var moves: [RecordListChange<Record>] = []
    var insertions: [RecordListChange<Record>] = []
    for (offset, former) in formerOffsets.enumerated() {
      guard let former else {
        insertions.append(.inserted(new[offset].record, at: offset))
        continue
      }
      if stayingCount < staying.count, staying[stayingCount] == former {
        stayingCount += 1
      } else {
        moves.append(.moved(new[offset].record, from: former, to: offset))
      }
    }
    let updates = mayBeUpdated.compactMap { offset -> RecordListChange<Record>? in
      guard let former = formerOffsets[offset], old[former].content != new[offset].content else {
        return nil
      }
      return .updated(old: old[former].record, new: new[offset].record, at: offset)
    }
    changes =
      deleted.map { .deleted(old[$0].record, at: $0) } + moves + insertions + updates
  }
}

extension [Int] {
  /// A longest increasing subsequence of different numbers: the places of a list that need not move
  /// when all others do.
  var longestIncreasingSubsequence: [Int] {
    // For each length, the position of the smallest number that ends a subsequence of that length.
    var ends: [Int] = []
    var predecessors = [Int?](repeating: nil, count: count)
    for (position, number) in enumerated() {
      var (low, high) = (0, ends.count)
      // Most numbers are in order.
      if let last = ends.last, self[last] < number { low = high }
      while low < high {
        let middle = (low + high) / 2
        if self[ends[middle]] < number { low = middle + 1 } else { high = middle }
      }
      predecessors[position] = low == 0 ? nil : ends[low - 1]
      if low == ends.count { ends.append(position) } else { ends[low] = position }
    }
    var result: [Int] = []
    var next = ends.last
    while let position = next {
      result.append(self[position])
      next = predecessors[position]
    }
    return result.reversed()
  }
}
