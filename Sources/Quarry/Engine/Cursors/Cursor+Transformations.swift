extension Cursor {
  /// Returns a cursor of the elements that satisfy a predicate.
  @inlinable
  public func filter(_ isIncluded: @escaping (Element) throws -> Bool) -> FilterCursor<Self> {
    FilterCursor(self, isIncluded)
  }

  /// Returns a cursor of transformed elements.
  ///
  /// ```swift
  /// let lengths = try String.fetchCursor(db, sql: "SELECT title FROM book").map(\.count)
  /// ```
  @inlinable
  public func map<T>(_ transform: @escaping (Element) throws -> T) -> MapCursor<Self, T> {
    MapCursor(self, transform)
  }

  /// Returns a cursor of the transformed elements that are not nil.
  public func compactMap<ElementOfResult>(
    _ transform: @escaping (Element) throws -> ElementOfResult?
  ) -> MapCursor<FilterCursor<MapCursor<Self, ElementOfResult?>>, ElementOfResult> {
    map(transform).filter { $0 != nil }.map { element in
      guard let element else { preconditionFailure("nil elements are filtered out") }
      return element
    }
  }

  /// Returns a cursor of pairs: the rank of an element, from 0, and the element.
  @inlinable
  public func enumerated() -> EnumeratedCursor<Self> {
    var index = 0
    return map { element in
      defer { index += 1 }
      return (index, element)
    }
  }

  /// Returns a cursor of all elements of the sequences that a closure makes from the elements.
  public func flatMap<SegmentOfResult: Sequence>(
    _ transform: @escaping (Element) throws -> SegmentOfResult
  ) -> FlattenCursor<MapCursor<Self, AnyCursor<SegmentOfResult.Element>>> {
    flatMap { AnyCursor(try transform($0)) }
  }

  /// Returns a cursor of all elements of the cursors that a closure makes from the elements.
  public func flatMap<SegmentOfResult: Cursor>(
    _ transform: @escaping (Element) throws -> SegmentOfResult
  ) -> FlattenCursor<MapCursor<Self, SegmentOfResult>> { FlattenCursor(map(transform)) }
}

extension Cursor where Element: Cursor {
  /// Returns a cursor of all elements of the cursors.
  public func joined() -> FlattenCursor<Self> { FlattenCursor(self) }
}

extension Cursor where Element: Sequence {
  /// Returns a cursor of all elements of the sequences.
  public func joined() -> FlattenCursor<MapCursor<Self, AnyCursor<Element.Element>>> {
    flatMap { $0 }
  }
}

extension Sequence {
  /// Returns a cursor of all elements of the cursors that a closure makes from the elements.
  public func flatMap<SegmentOfResult: Cursor>(
    _ transform: @escaping (Iterator.Element) throws -> SegmentOfResult
  ) -> FlattenCursor<MapCursor<AnyCursor<Iterator.Element>, SegmentOfResult>> {
    AnyCursor(self).flatMap(transform)
  }
}

/// A cursor of pairs: the rank of an element of another cursor, from 0, and the element.
public typealias EnumeratedCursor<Base: Cursor> = MapCursor<Base, (Int, Base.Element)>

/// A cursor of the elements of another cursor that satisfy a predicate.
public final class FilterCursor<Base: Cursor>: Cursor {
  @usableFromInline let base: Base
  @usableFromInline let isIncluded: (Base.Element) throws -> Bool

  @usableFromInline
  init(_ base: Base, _ isIncluded: @escaping (Base.Element) throws -> Bool) {
    self.base = base
    self.isIncluded = isIncluded
  }

  /// Returns the next element, or nil at the end.
  @inlinable
  public func next() throws -> Base.Element? { try base.first(where: isIncluded) }

  /// Calls a closure with each element.
  @inlinable
  public func forEach(_ body: (Base.Element) throws -> Void) throws {
    try base.forEach { element in if try isIncluded(element) { try body(element) } }
  }
}

/// A cursor of the transformed elements of another cursor.
public final class MapCursor<Base: Cursor, Element>: Cursor {
  @usableFromInline let base: Base
  @usableFromInline let transform: (Base.Element) throws -> Element

  @usableFromInline
  init(_ base: Base, _ transform: @escaping (Base.Element) throws -> Element) {
    self.base = base
    self.transform = transform
  }

  /// Returns the next element, or nil at the end.
  @inlinable
  public func next() throws -> Element? {
    guard let element = try base.next() else { return nil }
    return try transform(element)
  }

  /// Calls a closure with each element.
  @inlinable
  public func forEach(_ body: (Element) throws -> Void) throws {
    try base.forEach { try body(try transform($0)) }
  }
}

/// A cursor of all elements of the cursors of another cursor.
public final class FlattenCursor<Base: Cursor>: Cursor where Base.Element: Cursor {
  private let base: Base
  private var segment: Base.Element?

  init(_ base: Base) { self.base = base }

  /// Returns the next element, or nil at the end.
  public func next() throws -> Base.Element.Element? {
    while true {
      if let element = try segment?.next() { return element }
      segment = try base.next()
      if segment == nil { return nil }
    }
  }

  /// Calls a closure with each element.
  public func forEach(_ body: (Base.Element.Element) throws -> Void) throws {
    try segment?.forEach(body)
    segment = nil
    try base.forEach { try $0.forEach(body) }
  }
}
