/// A tokenizer of FTS5 tables, which splits texts into words.
///
/// | descriptor | `Red ÉTÉ sailing` |
/// | --- | --- |
/// | ``ascii(separators:tokenCharacters:)`` | `red` `ÉtÉ` `sailing` |
/// | ``unicode61(diacritics:categories:separators:tokenCharacters:)`` | `red` `ete` `sailing` |
/// | ``porter(wrapping:)`` | `red` `et` `sail` |
/// | ``trigram(caseSensitive:)`` | `red` `ed ` `d é`… |
///
/// See <https://www.sqlite.org/fts5.html#tokenizers>.
public struct FTS5TokenizerDescriptor: Sendable {
  /// The name of the tokenizer, then its arguments.
  public let components: [String]

  /// Creates a descriptor of any tokenizer.
  ///
  /// - parameter components: The name of the tokenizer, then its arguments.
  /// - precondition: There is a name.
  public init(components: [String]) {
    precondition(
      !components.isEmpty, "FTS5TokenizerDescriptor requires at least one component")
    self.components = components
  }

  /// The components as SQL string literals.
  var sql: String { components.map(\.quotedDatabaseText).joined(separator: " ") }

  /// Words of ASCII letters and digits, and of all other characters. ASCII letters are lower-cased.
  ///
  /// - parameter separators: ASCII characters that separate words.
  /// - parameter tokenCharacters: ASCII characters that belong to words.
  public static func ascii(
    separators: Set<Character> = [], tokenCharacters: Set<Character> = []
  ) -> FTS5TokenizerDescriptor {
    let options = FTS5.Diacritics.removeLegacy
      .options(separators: separators, tokenCharacters: tokenCharacters)
    return FTS5TokenizerDescriptor(components: ["ascii"] + options.joined())
  }

  /// English words are reduced to their stems.
  ///
  /// - parameter base: The tokenizer that finds the words, unicode61 by default.
  public static func porter(
    wrapping base: FTS5TokenizerDescriptor? = nil
  ) -> FTS5TokenizerDescriptor {
    FTS5TokenizerDescriptor(components: ["porter"] + (base?.components ?? []))
  }

  /// Words of Unicode letters and digits, without case.
  ///
  /// - parameter diacritics: The treatment of diacritics.
  /// - parameter categories: The Unicode categories of the characters of words: `"L* N* Co"` by
  ///   default.
  /// - parameter separators: Characters that separate words.
  /// - parameter tokenCharacters: Characters that belong to words.
  public static func unicode61(
    diacritics: FTS5.Diacritics = .removeLegacy, categories: String = "",
    separators: Set<Character> = [], tokenCharacters: Set<Character> = []
  ) -> FTS5TokenizerDescriptor {
    let options = diacritics.options(
      categories: categories, separators: separators, tokenCharacters: tokenCharacters)
    return FTS5TokenizerDescriptor(components: ["unicode61"] + options.joined())
  }

  /// Each run of three characters: patterns find any part of a text.
  ///
  /// `LIKE` and `GLOB` use the index of such a table, where the pattern has three characters in a
  /// row. `LIKE` with `ESCAPE` does not, nor does `LIKE` on a table that distinguishes case.
  ///
  /// ```swift
  /// // SELECT * FROM "bookIndex" WHERE "title" LIKE ?
  /// BookIndex.filter(Column("title").like("%ship%"))
  /// ```
  ///
  /// See <https://www.sqlite.org/fts5.html#the_trigram_tokenizer>.
  ///
  /// - parameter caseSensitive: Whether case matters.
  public static func trigram(caseSensitive: Bool = false) -> FTS5TokenizerDescriptor {
    FTS5TokenizerDescriptor(
      components: caseSensitive ? ["trigram", "case_sensitive", "1"] : ["trigram"])
  }
}
