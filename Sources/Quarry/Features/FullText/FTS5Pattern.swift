/// A pattern for FTS5 tables.
///
/// ```swift
/// // SELECT * FROM "document" WHERE "document" MATCH 'old man'
/// let pattern = FTS5Pattern(matchingAllTokensIn: "Old MAN!")
/// let documents = try Document.matching(pattern).fetchAll(db)
/// ```
///
/// The patterns that are made of a text never fail, whatever was typed, in tables that store the
/// places of words: see ``FTS5TableDefinition/detail``. Patterns with the operators of FTS5 are
/// made by ``init(rawPattern:allowedColumns:)`` and
/// ``Database/makeFTS5Pattern(rawPattern:forTable:)``.
///
/// See <https://www.sqlite.org/fts5.html#full_text_query_syntax>.
public struct FTS5Pattern: Hashable, Sendable {
  /// The text of the pattern.
  public let rawPattern: String

  /// The operator that joins the parts of the pattern, each in parentheses. Nil for other patterns.
  package var jointOperator: String?

  /// The pattern that others are excluded from, and those. Nil for other patterns.
  package var exclusion: (base: String, patterns: [String])?

  package init(unchecked pattern: String) { rawPattern = pattern }

  /// Creates a pattern from its text.
  ///
  /// ```swift
  /// let pattern = try FTS5Pattern(rawPattern: "title: sea NOT river", allowedColumns: ["title"])
  /// ```
  ///
  /// - parameter rawPattern: The text.
  /// - parameter allowedColumns: The columns that the pattern may name.
  /// - throws: A ``DatabaseError`` if SQLite refuses the pattern.
  public init(rawPattern: String, allowedColumns: [String] = []) throws {
    try PatternCheck.shared.withLock { try $0.check(fts5: rawPattern, columns: allowedColumns) }
    self.rawPattern = rawPattern
  }

  /// Creates a pattern that matches any of the words of a text: `old OR man`. Nil if there is no
  /// word.
  public init?(matchingAnyTokenIn string: String) {
    self.init(string) { $0.joined(separator: " OR ") }
  }

  /// Creates a pattern that matches all words of a text: `old man`. Nil if there is no word.
  public init?(matchingAllTokensIn string: String) {
    self.init(string) { $0.joined(separator: " ") }
  }

  /// Creates a pattern that matches words which begin with those of a text: `old* man*`. Nil if
  /// there is no word.
  public init?(matchingAllPrefixesIn string: String) {
    self.init(string) { tokens in tokens.map { "\($0)*" }.joined(separator: " ") }
  }

  /// Creates a pattern that matches words which begin with the last one of a text, and all other
  /// ones: `old ma*`. Nil if there is no word.
  ///
  /// This is for search as you type. Characters that end a word end the last one too: the pattern
  /// of `"old man "` is `old man`.
  public init?(matchingAllTokensIn string: String, lastTokenAsPrefix: Bool) {
    let suffix = lastTokenAsPrefix && string.endsWithToken ? "*" : ""
    self.init(string) { $0.joined(separator: " ") + suffix }
  }

  /// Creates a pattern that matches the words of a text in a row: `"old man"`. Nil if there is no
  /// word.
  public init?(matchingPhrase string: String) {
    self.init(string) { "\"\($0.joined(separator: " "))\"" }
  }

  /// Creates a pattern that matches the words of a text in a row, at the beginning of a column:
  /// `^"old man"`. Nil if there is no word.
  public init?(matchingPrefixPhrase string: String) {
    self.init(string) { "^\"\($0.joined(separator: " "))\"" }
  }

  /// Lower-cased words are no operators, and have no character that means something: SQLite need
  /// not be asked.
  private init?(_ text: String, _ join: ([String]) -> String) {
    let tokens = text.asciiTokens()
    if tokens.isEmpty { return nil }
    rawPattern = join(tokens)
  }
}

extension FTS5Pattern: DatabaseValueConvertible {
  /// The text of the pattern.
  public var databaseValue: DatabaseValue { rawPattern.databaseValue }

  /// Returns the pattern of a text. Nil for texts that are no pattern or name columns, and for
  /// values that are no text.
  public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> FTS5Pattern? {
    String.fromDatabaseValue(dbValue).flatMap { try? FTS5Pattern(rawPattern: $0) }
  }
}

extension FTS5Pattern: CustomStringConvertible {
  /// The text of the pattern.
  public var description: String { rawPattern }
}

extension FTS5Pattern {
  /// Returns whether the texts of two patterns are equal.
  public static func == (lhs: FTS5Pattern, rhs: FTS5Pattern) -> Bool {
    lhs.rawPattern == rhs.rawPattern
  }

  /// Hashes the text of the pattern.
  public func hash(into hasher: inout Hasher) { hasher.combine(rawPattern) }
}

extension Database {
  /// Creates a pattern from its text, which may name the columns of a table.
  ///
  /// ```swift
  /// let pattern = try db.makeFTS5Pattern(rawPattern: "title: sea", forTable: "document")
  /// ```
  ///
  /// - throws: A ``DatabaseError`` if SQLite refuses the pattern, and if there is no such table.
  public func makeFTS5Pattern(rawPattern: String, forTable tableName: String) throws -> FTS5Pattern
  {
    try FTS5Pattern(rawPattern: rawPattern, allowedColumns: columns(in: tableName).map(\.name))
  }
}
