import CSQLite
import Foundation

/// Rows copied out of a statement.
///
/// One batch holds many rows: a cell of 16 bytes per value, row after row, and one arena for the bytes of texts
/// and blobs. A `Row` on a batch is the batch and an index, so rows cost next to nothing to copy and to move.
/// Batches are filled once, by the fetching methods, and never change afterwards.
final class RowBatch {
  /// A value. Texts and blobs are a range of the arena.
  struct Cell {
    var bits: UInt64
    var length: UInt32
    var kind: Kind
  }

  enum Kind: UInt8 {
    case null, integer, double, text, blob
  }

  /// The columns of the statement.
  let layout: RowLayout
  let columnCount: Int
  private(set) var rowCount = 0

  /// The statement that the rows come from, for the errors of records that are decoded from the batch.
  var origin: (sql: String, arguments: StatementArguments)?

  /// To-many associations fetched for the rows of this batch.
  var prefetched: [PrefetchedAssociation] = []

  private var cells: UnsafeMutablePointer<Cell>
  private var cellCapacity: Int
  private var arena: UnsafeMutableRawPointer
  private var arenaCapacity: Int
  private var arenaCount = 0

  init(layout: RowLayout, columnCount: Int, rowCapacity: Int = 1) {
    self.layout = layout
    self.columnCount = columnCount
    cellCapacity = max(1, rowCapacity * columnCount)
    cells = .allocate(capacity: cellCapacity)
    arenaCapacity = rowCapacity * 64
    arena = .allocate(byteCount: arenaCapacity, alignment: 1)
  }

  deinit {
    cells.deallocate()
    arena.deallocate()
  }

  /// Copies the current row of a statement.
  func append(_ statement: SQLiteStatement) {
    let start = rowCount * columnCount
    reserveCells(start + columnCount)
    for column in 0..<columnCount {
      cells[start + column] = copyColumn(CInt(column), of: statement)
    }
    rowCount += 1
  }

  /// Copies values that don't come from a statement.
  func append(_ values: [DatabaseValue]) {
    let start = rowCount * columnCount
    reserveCells(start + columnCount)
    for (column, value) in values.enumerated() {
      cells[start + column] = copy(value)
    }
    rowCount += 1
  }

  func cell(row: Int, column: Int) -> Cell {
    cells[row * columnCount + column]
  }

  func isNull(row: Int, column: Int) -> Bool {
    cell(row: row, column: column).kind == .null
  }

  func databaseValue(row: Int, column: Int) -> DatabaseValue {
    let cell = cell(row: row, column: column)
    return switch cell.kind {
    case .null: .null
    case .integer: DatabaseValue(storage: .int64(Int64(bitPattern: cell.bits)))
    case .double: DatabaseValue(storage: .double(Double(bitPattern: cell.bits)))
    case .text: DatabaseValue(storage: .string(String(decoding: bytes(of: cell), as: UTF8.self)))
    case .blob: DatabaseValue(storage: .blob(Data(bytes(of: cell))))
    }
  }

  /// The bytes of a text or blob, valid as long as the batch is.
  func bytes(of cell: Cell) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: arena + Int(cell.bits), count: Int(cell.length))
  }

  private func copyColumn(_ index: CInt, of statement: SQLiteStatement) -> Cell {
    switch sqlite3_column_type(statement, index) {
    case SQLITE_INTEGER:
      let value = sqlite3_column_int64(statement, index)
      return Cell(bits: UInt64(bitPattern: value), length: 0, kind: .integer)
    case SQLITE_FLOAT:
      let value = sqlite3_column_double(statement, index)
      return Cell(bits: value.bitPattern, length: 0, kind: .double)
    case SQLITE_TEXT:
      let text = UnsafeRawPointer(sqlite3_column_text(statement, index))
      return store(text, count: Int(sqlite3_column_bytes(statement, index)), kind: .text)
    case SQLITE_BLOB:
      let blob = sqlite3_column_blob(statement, index)
      return store(blob, count: Int(sqlite3_column_bytes(statement, index)), kind: .blob)
    default:
      return Cell(bits: 0, length: 0, kind: .null)
    }
  }

  private func copy(_ value: DatabaseValue) -> Cell {
    switch value.storage {
    case .null: Cell(bits: 0, length: 0, kind: .null)
    case .int64(let value): Cell(bits: UInt64(bitPattern: value), length: 0, kind: .integer)
    case .double(let value): Cell(bits: value.bitPattern, length: 0, kind: .double)
    case .string(var text):
      text.withUTF8 { store(UnsafeRawPointer($0.baseAddress), count: $0.count, kind: .text) }
    case .blob(let data):
      data.withUnsafeBytes { store($0.baseAddress, count: $0.count, kind: .blob) }
    }
  }

  private func store(_ source: UnsafeRawPointer?, count: Int, kind: Kind) -> Cell {
    let start = arenaCount
    reserveArena(start + count)
    if let source, count > 0 {
      (arena + start).copyMemory(from: source, byteCount: count)
    }
    arenaCount += count
    return Cell(bits: UInt64(start), length: UInt32(count), kind: kind)
  }

  private func reserveCells(_ count: Int) {
    guard count > cellCapacity else { return }
    cellCapacity = max(count, cellCapacity * 2)
    let grown = UnsafeMutablePointer<Cell>.allocate(capacity: cellCapacity)
    grown.moveInitialize(from: cells, count: rowCount * columnCount)
    cells.deallocate()
    cells = grown
  }

  private func reserveArena(_ count: Int) {
    guard count > arenaCapacity else { return }
    arenaCapacity = max(count, arenaCapacity * 2)
    let grown = UnsafeMutableRawPointer.allocate(byteCount: arenaCapacity, alignment: 1)
    grown.copyMemory(from: arena, byteCount: arenaCount)
    arena.deallocate()
    arena = grown
  }
}
