// Methods that consume elements, until the end or until an answer is known.

extension Cursor {
  /// Whether there is no next element. The element is consumed.
  @inlinable
  public var isEmpty: Bool { get throws { try next() == nil } }

  /// Returns whether an element satisfies a predicate.
  @inlinable
  public func contains(where predicate: (Element) throws -> Bool) throws -> Bool {
    try first(where: predicate) != nil
  }

  /// Returns the first element that satisfies a predicate.
  @inlinable
  public func first(where predicate: (Element) throws -> Bool) throws -> Element? {
    while let element = try next() { if try predicate(element) { return element } }
    return nil
  }

  /// Returns the result of combining the elements.
  @inlinable
  public func reduce<Result>(
    _ initialResult: Result,
    _ nextPartialResult: (Result, Element) throws -> Result
  ) throws -> Result { try reduce(into: initialResult) { $0 = try nextPartialResult($0, $1) } }

  /// Returns the result of updating a value with each element.
  @inlinable
  public func reduce<Result>(
    into initialResult: Result,
    _ updateAccumulatingResult: (inout Result, Element) throws -> Void
  ) throws -> Result {
    var result = initialResult
    while let element = try next() { try updateAccumulatingResult(&result, element) }
    return result
  }

  /// Returns the greatest element: the last one, if several are equal.
  @inlinable
  public func max(by areInIncreasingOrder: (Element, Element) throws -> Bool) throws -> Element? {
    try min { try areInIncreasingOrder($1, $0) }
  }

  /// Returns the smallest element: the first one, if several are equal.
  @inlinable
  public func min(by areInIncreasingOrder: (Element, Element) throws -> Bool) throws -> Element? {
    guard var result = try next() else { return nil }
    while let element = try next() {
      if try areInIncreasingOrder(element, result) { result = element }
    }
    return result
  }
}

extension Cursor where Element: Equatable {
  /// Returns whether the cursor contains an element.
  @inlinable
  public func contains(_ element: Element) throws -> Bool { try contains { $0 == element } }
}

extension Cursor where Element: Comparable {
  /// Returns the greatest element.
  @inlinable
  public func max() throws -> Element? { try max(by: <) }

  /// Returns the smallest element.
  @inlinable
  public func min() throws -> Element? { try min(by: <) }
}

extension Cursor where Element: StringProtocol {
  /// Returns the concatenation of the elements, with a separator between them.
  public func joined(separator: String = "") throws -> String {
    guard let first = try next() else { return "" }
    var result = String(first)
    while let element = try next() {
      result += separator
      result += element
    }
    return result
  }
}
