import CSQLite
public import Foundation

/// An error of SQLite, with the statement that raised it.
///
/// ```swift
/// do {
///   try player.insert(db)
/// } catch DatabaseError.SQLITE_CONSTRAINT_FOREIGNKEY {
///   // The team does not exist.
/// } catch let error as DatabaseError {
///   // SQLite error 19: UNIQUE constraint failed: player.name - while executing `INSERT ...`
///   print(error)
/// }
/// ```
///
/// See <https://www.sqlite.org/rescode.html>.
public struct DatabaseError: Error {
  /// The primary result code, such as ``ResultCode/SQLITE_CONSTRAINT``.
  public var resultCode: ResultCode { extendedResultCode.primaryResultCode }

  /// The extended result code, such as ``ResultCode/SQLITE_CONSTRAINT_UNIQUE``.
  public let extendedResultCode: ResultCode

  /// The message of SQLite, or of the library.
  public internal(set) var message: String?

  /// The SQL text of the failing statement.
  public let sql: String?

  /// The arguments of the failing statement.
  public internal(set) var arguments: StatementArguments?

  /// Where the mistake is, in bytes from the start of ``sql``, when SQLite reports it.
  ///
  /// See <https://www.sqlite.org/c3ref/errcode.html>.
  public let sqlOffset: Int?

  /// The path of the database file, for a file that can't be opened.
  public internal(set) var path: String?

  /// The findings of the library, after the message of SQLite: the row that a foreign key misses,
  /// the migration that failed, the name that was meant, the way out. Each stands on a line of its
  /// own.
  ///
  /// ```swift
  /// // SQLite error 19: FOREIGN KEY constraint failed
  /// // foreign key from book(authorId) to author(id): there is no such row
  /// // - while executing `INSERT …`
  /// try Book(id: 1, authorId: 12).insert(db)
  /// ```
  ///
  /// Values appear in ``expandedDescription``.
  public package(set) var details: String?

  /// The findings with values.
  var expandedDetails: String?

  /// The message without values of rows, if it has any.
  var redactedMessage: String?

  /// The constraint that was violated, for a statement that has failed with
  /// ``ResultCode/SQLITE_CONSTRAINT``.
  public internal(set) var constraint: Constraint?

  /// The limit of the access that was reached, for an access that was given up: see
  /// `write(deadline:_:)`.
  public package(set) var accessLimit: AccessLimit?

  /// A limit that the caller of an access has set.
  public enum AccessLimit: Hashable, Sendable {
    /// The deadline has passed.
    case deadline
    /// The access has failed as often as its `RetryPolicy` allows, of the product QuarryAccess.
    case tries(Int)
  }

  /// Whether descriptions show the arguments.
  private let publicStatementArguments: Bool

  /// Creates an error.
  ///
  /// - parameter resultCode: A result code, primary or extended.
  /// - parameter message: The message: by default, the text of SQLite for the code.
  /// - parameter sql: The SQL text of the failing statement.
  /// - parameter arguments: The arguments of the failing statement.
  /// - parameter publicStatementArguments: Whether descriptions show the arguments.
  public init(
    resultCode: ResultCode = .SQLITE_ERROR, message: String? = nil, sql: String? = nil,
    arguments: StatementArguments? = nil, publicStatementArguments: Bool = false
  ) {
    self.init(
      code: resultCode.rawValue, message: message, sql: sql, arguments: arguments,
      publicStatementArguments: publicStatementArguments, sqlOffset: nil)
  }

  /// Creates an error from what SQLite reports: a raw extended code, and the offset of
  /// `sqlite3_error_offset`, which is negative when it is unknown.
  init(
    code: CInt, message: String?, sql: String? = nil, arguments: StatementArguments? = nil,
    publicStatementArguments: Bool = false, sqlOffset: Int?
  ) {
    extendedResultCode = ResultCode(rawValue: code)
    self.message = message ?? extendedResultCode.errorString
    self.sql = sql
    self.arguments = arguments
    self.publicStatementArguments = publicStatementArguments
    self.sqlOffset = sqlOffset.flatMap { $0 >= 0 ? $0 : nil }
  }

  /// The message of the last error of a connection.
  package static func message(of connection: OpaquePointer?) -> String? {
    unsafe connection.flatMap { unsafe sqlite3_errmsg($0) }.map { unsafe String(cString: $0) }
  }

  /// The error of a call that its receiver, or its arguments, don't allow.
  package static func misuse(_ message: String, sql: String? = nil) -> DatabaseError {
    DatabaseError(resultCode: .SQLITE_MISUSE, message: message, sql: sql)
  }

  /// The error with a finding, and with the path of a file that can't be opened.
  package func detailed(_ text: String?, path: String? = nil) -> DatabaseError {
    var error = self
    error.addDetails(text)
    error.path = path ?? error.path
    return error
  }

  /// Adds a finding, on a line of its own.
  package mutating func addDetails(_ text: String?) {
    guard let text else { return }
    if let expandedDetails { self.expandedDetails = "\(expandedDetails)\n\(text)" }
    details = details.map { "\($0)\n\(text)" } ?? text
  }

  /// Whether the error is the consequence of an interruption: its code is `SQLITE_ABORT` or
  /// `SQLITE_INTERRUPT`.
  public var isInterruptionError: Bool {
    resultCode == .SQLITE_ABORT || resultCode == .SQLITE_INTERRUPT
  }
}

extension DatabaseError: CustomStringConvertible {
  /// The code, the message, the findings of the library, and the SQL of the error.
  ///
  /// An error without findings stands in one line. Each finding has a line of its own, before the
  /// one of the SQL.
  ///
  /// The arguments appear only when the configuration of the connection makes them public. The
  /// place of the mistake appears when SQLite reports it:
  ///
  /// ```
  /// SQLite error 1: near "FORM": syntax error - while executing `SELECT * FORM player` - at offset 9: "FORM player"
  /// ```
  public var description: String { describe(withArguments: publicStatementArguments) }

  /// The description, with the arguments of the statement.
  public var expandedDescription: String { describe(withArguments: true) }

  private func describe(withArguments showsArguments: Bool) -> String {
    var cause = "SQLite error \(resultCode.rawValue)"
    let shownMessage = showsArguments ? message : redactedMessage ?? message
    if let shownMessage { cause += ": \(shownMessage)" }
    if let path { cause += " - while opening `\(path)`" }
    return ErrorLayout.text(
      cause, findings: showsArguments ? expandedDetails ?? details : details,
      place: describeStatement(withArguments: showsArguments))
  }

  private func describeStatement(withArguments showsArguments: Bool) -> String? {
    guard let sql else { return nil }
    var description = "while executing `\(Self.abbreviated(sql))`"
    if showsArguments, let arguments, !arguments.isEmpty {
      description += " with arguments \(arguments)"
    }
    if let sqlOffset, let excerpt = Self.excerpt(of: sql, at: sqlOffset) {
      description += " - at offset \(sqlOffset): \(excerpt.debugDescription)"
    }
    return description
  }

  /// The SQL with the number of parameters in place of lists of many.
  private static func abbreviated(_ sql: String) -> String {
    sql.trimmingCharacters(in: separators).replacing(/\?(?:, ?\?){8,}/) { match in
      "?, … \(match.output.count { $0 == "?" }) in all"
    }
  }

  private static let separators = CharacterSet(charactersIn: ";").union(.whitespacesAndNewlines)

  private static let excerptLength = 24

  /// The beginning of the line that starts at an offset of a text, in bytes.
  private static func excerpt(of sql: String, at offset: Int) -> String? {
    guard offset < sql.utf8.count else { return nil }
    let line = String(decoding: sql.utf8.dropFirst(offset), as: UTF8.self)
      .prefix { !$0.isNewline }
    return line.count > excerptLength ? line.prefix(excerptLength) + "…" : String(line)
  }
}

extension DatabaseError: CustomNSError {
  /// The domain of database errors: `Quarry.DatabaseError`.
  public static var errorDomain: String { "Quarry.DatabaseError" }

  /// The raw extended result code.
  public var errorCode: Int { Int(extendedResultCode.rawValue) }

  /// The description and the message of the error.
  public var errorUserInfo: [String: Any] {
    var userInfo: [String: Any] = [NSLocalizedDescriptionKey: description]
    let reason = publicStatementArguments ? message : redactedMessage ?? message
    if let reason { userInfo[NSLocalizedFailureReasonErrorKey] = reason }
    return userInfo
  }
}
