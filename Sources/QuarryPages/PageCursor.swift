/// A position in the order of a request: the values of the order in one row.
///
/// ```swift
/// let page = try Player.order(Column("score").desc).page(limit: 20).fetch(db)
/// let link = page.next.map { "/players?after=\($0.text)" }
/// ```
///
/// A cursor is valid for requests with the same order on the same table, whatever their filters
/// are. It is a text that fits into an URL, and is encoded as one. It contains the values of a row,
/// which whoever gets it can read and change: a changed cursor leads to another position, never to
/// other SQL.
public struct PageCursor: Hashable, Sendable {
  /// The cursor as a text: letters, digits, `-` and `_`.
  public let text: String

  /// Creates a cursor from its ``text``.
  ///
  /// - Throws: ``PageCursorError`` for a text that is no cursor.
  public init(_ text: String) throws {
    _ = try PagePosition(text)
    self.text = text
  }

  init(_ position: PagePosition) { text = position.text }
}

extension PageCursor: Codable {
  /// Decodes the text of a cursor.
  ///
  /// - Throws: `DecodingError`, with a ``PageCursorError`` for a text that is no cursor.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do {
      try self.init(container.decode(String.self))
    } catch let error as PageCursorError {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: container.codingPath, debugDescription: error.message,
          underlyingError: error))
    }
  }

  /// Encodes the text of the cursor.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

extension PageCursor: CustomStringConvertible {
  /// The text of the cursor.
  public var description: String { text }
}

/// A cursor that does not lead to a position in a request.
public struct PageCursorError: Error, Equatable, CustomStringConvertible {
  /// Why the cursor is refused.
  public enum Reason: Sendable {
    /// The text is no cursor, or not a whole one.
    case damaged
    /// The cursor belongs to another table, or to another order of it.
    case otherOrder
  }

  /// Why the cursor is refused.
  public let reason: Reason

  /// The fault, and the way out.
  public let message: String

  /// The text of the cursor.
  public let cursor: String

  /// The message, followed by the cursor.
  public var description: String { "\(message) - cursor \"\(cursor)\"" }

  static func damaged(_ cursor: String) -> PageCursorError {
    PageCursorError(
      reason: .damaged,
      message: "The text is no cursor of a page: take the `text` of a cursor as it is, or begin "
        + "with the first page", cursor: cursor)
  }
}
