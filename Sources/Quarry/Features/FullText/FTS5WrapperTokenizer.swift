import CSQLite

/// Receives a token of an ``FTS5WrapperTokenizer``. Its errors must be let through.
public typealias FTS5WrapperTokenCallback = (_ token: String, _ flags: FTS5TokenFlags) throws ->
  Void

/// A tokenizer that changes the tokens of another one.
///
/// ```swift
/// final class StopWordTokenizer: FTS5WrapperTokenizer {
///   static let name = "stopwords"
///   let wrappedTokenizer: any FTS5Tokenizer
///
///   init(db: Database, arguments: [String]) throws {
///     wrappedTokenizer = try db.makeTokenizer(.unicode61())
///   }
///
///   func accept(
///     token: String, flags: FTS5TokenFlags, for tokenization: FTS5Tokenization,
///     tokenCallback: FTS5WrapperTokenCallback
///   ) throws {
///     if ["the", "of"].contains(token) { return }
///     try tokenCallback(token, flags)
///   }
/// }
/// ```
///
/// Synonyms have the flag ``FTS5TokenFlags/colocated``. They are given for documents, or for
/// queries, never for both. See <https://www.sqlite.org/fts5.html#synonym_support>.
public protocol FTS5WrapperTokenizer: FTS5CustomTokenizer {
  /// The tokenizer whose tokens are changed.
  var wrappedTokenizer: any FTS5Tokenizer { get }

  /// Receives a token of ``wrappedTokenizer``, and gives any number of tokens to a callback: none
  /// for a stop word.
  ///
  /// Tokens that are no valid UTF-8 are left out.
  ///
  /// - parameter token: The token.
  /// - parameter flags: The flags, to be given to the callback with the first token. Later ones
  ///   have ``FTS5TokenFlags/colocated`` as well.
  /// - parameter tokenization: The reason.
  /// - parameter tokenCallback: Called for each token.
  /// - throws: The errors of `tokenCallback`, and any error. The code of a ``DatabaseError`` is the
  ///   code of the statement. `SQLITE_DONE` ends the text.
  func accept(
    token: String, flags: FTS5TokenFlags, for tokenization: FTS5Tokenization,
    tokenCallback: FTS5WrapperTokenCallback
  ) throws
}

extension FTS5WrapperTokenizer {
  /// Gives the tokens of the wrapped tokenizer to ``accept(token:flags:for:tokenCallback:)``.
  public func tokenize(
    context: UnsafeMutableRawPointer?, tokenization: FTS5Tokenization,
    pText: UnsafePointer<CChar>?, nText: CInt, tokenCallback: @escaping FTS5TokenCallback
  ) -> CInt {
    let run = unsafe WrapperRun(self, tokenization, context: context, callback: tokenCallback)
    let code = unsafe wrappedTokenizer.tokenize(
      context: Unmanaged.passUnretained(run).toOpaque(), tokenization: tokenization,
      pText: pText, nText: nText, tokenCallback: WrapperRun.accept)
    // The wrapped tokenizer may have missed the failure.
    return withExtendedLifetime(run) { code == SQLITE_OK ? run.code : code }
  }
}

/// A text on its way through a wrapper tokenizer.
@safe private final class WrapperRun {
  private let tokenizer: any FTS5WrapperTokenizer
  private let tokenization: FTS5Tokenization
  private let context: UnsafeMutableRawPointer?
  private let callback: FTS5TokenCallback
  private(set) var code = SQLITE_OK

  init(
    _ tokenizer: any FTS5WrapperTokenizer, _ tokenization: FTS5Tokenization,
    context: UnsafeMutableRawPointer?, callback: @escaping FTS5TokenCallback
  ) {
    self.tokenizer = tokenizer
    self.tokenization = tokenization
    unsafe self.context = unsafe context
    unsafe self.callback = unsafe callback
  }

  static let accept: FTS5TokenCallback = { context, flags, token, count, start, end in
    guard let run = unsafe Unmanaged<WrapperRun>.context(context) else { return SQLITE_MISUSE }
    guard run.code == SQLITE_OK else { return run.code }
    guard let token = unsafe String(token: token, count: count) else { return SQLITE_OK }
    run.accept(token, FTS5TokenFlags(rawValue: flags), start, end)
    return run.code
  }

  private func accept(_ token: String, _ flags: FTS5TokenFlags, _ start: CInt, _ end: CInt) {
    do {
      try tokenizer.accept(token: token, flags: flags, for: tokenization) { token, flags in
        code = send(token, flags, start, end)
        guard code == SQLITE_OK else {
          throw DatabaseError(
            resultCode: ResultCode(rawValue: code), message: "token callback failed")
        }
      }
    } catch {
      if code == SQLITE_OK {
        code = TokenizerFailure.record(error, named: type(of: tokenizer).name)
      }
    }
  }

  private func send(_ token: String, _ flags: FTS5TokenFlags, _ start: CInt, _ end: CInt) -> CInt {
    var token = token
    return token.withUTF8 { bytes in
      unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
        unsafe callback(
          context, flags.rawValue, characters.baseAddress, CInt(clamping: characters.count), start,
          end)
      }
    }
  }
}
