extension Cursor {
  /// Returns a cursor of the elements after the first ones.
  public func dropFirst(_ count: Int) -> DropFirstCursor<Self> {
    DropFirstCursor(self, limit: count)
  }

  /// Returns a cursor of the elements after the first one.
  public func dropFirst() -> DropFirstCursor<Self> { dropFirst(1) }

  /// Returns a cursor that skips elements while they satisfy a predicate.
  ///
  /// The predicate is not called after it has returned false.
  public func drop(while predicate: @escaping (Element) throws -> Bool) -> DropWhileCursor<Self> {
    DropWhileCursor(self, predicate: predicate)
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
public final class DropFirstCursor<Base: Cursor>: Cursor {
  private let base: Base
  private var remainingDrops: Int

  init(_ base: Base, limit: Int) {
    precondition(limit >= 0, "Can't drop a negative number of elements from a cursor")
    self.base = base
    self.remainingDrops = limit
  }

  /// Returns the next element, or nil at the end.
  public func next() throws -> Base.Element? {
    while remainingDrops > 0 {
      guard try base.next() != nil else {
        remainingDrops = 0
        return nil
      }
      remainingDrops -= 1
    }
    return try base.next()
  }

  /// Calls a closure with each element.
  public func forEach(_ body: (Base.Element) throws -> Void) throws {
    try base.forEach { element in
      guard remainingDrops == 0 else { return remainingDrops -= 1 }
      try body(element)
    }
  }
}

/// A cursor that skips the first elements of another cursor while they satisfy a predicate.
public final class DropWhileCursor<Base: Cursor>: Cursor {
  private let base: Base
  private var predicate: ((Base.Element) throws -> Bool)?

  init(_ base: Base, predicate: @escaping (Base.Element) throws -> Bool) {
    self.base = base
    self.predicate = predicate
  }

  /// Returns the next element, or nil at the end.
  public func next() throws -> Base.Element? {
    guard let predicate else { return try base.next() }
    while let element = try base.next() {
      if try predicate(element) { continue }
      self.predicate = nil
      return element
    }
    return nil
  }

  /// Calls a closure with each element.
  public func forEach(_ body: (Base.Element) throws -> Void) throws {
    try base.forEach { element in
      if let predicate, try predicate(element) { return }
      predicate = nil
      try body(element)
    }
  }
}

/// A cursor of the first elements of another cursor.
public typealias PrefixCursor<Base: Cursor> = AnyCursor<Base.Element>

/// A cursor of the first elements of another cursor that satisfy a predicate.
public typealias PrefixWhileCursor<Base: Cursor> = AnyCursor<Base.Element>
