extension Statement {
  /// The arguments of the next execution. Setting arguments that don't fit stops the program: see
  /// ``setArguments(_:)``.
  public var arguments: StatementArguments {
    get { storedArguments }
    set {
      do {
        try setArguments(newValue)
      } catch {
        fatalError("\(error)")
      }
    }
  }

  /// Checks that arguments fit the parameters of the statement.
  ///
  /// - Throws: ``DatabaseError`` with code `SQLITE_MISUSE` when there are too few or too many, or when a named one is missing.
  public func validateArguments(_ arguments: StatementArguments) throws {
    _ = try resolve(arguments)
  }

  /// Sets the arguments of the next execution.
  ///
  /// ```swift
  /// try statement.setArguments(["Alice", 1000])
  /// ```
  ///
  /// - Throws: ``DatabaseError`` with code `SQLITE_MISUSE` when they don't fit.
  public func setArguments(_ arguments: StatementArguments) throws {
    try checkIsAllowed()
    if fitsPositions(arguments) {
      try arguments.values.withUnsafeBufferPointer(bindAll)
    } else {
      try resolve(arguments).withUnsafeBufferPointer(bindAll)
    }
    storedArguments = arguments
  }

  /// Sets the arguments of the next execution without any check: missing ones are NULL.
  public func setUncheckedArguments(_ arguments: StatementArguments) {
    var positional = arguments.values.makeIterator()
    reset()
    handle.clearBindings()
    bindingError = nil
    for (index, name) in parameterNames.enumerated() {
      let value = name.flatMap { arguments.value(named: $0) } ?? positional.next()
      bind(value ?? .null, at: index + 1)
    }
    storedArguments = arguments
    needsArguments = false
  }

  /// Binds the values of all parameters, in order.
  func setValues(_ values: [DatabaseValue]) throws {
    guard values.count == parameterCount else {
      throw wrongCount(values.count)
    }
    try values.withUnsafeBufferPointer(bindAll)
    storedArguments = StatementArguments(values: values)
  }

  /// Binds one value. The caller knows the statement: a value that can't be stored is told by the execution.
  func bind(_ value: DatabaseValue, at index: Int) {
    let code = value.bind(to: sqliteStatement, at: CInt(index))
    if code != ResultCode.SQLITE_OK.rawValue {
      bindingError = bindingError ?? makeBindingError(code: code, value, at: index)
    }
    needsArguments = false
  }

  private func makeBindingError(
    code: CInt, _ value: DatabaseValue, at index: Int
  ) -> DatabaseError {
    let reason = value.invalidReason ?? ResultCode(rawValue: code).errorString
    return DatabaseError(
      resultCode: ResultCode(rawValue: code),
      message: "argument \(index) can't be bound: \(reason ?? "unknown reason")", sql: sql)
  }

  /// Throws when the statement has parameters that got no value, or one that can't be stored.
  func checkHasArguments() throws {
    if let error = bindingError { throw error }
    guard needsArguments else { return }
    _ = try resolve(storedArguments)
    needsArguments = false
  }

  /// Forgets the arguments: texts and blobs are freed.
  func forgetArguments() {
    handle.clearBindings()
    storedArguments = StatementArguments()
    bindingError = nil
    needsArguments = parameterCount > 0
  }

  /// Binds the values of the first parameters. The caller knows the statement: their number is not checked.
  func bindAll(_ values: UnsafeBufferPointer<DatabaseValue>) throws {
    beginBinding()
    try bindNext(values, after: 0)
    endBinding()
  }

  /// Begins to bind the parameters, with `bindNext`.
  @inline(__always) func beginBinding() {
    reset()
    arena.removeAll()
  }

  /// Binds the values of the parameters after those that are bound.
  func bindNext(_ values: UnsafeBufferPointer<DatabaseValue>, after count: Int) throws {
    for index in values.indices {
      let parameter = CInt(truncatingIfNeeded: count &+ index &+ 1)
      let code = arena.bind(values[index], to: sqliteStatement, at: parameter)
      guard code == ResultCode.SQLITE_OK.rawValue else {
        // The other parameters may refer to bytes that are gone.
        forgetArguments()
        throw makeBindingError(code: code, values[index], at: Int(parameter))
      }
    }
  }

  /// All parameters are bound.
  @inline(__always) func endBinding() {
    bindingError = nil
    needsArguments = false
  }

  /// The values of all parameters, in order.
  private func resolve(_ arguments: StatementArguments) throws -> [DatabaseValue] {
    if fitsPositions(arguments) { return arguments.values }
    var positional = arguments.values.makeIterator()
    var values: [DatabaseValue] = []
    values.reserveCapacity(parameterNames.count)
    for name in parameterNames {
      if let name, let value = arguments.value(named: name) {
        values.append(value)
      } else if let value = positional.next() {
        values.append(value)
      } else if let name {
        throw DatabaseError(
          resultCode: .SQLITE_MISUSE, message: "missing statement argument: \(name)", sql: sql)
      } else {
        throw wrongCount(arguments.values.count)
      }
    }
    if positional.next() != nil { throw wrongCount(arguments.values.count) }
    return values
  }

  /// Whether the arguments are a list, for parameters without names.
  @inline(__always) private func fitsPositions(_ arguments: StatementArguments) -> Bool {
    !arguments.hasNames && arguments.values.count == parameterCount && hasOnlyPositions
  }

  private func wrongCount(_ count: Int) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_MISUSE, message: "wrong number of statement arguments: \(count)",
      sql: sql)
  }
}
