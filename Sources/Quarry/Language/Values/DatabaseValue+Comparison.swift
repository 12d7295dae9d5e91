extension DatabaseValue: Hashable {
  /// Returns whether two values have the same kind and the same content.
  ///
  /// As in SQLite, an integer is equal to the double that has exactly its value, and texts are
  /// equal when their bytes are.
  public static func == (lhs: DatabaseValue, rhs: DatabaseValue) -> Bool {
    switch (lhs.storage, rhs.storage) {
    case (.int64(let int64), .double(let double)), (.double(let double), .int64(let int64)):
      Int64(exactly: double) == int64
    case (.string, .string): lhs.isInvalid == rhs.isInvalid && lhs.storage == rhs.storage
    default: lhs.storage == rhs.storage
    }
  }

  /// Hashes the value; an integer hashes as the double it may be equal to.
  public func hash(into hasher: inout Hasher) {
    switch storage {
    case .null: hasher.combine(0)
    case .int64(let int64): hasher.combine(Double(int64))
    case .double(let double): hasher.combine(double)
    case .string(let string): hasher.combine(BinaryText(string))
    case .blob(let data): hasher.combine(data)
    }
  }
}

extension DatabaseValue.Storage: Equatable {
  /// Returns whether two values have the same kind and the same content: texts are equal when their
  /// bytes are.
  public static func == (lhs: DatabaseValue.Storage, rhs: DatabaseValue.Storage) -> Bool {
    switch (lhs, rhs) {
    case (.null, .null): true
    case (.int64(let lhs), .int64(let rhs)): lhs == rhs
    case (.double(let lhs), .double(let rhs)): lhs == rhs
    case (.string(let lhs), .string(let rhs)): lhs.hasSameBytes(as: rhs)
    case (.blob(let lhs), .blob(let rhs)): lhs == rhs
    case (.null, _), (.int64, _), (.double, _), (.string, _), (.blob, _): false
    }
  }
}

extension DatabaseValue {
  /// Whether the value comes before another one in the order of SQLite: null, numbers, texts,
  /// blobs.
  ///
  /// See <https://www.sqlite.org/datatype3.html#sort_order>.
  package func precedes(_ other: DatabaseValue) -> Bool {
    switch (storage, other.storage) {
    case (.int64(let lhs), .int64(let rhs)): lhs < rhs
    case (.double(let lhs), .double(let rhs)): lhs < rhs
    case (.int64(let lhs), .double(let rhs)): Double(lhs) < rhs
    case (.double(let lhs), .int64(let rhs)): lhs < Double(rhs)
    case (.string(let lhs), .string(let rhs)): lhs.utf8.lexicographicallyPrecedes(rhs.utf8)
    case (.blob(let lhs), .blob(let rhs)): lhs.lexicographicallyPrecedes(rhs)
    default: kindRank < other.kindRank
    }
  }

  private var kindRank: Int {
    switch storage {
    case .null: 0
    case .int64, .double: 1
    case .string: 2
    case .blob: 3
    }
  }
}
