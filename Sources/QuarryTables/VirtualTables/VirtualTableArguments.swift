import Quarry

/// The statement that creates a table of a module: `CREATE VIRTUAL TABLE schema.name USING
/// module(arguments)`.
public struct VirtualTableArguments: Sendable {
  /// The schema of the table: `main`, `temp`, or that of an attached database.
  public let schemaName: String

  /// The name of the table.
  public let tableName: String

  /// The arguments, as they stand in the statement, without white space at both ends.
  public let texts: [String]

  /// Whether the table is being created. Otherwise, a connection uses a table that was created
  /// before.
  public let isCreation: Bool

  init(_ words: [String], isCreation: Bool) {
    schemaName = words.count > 1 ? words[1] : ""
    tableName = words.count > 2 ? words[2] : ""
    texts = words.dropFirst(3).map { String($0.drop(while: \.isWhitespace)).trimmedAtEnd }
      .filter { !$0.isEmpty }
    self.isCreation = isCreation
  }

  /// The arguments of the form `key=value`, without quotes around the value.
  ///
  /// ```swift
  /// // CREATE VIRTUAL TABLE book USING csv(filename='books.csv', delimiter=";")
  /// let options = arguments.options    // [("filename", "books.csv"), ("delimiter", ";")]
  /// ```
  public var options: [(key: String, value: String)] { texts.compactMap { Self.option($0) } }

  /// The arguments of another form, such as `title TEXT`.
  public var otherTexts: [String] { texts.filter { Self.option($0) == nil } }

  private static func option(_ text: String) -> (key: String, value: String)? {
    let key = text.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    let rest = text[key.endIndex...].drop(while: \.isWhitespace)
    guard !key.isEmpty, rest.first == "=" else { return nil }
    let value = rest.dropFirst().drop(while: \.isWhitespace)
    return (key.lowercased(), String(value).unquoted)
  }
}

extension String {
  fileprivate var trimmedAtEnd: String {
    var text = self[...]
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
