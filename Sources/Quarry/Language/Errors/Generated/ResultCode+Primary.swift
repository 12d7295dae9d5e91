// Written by Scripts/generate, from result-codes.txt: change that file.

// swift-format-ignore-file: AlwaysUseLowerCamelCase

// The primary result codes. See <https://www.sqlite.org/rescode.html>.
extension ResultCode {
  /// The operation succeeded.
  public static let SQLITE_OK = ResultCode(rawValue: 0)

  /// A generic error, such as a syntax error in SQL.
  public static let SQLITE_ERROR = ResultCode(rawValue: 1)

  /// An internal malfunction of SQLite.
  public static let SQLITE_INTERNAL = ResultCode(rawValue: 2)

  /// The access mode of a new database could not be provided.
  public static let SQLITE_PERM = ResultCode(rawValue: 3)

  /// The operation was aborted before it completed.
  public static let SQLITE_ABORT = ResultCode(rawValue: 4)

  /// The database file is locked by another connection.
  public static let SQLITE_BUSY = ResultCode(rawValue: 5)

  /// A table is locked by the same connection, or by one that shares its cache.
  public static let SQLITE_LOCKED = ResultCode(rawValue: 6)

  /// SQLite could not allocate memory.
  public static let SQLITE_NOMEM = ResultCode(rawValue: 7)

  /// The database can't be written by the connection.
  public static let SQLITE_READONLY = ResultCode(rawValue: 8)

  /// The operation was interrupted.
  public static let SQLITE_INTERRUPT = ResultCode(rawValue: 9)

  /// The operating system reported an input or output error.
  public static let SQLITE_IOERR = ResultCode(rawValue: 10)

  /// The database file is corrupt.
  public static let SQLITE_CORRUPT = ResultCode(rawValue: 11)

  /// A file control or a virtual table method was not found.
  public static let SQLITE_NOTFOUND = ResultCode(rawValue: 12)

  /// The disk, or the database, is full.
  public static let SQLITE_FULL = ResultCode(rawValue: 13)

  /// A file could not be opened.
  public static let SQLITE_CANTOPEN = ResultCode(rawValue: 14)

  /// The file locking protocol failed.
  public static let SQLITE_PROTOCOL = ResultCode(rawValue: 15)

  /// Not used by SQLite.
  public static let SQLITE_EMPTY = ResultCode(rawValue: 16)

  /// The database schema has changed.
  public static let SQLITE_SCHEMA = ResultCode(rawValue: 17)

  /// A string or a blob is too large.
  public static let SQLITE_TOOBIG = ResultCode(rawValue: 18)

  /// An SQL constraint was violated.
  public static let SQLITE_CONSTRAINT = ResultCode(rawValue: 19)

  /// A value has the wrong type.
  public static let SQLITE_MISMATCH = ResultCode(rawValue: 20)

  /// The interface of SQLite was misused.
  public static let SQLITE_MISUSE = ResultCode(rawValue: 21)

  /// The file system does not support large files.
  public static let SQLITE_NOLFS = ResultCode(rawValue: 22)

  /// The authorizer denied the statement.
  public static let SQLITE_AUTH = ResultCode(rawValue: 23)

  /// Not used by SQLite.
  public static let SQLITE_FORMAT = ResultCode(rawValue: 24)

  /// A parameter or column index is out of range.
  public static let SQLITE_RANGE = ResultCode(rawValue: 25)

  /// The file is not a database.
  public static let SQLITE_NOTADB = ResultCode(rawValue: 26)

  /// An unusual operation is taking place; it is only logged.
  public static let SQLITE_NOTICE = ResultCode(rawValue: 27)

  /// An operation is inadvisable; it is only logged.
  public static let SQLITE_WARNING = ResultCode(rawValue: 28)

  /// A row is available.
  public static let SQLITE_ROW = ResultCode(rawValue: 100)

  /// The statement has finished.
  public static let SQLITE_DONE = ResultCode(rawValue: 101)
}
