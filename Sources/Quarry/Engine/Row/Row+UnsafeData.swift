public import Foundation

extension Row {
  /// Calls `body` with the bytes of a text or blob, which are not copied and must not escape. Nil
  /// for NULL.
  ///
  /// The bytes of the row of a cursor are SQLite's: `body` must not use the database, nor read the
  /// column. They are what is stored: ``Configuration/conversions`` makes no difference.
  ///
  /// - Throws: ``RowDecodingError`` for a number; the error of `body`.
  public func withUnsafeData<T>(atIndex index: Int, _ body: (Data?) throws -> T) throws -> T {
    checkIndex(index)
    let column = layout.physicalIndex(index)
    if let statement = liveStatement {
      if statement.handle.isNumber(column) { throw conversionError(Data.self, at: index) }
      return try unsafe body(Self.data(viewing: statement.handle.bytes(column)))
    }
    guard let batch else { return try body(nil) }
    let cell = batch.cell(row: batchIndex, column: column)
    switch cell.kind {
    case .text, .blob: return try unsafe body(Self.data(viewing: batch.bytes(of: cell)))
    case .null, .invalid: return try body(nil)
    case .integer, .double: throw conversionError(Data.self, at: index)
    }
  }

  /// Calls `body` with the bytes of a text or blob, or with nil when there is no such column.
  ///
  /// See ``withUnsafeData(atIndex:_:)``.
  public func withUnsafeData<T>(named columnName: String, _ body: (Data?) throws -> T) throws -> T {
    guard let index = layout.index(ofColumn: columnName) else { return try body(nil) }
    return try withUnsafeData(atIndex: index, body)
  }

  /// Calls `body` with the bytes of a text or blob, or with nil when there is no such column.
  ///
  /// See ``withUnsafeData(atIndex:_:)``.
  public func withUnsafeData<T>(
    at column: some ColumnExpression, _ body: (Data?) throws -> T
  ) throws -> T { try withUnsafeData(named: column.name, body) }

  private static func data(viewing bytes: UnsafeRawBufferPointer?) -> Data? {
    guard let bytes = unsafe bytes else { return nil }
    guard let start = bytes.baseAddress, bytes.count > 0 else { return Data() }
    return unsafe Data(
      bytesNoCopy: UnsafeMutableRawPointer(mutating: start), count: bytes.count, deallocator: .none)
  }
}
