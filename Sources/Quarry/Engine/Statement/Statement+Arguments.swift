extension Statement {
  /// The arguments of the next execution. Setting arguments that don't fit stops the program: see
  /// ``setArguments(_:)``.
  public var arguments: StatementArguments {
    get { bindings.arguments }
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
  /// - Throws: ``DatabaseError`` with code `SQLITE_MISUSE` when there are too few or too many, or
  ///   when a named one is missing.
  public func validateArguments(_ arguments: StatementArguments) throws {
    _ = try bindings.parameters.values(arguments)
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
    let values = try bindings.parameters.values(arguments)
    try prepareBinding()
    try bindings.bind(values, of: arguments)
  }

  /// Sets the arguments of the next execution without any check: missing ones are NULL.
  public func setUncheckedArguments(_ arguments: StatementArguments) {
    if execution.activity == .calling { return bindings.refuse(callError()) }
    reset()
    do {
      try bindings.bind(bindings.parameters.availableValues(arguments), of: arguments)
    } catch {
      bindings.refuse(error, arguments)
    }
  }

  /// Binds the values of a range, without copying them, to the first parameters. Their owner keeps
  /// them until the execution ends. The caller knows the statement: their number is not checked.
  ///
  /// - Throws: ``DatabaseError`` for a value that can't be stored.
  @inline(__always) func bind(_ range: Range<Int>, of values: borrowing PackedValues) throws {
    reset()
    try bindings.bind(range, of: values)
  }

  /// Binds the values at some indexes, counted from `start`, without copying them, and NULL without
  /// index. See `bind(_:of:)`.
  func bind(_ indexes: [Int?], from start: Int, of values: borrowing PackedValues) throws {
    reset()
    try bindings.bind(indexes, from: start, of: values)
  }

  /// Binds the elements of a literal. Their number is not checked.
  func bind(_ elements: ExistentialElements) throws {
    try prepareBinding()
    bindings.removeValues()
    for index in 0..<elements.count where !bindings.values.append(usual: index, of: elements) {
      // Computed by the application, which may use the statement.
      bindings.leaveValues()
      let value = elements.databaseValue(of: index)
      guard !bindings.isReady, bindings.values.count == index else {
        // SQLite has the values of that execution, whose place others would take.
        bindings.forget()
        throw bindings.parameters.misuse("an argument has executed the statement")
      }
      bindings.values.append(value)
    }
    try bindings.bindValues()
  }

  /// Binds the arguments of a query that is remembered: the given values take the places of those
  /// in the slots.
  ///
  /// - Throws: ``DatabaseError`` with code `SQLITE_MISUSE` when they don't fit.
  func bind(_ arguments: [DatabaseValue], filling slots: [DatabaseValue]) throws {
    guard arguments.count == bindings.parameters.count else {
      return try setArguments(
        StatementArguments(
          values: arguments.map { $0.slot == 0 ? $0 : slots[Int($0.slot) - 1] }))
    }
    try checkIsAllowed()
    try prepareBinding()
    bindings.removeValues()
    for argument in arguments {
      bindings.values.append(argument.slot == 0 ? argument : slots[Int(argument.slot) &- 1])
    }
    try bindings.bindValues()
  }

  private func prepareBinding() throws {
    try checkIsNotCalling()
    try endExecution()
  }
}
