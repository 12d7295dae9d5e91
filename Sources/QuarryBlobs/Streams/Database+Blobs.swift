public import Quarry

extension Database {
  /// Opens a blob or a text of a row, to read and to write parts of it.
  ///
  /// Close the stream, or use `withBlob(table:column:rowID:schema:access:_:)`: a transaction
  /// can't be committed while a stream that writes is open. Outside of a transaction, what other
  /// statements write meanwhile is committed with the stream. The end of the access closes a stream
  /// that is left open, as ``DatabaseBlob/close()`` does: `read` and `write` throw its error.
  ///
  /// - parameter table: The table, without regard to case. It has rowids, and is no view.
  /// - parameter column: The column. It can't be written where an index has it in its columns or
  ///   in its condition, where it is part of a foreign key, or beside generated columns; nor read,
  ///   if one of them is virtual. Since version 3.53, SQLite opens no stream beside any of them.
  /// - parameter rowID: The rowid of the row.
  /// - parameter schemaName: The schema of the table. Nil for the first one that has it.
  /// - parameter access: Whether the stream only reads.
  /// - throws: A `DatabaseError` when there is no such table, column, or row, and for NULL and
  ///   numbers.
  ///
  /// See <https://www.sqlite.org/c3ref/blob_open.html>.
  public func openBlob(
    table: String, column: String, rowID: Int64, schema schemaName: String? = nil,
    access: DatabaseBlob.Access = .readOnly
  ) throws -> DatabaseBlob {
    try willUseBlob(isReadOnly: access == .readOnly)
    let table = try schema.resolve(table, in: schemaName)
    if access != .readOnly, table.id.schemaID == .main { try checkRecorders([table.id.name]) }
    let blob = try DatabaseBlob(self, table: table, column: column, rowID: rowID, access: access)
    didOpen(blob)
    return blob
  }

  /// Opens a blob or a text of a row for the duration of a function.
  ///
  /// ```swift
  /// let head = try db.withBlob(table: "file", column: "content", rowID: 1) { blob in
  ///   try blob.read(at: 0, count: 16)
  /// }
  /// ```
  ///
  /// See `openBlob(table:column:rowID:schema:access:)`.
  ///
  /// - throws: A `DatabaseError` when the blob can't be opened, and the error of the function.
  public func withBlob<T>(
    table: String, column: String, rowID: Int64, schema schemaName: String? = nil,
    access: DatabaseBlob.Access = .readOnly, _ body: (DatabaseBlob) throws -> T
  ) throws -> T {
    let blob = try openBlob(
      table: table, column: column, rowID: rowID, schema: schemaName, access: access)
    let result: T
    do {
      result = try body(blob)
    } catch {
      // The first error is the one to report.
      try? blob.close()
      throw error
    }
    try blob.close()
    return result
  }
}
