extension Cursor {
  /// Returns a cursor of the elements after the first ones.
  public func dropFirst(_ count: Int) -> DropFirstCursor<Self> {
    precondition(count >= 0, "Can't drop a negative number of elements from a cursor")
    var remaining = count
    return drop { _ in
      remaining -= 1
      return remaining >= 0
    }
  }

  /// Returns a cursor of the elements after the first one.
  public func dropFirst() -> DropFirstCursor<Self> { dropFirst(1) }

  /// Returns a cursor that skips elements while they satisfy a predicate.
  ///
  /// The predicate is not called after it has returned false.
  public func drop(while predicate: @escaping (Element) throws -> Bool) -> DropWhileCursor<Self> {
    var isDropping = true
    return filter { element in
      if isDropping { isDropping = try predicate(element) }
      return !isDropping
    }
  }

  /// Returns a cursor of the first elements. Further elements of this cursor are not consumed.
  public func prefix(_ maxLength: Int) -> PrefixCursor<Self> {
    precondition(maxLength >= 0, "Can't take a prefix of negative length from a cursor")
    var remaining = maxLength
    return AnyCursor {
      guard remaining > 0, let element = try self.next() else {
        remaining = 0
        return nil
      }
      remaining -= 1
      return element
    }
  }

  /// Returns a cursor of the first elements that satisfy a predicate.
  public func prefix(
    while predicate: @escaping (Element) throws -> Bool
  ) -> PrefixWhileCursor<Self> {
    var isOver = false
    return AnyCursor {
      if !isOver, let element = try self.next(), try predicate(element) { return element }
      isOver = true
      return nil
    }
  }

  /// Returns the elements before the last ones.
  public func dropLast(_ count: Int) throws -> [Element] {
    precondition(count >= 0, "Can't drop a negative number of elements from a cursor")
    if count == 0 { return try Array(self) }
    var result: [Element] = []
    var last = RingBuffer<Element>(capacity: count)
    while let element = try next() {
      if let dropped = last.append(element) { result.append(dropped) }
    }
    return result
  }

  /// Returns the elements before the last one.
  public func dropLast() throws -> [Element] { try dropLast(1) }

  /// Returns the last elements.
  public func suffix(_ maxLength: Int) throws -> [Element] {
    precondition(maxLength >= 0, "Can't take a suffix of negative length from a cursor")
    if maxLength == 0 { return [] }
    var last = RingBuffer<Element>(capacity: maxLength)
    while let element = try next() { _ = last.append(element) }
    return last.elements
  }
}

/// The last elements of a series.
private struct RingBuffer<Element> {
  private let capacity: Int
  private var storage: [Element] = []
  private var start = 0

  init(capacity: Int) { self.capacity = capacity }

  var elements: [Element] { Array(storage[start...] + storage[..<start]) }

  /// Appends an element, and returns the one that leaves the full buffer.
  mutating func append(_ element: Element) -> Element? {
    if storage.count < capacity {
      storage.append(element)
      return nil
    }
    defer {
      storage[start] = element
      start = (start + 1) % capacity
    }
    return storage[start]
  }
}

/// A cursor that skips the first elements of another cursor.
public typealias DropFirstCursor<Base: Cursor> = FilterCursor<Base>

/// A cursor that skips the first elements of another cursor while they satisfy a predicate.
public typealias DropWhileCursor<Base: Cursor> = FilterCursor<Base>

/// A cursor of the first elements of another cursor.
public typealias PrefixCursor<Base: Cursor> = AnyCursor<Base.Element>

/// A cursor of the first elements of another cursor that satisfy a predicate.
public typealias PrefixWhileCursor<Base: Cursor> = AnyCursor<Base.Element>
