/// Reads SQL piece by piece: white space, comments, texts, names, words and symbols.
///
/// A text ends with the end of a statement if it ends with a semicolon outside of texts, names and
/// comments, and of the body of a trigger.
///
/// See <https://www.sqlite.org/c3ref/complete.html>.
struct StatementScanner {
  private var rest: Substring.UnicodeScalarView
  /// True after a semicolon, and white space or comments.
  private var isAtEnd = false
  /// The first words of the statement.
  private var words: [String] = []
  private var lastToken = LastToken.other

  /// The last token, as far as it counts for the end of a trigger: `; END;`.
  private enum LastToken {
    case semicolon, end, other
  }

  /// True as long as there is nothing but white space and comments.
  private var isBlank = true

  enum State {
    case blank, incomplete, complete
  }

  static func state(of text: String) -> State {
    var scanner = StatementScanner(rest: Substring(text).unicodeScalars)
    return scanner.scan() ? .complete : scanner.isBlank ? .blank : .incomplete
  }

  private init(rest: Substring.UnicodeScalarView) {
    self.rest = rest
  }

  /// The same for statements that differ in white space alone. That of texts and names is a part of
  /// them, and the end of a line is that of its comment.
  static func normalized(_ sql: String) -> String {
    var scanner = StatementScanner(rest: Substring(sql).unicodeScalars)
    var result = ""
    while let scalar = scanner.rest.first {
      let start = scanner.rest
      let isLine = scanner.starts("--")
      let isComment = isLine || scanner.starts("/*")
      scanner.readPiece(scalar)
      let piece = String(start[..<scanner.rest.startIndex])
      if isComment {
        result += piece.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        if isLine { result += "\n" }
      } else if !scalar.properties.isWhitespace {
        result += piece
      } else if result.unicodeScalars.last?.properties.isWhitespace == false {
        result += " "
      }
    }
    return result.trimmingSuffix("\n").trimmingSuffix(" ")
  }

  private mutating func scan() -> Bool {
    while let scalar = rest.first {
      guard readPiece(scalar) else { return false }
    }
    return isAtEnd
  }

  /// - returns: false for a comment, text or name without its end.
  @discardableResult
  private mutating func readPiece(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.properties.isWhitespace {
      rest.removeFirst()
    } else if starts("--") {
      skip(past: "\n")
    } else if starts("/*") {
      guard skip(past: "*/") else {
        isBlank = false
        return false
      }
    } else if let end = Self.closing[scalar] {
      rest.removeFirst()
      (isAtEnd, isBlank) = (false, false)
      lastToken = .other
      return skip(past: end)
    } else {
      readToken(scalar)
    }
    return true
  }

  private static let closing: [Unicode.Scalar: String] = [
    "'": "'", "\"": "\"", "`": "`", "[": "]",
  ]

  private mutating func readToken(_ scalar: Unicode.Scalar) {
    isBlank = false
    guard scalar.isWordPart else {
      rest.removeFirst()
      isAtEnd = scalar == ";" && (!isTrigger || lastToken == .end)
      if isAtEnd { words = [] }
      lastToken = scalar == ";" ? .semicolon : .other
      return
    }
    let word = String(rest.prefix(while: \.isWordPart)).uppercased()
    rest = rest.drop(while: \.isWordPart)
    if words.count < 3 { words.append(word) }
    lastToken = lastToken == .semicolon && word == "END" ? .end : .other
    isAtEnd = false
  }

  private var isTrigger: Bool {
    words.first == "CREATE" && words.contains("TRIGGER")
  }

  private func starts(_ text: String) -> Bool {
    rest.starts(with: text.unicodeScalars)
  }

  @discardableResult
  private mutating func skip(past end: String) -> Bool {
    while !rest.isEmpty {
      if starts(end) {
        rest = rest.dropFirst(end.unicodeScalars.count)
        return true
      }
      rest.removeFirst()
    }
    return false
  }
}

extension Unicode.Scalar {
  fileprivate var isWordPart: Bool {
    self == "_" || !isASCII || properties.isAlphabetic || properties.numericType != nil
  }
}
