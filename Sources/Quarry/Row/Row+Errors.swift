// Failures while a record is decoded.
//
// Subscripts can't throw. While the library decodes a record, its row remembers the first failure, the
// subscript returns a placeholder, and the fetching method throws the failure instead of returning the record. What
// has no placeholder (a type that is not the library's own, and is no enumeration with a first case) can't be
// returned: there the program stops, as it does when a subscript fails outside of the decoding of a record.

extension Row {
  /// Remembers a failure, and returns a placeholder.
  @usableFromInline func fail<Value>(_ error: any Error) -> Value {
    guard isDecodingRecord, let placeholder: Value = Self.placeholder() else {
      fatalError("\(error)")
    }
    remember(error)
    return placeholder
  }

  /// Remembers a failure for the fetching method to throw.
  func remember(_ error: any Error) {
    if let parent = extras?.parent {
      parent.remember(error)
    } else {
      let extras = makeExtras()
      if extras.decodingError == nil { extras.decodingError = error }
    }
  }

  /// Throws the failure that the row remembers, and forgets it.
  @usableFromInline func throwDecodingError() throws {
    guard let extras, let error = extras.decodingError else { return }
    extras.decodingError = nil
    throw error
  }

  private static func placeholder<Value>() -> Value? {
    if let type = Value.self as? any DecodingPlaceholder.Type {
      return type.decodingPlaceholder as? Value
    }
    if let type = Value.self as? any CaseIterable.Type {
      return firstCase(of: type) as? Value
    }
    return nil
  }

  private static func firstCase<Cases: CaseIterable>(of type: Cases.Type) -> Any? {
    Cases.allCases.first
  }

  @usableFromInline func conversionError(_ type: Any.Type, at index: Int) -> RowDecodingError {
    guard index >= 0, index < count else { return missingColumnError("index \(index)") }
    let context = decodingContext(columnIndex: index)
    return .valueMismatch(type, value: databaseValue(at: index), context)
  }

  @usableFromInline func missingColumnError(_ name: String) -> RowDecodingError {
    .columnNotFound(name, decodingContext())
  }

  func decodingContext(columnIndex: Int? = nil) -> RowDecodingError.Context {
    RowDecodingError.Context(
      columnName: columnIndex.map { layout.columnNames[$0] },
      columnIndex: columnIndex,
      row: description,
      sql: liveStatement?.sql,
      arguments: liveStatement?.arguments)
  }
}
