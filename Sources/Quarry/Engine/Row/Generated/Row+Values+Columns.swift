// Written by Scripts/generate, from Row+Values.swift: change that file.

extension Row {
  /// Decodes the value of a column. See `decode(_:forColumn:)`.
  @inlinable
  public func decode<Value: DatabaseValueConvertible>(
    _ type: Value.Type = Value.self, forColumn column: some ColumnExpression
  ) throws -> Value {
    try decode(type, forColumn: column.name)
  }

  /// Decodes the value of a column. See `decode(_:forColumn:)`.
  @inlinable
  public func decode<Value: DatabaseValueConvertible & StatementColumnConvertible>(
    _ type: Value.Type = Value.self, forColumn column: some ColumnExpression
  ) throws -> Value {
    try decode(type, forColumn: column.name)
  }
}
