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
  private var block: UnsafeMutableRawPointer
  private var capacity = smallestBlock
  private var count = 0
  /// Blocks that were too small for all values that are bound.
  private var fullBlocks: [UnsafeMutableRawPointer] = []

  private static var smallestBlock: Int { 256 }
  /// A larger block serves one execution.
  private static var largestKeptBlock: Int { 1_000_000 }

  init() {
    block = .allocate(byteCount: Self.smallestBlock, alignment: 1)
  }

  deinit {
    block.deallocate()
    for block in fullBlocks { block.deallocate() }
  }

  /// Forgets the bytes of the last values. What was bound must be bound again.
  @inline(__always) mutating func removeAll() {
    count = 0
    if !fullBlocks.isEmpty || capacity > Self.largestKeptBlock { freeBlocks() }
  }

  private mutating func freeBlocks() {
    for block in fullBlocks { block.deallocate() }
    fullBlocks = []
    guard capacity > Self.largestKeptBlock else { return }
    block.deallocate()
    capacity = Self.smallestBlock
    block = .allocate(byteCount: capacity, alignment: 1)
  }

  /// Binds a value to a parameter.
  @inline(__always)
  mutating func bind(_ value: DatabaseValue, to statement: SQLiteStatement, at index: CInt) -> CInt
  {
    switch value.storage {
    case .int64(let int64): sqlite3_bind_int64(statement, index, int64)
    case .double(let double): sqlite3_bind_double(statement, index, double)
    case .null: sqlite3_bind_null(statement, index)
    // The reason is bound to nothing, and told.
    case .string, .blob:
      value.isInvalid ? SQLITE_MISMATCH : bindBytes(value, to: statement, at: index)
    }
  }

  private mutating func bindBytes(
    _ value: DatabaseValue, to statement: SQLiteStatement, at index: CInt
  ) -> CInt {
    switch value.storage {
    case .string(let text):
      let code = text.utf8.withContiguousStorageIfAvailable { bytes in
        let start = store(UnsafeRawBufferPointer(bytes)).assumingMemoryBound(to: CChar.self)
        return quarry_bind_text_static(statement, index, start, UInt64(bytes.count))
      }
      return code ?? value.bind(to: statement, at: index)
    case .blob(let data) where !data.isEmpty:
      return data.withUnsafeBytes { bytes in
        sqlite3_bind_blob64(statement, index, store(bytes), UInt64(bytes.count), nil)
      }
    default:
      return value.bind(to: statement, at: index)
    }
  }

  /// Copies bytes to where they stay until the next values come.
  private mutating func store(_ source: UnsafeRawBufferPointer) -> UnsafeRawPointer {
    let target = source.count <= capacity - count ? block + count : addBlock(for: source.count)
    if let start = source.baseAddress { target.copyMemory(from: start, byteCount: source.count) }
    count += source.count
    return UnsafeRawPointer(target)
  }

  /// Begins another block: bytes of the current one are bound, and must stay.
  private mutating func addBlock(for size: Int) -> UnsafeMutableRawPointer {
    fullBlocks.append(block)
    capacity = max(size, capacity * 2)
    block = .allocate(byteCount: capacity, alignment: 1)
    count = 0
    return block
  }
}
