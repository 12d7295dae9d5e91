import CSQLite
public import Foundation

extension Database {
  /// The events that are traced.
  ///
  /// See <https://www.sqlite.org/c3ref/c_trace.html>.
  public struct TracingOptions: OptionSet, Sendable {
    /// The bits, as SQLite defines them.
    public let rawValue: CInt

    /// Creates options from bits.
    public init(rawValue: CInt) { self.rawValue = rawValue }

    /// Statements that begin to run.
    public static let statement = TracingOptions(rawValue: SQLITE_TRACE_STMT)

    /// Statements that end, with their duration.
    public static let profile = TracingOptions(rawValue: SQLITE_TRACE_PROFILE)
  }

  /// Something that SQLite does.
  public enum TraceEvent: CustomStringConvertible {
    /// A statement begins to run.
    case statement(Statement)
    /// A statement ends, after so many seconds.
    case profile(statement: Statement, duration: TimeInterval)

    /// The SQL text, after the duration for a profile event. Arguments are hidden, unless the
    /// configuration says otherwise.
    public var description: String { duration + statement.description }

    /// The SQL text with the arguments, after the duration for a profile event.
    public var expandedDescription: String { duration + statement.expandedSQL }

    private var statement: Statement {
      switch self {
      case .statement(let statement), .profile(let statement, _): statement
      }
    }

    private var duration: String {
      guard case .profile(_, let seconds) = self else { return "" }
      return String(format: "%.3fs ", seconds)
    }

    /// A traced statement. It must not be kept.
    @safe public struct Statement: CustomStringConvertible {
      let pointer: SQLiteStatement
      /// The text of a comment that SQLite traces for triggers.
      let comment: String?
      /// The text of a statement that an engine executes.
      let engineSQL: String?
      let showsArguments: Bool

      /// False for what only reads, and for the statements of triggers.
      package var isChange: Bool { unsafe comment == nil && sqlite3_stmt_readonly(pointer) == 0 }

      /// The SQL text, with `?` for arguments.
      public var sql: String {
        if let text = comment ?? engineSQL { return text }
        let text = unsafe sqlite3_sql(pointer).map { unsafe String(cString: $0) } ?? ""
        return text.trimmedSQL
      }

      /// The SQL text, with the values of arguments, as SQLite writes them: 15 digits of doubles.
      public var expandedSQL: String {
        if let text = comment ?? engineSQL { return text }
        guard let text = unsafe sqlite3_expanded_sql(pointer) else { return sql }
        defer { unsafe sqlite3_free(text) }
        return unsafe String(cString: text).trimmedSQL
      }

      /// The SQL text. Arguments are hidden, unless the configuration says otherwise.
      public var description: String { showsArguments ? expandedSQL : sql }
    }
  }

  /// The SQL text of a statement that begins to run, with the values of its arguments, as exact as
  /// they are known: records bind theirs without a copy.
  package func exactSQL(of traced: TraceEvent.Statement) -> String {
    guard traced.comment == nil, traced.engineSQL == nil else { return traced.expandedSQL }
    let statement = owner.running.first { unsafe $0.sqliteStatement == traced.pointer }
    return statement?.expandedSQL ?? traced.expandedSQL
  }

  /// Calls a function for what SQLite does on this connection. A nil function stops the trace.
  ///
  /// ```swift
  /// db.trace { event in print("SQL: \(event)") }
  /// ```
  ///
  /// See <https://www.sqlite.org/c3ref/trace_v2.html>.
  public func trace(
    options: TracingOptions = .statement, _ trace: ((_ event: TraceEvent) -> Void)? = nil
  ) {
    traceFunction = trace
    tracingOptions = trace == nil ? [] : options
    updateTrace()
  }

  /// Asks SQLite for the events that the trace function and the observer need.
  func updateTrace() {
    guard let sqliteConnection else { return }
    let events: TracingOptions = accessObserver == nil ? tracingOptions : [.statement, .profile]
    guard !events.isEmpty else {
      unsafe sqlite3_trace_v2(sqliteConnection, 0, nil, nil)
      return
    }
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe sqlite3_trace_v2(
      sqliteConnection, UInt32(bitPattern: events.rawValue),
      { mask, context, first, second in
        guard let db = unsafe Unmanaged<Database>.context(context), let first = unsafe first
        else { return 0 }
        unsafe db.traceEvent(CInt(bitPattern: mask), OpaquePointer(first), second)
        return 0
      }, unsafe context)
  }

  /// Whether a traced text is that of the statement, which may begin with a comment, and not the
  /// comment for a trigger.
  private func isSQL(_ text: String, of pointer: SQLiteStatement) -> Bool {
    guard text.hasPrefix("--") else { return true }
    return unsafe sqlite3_sql(pointer).map { unsafe String(cString: $0) } == text
  }

  private func traceEvent(
    _ kind: CInt, _ pointer: SQLiteStatement, _ detail: UnsafeMutableRawPointer?
  ) {
    let engineSQL = unsafe engine?.sql(of: pointer)
    if engineSQL == "" { return }
    func statement(comment: String? = nil) -> TraceEvent.Statement {
      unsafe TraceEvent.Statement(
        pointer: pointer, comment: comment, engineSQL: engineSQL,
        showsArguments: configuration.publicStatementArguments)
    }
    switch kind {
    case SQLITE_TRACE_STMT:
      let text = unsafe detail.map {
        unsafe String(cString: $0.assumingMemoryBound(to: CChar.self))
      }
      let comment = text.flatMap { unsafe isSQL($0, of: pointer) ? nil : $0 }
      if comment == nil { unsafe accessObserver?.statementWillBegin(pointer) }
      guard tracingOptions.contains(.statement) else { return }
      traceFunction?(.statement(statement(comment: comment)))
    case SQLITE_TRACE_PROFILE:
      let nanoseconds = unsafe detail?.load(as: Int64.self) ?? 0
      unsafe accessObserver?.statementDidEnd(pointer)
      guard tracingOptions.contains(.profile) else { return }
      traceFunction?(.profile(statement: statement(), duration: Double(nanoseconds) / 1e9))
    default: break
    }
  }
}
