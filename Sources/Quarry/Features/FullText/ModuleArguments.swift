/// The module of a virtual table and its arguments, read from the statement that has created the
/// table.
///
/// See <https://www.sqlite.org/vtab.html#creating_and_destroying_virtual_tables>.
struct ModuleArguments {
  /// The name of the module, in lower case.
  let module: String
  let arguments: [String]

  /// Nil for the statement of something else.
  init?(sql: String) {
    guard let using = Self.words(of: sql).first(where: { String($0).isSameIdentifier(as: "USING") })
    else {
      return nil
    }
    let rest = sql[using.endIndex...].drop(while: \.isWhitespace)
    let name = rest.prefix { !$0.isWhitespace && $0 != "(" }
    module = String(name).unquotedIdentifier.lowercased()
    let list = rest[name.endIndex...].drop(while: \.isWhitespace)
    guard list.first == "(", let end = list.lastIndex(of: ")") else {
      arguments = []
      return
    }
    let inner = list[list.index(after: list.startIndex)..<end]
    arguments = Self.split(inner) { $0 == "," }.map { String($0).trimmedSQL }
  }

  /// The value of an option, unquoted: `book` for `content='book'`.
  func option(_ name: String) -> String? {
    arguments.lazy.compactMap { Self.value(of: name, in: $0) }.first
  }

  /// The arguments, with another value for an option.
  func replacing(option name: String, by value: String) -> [String] {
    arguments.map { Self.value(of: name, in: $0) == nil ? $0 : "\(name)=\(value)" }
  }

  private static func value(of option: String, in argument: String) -> String? {
    let parts = split(argument[...]) { $0 == "=" }
    guard parts.count > 1, String(parts[0]).trimmedSQL.isSameIdentifier(as: option) else {
      return nil
    }
    return String(argument[parts[1].startIndex...]).trimmedSQL.unquotedIdentifier
  }

  /// The words of a text, quoted ones whole.
  private static func words(of sql: String) -> [Substring] {
    split(sql[...]) { $0.isWhitespace }.filter { !$0.isEmpty }
  }

  /// Splits a text where it is neither quoted nor in parentheses.
  private static func split(
    _ text: Substring, _ isSeparator: (Character) -> Bool
  ) -> [Substring] {
    var parts: [Substring] = []
    var start = text.startIndex
    var quote: Character?
    var depth = 0
    for index in text.indices {
      let character = text[index]
      if let open = quote {
        if character == open { quote = nil }
        continue
      }
      switch character {
      case "'", "\"", "`": quote = character
      case "[": quote = "]"
      case "(": depth += 1
      case ")": depth -= 1
      case _ where depth == 0 && isSeparator(character):
        parts.append(text[start..<index])
        start = text.index(after: index)
      default: break
      }
    }
    return parts + [text[start...]]
  }
}

extension String {
  /// The text without its quotes, if it is quoted as an SQL name or text.
  fileprivate var unquotedIdentifier: String {
    guard count > 1, let open = first, let last else { return self }
    let close: Character = open == "[" ? "]" : open
    guard "'\"`[".contains(open), last == close else { return self }
    let inner = String(dropFirst().dropLast())
    return open == "[" ? inner : inner.replacing("\(open)\(open)", with: "\(open)")
  }
}
