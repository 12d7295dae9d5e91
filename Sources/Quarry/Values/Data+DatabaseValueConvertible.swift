public import CSQLite
public import Foundation

extension Data: DatabaseValueConvertible, StatementColumnConvertible {
  /// Decodes the column at an index: the bytes of the blob or of the text.
  @inlinable
  public init(sqliteStatement: SQLiteStatement, index: CInt) {
    // The length must be read after the blob, which may convert the value.
    guard let bytes = sqlite3_column_blob(sqliteStatement, index) else {
      self.init()
      return
    }
    self.init(bytes: bytes, count: Int(sqlite3_column_bytes(sqliteStatement, index)))
  }

  /// The blob to store.
  @inlinable
  public var databaseValue: DatabaseValue {
    DatabaseValue(storage: .blob(self))
  }

  /// Returns the blob, or the UTF-8 bytes of a text.
  public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Data? {
    switch dbValue.storage {
    case .blob(let data): data
    case .string(let string): Data(string.utf8)
    default: nil
    }
  }

  /// Binds the blob to a parameter of a statement.
  @inlinable
  public func bind(to sqliteStatement: SQLiteStatement, at index: CInt) -> CInt {
    withUnsafeBytes { bytes in
      // A null pointer would bind NULL instead of an empty blob.
      guard let baseAddress = bytes.baseAddress, !bytes.isEmpty else {
        return sqlite3_bind_zeroblob(sqliteStatement, index, 0)
      }
      return quarry_bind_blob_copy(
        sqliteStatement, index, baseAddress, sqlite3_uint64(bytes.count))
    }
  }
}
