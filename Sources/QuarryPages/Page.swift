/// Some consecutive rows of a request, and the cursors of the pages around them.
///
/// ```swift
/// let first = try Player.order(Column("score").desc).page(limit: 20).fetch(db)
/// if let next = first.next {
///   let second = try Player.order(Column("score").desc).page(after: next, limit: 20).fetch(db)
/// }
/// ```
public struct Page<Record> {
  /// The records, in the order of the request.
  public let records: [Record]

  /// The cursor for `QueryInterfaceRequest.page(after:limit:)`. Nil on the last page.
  public let next: PageCursor?

  /// The cursor for `QueryInterfaceRequest.page(before:limit:)`. Nil on the first page.
  public let previous: PageCursor?
}

extension Page: Sendable where Record: Sendable {}
extension Page: Equatable where Record: Equatable {}
