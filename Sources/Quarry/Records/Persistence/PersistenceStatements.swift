extension Statement {
  /// Runs the statement with the values of a container as its arguments.
  ///
  /// - Throws: ``DatabaseError`` when SQLite fails.
  @inline(never) func run(_ container: PersistenceContainer) throws {
    try run(container.range, of: container.rows.values) { try $0.run() }
  }

  /// Runs the statement with the values at some indexes of a container as its arguments: NULL
  /// without index.
  ///
  /// - Throws: ``DatabaseError`` when SQLite fails.
  func run(_ container: PersistenceContainer, at indexes: [Int?]) throws {
    try bind(indexes, from: container.range.lowerBound, of: container.rows.values)
    do {
      try run()
    } catch let error as DatabaseError {
      throw error.with(container.values(at: indexes))
    }
  }

  /// Runs the statement with values of records as its arguments.
  ///
  /// - parameter body: runs the statement.
  /// - Throws: ``DatabaseError`` when SQLite fails.
  func run<T>(
    _ range: Range<Int>, of values: borrowing PackedValues, _ body: (Statement) throws -> T
  ) throws -> T {
    try bind(range, of: values)
    do {
      return try body(self)
    } catch let error as DatabaseError {
      throw error.with(values.values(in: range))
    }
  }
}

extension DatabaseError {
  /// The error of an insertion, whose arguments were bound one by one.
  fileprivate func with(_ values: [DatabaseValue]) -> DatabaseError {
    var error = self
    error.arguments = StatementArguments(values: values)
    return error
  }
}

extension Database {
  /// Runs a statement, and returns how many rows it changed.
  ///
  /// SQLite does not count the changes of a view, but those of its triggers.
  func changes(isView: Bool, _ run: () throws -> Void) throws -> Int {
    let total = totalChangesCount
    try run()
    return isView ? changes(since: total) : changesCount
  }
}
