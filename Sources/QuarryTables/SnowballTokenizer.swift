import Foundation
public import Quarry

/// A tokenizer that reduces the words of a language to their stems, without diacritics.
///
/// ```swift
/// configuration.prepareDatabase { db in db.add(tokenizer: SnowballTokenizer.self) }
///
/// // CREATE VIRTUAL TABLE "livre" USING fts5(titre, tokenize='''snowball'' ''french''')
/// try db.create(virtualTable: "livre", using: FTS5()) { t in
///   t.tokenizer = .snowball(.french)
///   t.column("titre")
/// }
/// ```
///
/// "chevaux" finds "cheval", and so does "CHEVAL". Each word is indexed and searched by its stem,
/// and as it is written: "fermee" finds "fermée". Prefixes are those of words: `chevau*` finds
/// "chevaux" while it is typed.
///
/// The stems are those of libstemmer, the library of the Snowball project, which has to be
/// installed: `libstemmer0d` on Debian and Ubuntu. It is loaded when a tokenizer is made. Another
/// version may find other stems: rebuild the indexes then, with
/// ``Quarry/Database/rebuildFullTextIndex(_:)``.
///
/// See <https://snowballstem.org>.
public final class SnowballTokenizer: FTS5WrapperTokenizer {
  /// `snowball`
  public static let name = "snowball"

  /// Whether libstemmer is installed.
  public static var isAvailable: Bool { StemmerLibrary.shared != nil }

  /// The tokenizer that finds the words.
  public let wrappedTokenizer: any FTS5Tokenizer

  private let stemmer: Stemmer
  /// Folds the diacritics of a stem, which matter until the word is stemmed.
  private let folding: any FTS5Tokenizer

  /// Creates a tokenizer.
  ///
  /// - parameter db: The connection.
  /// - parameter arguments: The language, then the components of the tokenizer that finds the
  ///   words.
  /// - throws: A `DatabaseError` if libstemmer is not installed, or does not know the language.
  public convenience init(db: Database, arguments: [String]) throws {
    try self.init(db: db, arguments: arguments, library: StemmerLibrary.shared)
  }

  init(db: Database, arguments: [String], library: StemmerLibrary?) throws {
    guard let language = arguments.first else { throw DatabaseError(message: "missing language") }
    stemmer = try Stemmer(language: language, library: library)
    let base = Array(arguments.dropFirst())
    wrappedTokenizer = try db.makeTokenizer(
      base.isEmpty ? .unicode61(diacritics: .keep) : FTS5TokenizerDescriptor(components: base))
    // All characters belong to the word: those that it has are the choice of the other tokenizer.
    folding = try db.makeTokenizer(
      .unicode61(diacritics: .remove, categories: "C* L* M* N* P* S* Z*"))
  }

  /// Gives the stem of a word, and the word itself at the same place. Gives the word alone for a
  /// prefix.
  public func accept(
    token: String, flags: FTS5TokenFlags, for tokenization: FTS5Tokenization,
    tokenCallback: FTS5WrapperTokenCallback
  ) throws {
    if tokenization.contains(.prefix) { return try tokenCallback(folded(token), flags) }
    let stem = try folded(stemmer.stem(token.precomposedStringWithCanonicalMapping))
    try tokenCallback(stem, flags)
    let word = try folded(token)
    if !word.hasSameBytes(as: stem) { try tokenCallback(word, flags.union(.colocated)) }
  }

  private func folded(_ word: String) throws -> String {
    guard word.utf8.contains(where: { $0 >= 0x80 }) else { return word }
    let tokens = try folding.tokenize(document: word)
    return tokens.count == 1 ? tokens[0].token : word
  }
}

extension FTS5TokenizerDescriptor {
  /// The words of a language are reduced to their stems, without diacritics. See
  /// ``SnowballTokenizer``, which each connection has to know.
  ///
  /// - parameter language: The language of the texts.
  /// - parameter base: The tokenizer that finds the words, `unicode61` by default. It has to keep
  ///   diacritics.
  public static func snowball(
    _ language: SnowballLanguage, wrapping base: FTS5TokenizerDescriptor? = nil
  ) -> FTS5TokenizerDescriptor {
    SnowballTokenizer.tokenizerDescriptor(
      arguments: [language.rawValue] + (base?.components ?? []))
  }
}
