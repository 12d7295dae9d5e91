import CSQLite
import Foundation

/// Database values side by side: a cell of 16 bytes per value, and the bytes of texts and blobs
/// after all cells.
///
/// All is one block of memory, and nothing in it is counted: values cost next to nothing to add, to
/// move and to forget. Rows that are copied, arguments of statements and columns of records are
/// packed.
@safe @usableFromInline struct PackedValues: ~Copyable {
  /// A value. Texts and blobs are a range of the bytes.
  @usableFromInline struct Cell {
    @usableFromInline var bits: UInt64
    @usableFromInline var length: UInt32
    @usableFromInline var kind: Kind

    @inlinable init(bits: UInt64, length: UInt32, kind: Kind) {
      self.bits = bits
      self.length = length
      self.kind = kind
    }

    /// Where the bytes are.
    var offset: Int { Int(truncatingIfNeeded: bits) }
  }

  @usableFromInline enum Kind: UInt8 {
    case null, integer, double, text, blob
    /// A value that SQLite can't store: the text is the reason.
    case invalid

    var hasBytes: Bool { rawValue >= Kind.text.rawValue }
  }

  @usableFromInline var count = 0
  /// Whether some value can't be stored.
  private(set) var hasInvalidValues = false
  /// The block: first the cells, then the bytes.
  @usableFromInline private(set) var cells: UnsafeMutablePointer<Cell>
  @usableFromInline private(set) var capacity: Int
  private var bytes: UnsafeMutableRawPointer
  private var byteCount = 0
  private(set) var byteCapacity: Int

  /// A block with more bytes serves once: see `removeAll`.
  private static var largestKeptByteCapacity: Int { 1_000_000 }

  init(capacity: Int, byteCapacity: Int) {
    self.capacity = capacity
    self.byteCapacity = byteCapacity
    unsafe cells = unsafe Self.allocate(capacity, byteCapacity)
    unsafe bytes = unsafe UnsafeMutableRawPointer(cells + capacity)
  }

  @inlinable deinit { unsafe cells.deallocate() }

  /// The value at an index.
  @inline(__always) subscript(index: Int) -> DatabaseValue {
    let cell = unsafe cells[index]
    return switch cell.kind {
    case .null: .null
    case .integer: DatabaseValue(storage: .int64(Int64(bitPattern: cell.bits)))
    case .double: DatabaseValue(storage: .double(Double(bitPattern: cell.bits)))
    case .text, .blob, .invalid: value(of: cell)
    }
  }

  // Not inlined: numbers would pay for the stack frame.
  @inline(never) private func value(of cell: Cell) -> DatabaseValue {
    switch cell.kind {
    case .blob: unsafe DatabaseValue(storage: .blob(Data(bytes(of: cell))))
    case .invalid: .invalid(text(of: cell))
    default: DatabaseValue(storage: .string(text(of: cell)))
    }
  }

  func cell(at index: Int) -> Cell { unsafe cells[index] }

  /// Whether the values at every `stride`th index of a range are integers.
  func areIntegers(_ range: Range<Int>, every stride: Int) -> Bool {
    var index = range.lowerBound
    while index < range.upperBound {
      if unsafe cells[index].kind != .integer { return false }
      index &+= stride
    }
    return true
  }

  /// The bytes of a text or blob, valid until values are added or removed.
  func bytes(of cell: Cell) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: bytes + cell.offset, count: Int(cell.length))
  }

  private func text(of cell: Cell) -> String {
    unsafe String(decoding: bytes(of: cell), as: UTF8.self)
  }

  /// The values of a range.
  func values(in range: Range<Int>) -> [DatabaseValue] { range.map { self[$0] } }
}

extension PackedValues {
  /// Forgets all values, and keeps the memory, unless it is large.
  @inline(__always) mutating func removeAll() {
    count = 0
    byteCount = 0
    hasInvalidValues = false
    if byteCapacity > Self.largestKeptByteCapacity { shrink() }
  }

  /// Forgets the values after the first ones. Their bytes stay until all values are removed.
  mutating func removeAll(after newCount: Int) { count = newCount }

  private mutating func shrink() { self = PackedValues(capacity: capacity, byteCapacity: 256) }

  @inline(__always) mutating func append(_ value: DatabaseValue) { append(makeCell(value)) }

  /// The text is `inout` so that it is not copied: each copy would be counted.
  @inline(__always) mutating func append(text: inout String) { append(makeCell(of: &text)) }

  @inline(__always) mutating func append(_ text: String) {
    let isAppended: Void? = unsafe text.utf8.withContiguousStorageIfAvailable {
      unsafe append(makeCell(UnsafeRawBufferPointer($0), .text))
    }
    if isAppended == nil { append(makeCell(text, .text)) }
  }

  /// Adds a copy of the bytes of a text or blob.
  mutating func append(_ bytes: UnsafeRawBufferPointer, _ kind: Kind) {
    unsafe append(makeCell(bytes, kind))
  }

  @inlinable @inline(__always) mutating func append(_ integer: Int64) { append(Cell(integer)) }

  @inlinable @inline(__always) mutating func append(_ double: Double) { append(Cell(double)) }

  @inlinable @inline(__always) mutating func appendNull() { append(Cell.null) }

  /// Replaces a value. The bytes of the old one stay until all values are removed.
  mutating func replaceValue(at index: Int, with value: DatabaseValue) {
    // First: the cells may move.
    let cell = makeCell(value)
    unsafe cells[index] = cell
  }

  @inline(__always) mutating func replaceValue(at index: Int, with integer: Int64) {
    unsafe cells[index] = Cell(integer)
  }

  /// Adds the values of a range of others.
  mutating func append(_ range: Range<Int>, of others: borrowing PackedValues) {
    for index in range {
      var cell = unsafe others.cells[index]
      if cell.kind.hasBytes { cell.bits = unsafe UInt64(store(others.bytes(of: cell))) }
      append(cell)
    }
    if others.hasInvalidValues { hasInvalidValues = true }
  }

  /// Adds the value of a column of the current row of a statement.
  mutating func append(column index: CInt, of statement: SQLiteStatement) {
    let column = unsafe sqlite3_column_value(statement, index)
    switch unsafe sqlite3_value_type(column) {
    case SQLITE_INTEGER: unsafe append(Cell(sqlite3_value_int64(column)))
    case SQLITE_FLOAT: unsafe append(Cell(sqlite3_value_double(column)))
    case SQLITE_TEXT:
      let text = unsafe UnsafeRawPointer(sqlite3_value_text(column))
      unsafe append(text, count: sqlite3_value_bytes(column), .text)
    case SQLITE_BLOB:
      let blob = unsafe sqlite3_value_blob(column)
      unsafe append(blob, count: sqlite3_value_bytes(column), .blob)
    default: append(Cell.null)
    }
  }

  private mutating func append(_ start: UnsafeRawPointer?, count: CInt, _ kind: Kind) {
    // No start is no byte, or no memory.
    let count = unsafe start == nil ? 0 : Int(count)
    unsafe append(makeCell(UnsafeRawBufferPointer(start: start, count: count), kind))
  }

  @inlinable @inline(__always) mutating func append(_ cell: Cell) {
    if count == capacity { grow() }
    unsafe (cells + count).initialize(to: cell)
    count &+= 1
  }

  @inline(__always) private mutating func makeCell(_ value: DatabaseValue) -> Cell {
    switch value.storage {
    case .null: .null
    case .int64(let value): Cell(value)
    case .double(let value): Cell(value)
    case .string(let text): makeCell(text, value.isInvalid ? .invalid : .text)
    case .blob(let data): makeCell(data)
    }
  }

  // Texts and blobs are not inlined: numbers would pay for their stack frames.

  @inline(never) private mutating func makeCell(_ data: Data) -> Cell {
    unsafe data.withUnsafeBytes { unsafe makeCell($0, .blob) }
  }

  @inline(never) private mutating func makeCell(of text: inout String) -> Cell {
    text.withUTF8 { unsafe makeCell(UnsafeRawBufferPointer($0), .text) }
  }

  @inline(never) private mutating func makeCell(_ text: String, _ kind: Kind) -> Cell {
    if kind == .invalid { hasInvalidValues = true }
    let cell = unsafe text.utf8.withContiguousStorageIfAvailable {
      unsafe makeCell(UnsafeRawBufferPointer($0), kind)
    }
    if let cell { return cell }
    var text = text
    return text.withUTF8 { unsafe makeCell(UnsafeRawBufferPointer($0), kind) }
  }

  @inline(__always)
  private mutating func makeCell(_ source: UnsafeRawBufferPointer, _ kind: Kind) -> Cell {
    // SQLite counts bytes with 32 bits and a sign: <https://www.sqlite.org/limits.html>.
    guard let length = Int32(exactly: source.count) else { return unsafe makeCellOfHuge(source) }
    return unsafe Cell(
      bits: UInt64(bitPattern: Int64(store(source))), length: UInt32(bitPattern: length), kind: kind
    )
  }

  @inline(never) private mutating func makeCellOfHuge(_ source: UnsafeRawBufferPointer) -> Cell {
    makeCell("string or blob too big: \(source.count) bytes", .invalid)
  }

  /// Appends a copy of bytes. Returns their position.
  @inline(__always) private mutating func store(_ source: UnsafeRawBufferPointer) -> Int {
    let start = byteCount
    let end = start &+ source.count
    if end > byteCapacity { grow(capacity: capacity, byteCapacity: end) }
    if let address = source.baseAddress {
      unsafe (bytes + start).copyMemory(from: address, byteCount: source.count)
    }
    byteCount = end
    return start
  }

  @usableFromInline mutating func grow() { grow(capacity: count + 1, byteCapacity: byteCapacity) }

  /// Moves to a larger block.
  private mutating func grow(capacity newCapacity: Int, byteCapacity newByteCapacity: Int) {
    if newCapacity > capacity { capacity = max(newCapacity, capacity * 2) }
    if newByteCapacity > byteCapacity { byteCapacity = max(newByteCapacity, byteCapacity * 2) }
    let grown = unsafe Self.allocate(capacity, byteCapacity)
    let grownBytes = unsafe UnsafeMutableRawPointer(grown + capacity)
    unsafe grown.moveInitialize(from: cells, count: count)
    unsafe grownBytes.copyMemory(from: bytes, byteCount: byteCount)
    unsafe cells.deallocate()
    unsafe cells = unsafe grown
    unsafe bytes = unsafe grownBytes
  }

  private static func allocate(_ capacity: Int, _ byteCapacity: Int) -> UnsafeMutablePointer<Cell> {
    let size = capacity * MemoryLayout<Cell>.stride + byteCapacity
    return unsafe UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
      .bindMemory(to: Cell.self, capacity: capacity)
  }
}

extension PackedValues.Cell {
  @inlinable static var null: Self { Self(bits: 0, length: 0, kind: .null) }

  @inlinable init(_ value: Int64) {
    self.init(bits: UInt64(bitPattern: value), length: 0, kind: .integer)
  }

  @inlinable init(_ value: Double) { self.init(bits: value.bitPattern, length: 0, kind: .double) }
}

extension PackedValues {
  /// A value that could not be bound to a parameter, and the result code of SQLite.
  struct BindingFailure {
    var parameter: CInt
    var value: DatabaseValue
    var code: CInt
  }

  /// Binds the values of a range to the first parameters of a statement, or returns the first
  /// failure.
  ///
  /// Texts and blobs are not copied: the values must neither go nor change before the execution of
  /// the statement ends.
  ///
  /// See <https://www.sqlite.org/c3ref/bind_blob.html>.
  @inline(__always)
  func bind(_ range: Range<Int>, to statement: SQLiteStatement) -> BindingFailure? {
    var cell = unsafe UnsafePointer(cells) + range.lowerBound
    let end = unsafe UnsafePointer(cells) + range.upperBound
    var parameter: CInt = 1
    while unsafe cell < end {
      let code = unsafe bind(cell.pointee, to: statement, at: parameter)
      if code != SQLITE_OK {
        let value = self[range.lowerBound + Int(parameter) - 1]
        return BindingFailure(parameter: parameter, value: value, code: code)
      }
      parameter &+= 1
      unsafe cell += 1
    }
    return nil
  }

  /// Binds the values at some indexes, counted from `start`, to the first parameters, and NULL
  /// without index, or returns the first failure. See `bind(_:to:)`.
  func bind(_ indexes: [Int?], from start: Int, to statement: SQLiteStatement) -> BindingFailure? {
    var parameter: CInt = 1
    for index in indexes {
      let cell = index.map { unsafe cells[start + $0] } ?? .null
      let code = unsafe bind(cell, to: statement, at: parameter)
      if code != SQLITE_OK {
        let value = index.map { self[start + $0] } ?? .null
        return BindingFailure(parameter: parameter, value: value, code: code)
      }
      parameter &+= 1
    }
    return nil
  }

  @inline(__always) private func bind(
    _ cell: Cell, to statement: SQLiteStatement, at parameter: CInt
  ) -> CInt {
    switch cell.kind {
    case .null: unsafe sqlite3_bind_null(statement, parameter)
    case .integer: unsafe sqlite3_bind_int64(statement, parameter, Int64(bitPattern: cell.bits))
    case .double: unsafe sqlite3_bind_double(statement, parameter, Double(bitPattern: cell.bits))
    case .text:
      unsafe quarry_bind_text_static(
        statement, parameter, (bytes + cell.offset).assumingMemoryBound(to: CChar.self),
        UInt64(cell.length))
    case .blob:
      // The address is never null, which would bind NULL instead of an empty blob.
      unsafe sqlite3_bind_blob64(
        statement, parameter, bytes + cell.offset, UInt64(cell.length), nil)
    case .invalid: SQLITE_MISMATCH
    }
  }
}
