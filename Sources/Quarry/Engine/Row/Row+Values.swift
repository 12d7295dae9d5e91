// Reading values: by index, by name, by column. All typed access ends in the two `value(atIndex:)`
// methods, one for types that read from a statement, one for types that convert a `DatabaseValue`.

extension Row {
  /// The value of a column, as stored: `Int64`, `Double`, `String`, `Data`, or nil.
  public subscript(_ index: Int) -> (any DatabaseValueConvertible)? {
    if isDecodingRecord, !hasColumn(at: index) {
      remember(missingColumnError("index \(index)"))
      return nil
    }
    checkIndex(index)
    return databaseValue(at: index).storage.value
  }

  /// The value of a column.
  @inlinable public subscript<Value: DatabaseValueConvertible>(_ index: Int) -> Value {
    do {
      return try decode(Value.self, atIndex: index)
    } catch {
      return fail(error)
    }
  }

  /// The value of a column.
  @inlinable
  public subscript<Value: DatabaseValueConvertible & StatementColumnConvertible>(
    _ index: Int
  ) -> Value {
    if let directStatement, UInt(bitPattern: index) < UInt(bitPattern: count),
      let value = unsafe Value.fromStatement(
        directStatement, atUncheckedIndex: offset &+ CInt(truncatingIfNeeded: index))
    {
      return value
    }
    return slowValue(at: index)
  }

  /// The value of the leftmost column with a name, as stored, or nil when there is no such column.
  public subscript(_ columnName: String) -> (any DatabaseValueConvertible)? {
    guard let index = index(ofColumn: columnName) else { return nil }
    return databaseValue(at: index).storage.value
  }

  /// The value of the leftmost column with a name, without regard to the case of letters.
  @inlinable public subscript<Value: DatabaseValueConvertible>(_ columnName: String) -> Value {
    do {
      return try decode(Value.self, forColumn: columnName)
    } catch {
      return fail(error)
    }
  }

  /// The value of the leftmost column with a name, without regard to the case of letters.
  @inlinable
  public subscript<Value: DatabaseValueConvertible & StatementColumnConvertible>(
    _ columnName: String
  ) -> Value {
    if let directStatement, let index = index(ofColumn: columnName),
      let value = unsafe Value.fromStatement(
        directStatement, atUncheckedIndex: offset &+ CInt(truncatingIfNeeded: index))
    {
      return value
    }
    return slowValue(forColumn: columnName)
  }

  /// The value of a column, as stored, or nil when there is no such column.
  public subscript(_ column: some ColumnExpression) -> (any DatabaseValueConvertible)? {
    self[column.name]
  }

  /// The value of a column.
  @inlinable
  public subscript<Value: DatabaseValueConvertible>(_ column: some ColumnExpression) -> Value {
    self[column.name]
  }

  /// The value of a column.
  @inlinable public subscript<Value>(_ column: some ColumnExpression) -> Value
  where Value: DatabaseValueConvertible & StatementColumnConvertible { self[column.name] }
}

extension Row {
  /// Decodes the value of a column.
  ///
  /// - Throws: ``RowDecodingError`` when the value can't be converted.
  @inlinable public func decode<Value: DatabaseValueConvertible>(
    _ type: Value.Type = Value.self, atIndex index: Int
  ) throws -> Value {
    guard hasColumn(at: index),
      let value = Value._fromColumn(databaseValue(at: index))
    else { throw conversionError(Value.self, at: index) }
    return value
  }

  /// Decodes the value of a column.
  ///
  /// - Throws: ``RowDecodingError`` when the column is missing, or when its value can't be
  ///   converted.
  @inlinable
  public func decode<Value: DatabaseValueConvertible>(
    _ type: Value.Type = Value.self, forColumn columnName: String
  ) throws -> Value {
    guard let index = index(ofColumn: columnName) else {
      guard let value = Value.fromMissingColumn() else { throw missingColumnError(columnName) }
      return value
    }
    return try decode(Value.self, atIndex: index)
  }

  /// Decodes the value of a column.
  ///
  /// - Throws: ``RowDecodingError`` when the value can't be converted.
  @inlinable @inline(__always)
  public func decode<Value: DatabaseValueConvertible & StatementColumnConvertible>(
    _ type: Value.Type = Value.self, atIndex index: Int
  ) throws -> Value {
    if let directStatement, UInt(bitPattern: index) < UInt(bitPattern: count),
      let value = unsafe Value.fromStatement(
        directStatement, atUncheckedIndex: offset &+ CInt(truncatingIfNeeded: index))
    {
      return value
    }
    return try decodeSlowly(at: index)
  }

  /// Decodes the value of a column.
  ///
  /// - Throws: ``RowDecodingError`` when the column is missing, or when its value can't be
  ///   converted.
  @inlinable
  public func decode<Value: DatabaseValueConvertible & StatementColumnConvertible>(
    _ type: Value.Type = Value.self, forColumn columnName: String
  ) throws -> Value {
    guard let index = index(ofColumn: columnName) else {
      guard let value = Value.fromMissingColumn() else { throw missingColumnError(columnName) }
      return value
    }
    return try decode(Value.self, atIndex: index)
  }
}

extension Row {
  /// The index of the leftmost column with a name.
  @usableFromInline package func index(ofColumn name: String) -> Int? {
    guard let index = layout.index(ofColumn: name, guess: Int(lastColumn) &+ 1) else { return nil }
    lastColumn = CInt(truncatingIfNeeded: index)
    return index
  }

  /// The value of a column, which must exist.
  @usableFromInline func databaseValue(at index: Int) -> DatabaseValue {
    let column = layout.physicalIndex(index)
    if let statement = liveStatement { return DatabaseValue(CInt(column), of: statement) }
    return batch?.databaseValue(row: batchIndex, column: column) ?? .null
  }

  @inlinable func slowValue<Value: DatabaseValueConvertible & StatementColumnConvertible>(
    at index: Int
  ) -> Value {
    do {
      return try decodeSlowly(at: index)
    } catch {
      return fail(error)
    }
  }

  @inlinable func slowValue<Value: DatabaseValueConvertible & StatementColumnConvertible>(
    forColumn columnName: String
  ) -> Value {
    do {
      return try decode(Value.self, forColumn: columnName)
    } catch {
      return fail(error)
    }
  }

  /// Decodes a value when the fast path does not apply, or failed.
  @inlinable func decodeSlowly<Value: DatabaseValueConvertible & StatementColumnConvertible>(
    at index: Int
  ) throws -> Value {
    // Rows in memory: prefetched rows are decoded by this line.
    if let stored = copiedValue(at: index), let value = Value._fromColumn(stored) { return value }
    return try decodeMapped(at: index)
  }

  /// Decodes a value of a row whose columns are not contiguous, or reports its failure.
  @usableFromInline func decodeMapped<Value: DatabaseValueConvertible & StatementColumnConvertible>(
    at index: Int
  ) throws -> Value {
    guard hasColumn(at: index) else { throw missingColumnError("index \(index)") }
    if let statement = liveStatement, !statement.isExact {
      let column = CInt(layout.physicalIndex(index))
      guard
        let value = unsafe Value.fromStatement(statement.sqliteStatement, atUncheckedIndex: column)
      else { throw conversionError(Value.self, at: index) }
      return value
    }
    guard let value = Value._fromColumn(databaseValue(at: index)) else {
      throw conversionError(Value.self, at: index)
    }
    return value
  }

  /// The value of a column of a row in memory, nil for other rows, and without such a column.
  @usableFromInline func copiedValue(at index: Int) -> DatabaseValue? {
    guard hasColumn(at: index) else { return nil }
    return unownedBatch?.use {
      $0.databaseValue(row: batchIndex, column: layout.physicalIndex(index))
    }
  }

  @usableFromInline func hasColumn(at index: Int) -> Bool { index >= 0 && index < count }

  @usableFromInline func checkIndex(_ index: Int) {
    precondition(hasColumn(at: index), "row index out of range")
  }
}
