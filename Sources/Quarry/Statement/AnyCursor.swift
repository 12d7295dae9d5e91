/// A cursor that hides the type of another cursor, or that iterates any sequence.
public final class AnyCursor<Element>: Cursor {
  private let element: () throws -> Element?

  /// Creates a cursor that calls a closure for each element, until it returns nil.
  public init(_ body: @escaping () throws -> Element?) {
    element = body
  }

  /// Creates a cursor that iterates another one.
  public convenience init<C: Cursor>(_ base: C) where C.Element == Element {
    self.init(base.next)
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
  public func next() throws -> Element? {
    try element()
  }
}
