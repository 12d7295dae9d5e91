extension Statement {
  /// Binds the values of a record, and other arguments after them.
  ///
  /// - parameter columns: the columns of the first values, for error messages.
  /// - Throws: ``DatabaseError`` for a value that SQLite can't store.
  func bind(
    _ values: [DatabaseValue], then others: StatementArguments = StatementArguments(),
    columns: @autoclosure () -> [String] = []
  ) throws {
    do {
      if others.isEmpty {
        try setValues(values)
      } else {
        try setArguments(StatementArguments(values: values) + others)
      }
    } catch {
      guard let index = values.firstIndex(where: { $0.invalidReason != nil }),
        let reason = values[index].invalidReason
      else { throw error }
      let columns = columns()
      let place = index < columns.count ? "column: \"\(columns[index])\"" : "argument \(index + 1)"
      throw DatabaseError(
        resultCode: .SQLITE_MISMATCH, message: "\(reason) - \(place)", sql: sql)
    }
  }
}

extension Database {
  /// Runs a statement, and returns how many rows it changed.
  ///
  /// SQLite does not count the changes of a view, but those of its triggers.
  func changes(isView: Bool, _ run: () throws -> Void) throws -> Int {
    let total = totalChangesCount
    try run()
    return isView ? totalChangesCount - total : changesCount
  }
}
