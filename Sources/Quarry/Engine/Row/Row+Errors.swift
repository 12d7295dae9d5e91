// Failures while a record is decoded.
//
// Subscripts can't throw. While the library decodes a record, its row remembers the first failure,
// the subscript returns a placeholder (see `Placeholder`), and the fetching method throws the
// failure instead of returning the record. A type without placeholder (no value of the library, no
// enumeration, not `Decodable`, no record, with references inside) can't be returned: there the
// program stops, as it does when a subscript fails outside of the decoding of a record.
// `row.decode` throws in all cases. The article Errors of the manual lists what is not covered, and
// PlaceholderLimitTests show it.

extension Row {
  /// Remembers a failure, and returns a placeholder.
  @usableFromInline package func fail<Value>(_ error: any Error) -> Value {
    guard isDecodingRecord,
      let placeholder = Placeholder.make(Value.self, depth: extras?.placeholderDepth ?? 0)
    else { stop(error) }
    remember(error)
    return placeholder
  }

  /// Remembers a failure for the fetching method to throw. The program stops where no record is
  /// decoded.
  @usableFromInline func rememberOrStop(_ error: any Error) {
    guard isDecodingRecord else { stop(error) }
    remember(error)
  }

  /// Stops the program, where a subscript can neither throw nor return.
  private func stop(_ error: any Error) -> Never {
    fatalError("\(error)\n`try row.decode(…)` throws this error: subscripts stop the program here")
  }

  /// Remembers a failure for the fetching method to throw.
  func remember(_ error: any Error) {
    if isScope, let parent = extras?.parent {
      parent.object.remember(error)
    } else {
      let extras = makeExtras()
      if extras.decodingError == nil { extras.decodingError = error }
      hasFailed = true
    }
  }

  /// Adds the type of the record to the failure that the row remembers, unless a record inside of
  /// it is at fault.
  @usableFromInline func nameFailure(_ recordType: Any.Type) {
    let root = root
    guard root.use({ $0.hasFailed }), let extras = root.object.extras,
      let error = extras.decodingError as? RowDecodingError
    else { return }
    extras.decodingError = error.decoding(recordType)
  }

  /// Whether a failure is remembered by the row, or by the one that it is a scope of.
  @usableFromInline var rootHasFailed: Bool { isScope ? root.use { $0.hasFailed } : hasFailed }

  /// The row that this one is a scope of, at any depth.
  var root: Unretained<Row> {
    guard isScope, let extras, let parent = extras.parent else { return Unretained(self) }
    return parent.use { $0.root }
  }

  /// How often the row has moved, with the row that it is a scope of.
  @inline(__always) var rootMoveCount: Int { isScope ? root.use { $0.moveCount } : moveCount }

  /// Throws the failure that the row remembers, and forgets it.
  @usableFromInline func throwDecodingError() throws {
    guard hasFailed else { return }
    hasFailed = false
    guard let extras, let error = extras.decodingError else { return }
    extras.decodingError = nil
    throw error
  }

  /// The error of a record whose initializer has thrown one: the failure that the row remembers, if
  /// there is one, since the initializer may have refused its placeholder. Forgets the failure.
  @inline(never) func failure(before error: any Error) -> any Error {
    do {
      try root.use { try $0.throwDecodingError() }
      return error
    } catch let failure {
      return failure
    }
  }

  /// The same, with the type of the record.
  @inline(never) @usableFromInline
  func failure(before error: any Error, of recordType: Any.Type) -> any Error {
    let failure = failure(before: error)
    guard let decodingError = failure as? RowDecodingError else { return failure }
    return decodingError.decoding(recordType)
  }

  /// Calls `decode` with the row, which is no scope, and throws the failure that the row remembers.
  @inline(__always)
  func throwingFailures<Record>(_ decode: (Row) throws -> Record) throws -> Record {
    let record: Record
    do {
      record = try decode(self)
    } catch {
      throw failure(before: error)
    }
    try throwDecodingError()
    return record
  }

  /// Decodes a record as fetches do: an error is thrown, also where the row is read by subscripts.
  package func decodingRecord<Record>(_ decode: (Row) throws -> Record) throws -> Record {
    isDecodingRecord = true
    return try throwingFailures(decode)
  }

  /// Forgets the failure of a row that can't be decoded: its cursor goes on.
  @usableFromInline func forgetFailure() {
    hasFailed = false
    extras?.decodingError = nil
  }

  @usableFromInline
  package func conversionError(_ type: Any.Type, at index: Int) -> RowDecodingError {
    guard hasColumn(at: index) else { return missingColumnError("index \(index)") }
    let value = databaseValue(at: index)
    let error = RowDecodingError(
      .valueMismatch(type: "\(type)", value: value), decodingContext(columnIndex: index))
    return value.isRefusedExactly(by: type) ? error.expecting(value.exactFinding(type)) : error
  }

  @usableFromInline package func missingColumnError(_ name: String) -> RowDecodingError {
    RowDecodingError(.columnNotFound(name), decodingContext())
  }

  func decodingContext(columnIndex: Int? = nil) -> RowDecodingError.Context {
    RowDecodingError.Context(
      columnName: columnIndex.map { layout.columnNames[$0] },
      columnIndex: columnIndex,
      row: description,
      columnNames: layout.columnNames,
      sql: liveStatement?.sql ?? batch?.sql,
      arguments: liveStatement?.arguments ?? batch?.arguments)
  }
}
