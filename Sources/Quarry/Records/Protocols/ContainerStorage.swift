import Foundation

/// The columns of the records of a type. An identity: containers with the same one have the same
/// columns.
///
/// Sendable is unchecked because nothing changes after the initialiser.
final class ColumnSet: @unchecked Sendable {
  let names: [String]
  /// The names again, where they can be read without counting references.
  private let fixedNames: FixedMemory<String>

  var unownedNames: UnsafeBufferPointer<String> { unsafe fixedNames.values }

  init(names: [String]) {
    self.names = names
    fixedNames = FixedMemory(names)
  }
}

/// Values that several containers set, one after the other: each container is a row.
@usableFromInline final class PackedRows {
  @safe @exclusivity(unchecked) @usableFromInline var values: PackedValues

  init(capacity: Int) { values = PackedValues(capacity: capacity, byteCapacity: 24 * capacity) }

  /// The first values of others.
  init(copying other: PackedRows, count: Int) {
    values = PackedValues(capacity: count, byteCapacity: 24 * count)
    values.append(0..<count, of: other.values)
  }
}

/// The content of a container, copied when it is shared and changes.
///
/// Records of the same type set the same columns in the same order. So a container starts with the
/// columns of the record before: as long as the guess is right, setting a column is one comparison
/// and one initialisation.
///
/// Sendable is unchecked: a storage only changes while one container holds it.
@safe @usableFromInline final class ContainerStorage: @unchecked Sendable {
  /// The names of the columns: those that are set, then the ones that are expected next.
  @safe @exclusivity(unchecked) private(set) var names: [String]

  /// The columns that the container started with, while they are right.
  var columnSet: ColumnSet? { didSet { expectColumns() } }
  /// The names of the columns that are expected.
  @safe @exclusivity(unchecked) @usableFromInline
  var expectedNames: UnsafeBufferPointer<String> = unsafe .init(start: nil, count: 0)

  /// How many columns are set.
  @safe @exclusivity(unchecked) @usableFromInline var count = 0

  /// The values of the columns that are set come after those of containers before this one.
  @usableFromInline let rows: PackedRows
  var start: Int

  /// Whether the values are those of one row among others, which other storages read too.
  let isReadOnly: Bool

  /// - parameter rows: the rows of other containers, which the values come after.
  convenience init(expecting columnSet: ColumnSet, after rows: PackedRows? = nil) {
    self.init(columnSet.names, columnSet, after: rows)
  }

  private init(
    _ names: [String], _ columnSet: ColumnSet?, after rows: PackedRows?, isReadOnly: Bool = false
  ) {
    self.names = names
    self.columnSet = columnSet
    self.isReadOnly = isReadOnly
    self.rows = rows ?? PackedRows(capacity: max(names.count, 8))
    start = self.rows.values.count
    expectColumns()
  }

  private func expectColumns() {
    expectedNames = unsafe columnSet?.unownedNames ?? UnsafeBufferPointer(start: nil, count: 0)
  }

  /// One of several rows, whose values stay where they are.
  convenience init(reading rows: PackedRows, _ columnSet: ColumnSet) {
    self.init(columnSet.names, columnSet, after: rows, isReadOnly: true)
    count = names.count
  }

  /// The rows of another storage that reads.
  convenience init(reading other: ContainerStorage) {
    self.init(other.names, other.columnSet, after: other.rows, isReadOnly: true)
    count = other.count
  }

  convenience init(copying other: ContainerStorage) {
    self.init(other.names, other.columnSet, after: nil)
    rows.values.append(other.range, of: other.rows.values)
    count = other.count
  }

  /// The positions of the values.
  var range: Range<Int> { start..<start + count }

  func value(at index: Int) -> DatabaseValue { rows.values[start + index] }

  func isNull(at index: Int) -> Bool { rows.values.cell(at: start + index).kind == .null }

  /// Whether some value can't be stored, of this container or of one before.
  var mayHaveInvalidValues: Bool { rows.values.hasInvalidValues }

  /// Removes all values, and expects columns again.
  @inline(__always) func restart(expecting columnSet: ColumnSet) {
    removeValues()
    if self.columnSet === columnSet { return }
    self.columnSet = columnSet
    names = columnSet.names
  }

  @inline(__always) func removeValues() {
    rows.values.removeAll()
    start = 0
    count = 0
  }

  /// Whether it has all columns that were expected, and values that can be stored.
  @inline(__always) var hasAllExpected: Bool {
    count == expectedNames.count && !mayHaveInvalidValues
  }

  /// Ends a row, if it has just the columns that were expected, and values that can be stored.
  /// Begins the next one.
  @inline(__always) func endRow() -> Bool {
    guard hasAllExpected else { return false }
    start = rows.values.count
    count = 0
    return true
  }

  func replaceValue(at index: Int, with value: DatabaseValue) {
    rows.values.replaceValue(at: start + index, with: value)
  }

  @inline(__always) func replaceValue(at index: Int, with integer: Int64) {
    rows.values.replaceValue(at: start + index, with: integer)
  }

  /// Whether a column is expected next.
  @inlinable @inline(__always) func expects(_ column: String) -> Bool {
    count < expectedNames.count && expectedNames[count].hasSameBytes(as: column)
  }

  @inline(__always) func set(_ value: DatabaseValue, forColumn column: String) {
    guard expects(column) else { return setUnexpected(value, forColumn: column) }
    setNextExpected(value)
  }

  @inline(__always) func set(_ text: String, forColumn column: String) {
    guard expects(column) else { return setUnexpected(text.databaseValue, forColumn: column) }
    setNextExpected(text)
  }

  @inline(__always) func setNextExpected(_ text: String) {
    rows.values.append(text)
    count &+= 1
  }

  func setNextExpected(_ date: Date) {
    if unsafe !date.withDatabaseText({ unsafe rows.values.append($0, .text) }) {
      rows.values.append(date.databaseValue)
    }
    count &+= 1
  }

  func setNextExpected(_ uuid: UUID) {
    unsafe withUnsafeBytes(of: uuid.uuid) { unsafe rows.values.append($0, .blob) }
    count &+= 1
  }

  @inlinable @inline(__always) func setNextExpected(_ integer: Int64) {
    rows.values.append(integer)
    count &+= 1
  }

  @inlinable @inline(__always) func setNextExpected(_ double: Double) {
    rows.values.append(double)
    count &+= 1
  }

  @inlinable @inline(__always) func setNextExpectedNull() {
    rows.values.appendNull()
    count &+= 1
  }

  /// Sets the column that is expected next, which the caller knows.
  @inline(__always) func setNextExpected(_ value: DatabaseValue) {
    rows.values.append(value)
    count &+= 1
  }

  private func setUnexpected(_ value: DatabaseValue, forColumn column: String) {
    if let index = index(ofColumn: column) { return replaceValue(at: index, with: value) }
    columnSet = nil
    names.removeSubrange(count...)
    names.append(column)
    setNextExpected(value)
  }

  func forgetExpectedColumns() {
    guard count < names.count else { return }
    names.removeSubrange(count...)
    columnSet = nil
  }

  func index(ofColumn column: String) -> Int? { names[..<count].index(ofColumn: column) }
}

extension Collection<String> {
  /// The index of a column, without regard to the case of letters. The very name comes first.
  func index(ofColumn column: String) -> Index? {
    firstIndex { $0.hasSameBytes(as: column) } ?? firstIndex { $0.isSameIdentifier(as: column) }
  }
}
