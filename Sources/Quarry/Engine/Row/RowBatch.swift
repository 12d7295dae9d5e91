/// Rows copied out of a statement.
///
/// One batch holds the packed values of many rows, row after row. A `Row` on a batch is the batch
/// and an index, so rows cost next to nothing to copy and to move. Batches are filled once, by the
/// fetching methods, and never change afterwards.
final class RowBatch {
  /// The columns of the statement.
  let layout: RowLayout
  let columnCount: Int
  private(set) var rowCount = 0
  /// Whether the values were read from a database.
  private(set) var isFromStatement = true

  /// Whether the rows come from a connection that converts exactly.
  var isExact = false
  /// The SQL that the rows come from, for errors. Nil for rows that an application makes.
  var sql: String?
  /// The arguments of the SQL. Nil for rows that an application keeps: they would keep large
  /// arguments.
  var arguments: StatementArguments?

  /// To-many associations fetched for the rows of this batch.
  var prefetched: [PrefetchedAssociation] = []

  @safe @exclusivity(unchecked) private var values: PackedValues

  init(layout: RowLayout, columnCount: Int, rowCapacity: Int = 1) {
    self.layout = layout
    self.columnCount = columnCount
    values = PackedValues(
      capacity: max(1, rowCapacity * columnCount), byteCapacity: rowCapacity * 64)
  }

  /// Copies the current row of a statement.
  func append(_ statement: SQLiteStatement) {
    for column in 0..<columnCount { unsafe values.append(column: CInt(column), of: statement) }
    rowCount += 1
  }

  /// Copies values that don't come from a statement.
  func append(_ values: [DatabaseValue]) {
    for value in values { self.values.append(value) }
    rowCount += 1
    isFromStatement = false
  }

  func cell(row: Int, column: Int) -> PackedValues.Cell {
    values.cell(at: row * columnCount + column)
  }

  func isNull(row: Int, column: Int) -> Bool { cell(row: row, column: column).kind == .null }

  @inline(__always) func databaseValue(row: Int, column: Int) -> DatabaseValue {
    var value = values[row * columnCount + column]
    value.isExact = isExact
    return value
  }

  /// The bytes of a text or blob, valid as long as the batch is.
  func bytes(of cell: PackedValues.Cell) -> UnsafeRawBufferPointer { unsafe values.bytes(of: cell) }
}
