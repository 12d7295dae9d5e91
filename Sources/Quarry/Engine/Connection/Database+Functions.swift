import CSQLite

extension Database {
  /// Adds a function to the connection, or replaces the one with the same name and number of
  /// arguments.
  ///
  /// ```swift
  /// var configuration = Configuration()
  /// configuration.prepareDatabase { db in db.add(function: reverse) }
  /// ```
  ///
  /// While statements are running, a function can't be replaced: they end with the former one, and
  /// the new one comes into force afterwards.
  ///
  /// SQLite refuses names of more than 255 bytes, and more than 127 arguments. The statements that
  /// call such a function throw an error with the reason.
  ///
  /// See <https://www.sqlite.org/c3ref/create_function.html>.
  public func add(function: DatabaseFunction) {
    register(FunctionRegistration(function: function, isRemoval: false))
  }

  /// Removes the function with the same name and number of arguments from the connection. See
  /// ``add(function:)``.
  public func remove(function: DatabaseFunction) {
    register(FunctionRegistration(function: function, isRemoval: true))
  }
}

/// Adds or removes a function.
struct FunctionRegistration: Registration {
  let function: DatabaseFunction
  let isRemoval: Bool
  var name: String { function.name }

  /// The arguments and the name, for the message when SQLite refuses them.
  var refusal: String {
    let count = function.id.argumentCount.map { "\($0)" } ?? "any number of"
    return "\(count) arguments, and a name of \(function.name.utf8.count) bytes"
  }

  func apply(to connection: SQLiteConnection) -> CInt {
    // A negative number is any number for SQLite, and a name ends at its first NUL.
    if let count = function.id.argumentCount, count < 0 { return SQLITE_MISUSE }
    if function.name.utf8.contains(0) { return SQLITE_MISUSE }
    return unsafe isRemoval ? remove(from: connection) : add(to: connection)
  }

  private var argumentCount: CInt { function.id.argumentCount.map { CInt(clamping: $0) } ?? -1 }

  private var flags: CInt {
    let purity = function.isPure ? SQLITE_DETERMINISTIC : 0
    let trust =
      switch function.trust {
      case .innocuous: SQLITE_INNOCUOUS
      case .normal: CInt(0)
      case .directOnly: SQLITE_DIRECTONLY
      }
    return SQLITE_UTF8 | purity | trust
  }

  private func remove(from connection: SQLiteConnection) -> CInt {
    unsafe sqlite3_create_function_v2(
      connection, function.name, argumentCount, SQLITE_UTF8, nil, nil, nil, nil, nil)
  }

  private func add(to connection: SQLiteConnection) -> CInt {
    // SQLite releases the function, also when it refuses it.
    let context = unsafe Unmanaged.passRetained(function).toOpaque()
    switch function.kind {
    case .scalar:
      return unsafe sqlite3_create_function_v2(
        connection, function.name, argumentCount, flags, context, Self.call, nil, nil,
        Unmanaged<AnyObject>.releaseContext)
    case .aggregate:
      return unsafe sqlite3_create_function_v2(
        connection, function.name, argumentCount, flags, context, nil, Self.step, Self.finalize,
        Unmanaged<AnyObject>.releaseContext)
    case .window:
      return unsafe sqlite3_create_window_function(
        connection, function.name, argumentCount, flags, context, Self.step, Self.finalize,
        Self.value, Self.inverse, Unmanaged<AnyObject>.releaseContext)
    }
  }
}

// The callbacks that SQLite calls.
extension FunctionRegistration {
  private typealias Call =
    @convention(c) (OpaquePointer?, CInt, UnsafeMutablePointer<OpaquePointer?>?) -> Void
  private typealias End = @convention(c) (OpaquePointer?) -> Void

  private static let call: Call = { context, count, values in
    guard let context = unsafe FunctionContext(context),
      case .scalar(let body) = context.function?.kind
    else { return }
    context.setResult { try unsafe body(FunctionContext.arguments(count, values)) }
  }

  private static let step: Call = { context, count, values in
    unsafe FunctionContext(context)?.updateState { state in
      try unsafe state.step(FunctionContext.arguments(count, values))
    }
  }

  private static let inverse: Call = { context, count, values in
    unsafe FunctionContext(context)?.updateState { state in
      try unsafe state.inverse(FunctionContext.arguments(count, values))
    }
  }

  private static let value: End = { context in unsafe FunctionContext(context)?.setCurrentValue() }

  private static let finalize: End = { context in unsafe FunctionContext(context)?.setFinalValue() }
}
