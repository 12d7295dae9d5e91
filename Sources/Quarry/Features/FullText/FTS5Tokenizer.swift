import CSQLite

/// Receives a token: the context, the flags, the token and its length, and the bytes of the text
/// that it stands for.
///
/// See <https://www.sqlite.org/fts5.html#custom_tokenizers>.
public typealias FTS5TokenCallback =
  @convention(c) (
    _ context: UnsafeMutableRawPointer?, _ flags: CInt, _ pToken: UnsafePointer<CChar>?,
    _ nToken: CInt, _ iStart: CInt, _ iEnd: CInt
  ) -> CInt

/// The reason why FTS5 asks for tokens.
///
/// See <https://www.sqlite.org/fts5.html#custom_tokenizers>.
public struct FTS5Tokenization: OptionSet, Sendable {
  /// The bits.
  public let rawValue: CInt

  /// Creates a reason from its bits.
  public init(rawValue: CInt) { self.rawValue = rawValue }

  /// A word or a phrase of a pattern.
  public static let query = FTS5Tokenization(rawValue: FTS5_TOKENIZE_QUERY)

  /// A prefix, always with ``query``: `sea*`.
  public static let prefix = FTS5Tokenization(rawValue: FTS5_TOKENIZE_PREFIX)

  /// A text that is indexed, or leaves the index.
  public static let document = FTS5Tokenization(rawValue: FTS5_TOKENIZE_DOCUMENT)

  /// A text for an auxiliary function such as `highlight`.
  public static let aux = FTS5Tokenization(rawValue: FTS5_TOKENIZE_AUX)
}

/// The flags of a token.
///
/// See <https://www.sqlite.org/fts5.html#synonym_support>.
public struct FTS5TokenFlags: OptionSet, Sendable {
  /// The bits.
  public let rawValue: CInt

  /// Creates flags from their bits.
  public init(rawValue: CInt) { self.rawValue = rawValue }

  /// The token stands at the place of the one before: a synonym.
  public static let colocated = FTS5TokenFlags(rawValue: FTS5_TOKEN_COLOCATED)
}

/// A tokenizer of FTS5. ``Database/makeTokenizer(_:)`` makes one, and an application implements
/// ``FTS5CustomTokenizer`` or ``FTS5WrapperTokenizer``.
///
/// A tokenizer is used in the accesses of its connection.
public protocol FTS5Tokenizer: AnyObject, SendableMetatype {
  /// Gives the tokens of a text to a callback.
  ///
  /// See <https://www.sqlite.org/fts5.html#custom_tokenizers>.
  ///
  /// - parameter context: The first argument of the callback.
  /// - parameter tokenization: The reason.
  /// - parameter pText: The text, in UTF-8. It need not end with a NUL.
  /// - parameter nText: The number of bytes of the text.
  /// - parameter tokenCallback: Called for each token. If it returns another code than `SQLITE_OK`,
  ///   the tokenizer stops, and returns this code.
  /// - returns: A result code of SQLite.
  func tokenize(
    context: UnsafeMutableRawPointer?, tokenization: FTS5Tokenization,
    pText: UnsafePointer<CChar>?, nText: CInt, tokenCallback: @escaping FTS5TokenCallback
  ) -> CInt
}

extension FTS5Tokenizer {
  /// Returns the tokens of a text that is indexed.
  ///
  /// ```swift
  /// let tokenizer = try db.makeTokenizer(.porter())
  /// try tokenizer.tokenize(document: "Sailing ships").map(\.token)  // ["sail", "ship"]
  /// ```
  ///
  /// - throws: A ``DatabaseError`` with the result code of the tokenizer.
  public func tokenize(document: String) throws -> [(token: String, flags: FTS5TokenFlags)] {
    try tokenize(document, for: .document)
  }

  /// Returns the tokens of a word or a phrase of a pattern.
  ///
  /// - throws: A ``DatabaseError`` with the result code of the tokenizer.
  public func tokenize(query: String) throws -> [(token: String, flags: FTS5TokenFlags)] {
    try tokenize(query, for: .query)
  }

  private func tokenize(
    _ text: String, for tokenization: FTS5Tokenization
  ) throws -> [(token: String, flags: FTS5TokenFlags)] {
    let tokens = TokenList()
    var text = text
    let code = text.withUTF8 { bytes in
      unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
        unsafe tokenize(
          context: Unmanaged.passUnretained(tokens).toOpaque(), tokenization: tokenization,
          pText: characters.baseAddress, nText: CInt(clamping: characters.count),
          tokenCallback: TokenList.append)
      }
    }
    let failure = TokenizerFailure.take()
    guard code == SQLITE_OK || code == SQLITE_DONE else {
      let error = DatabaseError(resultCode: ResultCode(rawValue: code))
      throw failure?.explaining(error) ?? error
    }
    return withExtendedLifetime(tokens) { tokens.elements }
  }
}

/// The tokens of a text.
private final class TokenList {
  var elements: [(token: String, flags: FTS5TokenFlags)] = []

  static let append: FTS5TokenCallback = { context, flags, token, count, _, _ in
    guard let list = unsafe Unmanaged<TokenList>.context(context) else { return SQLITE_MISUSE }
    if let token = unsafe String(token: token, count: count) {
      list.elements.append((token, FTS5TokenFlags(rawValue: flags)))
    }
    return SQLITE_OK
  }
}

extension String {
  /// A token of SQLite. Nil if it is no valid UTF-8.
  init?(token: UnsafePointer<CChar>?, count: CInt) {
    unsafe self.init(
      validUTF8: UnsafeRawBufferPointer(
        start: token, count: token == nil ? 0 : Int(Swift.max(0, count))))
  }
}
