/// Determines whether a text ends with the end of a statement: a semicolon outside of texts, names
/// and comments, and of the body of a trigger.
///
/// See <https://www.sqlite.org/c3ref/complete.html>.
struct StatementScanner {
  private var rest: Substring.UnicodeScalarView
  /// True after a semicolon, and white space or comments.
  private var isAtEnd = false
  private var words: [String] = []

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

  private mutating func scan() -> Bool {
    while let scalar = rest.first {
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
        guard skip(past: end) else { return false }
      } else {
        readToken(scalar)
      }
    }
    return isAtEnd
  }

  private static let closing: [Unicode.Scalar: String] = [
    "'": "'", "\"": "\"", "`": "`", "[": "]",
  ]

  private mutating func readToken(_ scalar: Unicode.Scalar) {
    isBlank = false
    guard scalar.isWordPart else {
      rest.removeFirst()
      isAtEnd = scalar == ";" && (!isTrigger || words.last == "END")
      if isAtEnd { words = [] }
      return
    }
    let word = rest.prefix(while: \.isWordPart)
    rest = rest.dropFirst(word.count)
    // A trigger is known by its first words, and its end by the last one.
    words = words.prefix(3) + [String(word).uppercased()]
    isAtEnd = false
  }

  private var isTrigger: Bool {
    words.first == "CREATE" && words.prefix(3).contains("TRIGGER")
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
