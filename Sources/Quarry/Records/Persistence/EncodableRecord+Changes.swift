extension EncodableRecord {
  /// The columns of the record, and their values.
  ///
  /// ```swift
  /// try Player(id: 1, name: "Alice").databaseDictionary // ["id": 1, "name": "Alice"]
  /// ```
  ///
  /// - Throws: the error of ``encode(to:)``.
  public var databaseDictionary: [String: DatabaseValue] {
    get throws {
      let container = try PersistenceContainer(self)
      return Dictionary(container.map { $0 }, uniquingKeysWith: { _, last in last })
    }
  }

  /// Returns whether both records are stored with the same values.
  ///
  /// Values are compared as database values: the integer 1 and the double 1.0 are equal. A record
  /// that can't be encoded is equal to no record.
  public func databaseEquals(_ record: Self) -> Bool {
    (try? databaseChanges(from: record).isEmpty) ?? false
  }

  /// The columns whose value differs from that of another record, with the value of the other
  /// record.
  ///
  /// ```swift
  /// let old = Player(id: 1, name: "Alice", score: 100)
  /// let new = Player(id: 1, name: "Alice", score: 200)
  /// try new.databaseChanges(from: old) // ["score": 100]
  /// ```
  ///
  /// - Throws: the error of ``encode(to:)``.
  public func databaseChanges(from record: some EncodableRecord) throws -> [String: DatabaseValue] {
    try changes(from: record).dictionary
  }

  /// Modifies the record, and returns the columns that changed, with their old values.
  ///
  /// ```swift
  /// let changes = try player.databaseChanges { $0.score = 200 } // ["score": 100]
  /// ```
  ///
  /// - Throws: the error of `modify`, or of ``encode(to:)``.
  public mutating func databaseChanges(
    modify: (inout Self) throws -> Void
  ) throws -> [String: DatabaseValue] {
    try changes(modify: modify).dictionary
  }
}

// A dictionary has only one of two columns that Swift takes for equal: updates need both.
extension EncodableRecord {
  /// The columns whose value differs from that of another record.
  func changes(from record: some EncodableRecord) throws -> PersistenceContainer.Changes {
    let old = try PersistenceContainer(record)
    return try PersistenceContainer(self).changes(from: old)
  }

  /// Modifies the record, and returns the columns that changed.
  mutating func changes(
    modify: (inout Self) throws -> Void
  ) throws -> PersistenceContainer.Changes {
    let old = try PersistenceContainer(self)
    try modify(&self)
    return try PersistenceContainer(self).changes(from: old)
  }
}

extension PersistenceContainer.Changes {
  fileprivate var dictionary: [String: DatabaseValue] {
    Dictionary(map { ($0.column, $0.old) }, uniquingKeysWith: { first, _ in first })
  }
}
