extension Row: RandomAccessCollection {
  /// The position of a column.
  public struct Index: Comparable, Strideable, Sendable {
    let position: Int

    /// Returns whether an index comes before another one.
    public static func < (lhs: Index, rhs: Index) -> Bool { lhs.position < rhs.position }

    /// The number of columns to the other index.
    public func distance(to other: Index) -> Int { other.position - position }

    /// The index so many columns further.
    public func advanced(by count: Int) -> Index { Index(position: position + count) }
  }

  /// The position of the first column.
  public var startIndex: Index { Index(position: 0) }

  /// The position after the last column.
  public var endIndex: Index { Index(position: count) }

  /// The name and value of a column.
  public subscript(_ index: Index) -> (String, DatabaseValue) {
    checkIndex(index.position)
    return (layout.columnNames[index.position], databaseValue(at: index.position))
  }
}

extension Row {
  /// The names of the columns, in the order of the query.
  public var columnNames: LazyMapCollection<Row, String> { lazy.map { $0.0 } }

  /// The values of the columns, in the order of the query.
  public var databaseValues: LazyMapCollection<Row, DatabaseValue> { lazy.map { $0.1 } }

  /// Returns whether there is a column with a name, without regard to the case of ASCII letters.
  public func hasColumn(_ columnName: String) -> Bool { layout.index(ofColumn: columnName) != nil }

  /// Returns whether a column is NULL.
  public func hasNull(atIndex index: Int) -> Bool {
    checkIndex(index)
    return isNull(at: index)
  }

  /// True if a column of the row, or of one of its scopes, is not NULL.
  public var containsNonNullValue: Bool {
    for index in 0..<count where !isNull(at: index) { return true }
    return scopes.contains { $0.row.containsNonNullValue }
  }

  /// The first value that is not NULL, among those of the columns with these names that exist.
  ///
  /// ```swift
  /// let name: String? = row.coalesce(["nickname", "name"])
  /// ```
  public func coalesce<T: DatabaseValueConvertible>(_ columns: some Collection<String>) -> T? {
    for column in columns {
      guard let index = layout.index(ofColumn: column), !isNull(at: index) else { continue }
      return self[index] as T
    }
    return nil
  }

  /// The first value that is not NULL, among those of the columns that exist.
  public func coalesce<T: DatabaseValueConvertible>(
    _ columns: some Collection<any ColumnExpression>
  ) -> T? { coalesce(columns.lazy.map { $0.name }) }

  func isNull(at index: Int) -> Bool {
    let column = layout.physicalIndex(index)
    if let statement = liveStatement { return statement.handle.isNull(column) }
    return batch?.isNull(row: batchIndex, column: column) ?? true
  }
}

extension Row: Hashable {
  /// Two rows are equal when they have the same columns with equal values in the same order, equal
  /// scopes, and equal prefetched rows.
  public static func == (lhs: Row, rhs: Row) -> Bool {
    if lhs === rhs { return true }
    guard lhs.layout.columnNames.hasSameTexts(as: rhs.layout.columnNames),
      zip(lhs.databaseValues, rhs.databaseValues).allSatisfy(==),
      lhs.scopeKeys == rhs.scopeKeys
    else { return false }
    return lhs.scopes.allSatisfy { rhs.scopes[$0.name] == $0.row }
      && lhs.prefetchedRows == rhs.prefetchedRows
  }

  private var scopeKeys: Set<BinaryText> { Set(layout.scopes.map { BinaryText($0.name) }) }

  /// Hashes the names and values of the columns.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for (name, value) in self {
      hasher.combine(BinaryText(name))
      hasher.combine(value)
    }
  }
}
