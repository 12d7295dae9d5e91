public import CSQLite

extension FTS5 {
  /// The C interface of FTS5, to add auxiliary functions, for example.
  ///
  /// See <https://www.sqlite.org/fts5.html#extending_fts5>.
  ///
  /// - throws: A ``DatabaseError`` if SQLite lacks FTS5.
  public static func api(_ db: Database) throws -> UnsafePointer<fts5_api> {
    try unsafe UnsafePointer(mutableAPI(db.requireConnection()))
  }

  static func mutableAPI(_ connection: SQLiteConnection) throws -> UnsafeMutablePointer<fts5_api> {
    var statement: SQLiteStatement?
    defer { unsafe sqlite3_finalize(statement) }
    var api: UnsafeMutablePointer<fts5_api>?
    if unsafe sqlite3_prepare_v2(connection, "SELECT fts5(?)", -1, &statement, nil) == SQLITE_OK {
      unsafe withUnsafeMutablePointer(to: &api) { pointer in
        // SQLite keeps the name of the type, as long as the statement.
        let type = unsafe UnsafeRawPointer(pointerType.utf8Start).assumingMemoryBound(
          to: CChar.self)
        unsafe sqlite3_bind_pointer(statement, 1, pointer, type, nil)
        unsafe sqlite3_step(statement)
      }
    }
    guard let api = unsafe api else { throw DatabaseError(message: "FTS5 is not available") }
    return unsafe api
  }

  private static let pointerType: StaticString = "fts5_api_ptr"
}

extension Database {
  /// Adds a tokenizer to the connection, or replaces the one with the same name.
  ///
  /// ```swift
  /// configuration.prepareDatabase { db in db.add(tokenizer: StopWordTokenizer.self) }
  /// ```
  ///
  /// Tables that are open keep the tokenizer that they have.
  public func add(tokenizer: (some FTS5CustomTokenizer).Type) {
    register(TokenizerRegistration(type: tokenizer, database: self))
  }

  /// Returns a tokenizer.
  ///
  /// ```swift
  /// let tokenizer = try db.makeTokenizer(.unicode61())
  /// try tokenizer.tokenize(document: "Red River").map(\.token)  // ["red", "river"]
  /// ```
  ///
  /// - throws: A ``DatabaseError`` if there is no such tokenizer, or if it refuses its arguments.
  public func makeTokenizer(_ descriptor: FTS5TokenizerDescriptor) throws -> any FTS5Tokenizer {
    try checkAccess()
    return try unsafe RegisteredTokenizer(descriptor, requireConnection())
  }
}

/// A tokenizer that SQLite has by name.
@safe private final class RegisteredTokenizer: FTS5Tokenizer {
  private let functions: fts5_tokenizer
  private let instance: OpaquePointer?

  init(_ descriptor: FTS5TokenizerDescriptor, _ connection: SQLiteConnection) throws {
    let api = try unsafe FTS5.mutableAPI(connection)
    let name = descriptor.components[0]
    var context: UnsafeMutableRawPointer?
    var functions = fts5_tokenizer()
    guard let find = unsafe api.pointee.xFindTokenizer,
      unsafe find(api, name, &context, &functions) == SQLITE_OK
    else { throw DatabaseError(message: "SQL logic error - no such tokenizer: \(name)") }
    self.functions = functions
    unsafe instance = try unsafe Self.create(descriptor, functions, context)
  }

  private static func create(
    _ descriptor: FTS5TokenizerDescriptor, _ functions: fts5_tokenizer,
    _ context: UnsafeMutableRawPointer?
  ) throws -> OpaquePointer {
    guard let create = unsafe functions.xCreate else {
      throw DatabaseError(message: "nil fts5_tokenizer.xCreate")
    }
    // One buffer for all arguments, each with its NUL.
    var offsets: [Int] = []
    var bytes: [CChar] = []
    for argument in descriptor.components.dropFirst() {
      offsets.append(bytes.count)
      bytes += argument.utf8CString
    }
    var instance: OpaquePointer?
    let code = unsafe bytes.withUnsafeBufferPointer { buffer in
      var pointers = unsafe offsets.map { offset in
        unsafe buffer.baseAddress.map { unsafe $0 + offset }
      }
      return unsafe create(context, &pointers, CInt(pointers.count), &instance)
    }
    let failure = TokenizerFailure.take()
    guard code == SQLITE_OK else {
      let error = DatabaseError(
        resultCode: ResultCode(rawValue: code), message: "failed fts5_tokenizer.xCreate")
      throw failure?.explaining(error) ?? error
    }
    guard let instance = unsafe instance else { throw DatabaseError(message: "nil tokenizer") }
    return unsafe instance
  }

  deinit { unsafe functions.xDelete?(instance) }

  func tokenize(
    context: UnsafeMutableRawPointer?, tokenization: FTS5Tokenization,
    pText: UnsafePointer<CChar>?, nText: CInt, tokenCallback: @escaping FTS5TokenCallback
  ) -> CInt {
    unsafe functions.xTokenize?(
      instance, context, tokenization.rawValue, pText, nText, tokenCallback) ?? SQLITE_MISUSE
  }
}
