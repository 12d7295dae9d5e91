import CSQLite
import Foundation

/// The bytes of the texts and blobs that are bound to a statement.
///
/// SQLite copies what is bound, or trusts its owner to keep it. A copy is an allocation per text and execution. So
/// the statement is the owner: it copies the bytes of all its values to this memory, which serves all its
/// executions, and which only changes while the statement is reset.
///
/// See <https://www.sqlite.org/c3ref/bind_blob.html>.
struct BindingArena: ~Copyable {
  private var bytes: UnsafeMutableRawPointer?
  private var capacity = 0
  private var count = 0

  deinit {
    bytes?.deallocate()
  }

  /// Forgets the bytes of the last values, and makes room for those of the next ones. What was bound must be bound again.
  mutating func prepare(for values: some Collection<DatabaseValue>) {
    count = 0
    var needed = 0
    for value in values {
      switch value.storage {
      case .string(let text): needed += text.utf8.count
      case .blob(let data): needed += data.count
      case .null, .int64, .double: break
      }
    }
    guard needed > capacity || capacity > 1_000_000 else { return }
    bytes?.deallocate()
    capacity = max(needed, 64)
    bytes = .allocate(byteCount: capacity, alignment: 1)
  }

  /// Binds a value for which room was made.
  mutating func bind(_ value: DatabaseValue, to statement: SQLiteStatement, at index: CInt) -> CInt
  {
    // The reason is bound to nothing, and told.
    if value.isInvalid { return value.bind(to: statement, at: index) }
    switch value.storage {
    case .string(let text):
      let copy = text.utf8.withContiguousStorageIfAvailable { store(UnsafeRawBufferPointer($0)) }
      guard let copy, let start = copy.baseAddress else {
        return value.bind(to: statement, at: index)
      }
      return quarry_bind_text_static(
        statement, index, start.assumingMemoryBound(to: CChar.self), UInt64(copy.count))
    case .blob(let data) where !data.isEmpty:
      let copy = data.withUnsafeBytes { store($0) }
      return sqlite3_bind_blob64(statement, index, copy.baseAddress, UInt64(copy.count), nil)
    default:
      return value.bind(to: statement, at: index)
    }
  }

  private mutating func store(_ source: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    guard let bytes, count + source.count <= capacity else {
      return UnsafeRawBufferPointer(start: nil, count: 0)
    }
    let target = bytes + count
    if let start = source.baseAddress { target.copyMemory(from: start, byteCount: source.count) }
    count += source.count
    return UnsafeRawBufferPointer(start: target, count: source.count)
  }
}
