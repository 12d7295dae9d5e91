import Quarry

/// The place of a row in an ordered list: the values of the order, in which no two rows are equal.
struct RowPlace: Sendable {
  let rowID: Int64
  let values: [DatabaseValue.Storage]

  /// Nil for texts that may have other bytes in the database: those that are no valid UTF-8.
  init?(rowID: Int64, values: [DatabaseValue]) {
    self.rowID = rowID
    self.values = values.map(\.storage)
    if self.values.contains(where: \.mayBeRepaired) { return nil }
  }
}

/// The order of the rows of a list, as SQLite compares them with `BINARY`.
///
/// See <https://www.sqlite.org/datatype3.html#sort_order>.
struct RowOrder: Sendable {
  struct Term: Sendable {
    let isDescending: Bool
    let nullsFollow: Bool
  }

  let terms: [Term]

  func precedes(_ lhs: RowPlace, _ rhs: RowPlace) -> Bool {
    for (index, term) in terms.enumerated() {
      let comparison = term.compare(lhs.values[index], rhs.values[index])
      if comparison != 0 { return comparison < 0 }
    }
    return false
  }
}

extension RowOrder.Term {
  /// A negative number if the first value comes first, a positive one if the second does.
  func compare(_ lhs: DatabaseValue.Storage, _ rhs: DatabaseValue.Storage) -> Int {
    switch (lhs, rhs) {
    case (.null, .null): 0
    case (.null, _): nullsFollow ? 1 : -1
    case (_, .null): nullsFollow ? -1 : 1
    default: isDescending ? rhs.compare(lhs) : lhs.compare(rhs)
    }
  }
}

extension DatabaseValue.Storage {
  fileprivate var mayBeRepaired: Bool {
    guard case .string(let text) = self else { return false }
    // The first byte of U+FFFD, as most texts don't have it.
    return text.utf8.contains(0xef) && text.unicodeScalars.contains("\u{fffd}")
  }

  /// Numbers come before texts, and texts before blobs.
  private var rank: Int {
    switch self {
    case .null: 0
    case .int64, .double: 1
    case .string: 2
    case .blob: 3
    }
  }

  fileprivate func compare(_ other: Self) -> Int {
    switch (self, other) {
    case (.int64(let lhs), .int64(let rhs)): Self.compare(lhs, rhs)
    case (.double(let lhs), .double(let rhs)): Self.compare(lhs, rhs)
    case (.int64(let lhs), .double(let rhs)): Self.compare(exactly: lhs, rhs)
    case (.double(let lhs), .int64(let rhs)): -Self.compare(exactly: rhs, lhs)
    case (.string(let lhs), .string(let rhs)): Self.compare(bytes: lhs.utf8, rhs.utf8)
    case (.blob(let lhs), .blob(let rhs)): Self.compare(bytes: lhs, rhs)
    default: rank - other.rank
    }
  }

  private static func compare<T: Comparable>(_ lhs: T, _ rhs: T) -> Int {
    lhs < rhs ? -1 : lhs == rhs ? 0 : 1
  }

  /// Compares without rounding the integer.
  private static func compare(exactly lhs: Int64, _ rhs: Double) -> Int {
    if rhs >= 0x1p63 { return -1 }
    if rhs < -0x1p63 { return 1 }
    let whole = Int64(rhs)
    return lhs == whole ? compare(0, rhs - Double(whole)) : compare(lhs, whole)
  }

  private static func compare<Bytes: Collection<UInt8>>(bytes lhs: Bytes, _ rhs: Bytes) -> Int {
    for (left, right) in zip(lhs, rhs) where left != right { return left < right ? -1 : 1 }
    return compare(lhs.count, rhs.count)
  }
}
