import CSQLite
public import Foundation

extension UUID: DatabaseValueConvertible, StatementColumnConvertible {
  /// Decodes the column at an index: a blob of 16 bytes, or the text of a UUID.
  public init?(sqliteStatement: SQLiteStatement, index: CInt) {
    let column = sqlite3_column_value(sqliteStatement, index)
    guard sqlite3_value_type(column) == SQLITE_BLOB else {
      guard let uuid = UUID.convertedColumn(column) else { return nil }
      self = uuid
      return
    }
    let bytes = sqlite3_value_blob(column)
    let count = bytes == nil ? 0 : Int(sqlite3_value_bytes(column))
    self.init(bytes: UnsafeRawBufferPointer(start: bytes, count: count))
  }

  private init?(bytes: UnsafeRawBufferPointer) {
    guard bytes.count == MemoryLayout<uuid_t>.size else { return nil }
    self.init(uuid: bytes.loadUnaligned(as: uuid_t.self))
  }

  /// The blob of the 16 bytes.
  public var databaseValue: DatabaseValue {
    withUnsafeBytes(of: uuid) { DatabaseValue(storage: .blob(Data($0))) }
  }

  /// Returns a UUID from a blob of 16 bytes, or from the text of a UUID.
  public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> UUID? {
    switch dbValue.storage {
    case .blob(let data): data.withUnsafeBytes { UUID(bytes: $0) }
    case .string(let string): UUID(uuidString: string)
    default: nil
    }
  }

  /// Binds the blob of the 16 bytes to a parameter of a statement.
  public func bind(to sqliteStatement: SQLiteStatement, at index: CInt) -> CInt {
    withUnsafeBytes(of: uuid) { bytes in
      quarry_bind_blob_copy(
        sqliteStatement, index, bytes.baseAddress, sqlite3_uint64(bytes.count))
    }
  }
}
