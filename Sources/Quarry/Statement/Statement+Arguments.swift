extension Statement {
  /// The arguments of the next execution. Setting arguments that don't fit stops the program: see
  /// ``setArguments(_:)``.
  public var arguments: StatementArguments {
    get { givenArguments ?? boundArguments }
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
    try bindAll(resolve(arguments))
    givenArguments = arguments
  }

  /// Sets the arguments of the next execution without any check: missing ones are NULL.
  public func setUncheckedArguments(_ arguments: StatementArguments) {
    if activity == .calling {
      bindingError = callError()
      isReady = false
      return
    }
    var positional = arguments.values.makeIterator()
    reset()
    handle.clearBindings()
    bindingError = nil
    for (index, name) in parameterNames.enumerated() {
      let value = name.flatMap { arguments.value(named: $0) } ?? positional.next()
      bind(value ?? .null, at: index + 1)
    }
    givenArguments = arguments
    isReady = bindingError == nil
  }

  /// Binds the values of all parameters, in order.
  func setValues(_ values: [DatabaseValue]) throws {
    guard values.count == parameterCount else {
      throw wrongCount(values.count)
    }
    try bindAll(values)
  }

  /// Binds one value. The caller knows the statement: a value that can't be stored is told by the execution.
  func bind(_ value: DatabaseValue, at index: Int) {
    let code = value.bind(to: sqliteStatement, at: CInt(index))
    if code != ResultCode.SQLITE_OK.rawValue {
      bindingError = bindingError ?? makeBindingError(code: code, value, at: index)
    }
    isReady = bindingError == nil
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
    _ = try resolve(arguments)
    isReady = true
  }

  /// Forgets the arguments: texts and blobs are freed.
  func forgetArguments() {
    handle.clearBindings()
    givenArguments = StatementArguments()
    bindingError = nil
    isReady = parameterCount == 0
  }

  /// The values that are bound, as a list.
  private var boundArguments: StatementArguments {
    StatementArguments(values: boundValues.values(in: 0..<boundValues.count))
  }

  /// Binds the values of the first parameters. The caller knows the statement: their number is not checked.
  func bindAll(_ values: [DatabaseValue]) throws {
    try beginBinding()
    for value in values { boundValues.append(value) }
    try bind(boundValues)
  }

  /// Binds the elements of a literal. Their number is not checked.
  func bindAll(_ elements: UnsafeBufferPointer<any DatabaseValueConvertible>) throws {
    try beginBinding()
    if let start = UnsafeMutablePointer(mutating: elements.baseAddress) {
      for index in elements.indices { boundValues.append(element: start + index) }
    }
    // The database value of an element may be computed by the application.
    guard boundValues.count == elements.count else {
      throw DatabaseError(
        resultCode: .SQLITE_MISUSE, message: "an argument has executed the statement", sql: sql)
    }
    try bind(boundValues)
  }

  private func beginBinding() throws {
    try checkIsNotCalling()
    try endExecution()
    boundValues.removeAll()
    givenArguments = nil
  }

  /// Binds the values of the first parameters, without copying them. Their owner keeps them until the execution ends.
  ///
  /// The statement must have been reset.
  ///
  /// See ``bindAll(_:)``.
  func bind(_ values: borrowing PackedValues) throws {
    try bind(0..<values.count, of: values)
  }

  /// Binds the values of a range.
  ///
  /// See ``bind(_:)``.
  @inline(__always) func bind(_ range: Range<Int>, of values: borrowing PackedValues) throws {
    if let failure = values.bind(range, to: sqliteStatement) {
      // The other parameters may refer to bytes that go.
      forgetArguments()
      throw makeBindingError(
        code: failure.code, values[failure.index], at: failure.index - range.lowerBound + 1)
    }
    if !isReady { bindingError = nil }
    isReady = true
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

  /// Whether the arguments are a list with a value for each parameter.
  @inline(__always) private func fitsPositions(_ arguments: StatementArguments) -> Bool {
    !arguments.hasNames && arguments.values.count == parameterCount
  }

  private func wrongCount(_ count: Int) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_MISUSE, message: "wrong number of statement arguments: \(count)",
      sql: sql)
  }
}
