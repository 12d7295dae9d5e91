public import CSQLite

extension String: DatabaseValueConvertible, StatementColumnConvertible {
  /// Decodes the column at an index, with the conversions of SQLite; invalid UTF-8 is repaired.
  @inlinable
  public init(sqliteStatement: SQLiteStatement, index: CInt) {
    self = unsafe String(text: sqlite3_column_value(sqliteStatement, index)) ?? ""
  }

  /// Decodes the column at an index, or returns nil for NULL and for values without text. Invalid
  /// UTF-8 in a text is repaired.
  @inlinable
  public static func fromStatement(
    _ sqliteStatement: SQLiteStatement,
    atUncheckedIndex index: CInt
  ) -> String? {
    let column = unsafe sqlite3_column_value(sqliteStatement, index)
    return switch unsafe sqlite3_value_type(column) {
    case SQLITE_TEXT: unsafe String(text: column)
    case SQLITE_NULL: nil
    default: unsafe convertedColumn(column)
    }
  }

  /// The text of a value, which SQLite converts, or nil for NULL.
  @inlinable
  init?(text value: OpaquePointer?) {
    // The length must be read after the text, which may convert the value.
    guard let text = unsafe sqlite3_value_text(value) else { return nil }
    let count = unsafe Int(sqlite3_value_bytes(value))
    unsafe self.init(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
  }

  /// The text to store.
  @inlinable
  public var databaseValue: DatabaseValue { DatabaseValue(storage: .string(self)) }

  /// Returns the text, or the content of a blob that is valid UTF-8.
  public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> String? {
    switch dbValue.storage {
    case .string(let string): string
    case .blob(let data) where !dbValue.isExact: String(validUTF8: data)
    default: nil
    }
  }

  /// Converts a value of a row. Not for applications.
  @inlinable
  public static func _fromColumn(_ dbValue: DatabaseValue) -> String? {
    if case .string(let string) = dbValue.storage { return string }
    return ColumnConversion.string(dbValue)
  }

  /// Binds the text to a parameter of a statement.
  @inlinable
  public func bind(to sqliteStatement: SQLiteStatement, at index: CInt) -> CInt {
    let code = unsafe utf8.withContiguousStorageIfAvailable { bytes in
      unsafe bytes.bindText(to: sqliteStatement, at: index)
    }
    if let code { return code }
    var copy = self
    return copy.withUTF8 { unsafe $0.bindText(to: sqliteStatement, at: index) }
  }
}

extension String {
  /// Creates a string from its UTF-8 bytes, or returns nil when they are not valid.
  package init?(validUTF8 data: some Collection<UInt8>) {
    // Decoding repairs invalid bytes, which changes them.
    self.init(decoding: data, as: UTF8.self)
    guard utf8.elementsEqual(data) else { return nil }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Binds the bytes as a text. SQLite makes a copy.
  @inlinable
  func bindText(to sqliteStatement: SQLiteStatement, at index: CInt) -> CInt {
    // A null pointer would bind NULL instead of an empty text.
    guard let baseAddress else {
      return unsafe quarry_bind_text_copy(sqliteStatement, index, "", 0)
    }
    return unsafe quarry_bind_text_copy(sqliteStatement, index, baseAddress, sqlite3_uint64(count))
  }
}
