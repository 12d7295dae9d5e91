public import Quarry

/// Leaves stop words out: `the`, `of`, and its arguments.
public final class StopWords: FTS5WrapperTokenizer {
  public static let name = "stopwords"
  public let wrappedTokenizer: any FTS5Tokenizer
  private let words: Set<String>

  public init(db: Database, arguments: [String]) throws {
    wrappedTokenizer = try db.makeTokenizer(.unicode61())
    words = Set(arguments).union(["the", "of"])
  }

  public func accept(
    token: String, flags: FTS5TokenFlags, for tokenization: FTS5Tokenization,
    tokenCallback: FTS5WrapperTokenCallback
  ) throws {
    if !words.contains(token) { try tokenCallback(token, flags) }
  }
}

extension Database {
  /// The rowids of the rows of `doc` that match a pattern.
  public func documentsMatching(_ pattern: String) throws -> [Int] {
    try Int.fetchAll(
      self, sql: "SELECT rowid FROM doc WHERE doc MATCH ? ORDER BY rowid", arguments: [pattern])
  }
}
