/// The module of a virtual table and its arguments, read from the statement that has created the
/// table.
///
/// See <https://www.sqlite.org/vtab.html#creating_and_destroying_virtual_tables>.
package struct ModuleArguments: Sendable {
  /// The name of the module, in lower case.
  let module: String
  let arguments: [String]

  /// Nil for the statement of something else.
  package init?(sql: String) {
    guard let using = Self.words(of: sql).first(where: { String($0).isSameIdentifier(as: "USING") })
    else {
      return nil
    }
    let rest = sql[using.endIndex...].drop(while: \.isWhitespace)
    let name = rest.prefix { !$0.isWhitespace && $0 != "(" }
    module = String(name).unquoted.lowercased()
    let list = rest[name.endIndex...].drop(while: \.isWhitespace)
    guard list.first == "(", let end = list.lastIndex(of: ")") else {
      arguments = []
      return
    }
    let inner = list[list.index(after: list.startIndex)..<end]
    arguments = Self.split(inner) { $0 == "," }.map { String($0).trimmedSQL }
  }

  /// The table with the texts of a full-text table: nil for the table itself, an empty name for
  /// none.
  package var content: String? { ["fts4", "fts5"].contains(module) ? option("content") : nil }

  /// The columns that a full-text table names, and needs in its content table.
  package var contentColumns: [String] { columns + (contentRowID.map { [$0] } ?? []) }

  /// The column of the content table that has the rowids. Nil for the rowid itself.
  var contentRowID: String? {
    guard let name = option("content_rowid"),
      !["rowid", "_rowid_", "oid"].contains(name.lowercased())
    else { return nil }
    return name
  }

  /// The columns that a full-text table names. Empty for one that has those of its content table.
  package var columns: [String] {
    arguments.filter { Self.split($0[...]) { $0 == "=" }.count == 1 }
      .compactMap { Self.words(of: $0).first.map { String($0).unquoted } }
  }

  /// The value of an option, unquoted: `book` for `content='book'`.
  package func option(_ name: String) -> String? {
    arguments.lazy.compactMap { Self.value(of: name, in: $0) }.first
  }

  /// The statement that creates a full-text table over a content table with another name, whose
  /// columns may have others too.
  ///
  /// - parameter table: The full-text table in SQL.
  package func creation(
    of table: String, content: String, renaming columns: [(old: String, new: String)] = []
  ) -> String {
    let list = arguments.map { argument in
      Self.value(of: "content", in: argument) == nil
        ? Self.argument(argument, renaming: columns)
        : "content=\(content.quotedDatabaseText)"
    }
    return "CREATE VIRTUAL TABLE \(table) USING \(module)(\(list.joined(separator: ", ")))"
  }

  /// A column, or the option that has the name of one.
  private static func argument(
    _ argument: String, renaming columns: [(old: String, new: String)]
  ) -> String {
    let newName = { (name: String) in columns.first { $0.old.isSameIdentifier(as: name) }?.new }
    for option in ["content_rowid", "languageid", "notindexed"] {
      guard let new = value(of: option, in: argument).flatMap(newName) else { continue }
      return "\(option)=\(new.quotedDatabaseText)"
    }
    guard split(argument[...], { $0 == "=" }).count == 1, let word = words(of: argument).first,
      let new = newName(String(word).unquoted)
    else { return argument }
    return new.quotedDatabaseIdentifier + argument[word.endIndex...]
  }

  private static func value(of option: String, in argument: String) -> String? {
    let parts = split(argument[...]) { $0 == "=" }
    guard parts.count > 1, String(parts[0]).trimmedSQL.isSameIdentifier(as: option) else {
      return nil
    }
    return String(argument[parts[1].startIndex...]).trimmedSQL.unquoted
  }

  /// The words of a text, quoted ones whole.
  private static func words(of sql: String) -> [Substring] {
    split(sql[...]) { $0.properties.isWhitespace }.filter { !$0.isEmpty }
  }

  /// Splits a text where it is neither quoted nor in parentheses.
  private static func split(
    _ text: Substring, _ isSeparator: (Unicode.Scalar) -> Bool
  ) -> [Substring] {
    var parts: [Substring] = []
    var start = text.startIndex
    var quote: Unicode.Scalar?
    var depth = 0
    let scalars = text.unicodeScalars
    for index in scalars.indices {
      let scalar = scalars[index]
      if let open = quote {
        if scalar == open { quote = nil }
        continue
      }
      switch scalar {
      case "'", "\"", "`": quote = scalar
      case "[": quote = "]"
      case "(": depth += 1
      case ")": depth -= 1
      case _ where depth == 0 && isSeparator(scalar):
        parts.append(text[start..<index])
        start = scalars.index(after: index)
      default: break
      }
    }
    return parts + [text[start...]]
  }
}
