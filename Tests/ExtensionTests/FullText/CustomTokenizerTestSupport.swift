import Foundation
import Quarry
import QuarryTestSupport

/// Sends an empty token in place of `of`.
final class EmptyTokens: FTS5WrapperTokenizer {
  static let name = "emptytokens"
  let wrappedTokenizer: any FTS5Tokenizer

  init(db: Database, arguments: [String]) throws {
    wrappedTokenizer = try db.makeTokenizer(.unicode61())
  }

  func accept(
    token: String, flags: FTS5TokenFlags, for tokenization: FTS5Tokenization,
    tokenCallback: FTS5WrapperTokenCallback
  ) throws {
    try tokenCallback(token == "of" ? "" : token, flags)
  }
}

/// Adds synonyms of `car`, in documents or in queries.
class Synonyms {
  let wrappedTokenizer: any FTS5Tokenizer

  required init(db: Database, arguments: [String]) throws {
    wrappedTokenizer = try db.makeTokenizer(.unicode61())
  }

  func send(
    _ token: String, _ flags: FTS5TokenFlags, isExpanded: Bool,
    to callback: FTS5WrapperTokenCallback
  ) throws {
    try callback(token, flags)
    guard isExpanded, let synonym = ["car": "auto", "auto": "car"][token] else { return }
    try callback(synonym, flags.union(.colocated))
  }
}

final class DocumentSynonyms: Synonyms, FTS5WrapperTokenizer {
  static let name = "documentsynonyms"

  func accept(
    token: String, flags: FTS5TokenFlags, for tokenization: FTS5Tokenization,
    tokenCallback: FTS5WrapperTokenCallback
  ) throws {
    try send(token, flags, isExpanded: !tokenization.contains(.query), to: tokenCallback)
  }
}

final class QuerySynonyms: Synonyms, FTS5WrapperTokenizer {
  static let name = "querysynonyms"

  func accept(
    token: String, flags: FTS5TokenFlags, for tokenization: FTS5Tokenization,
    tokenCallback: FTS5WrapperTokenCallback
  ) throws {
    try send(token, flags, isExpanded: tokenization.contains(.query), to: tokenCallback)
  }
}

/// A tokenizer that a test controls: the calls that it gets, and its mistakes.
final class ProbeTokenizer: FTS5WrapperTokenizer {
  static let name = "probe"
  let wrappedTokenizer: any FTS5Tokenizer
  private let arguments: [String]

  /// What happened to the tokenizers of the current test, which runs on one thread.
  static var log: Log<String>? {
    get { Thread.current.threadDictionary["probe"] as? Log<String> }
    set { Thread.current.threadDictionary["probe"] = newValue }
  }

  init(db: Database, arguments: [String]) throws {
    self.arguments = arguments
    Self.log?.append("init \(arguments.joined(separator: "|"))")
    if let code = Self.number(arguments, "init") {
      throw DatabaseError(resultCode: ResultCode(rawValue: code), message: "bad luck")
    }
    if arguments.contains("cancel init") { throw CancellationError() }
    wrappedTokenizer = try db.makeTokenizer(.unicode61())
  }

  deinit { Self.log?.append("deinit") }

  private struct Refusal: Error {}

  private static func number(_ arguments: [String], _ name: String) -> CInt? {
    arguments.firstIndex(of: name).flatMap { CInt(arguments[$0 + 1]) }
  }

  func accept(
    token: String, flags: FTS5TokenFlags, for tokenization: FTS5Tokenization,
    tokenCallback: FTS5WrapperTokenCallback
  ) throws {
    Self.log?.append("\(token) \(tokenization.rawValue)")
    if token == "bad", let code = Self.number(arguments, "accept") {
      throw DatabaseError(resultCode: ResultCode(rawValue: code), message: "bad word")
    }
    if token == "bad", arguments.contains("cancel") { throw CancellationError() }
    if token == "bad", arguments.contains("refuse") { throw Refusal() }
    try tokenCallback(token, flags)
  }
}

/// A tokenizer without another one: one token for each text, as its arguments say.
final class Nonsense: FTS5CustomTokenizer {
  static let name = "nonsense"
  private let numbers: [CInt]
  private let returnsOK: Bool

  init(db: Database, arguments: [String]) throws {
    numbers = arguments.compactMap { CInt($0) }
    returnsOK = arguments.contains("ok")
  }

  func tokenize(
    context: UnsafeMutableRawPointer?, tokenization: FTS5Tokenization,
    pText: UnsafePointer<CChar>?, nText: CInt, tokenCallback: @escaping FTS5TokenCallback
  ) -> CInt {
    // One number is the code to return, two are the bytes of a token.
    if numbers.count == 1 { return numbers[0] }
    let code = tokenCallback(context, 0, pText, min(nText, 1), numbers[0], numbers[1])
    return returnsOK ? 0 : code
  }
}

/// Splits each word in its first character, the other ones, and an empty token.
final class Halves: FTS5WrapperTokenizer {
  static let name = "halves"
  let wrappedTokenizer: any FTS5Tokenizer
  /// What the callback has thrown.
  private(set) var errors: [String] = []

  init(db: Database, arguments: [String]) throws {
    wrappedTokenizer = try db.makeTokenizer(.unicode61())
  }

  func accept(
    token: String, flags: FTS5TokenFlags, for tokenization: FTS5Tokenization,
    tokenCallback: FTS5WrapperTokenCallback
  ) throws {
    do {
      for part in [String(token.prefix(1)), String(token.dropFirst()), ""] {
        try tokenCallback(part, flags)
      }
    } catch {
      errors.append("\(error)")
      throw error
    }
  }
}

/// All words of a document share one place.
final class DocumentColocated: FTS5WrapperTokenizer {
  static let name = "colocated"
  let wrappedTokenizer: any FTS5Tokenizer

  init(db: Database, arguments: [String]) throws {
    wrappedTokenizer = try db.makeTokenizer(.unicode61())
  }

  func accept(
    token: String, flags: FTS5TokenFlags, for tokenization: FTS5Tokenization,
    tokenCallback: FTS5WrapperTokenCallback
  ) throws {
    try tokenCallback(token, tokenization.contains(.query) ? flags : .colocated)
  }
}

/// A tokenizer that has the name of the one that it wraps.
final class Endless: FTS5WrapperTokenizer {
  static let name = "endless"
  let wrappedTokenizer: any FTS5Tokenizer

  init(db: Database, arguments: [String]) throws {
    wrappedTokenizer = try db.makeTokenizer(Endless.tokenizerDescriptor(arguments: arguments))
  }

  func accept(
    token: String, flags: FTS5TokenFlags, for tokenization: FTS5Tokenization,
    tokenCallback: FTS5WrapperTokenCallback
  ) throws {
    try tokenCallback(token, flags)
  }
}

/// A tokenizer that searches its own index before it gives a token.
final class Searching: FTS5CustomTokenizer {
  static let name = "searching"
  /// The innermost error.
  @TaskLocal static var log: Log<String>?
  private unowned let db: Database

  init(db: Database, arguments: [String]) throws {
    self.db = db
  }

  func tokenize(
    context: UnsafeMutableRawPointer?, tokenization: FTS5Tokenization,
    pText: UnsafePointer<CChar>?, nText: CInt, tokenCallback: @escaping FTS5TokenCallback
  ) -> CInt {
    do {
      _ = try Int.fetchAll(db, sql: "SELECT rowid FROM doc WHERE doc MATCH 'sea'")
      return tokenCallback(context, 0, pText, nText, 0, nText)
    } catch {
      Self.log?.append("\(error)")
      return 1
    }
  }
}

/// A database that knows a tokenizer, with a table `doc(title, note UNINDEXED)` that has it.
func withTokenizer<T, Tokenizer: FTS5CustomTokenizer>(
  _ type: Tokenizer.Type, arguments: [String] = [], _ body: (Database) throws -> T
) throws -> T {
  try DatabaseQueue().writeWithoutTransaction { db throws -> T in
    db.add(tokenizer: type)
    try db.create(virtualTable: "doc", using: FTS5()) { t in
      t.tokenizer = type.tokenizerDescriptor(arguments: arguments)
      t.column("title")
      t.column("note").notIndexed()
    }
    return try body(db)
  }
}

extension Database {
  func insertDocuments(_ titles: String...) throws {
    for title in titles {
      try execute(sql: "INSERT INTO doc (title, note) VALUES (?, 'a note')", arguments: [title])
    }
  }
}
