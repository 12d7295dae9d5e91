/// A tokenizer of an application.
///
/// ```swift
/// final class SyllableTokenizer: FTS5CustomTokenizer {
///   static let name = "syllables"
///   init(db: Database, arguments: [String]) throws {}
///
///   func tokenize(
///     context: UnsafeMutableRawPointer?, tokenization: FTS5Tokenization, pText: UnsafePointer<CChar>?,
///     nText: CInt, tokenCallback: @escaping FTS5TokenCallback
///   ) -> CInt { 0 }
/// }
///
/// configuration.prepareDatabase { db in db.add(tokenizer: SyllableTokenizer.self) }
///
/// // CREATE VIRTUAL TABLE "poem" USING fts5(text, tokenize='''syllables''')
/// try db.create(virtualTable: "poem", using: FTS5()) { t in
///   t.tokenizer = SyllableTokenizer.tokenizerDescriptor()
///   t.column("text")
/// }
/// ```
///
/// Most tokenizers change what another one finds: see ``FTS5WrapperTokenizer``.
///
/// A table can only be used on connections that know its tokenizer, which have to know it when the
/// table is dropped, too. When a tokenizer finds other tokens than before, its tables have to be
/// rebuilt: see `rebuildFullTextIndex(_:)` of the product `QuarryTables`.
///
/// A token that contains a NUL is an error before SQLite 3.45, where it would damage the index. A
/// transaction that goes on after the error of a tokenizer may commit a damaged index, without a
/// savepoint: see <doc:FullTextSearch>.
///
/// See <https://www.sqlite.org/fts5.html#custom_tokenizers>.
public protocol FTS5CustomTokenizer: FTS5Tokenizer {
  /// The name of the tokenizer. Case does not matter.
  static var name: String { get }

  /// Creates a tokenizer: for each table that the connection opens, and in
  /// ``Database/makeTokenizer(_:)``.
  ///
  /// Its error becomes that of the statement.
  ///
  /// - parameter db: The connection, to make the tokenizers that this one uses.
  /// - parameter arguments: The components after the name of the tokenizer, in the definition of
  ///   the table.
  init(db: Database, arguments: [String]) throws
}

extension FTS5CustomTokenizer {
  /// The descriptor of the tokenizer, for the definition of tables.
  ///
  /// ```swift
  /// t.tokenizer = StopWordTokenizer.tokenizerDescriptor(arguments: ["french"])
  /// ```
  public static func tokenizerDescriptor(arguments: [String] = []) -> FTS5TokenizerDescriptor {
    FTS5TokenizerDescriptor(components: [name] + arguments)
  }
}
