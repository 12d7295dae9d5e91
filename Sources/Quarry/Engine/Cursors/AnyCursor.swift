/// A cursor that hides the type of another cursor, or that iterates any sequence.
public final class AnyCursor<Element>: Cursor {
  private let element: () throws -> Element?
  private let elements: (((Element) throws -> Void) throws -> Void)?

  /// Creates a cursor that calls a closure for each element, until it returns nil.
  public init(_ body: @escaping () throws -> Element?) {
    element = body
    elements = nil
  }

  /// Creates a cursor that iterates another one.
  public init<C: Cursor>(_ base: C) where C.Element == Element {
    element = base.next
    elements = base.forEach
  }

  /// Creates a cursor that iterates an iterator.
  public convenience init(iterator: some IteratorProtocol<Element>) {
    var iterator = iterator
    self.init { iterator.next() }
  }

  /// Creates a cursor that iterates a sequence.
  public convenience init(_ sequence: some Sequence<Element>) {
    self.init(iterator: sequence.makeIterator())
  }

  /// Returns the next element, or nil at the end.
  public func next() throws -> Element? { try element() }

  /// Calls a closure with each element.
  public func forEach(_ body: (Element) throws -> Void) throws {
    if let elements { return try elements(body) }
    while let element = try next() { try body(element) }
  }
}
