/// A tokenizer of FTS3 and FTS4 tables: how texts become words.
///
/// | descriptor | `Red ÉTÉ sailing` |
/// | --- | --- |
/// | ``simple`` | `red` `ÉtÉ` `sailing` |
/// | ``porter`` | `red` `ÉtÉ` `sail` |
/// | ``unicode61(diacritics:separators:tokenCharacters:)`` | `red` `ete` `sailing` |
///
/// See <https://www.sqlite.org/fts3.html#tokenizer>.
public struct FTS3TokenizerDescriptor: Sendable {
  let name: String
  /// The words after the name in `tokenize=`.
  var arguments: [String] = []

  /// Words of ASCII letters and digits, and of all other characters. ASCII letters are lower-cased.
  public static let simple = FTS3TokenizerDescriptor(name: "simple")

  /// As ``simple``, and English words are reduced to their stems.
  public static let porter = FTS3TokenizerDescriptor(name: "porter")

  /// Words of Unicode letters and digits, without case.
  ///
  /// ```swift
  /// // tokenize=unicode61 "remove_diacritics=0" "tokenchars=#_"
  /// t.tokenizer = .unicode61(diacritics: .keep, tokenCharacters: ["#", "_"])
  /// ```
  ///
  /// - parameter diacritics: The treatment of diacritics.
  /// - parameter separators: Characters that separate words.
  /// - parameter tokenCharacters: Characters that belong to words.
  public static func unicode61(
    diacritics: FTS3.Diacritics = .removeLegacy, separators: Set<Character> = [],
    tokenCharacters: Set<Character> = []
  ) -> FTS3TokenizerDescriptor {
    let options = diacritics.options(separators: separators, tokenCharacters: tokenCharacters)
    return FTS3TokenizerDescriptor(
      name: "unicode61", arguments: options.map { $0.joined(separator: "=") })
  }
}

extension FTS3.Diacritics {
  /// The options of a tokenizer that are not the default ones: `[["tokenchars", "#_"]]`
  func options(
    categories: String = "", separators: Set<Character>, tokenCharacters: Set<Character>
  ) -> [[String]] {
    let removal =
      switch self {
      case .keep: "0"
      case .removeLegacy: ""
      case .remove: "2"
      }
    return [
      ["remove_diacritics", removal], ["categories", categories],
      ["separators", separators.sortedText], ["tokenchars", tokenCharacters.sortedText],
    ].filter { !$0[1].isEmpty }
  }
}

extension FTS3TokenizerDescriptor? {
  /// The argument of the module: none without tokenizer.
  var arguments: [String] {
    guard let self else { return [] }
    let words = [self.name] + self.arguments.map(\.quotedDatabaseIdentifier)
    return ["tokenize=\(words.joined(separator: " "))"]
  }
}

extension FTS3 {
  /// Returns the words that a tokenizer makes of a text. No database is needed.
  ///
  /// ```swift
  /// try FTS3.tokenize("Sailing ships", withTokenizer: .porter)  // ["sail", "ship"]
  /// ```
  ///
  /// See <https://www.sqlite.org/fts3.html#querying_tokenizers>.
  ///
  /// - throws: A ``DatabaseError``.
  public static func tokenize(
    _ string: String, withTokenizer tokenizer: FTS3TokenizerDescriptor = .simple
  ) throws -> [String] {
    let arguments = ([tokenizer.name] + tokenizer.arguments).map(\.quotedDatabaseText)
    return try DatabaseQueue().writeWithoutTransaction { db throws -> [String] in
      let module = "fts3tokenize(\(arguments.joined(separator: ", ")))"
      try db.create(virtualTable: "tokens", using: module)
      return try String.fetchAll(
        db, sql: "SELECT token FROM tokens WHERE input = ? ORDER BY position",
        arguments: [string.untilNUL])
    }
  }
}
