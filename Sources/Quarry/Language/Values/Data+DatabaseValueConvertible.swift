public import CSQLite
public import Foundation

extension Data: DatabaseValueConvertible, StatementColumnConvertible {
  /// Decodes the column at an index, with the conversions of SQLite: the bytes of the blob or of
  /// the text.
  @inlinable
  public init(sqliteStatement: SQLiteStatement, index: CInt) {
    unsafe self.init(bytes: sqlite3_column_value(sqliteStatement, index))
  }

  /// Decodes the column at an index: the bytes of the blob or of the text. Nil for NULL and
  /// numbers.
  @inlinable
  public static func fromStatement(
    _ sqliteStatement: SQLiteStatement,
    atUncheckedIndex index: CInt
  ) -> Data? {
    let column = unsafe sqlite3_column_value(sqliteStatement, index)
    return switch unsafe sqlite3_value_type(column) {
    case SQLITE_BLOB: unsafe Data(bytes: column)
    case SQLITE_NULL: nil
    default: unsafe convertedColumn(column)
    }
  }

  /// The bytes of a value, which SQLite converts.
  @inlinable
  init(bytes value: OpaquePointer?) {
    // The length must be read after the blob, which may convert the value.
    guard let bytes = unsafe sqlite3_value_blob(value) else {
      self.init()
      return
    }
    unsafe self.init(bytes: bytes, count: Int(sqlite3_value_bytes(value)))
  }

  /// The blob to store.
  @inlinable
  public var databaseValue: DatabaseValue { DatabaseValue(storage: .blob(self)) }

  /// Returns the blob, or the UTF-8 bytes of a text.
  public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Data? {
    switch dbValue.storage {
    case .blob(let data): data
    case .string(let string) where !dbValue.isExact: Data(string.utf8)
    default: nil
    }
  }

  /// Binds the blob to a parameter of a statement.
  @inlinable
  public func bind(to sqliteStatement: SQLiteStatement, at index: CInt) -> CInt {
    unsafe withUnsafeBytes { bytes in
      // A null pointer would bind NULL instead of an empty blob.
      guard let baseAddress = bytes.baseAddress, unsafe !bytes.isEmpty else {
        return unsafe withUnsafePointer(to: 0 as UInt8) {
          unsafe quarry_bind_blob_copy(sqliteStatement, index, $0, 0)
        }
      }
      return unsafe quarry_bind_blob_copy(
        sqliteStatement, index, baseAddress, sqlite3_uint64(bytes.count))
    }
  }
}
