/// A pattern for FTS3 and FTS4 tables.
///
/// ```swift
/// // SELECT * FROM "document" WHERE "document" MATCH 'old man'
/// let pattern = FTS3Pattern(matchingAllTokensIn: "Old MAN!")
/// let documents = try Document.matching(pattern).fetchAll(db)
/// ```
///
/// The patterns that are made of a text never fail, whatever was typed, unless the tokenizer of the
/// table separates words at an ASCII letter or digit. Patterns with the operators of FTS3 are made
/// by ``init(rawPattern:)``.
///
/// See <https://www.sqlite.org/fts3.html#full_text_index_queries>.
public struct FTS3Pattern: Hashable, Sendable {
  /// The text of the pattern.
  public let rawPattern: String

  /// Creates a pattern from its text.
  ///
  /// ```swift
  /// let pattern = try FTS3Pattern(rawPattern: "sea OR \"old man\"")
  /// ```
  ///
  /// Columns are those of the table that is searched: `sea OR title:` is an error of the search if
  /// there is a column `title`.
  ///
  /// - throws: A ``DatabaseError`` if SQLite refuses the pattern.
  public init(rawPattern: String) throws {
    try PatternCheck.shared.withLock { try $0.check(fts3: rawPattern) }
    self.rawPattern = rawPattern
  }

  /// Creates a pattern that matches any of the words of a text: `old OR man`. Nil if there is no
  /// word. A word with other characters than those of ASCII is in quotes, `"50€" OR man`:
  /// tokenizers that pass over one of them, such as the symbol, would pass over `OR`.
  public init?(matchingAnyTokenIn string: String) {
    self.init(
      tokens: string, separator: " OR ",
      written: { $0.unicodeScalars.allSatisfy(\.isASCII) ? $0 : "\"\($0)\"" })
  }

  /// Creates a pattern that matches all words of a text: `old man`. Nil if there is no word.
  public init?(matchingAllTokensIn string: String) { self.init(tokens: string, separator: " ") }

  /// Creates a pattern that matches words which begin with those of a text: `old* man*`. Nil if
  /// there is no word.
  public init?(matchingAllPrefixesIn string: String) {
    self.init(tokens: string, separator: " ", written: { $0.withoutFinalPunctuation + "*" })
  }

  /// Creates a pattern that matches words which begin with the last one of a text, and all other
  /// ones: `old ma*`. Nil if there is no word.
  ///
  /// This is for search as you type. Characters that end a word end the last one too: the pattern
  /// of `"old man "` is `old man`.
  public init?(matchingAllTokensIn string: String, lastTokenAsPrefix: Bool) {
    let isPrefix = lastTokenAsPrefix && string.endsWithToken
    self.init(
      tokens: string, separator: " ", last: { isPrefix ? $0.withoutFinalPunctuation + "*" : $0 })
  }

  /// Creates a pattern that matches the words of a text in a row: `"old man"`. Nil if there is no
  /// word.
  public init?(matchingPhrase string: String) {
    let tokens = string.simpleTokens()
    if tokens.isEmpty { return nil }
    rawPattern = "\"\(tokens.joined(separator: " "))\""
  }

  /// FTS3 refuses many words: nil then.
  private init?(
    tokens text: String, separator: String, last: (String) -> String = { $0 },
    written: (String) -> String = { $0 }
  ) {
    var tokens = text.simpleTokens()
    guard let end = tokens.popLast() else { return nil }
    tokens = (tokens + [last(end)]).map(written)
    let pattern = tokens.joined(separator: separator)
    guard tokens.count < Self.safeTokenCount else {
      guard let checked = try? FTS3Pattern(rawPattern: pattern) else { return nil }
      self = checked
      return
    }
    rawPattern = pattern
  }

  /// So many words are below the limit of any build of SQLite. See `SQLITE_FTS3_MAX_EXPR_DEPTH` in
  /// its sources.
  private static let safeTokenCount = 1000
}

extension Unicode.Scalar {
  /// A letter or a number for all tokenizers, or a mark, which is one for some.
  fileprivate var belongsToWord: Bool {
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber, .privateUse, .nonspacingMark, .spacingMark,
      .enclosingMark:
      true
    default: isASCII
    }
  }
}

extension String {
  /// The word up to its last letter or mark, which a `*` must follow. All of it if it has none.
  fileprivate var withoutFinalPunctuation: String {
    let end = unicodeScalars.lastIndex(where: \.belongsToWord)
    return end.map { String(unicodeScalars[...$0]) } ?? self
  }

  /// The last character of the text belongs to a word.
  var endsWithToken: Bool { utf8.last.map { $0 >= 0x80 || $0.isASCIILetterOrDigit } ?? false }
}

extension FTS3Pattern: DatabaseValueConvertible {
  /// The text of the pattern.
  public var databaseValue: DatabaseValue { rawPattern.databaseValue }

  /// Returns the pattern of a text. Nil for texts that are no pattern, and for values that are no
  /// text.
  public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> FTS3Pattern? {
    String.fromDatabaseValue(dbValue).flatMap { try? FTS3Pattern(rawPattern: $0) }
  }
}

extension FTS3Pattern: CustomStringConvertible {
  /// The text of the pattern.
  public var description: String { rawPattern }
}
