/// The parameters of a statement, and the arguments that fit them.
struct StatementParameters {
  let count: Int
  /// The SQL text, for errors.
  let sql: String
  private let handle: StatementHandle
  /// The names of the parameters without their prefix, nil for `?`.
  private(set) lazy var names = (0..<count).map { handle.parameterName($0 + 1) }
  /// True if no parameter has a name.
  private(set) lazy var haveNoNames = names.allSatisfy { $0 == nil }

  init(_ handle: StatementHandle, sql: String) {
    self.handle = handle
    self.sql = sql
    count = handle.parameterCount
  }

  /// The values of all parameters, in order.
  ///
  /// - Throws: ``DatabaseError`` with code `SQLITE_MISUSE` when arguments are missing, or left.
  mutating func values(_ arguments: StatementArguments) throws -> [DatabaseValue] {
    if !arguments.hasNames, arguments.values.count == count { return arguments.values }
    var positional = arguments.values.makeIterator()
    var values: [DatabaseValue] = []
    values.reserveCapacity(count)
    for name in names {
      if let name, let value = arguments.value(named: name) {
        values.append(value)
      } else if let value = positional.next() {
        values.append(value)
      } else if let name {
        throw misuse("missing statement argument: \(name)")
      } else {
        throw wrongCount(arguments)
      }
    }
    if positional.next() != nil { throw wrongCount(arguments) }
    return values
  }

  /// The values of all parameters, in order: NULL for those without argument. Arguments may be
  /// left.
  mutating func availableValues(_ arguments: StatementArguments) -> [DatabaseValue] {
    var positional = arguments.values.makeIterator()
    return names.map { name in
      name.flatMap { arguments.value(named: $0) } ?? positional.next() ?? .null
    }
  }

  /// The index of the parameter with a name, prefix included.
  func index(of name: String) -> Int? { handle.parameterIndex(name) }

  func misuse(_ message: String) -> DatabaseError { DatabaseError.misuse(message, sql: sql) }

  private func wrongCount(_ arguments: StatementArguments) -> DatabaseError {
    .wrongArgumentCount(arguments.values.count, expected: count, sql: sql)
  }
}

extension DatabaseError {
  /// - parameter sql: The statement, or nil for several of them.
  static func wrongArgumentCount(_ count: Int, expected: Int, sql: String?) -> DatabaseError {
    let parameters = expected == 1 ? "1 parameter" : "\(expected) parameters"
    return misuse("wrong number of statement arguments: \(count)", sql: sql)
      .detailed("\(sql == nil ? "the statements have" : "the statement has") \(parameters)")
  }
}
