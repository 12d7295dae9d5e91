/// A sequence of elements whose iteration may throw.
///
/// Cursors of database rows, values, and records load their elements one by one, and never keep
/// them all in memory:
///
/// ```swift
/// try dbQueue.read { db in
///   let titles = try String.fetchCursor(db, sql: "SELECT title FROM book")
///   while let title = try titles.next() {
///     print(title)
///   }
/// }
/// ```
///
/// A cursor is iterated once: elements that were consumed are gone. Methods that transform
/// elements, such as
/// ``map(_:)`` and ``filter(_:)``, return a cursor that consumes this one.
public protocol Cursor<Element>: AnyObject {
  /// The type of the elements.
  associatedtype Element

  /// Returns the next element, or nil at the end.
  ///
  /// - throws: An error that prevents the iteration. After an error, the content of the cursor is
  ///   undefined.
  func next() throws -> Element?

  /// Calls a closure with each element.
  func forEach(_ body: (Element) throws -> Void) throws
}

extension Cursor {
  /// Calls a closure with each element.
  @inlinable
  public func forEach(_ body: (Element) throws -> Void) throws {
    while let element = try next() { try body(element) }
  }
}
