import CSQLite

extension Database {
  /// Something that SQLite limits for a connection.
  ///
  /// See <https://www.sqlite.org/c3ref/c_limit_attached.html>.
  public struct Limit: RawRepresentable, Hashable, Sendable {
    /// The number of the limit, as SQLite defines it.
    public let rawValue: CInt

    /// Creates a limit from its number.
    public init(rawValue: CInt) { self.rawValue = rawValue }

    /// The size of a text, a blob, or a row, in bytes.
    public static let length = Limit(rawValue: SQLITE_LIMIT_LENGTH)
    /// The length of an SQL text, in bytes.
    public static let sqlLength = Limit(rawValue: SQLITE_LIMIT_SQL_LENGTH)
    /// The number of columns of a table, an index, a view, or a selection.
    public static let columnCount = Limit(rawValue: SQLITE_LIMIT_COLUMN)
    /// The depth of an expression.
    public static let expressionDepth = Limit(rawValue: SQLITE_LIMIT_EXPR_DEPTH)
    /// The number of selections in a `UNION`.
    public static let compoundSelectCount = Limit(rawValue: SQLITE_LIMIT_COMPOUND_SELECT)
    /// The number of instructions of a compiled statement.
    public static let instructionCount = Limit(rawValue: SQLITE_LIMIT_VDBE_OP)
    /// The number of arguments of a function.
    public static let functionArgumentCount = Limit(rawValue: SQLITE_LIMIT_FUNCTION_ARG)
    /// The number of attached databases.
    public static let attachedDatabaseCount = Limit(rawValue: SQLITE_LIMIT_ATTACHED)
    /// The length of a pattern of `LIKE` or `GLOB`, in bytes.
    public static let patternLength = Limit(rawValue: SQLITE_LIMIT_LIKE_PATTERN_LENGTH)
    /// The number of arguments of a statement. See ``Database/maximumStatementArgumentCount``.
    public static let statementArgumentCount = Limit(rawValue: SQLITE_LIMIT_VARIABLE_NUMBER)
    /// The depth of triggers that fire triggers.
    public static let triggerDepth = Limit(rawValue: SQLITE_LIMIT_TRIGGER_DEPTH)
    /// The number of threads that help a statement.
    public static let workerThreadCount = Limit(rawValue: SQLITE_LIMIT_WORKER_THREADS)
  }

  /// The value of a limit of the connection. 0 when there is no such limit.
  ///
  /// See <https://www.sqlite.org/c3ref/limit.html>.
  public func limit(_ limit: Limit) -> Int {
    guard let sqliteConnection else { return 0 }
    return unsafe max(0, Int(sqlite3_limit(sqliteConnection, limit.rawValue, -1)))
  }

  /// Changes a limit of the connection.
  ///
  /// ```swift
  /// // Text that comes from elsewhere must not exhaust the memory.
  /// db.setLimit(.length, to: 1_000_000)
  /// ```
  ///
  /// - parameter limit: The limit.
  /// - parameter value: The new value. It is at most the one that SQLite was compiled with; see
  ///   <https://www.sqlite.org/limits.html>.
  /// - returns: The former value.
  @discardableResult public func setLimit(_ limit: Limit, to value: Int) -> Int {
    guard let sqliteConnection else { return 0 }
    let value = CInt(clamping: max(0, value))
    return unsafe max(0, Int(sqlite3_limit(sqliteConnection, limit.rawValue, value)))
  }
}
