extension RangeReplaceableCollection {
  /// Creates a collection of the elements of a cursor.
  ///
  /// ```swift
  /// let titles = try Array(String.fetchCursor(db, sql: "SELECT title FROM book"))
  /// ```
  @inlinable
  public init(_ cursor: some Cursor<Element>) throws {
    self.init()
    try append(contentsOf: cursor)
  }

  /// Creates a collection of the elements of a cursor, with room for an expected number of
  /// elements.
  @inlinable
  public init(_ cursor: some Cursor<Element>, minimumCapacity: Int) throws {
    self.init()
    reserveCapacity(minimumCapacity)
    try append(contentsOf: cursor)
  }

  /// Appends the elements of a cursor.
  @inlinable
  public mutating func append(contentsOf newElements: some Cursor<Element>) throws {
    try newElements.forEach { append($0) }
  }
}

extension Set {
  /// Creates a set of the elements of a cursor.
  @inlinable
  public init(_ cursor: some Cursor<Element>) throws {
    self.init()
    try formUnion(cursor)
  }

  /// Creates a set of the elements of a cursor, with room for an expected number of elements.
  @inlinable
  public init(_ cursor: some Cursor<Element>, minimumCapacity: Int) throws {
    self.init(minimumCapacity: minimumCapacity)
    try formUnion(cursor)
  }

  /// Returns the elements of the set and of a cursor.
  @inlinable
  public func union(_ cursor: some Cursor<Element>) throws -> Set<Element> {
    var result = self
    try result.formUnion(cursor)
    return result
  }

  /// Inserts the elements of a cursor.
  @inlinable
  public mutating func formUnion(_ cursor: some Cursor<Element>) throws {
    try cursor.forEach { insert($0) }
  }

  /// Returns the elements of the set that are also in a cursor.
  @inlinable
  public func intersection(_ cursor: some Cursor<Element>) throws -> Set<Element> {
    var result = Set()
    try cursor.forEach { if contains($0) { result.insert($0) } }
    return result
  }

  /// Removes the elements that are not in a cursor.
  @inlinable
  public mutating func formIntersection(_ cursor: some Cursor<Element>) throws {
    self = try intersection(cursor)
  }
}

extension Dictionary {
  /// Creates a dictionary of the elements of a cursor, grouped by key.
  ///
  /// ```swift
  /// let books = try Dictionary(grouping: Book.fetchCursor(db), by: \.authorId)
  /// ```
  public init<C: Cursor>(
    grouping cursor: C,
    by keyForValue: (C.Element) throws -> Key
  ) throws where Value == [C.Element] {
    try self.init(minimumCapacity: 0, grouping: cursor, by: keyForValue)
  }

  /// Creates a dictionary of the elements of a cursor, grouped by key, with room for an expected
  /// number of keys.
  public init<C: Cursor>(
    minimumCapacity: Int,
    grouping cursor: C,
    by keyForValue: (C.Element) throws -> Key
  ) throws where Value == [C.Element] {
    self.init(minimumCapacity: minimumCapacity)
    try cursor.forEach { self[try keyForValue($0), default: []].append($0) }
  }

  /// Creates a dictionary of the pairs of a cursor.
  ///
  /// - throws: A ``DatabaseError`` when a key repeats.
  public init(uniqueKeysWithValues keysAndValues: some Cursor<(Key, Value)>) throws {
    try self.init(minimumCapacity: 0, uniqueKeysWithValues: keysAndValues)
  }

  /// Creates a dictionary of the pairs of a cursor, with room for an expected number of keys.
  ///
  /// - throws: A ``DatabaseError`` when a key repeats.
  public init(
    minimumCapacity: Int,
    uniqueKeysWithValues keysAndValues: some Cursor<(Key, Value)>
  ) throws {
    self.init(minimumCapacity: minimumCapacity)
    try keysAndValues.forEach { key, value in
      guard updateValue(value, forKey: key) == nil else {
        throw DatabaseError(message: "Duplicate values for key: '\(key)'")
      }
    }
  }
}
