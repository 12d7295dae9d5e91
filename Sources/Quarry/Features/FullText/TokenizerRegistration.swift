import CSQLite

/// A type of tokenizers that SQLite can make.
///
/// SQLite takes C pointers and offsets from tokenizers without a check: it would read the bytes of
/// a text at any offset. So the tokens are checked on their way.
///
/// SQLite keeps the registration, which makes the tokenizers of one connection.
final class TokenizerRegistration: Registration {
  private let type: any FTS5CustomTokenizer.Type
  // The connection that the database object owns is what calls this object.
  private unowned let database: Database
  private var depth = 0
  var name: String { type.name }

  /// A tokenizer may use another one of its own type, but not without end.
  private static let maximumDepth = 16

  init(type: any FTS5CustomTokenizer.Type, database: Database) {
    self.type = type
    self.database = database
  }

  func apply(to connection: SQLiteConnection) -> CInt {
    guard let api = try? unsafe FTS5.mutableAPI(connection),
      let create = unsafe api.pointee.xCreateTokenizer
    else { return SQLITE_ERROR }
    let maker = unsafe Unmanaged.passRetained(self)
    var functions = unsafe fts5_tokenizer(
      xCreate: Self.create, xDelete: TokenizerInstance.delete,
      xTokenize: TokenizerInstance.tokenize)
    let code = unsafe create(
      api, name, maker.toOpaque(), &functions, Unmanaged<AnyObject>.releaseContext)
    if code != SQLITE_OK { unsafe maker.release() }
    return code
  }

  private static let create:
    @convention(c) (
      UnsafeMutableRawPointer?, UnsafeMutablePointer<UnsafePointer<CChar>?>?, CInt,
      UnsafeMutablePointer<OpaquePointer?>?
    ) -> CInt = { context, arguments, count, result in
      guard let maker = unsafe Unmanaged<TokenizerRegistration>.context(context) else {
        return SQLITE_MISUSE
      }
      let arguments = unsafe UnsafeBufferPointer(start: arguments, count: Int(count)).map {
        argument in
        unsafe argument.map { unsafe String(cString: $0) } ?? ""
      }
      return unsafe maker.make(arguments, result)
    }

  private func make(
    _ arguments: [String], _ result: UnsafeMutablePointer<OpaquePointer?>?
  ) -> CInt {
    depth += 1
    defer { depth -= 1 }
    do {
      guard depth < Self.maximumDepth else {
        throw DatabaseError(message: "the tokenizer wraps itself without end")
      }
      let tokenizer = try type.init(db: database, arguments: arguments)
      let instance = TokenizerInstance(tokenizer, named: name)
      unsafe result?.pointee = unsafe OpaquePointer(Unmanaged.passRetained(instance).toOpaque())
      return SQLITE_OK
    } catch {
      let code = TokenizerFailure.record(error, named: name)
      return code == SQLITE_DONE ? SQLITE_ERROR : code
    }
  }
}

/// A tokenizer that SQLite uses.
private final class TokenizerInstance {
  private let tokenizer: any FTS5Tokenizer
  private let name: String

  init(_ tokenizer: any FTS5Tokenizer, named name: String) {
    self.tokenizer = tokenizer
    self.name = name
  }

  static let delete: @convention(c) (OpaquePointer?) -> Void = { pointer in
    guard let pointer = unsafe pointer else { return }
    unsafe Unmanaged<TokenizerInstance>.fromOpaque(UnsafeRawPointer(pointer)).release()
  }

  static let tokenize:
    @convention(c) (
      OpaquePointer?, UnsafeMutableRawPointer?, CInt, UnsafePointer<CChar>?, CInt,
      FTS5TokenCallback?
    ) -> CInt = { pointer, context, reason, text, count, callback in
      guard let instance = unsafe Unmanaged<TokenizerInstance>.context(UnsafeRawPointer(pointer)),
        let callback = unsafe callback
      else { return SQLITE_MISUSE }
      let check = unsafe TokenCheck(context: context, callback: callback, byteCount: count)
      return unsafe instance.tokenize(text, count, FTS5Tokenization(rawValue: reason), check)
    }

  private func tokenize(
    _ text: UnsafePointer<CChar>?, _ count: CInt, _ reason: FTS5Tokenization, _ check: TokenCheck
  ) -> CInt {
    guard ThreadStack.hasSpace else {
      let fault = "it searches its own index, without end"
      return TokenizerFailure.record(DatabaseError(message: fault), named: name)
    }
    var check = check
    let code = unsafe withUnsafeMutablePointer(to: &check) { pointer in
      unsafe tokenizer.tokenize(
        context: pointer, tokenization: reason, pText: text, nText: count,
        tokenCallback: TokenCheck.receive)
    }
    if let fault = check.fault {
      return TokenizerFailure.record(DatabaseError(message: fault), named: name)
    }
    switch code {
    case SQLITE_DONE: return SQLITE_OK
    case SQLITE_ROW: return SQLITE_ERROR
    default: return code
    }
  }
}

/// Refuses tokens that are no part of their text.
@safe private struct TokenCheck {
  let context: UnsafeMutableRawPointer?
  let callback: FTS5TokenCallback
  let byteCount: CInt
  var fault: String?

  static let receive: FTS5TokenCallback = { context, flags, token, count, start, end in
    guard let context = unsafe context else { return SQLITE_MISUSE }
    let check = unsafe context.assumingMemoryBound(to: TokenCheck.self)
    guard unsafe check.pointee.fault == nil, count >= 0, unsafe token != nil || count == 0,
      start >= 0,
      start <= end, unsafe end <= check.pointee.byteCount
    else {
      unsafe check.pointee.fault =
        "a token of \(count) bytes is said to stand at bytes \(start)..<\(end) "
        + "of a text of \(check.pointee.byteCount)"
      return SQLITE_ERROR
    }
    guard unsafe mayContainNUL || !UnsafeBufferPointer(start: token, count: Int(count)).contains(0)
    else {
      unsafe check.pointee.fault =
        "the token of bytes \(start)..<\(end) contains a NUL, which damages the index"
      return SQLITE_ERROR
    }
    return unsafe check.pointee.callback(
      check.pointee.context, flags, token ?? noToken, count, start, end)
  }

  /// Since its option `tokendata`, FTS5 compares whole tokens.
  private static let mayContainNUL = SQLiteVersion.linked >= SQLiteVersion(3, 45)

  private static var noToken: UnsafePointer<CChar> {
    unsafe UnsafeRawPointer(empty.utf8Start).assumingMemoryBound(to: CChar.self)
  }

  private static let empty: StaticString = ""
}
