import CSQLite
public import Foundation

extension UUID: DatabaseValueConvertible, _DirectColumn {
  /// Decodes the column at an index: a blob of 16 bytes, or the text of a UUID. NULL is nil.
  public static func fromStatement(
    _ sqliteStatement: SQLiteStatement, atUncheckedIndex index: CInt
  ) -> UUID? {
    let column = unsafe sqlite3_column_value(sqliteStatement, index)
    switch unsafe sqlite3_value_type(column) {
    case SQLITE_BLOB:
      let bytes = unsafe sqlite3_value_blob(column)
      let count = unsafe bytes == nil ? 0 : Int(sqlite3_value_bytes(column))
      return unsafe UUID(bytes: UnsafeRawBufferPointer(start: bytes, count: count))
    case SQLITE_NULL: return nil
    default: return unsafe convertedColumn(column)
    }
  }

  /// The bytes of a blob of 16 bytes. Nil for any other value.
  @inline(__always) static func bytes(
    of sqliteStatement: SQLiteStatement, at index: CInt
  ) -> UnsafeRawPointer? {
    let column = unsafe sqlite3_column_value(sqliteStatement, index)
    guard unsafe sqlite3_value_type(column) == SQLITE_BLOB,
      let bytes = unsafe sqlite3_value_blob(column),
      unsafe sqlite3_value_bytes(column) == MemoryLayout<uuid_t>.size
    else { return nil }
    return unsafe bytes
  }

  @inline(__always) private init?(bytes: UnsafeRawBufferPointer) {
    guard bytes.count == MemoryLayout<uuid_t>.size else { return nil }
    unsafe self.init(uuid: bytes.loadUnaligned(as: uuid_t.self))
  }

  /// The blob of the 16 bytes.
  public var databaseValue: DatabaseValue {
    unsafe withUnsafeBytes(of: uuid) { unsafe DatabaseValue(storage: .blob(Data($0))) }
  }

  /// Returns a UUID from a blob of 16 bytes, or from the text of a UUID.
  public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> UUID? {
    switch dbValue.storage {
    case .blob(let data): unsafe data.withUnsafeBytes { unsafe UUID(bytes: $0) }
    case .string(let string): UUID(uuidString: string)
    default: nil
    }
  }

  /// Binds the blob of the 16 bytes to a parameter of a statement.
  public func bind(to sqliteStatement: SQLiteStatement, at index: CInt) -> CInt {
    unsafe withUnsafeBytes(of: uuid) { bytes in
      unsafe quarry_bind_blob_copy(
        sqliteStatement, index, bytes.baseAddress, sqlite3_uint64(bytes.count))
    }
  }
}
