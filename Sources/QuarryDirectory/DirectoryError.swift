/// An error of a directory of databases: of a key, of its file, or of what is open.
///
/// ```swift
/// do {
///   try directory.write("acme") { db in try player.insert(db) }
/// } catch let error as DirectoryError where error.code == .missing {
///   // key "acme": there is no database /data/tenants/acme.sqlite: `create("acme")` makes it …
///   print(error)
/// }
/// ```
///
/// Errors of the closure of an access are thrown as they are.
public struct DirectoryError: Error, Sendable {
  /// The kinds of errors.
  public enum Code: Sendable {
    /// A key is empty, or too long for a name of a file.
    case invalidKey
    /// An option has a value that it can't have.
    case invalidOption
    /// The folder is none, can't be read, or a file can't be made or removed.
    case file
    /// The folder has a database that no key names.
    case foreignFile
    /// There is no database for the key.
    case missing
    /// There is a database for the key already.
    case exists
    /// The database is in use, and can't be removed or closed.
    case inUse
    /// As many databases as may be open are in use. If some can't be closed, the underlying error
    /// is that of one of them.
    case limitReached
    /// The directory was closed.
    case closed
    /// A database can't be opened, or not migrated when it was opened.
    case cannotOpen
    /// A database can't be closed. An access to another one throws it if no open database can be,
    /// and none is in use.
    case cannotClose
    /// Migrations of databases have failed: see ``DirectoryError/failures``.
    case migration
  }

  /// The kind of error.
  public let code: Code

  /// The key of the database, for errors that concern one.
  public let key: String?

  /// A sentence that names the cause, and the way out.
  public let message: String

  /// The error that is the cause, such as a `DatabaseError`.
  public let underlyingError: (any Error)?

  /// The errors by keys, for ``Code-swift.enum/migration``.
  public let failures: [String: any Error]

  init(
    _ code: Code, key: String? = nil, _ message: String, underlyingError: (any Error)? = nil,
    failures: [String: any Error] = [:]
  ) {
    self.code = code
    self.key = key
    self.message = message
    self.underlyingError = underlyingError
    self.failures = failures
  }
}

extension DirectoryError: CustomStringConvertible {
  /// The key, the message, and the error that is the cause.
  public var description: String {
    let key = key.map { "key \($0.debugDescription): " } ?? ""
    let cause = underlyingError.map { " - \($0)" } ?? ""
    return key + message + cause
  }
}
