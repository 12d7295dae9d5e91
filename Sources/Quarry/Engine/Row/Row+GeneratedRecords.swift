// The seam of generated records: their code reads columns by position where it can. A record that
// is written by hand may do so too, and is as fast.

extension Row {
  /// Whether the row begins with these columns, in this order. Compared once for a statement. Not
  /// for applications.
  ///
  /// - parameter type: the record type that has these columns. It has always the same ones.
  public func _startsWith(
    _ columnNames: @autoclosure () throws -> [String], of type: Any.Type
  ) rethrows -> Bool { try layout.startsWith(columnNames, of: type) }

  /// Decodes a column by position, or by name if the row has other columns than the record. Not for
  /// applications.
  @inlinable public func _decode<Value: DatabaseValueConvertible>(
    at index: Int, or columnName: @autoclosure () -> String, inOrder: Bool
  ) throws -> Value { inOrder ? try decode(atIndex: index) : try decode(forColumn: columnName()) }

  /// Decodes a column by position, or by name if the row has other columns than the record. Not for
  /// applications.
  @inlinable @inline(__always)
  public func _decode<Value: DatabaseValueConvertible & StatementColumnConvertible>(
    at index: Int, or columnName: @autoclosure () -> String, inOrder: Bool
  ) throws -> Value { inOrder ? try decode(atIndex: index) : try decode(forColumn: columnName()) }
}
