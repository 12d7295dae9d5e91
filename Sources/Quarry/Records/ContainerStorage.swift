/// The columns of the records of a type. An identity: containers with the same one have the same columns.
///
/// Sendable is unchecked because nothing changes after the initialiser.
final class ColumnLayout: @unchecked Sendable {
  let names: [String]
  /// The names again, where they can be read without counting references.
  let unownedNames: UnsafeBufferPointer<String>

  init(names: [String]) {
    self.names = names
    let copy = UnsafeMutableBufferPointer<String>.allocate(capacity: names.count)
    _ = copy.initialize(from: names)
    unownedNames = UnsafeBufferPointer(copy)
  }

  deinit {
    UnsafeMutableBufferPointer(mutating: unownedNames).deinitialize().deallocate()
  }
}

/// The content of a container, copied when it is shared and changes.
///
/// Records of the same type set the same columns in the same order. So a container starts with the columns of the
/// record before: as long as the guess is right, setting a column is one comparison and one initialisation.
///
/// Sendable is unchecked: a storage only changes while one container holds it.
final class ContainerStorage: @unchecked Sendable {
  /// The names of the columns: those that are set, then the ones that are expected next.
  @exclusivity(unchecked) private(set) var names: [String]

  /// The columns that the container started with, while they are right.
  @exclusivity(unchecked) var layout: ColumnLayout? { didSet { expectColumns() } }
  /// The columns of the layout.
  @exclusivity(unchecked) private var expectedNames = UnsafeBufferPointer<String>(
    start: nil, count: 0)

  /// The values of the columns that are set.
  @exclusivity(unchecked) private(set) var values: PackedValues

  /// What encodes `Encodable` records, kept by a connection. Only while a record is being encoded.
  @exclusivity(unchecked) var encoders: RecordEncoders?

  /// The plan that observes callbacks: see ``DefaultCallbacks``.
  @exclusivity(unchecked) var observer: PersistencePlan?

  init(expecting layout: ColumnLayout, encoders: RecordEncoders? = nil) {
    names = layout.names
    self.layout = layout
    self.encoders = encoders
    let capacity = max(names.count, 8)
    values = PackedValues(capacity: capacity, byteCapacity: 24 * capacity)
    expectColumns()
  }

  private func expectColumns() {
    expectedNames = layout?.unownedNames ?? UnsafeBufferPointer(start: nil, count: 0)
  }

  convenience init(copying other: ContainerStorage) {
    self.init(expecting: ColumnLayout(names: other.names), encoders: other.encoders)
    layout = other.layout
    expectColumns()
    values.append(contentsOf: other.values)
  }

  /// How many columns are set.
  @inline(__always) var count: Int { values.count }

  /// Removes all values, and expects columns again.
  @inline(__always) func restart(expecting layout: ColumnLayout, encoders: RecordEncoders) {
    values.removeAll()
    self.encoders = encoders
    if self.layout !== layout { expect(layout) }
  }

  private func expect(_ layout: ColumnLayout) {
    self.layout = layout
    names = layout.names
  }

  /// Sets the columns that are expected.
  func setExpected(_ range: Range<Int>, of others: borrowing PackedValues) {
    values.append(range, of: others)
  }

  func removeValues() { values.removeAll() }

  func replaceValue(at index: Int, with value: DatabaseValue) {
    values.replaceValue(at: index, with: value)
  }

  @inline(__always) func set(_ value: DatabaseValue, forColumn column: String) {
    let count = values.count
    if count < expectedNames.count, expectedNames[count] == column {
      values.append(value)
    } else {
      setUnexpected(value, forColumn: column)
    }
  }

  /// Sets the column that is expected next, which the caller knows.
  @inline(__always) func setNextExpected(_ value: DatabaseValue) {
    values.append(value)
  }

  private func setUnexpected(_ value: DatabaseValue, forColumn column: String) {
    if let index = index(ofColumn: column) {
      values.replaceValue(at: index, with: value)
      return
    }
    layout = nil
    names.removeSubrange(count...)
    names.append(column)
    values.append(value)
  }

  func forgetExpectedColumns() {
    guard count < names.count else { return }
    names.removeSubrange(count...)
    layout = nil
  }

  func index(ofColumn column: String) -> Int? {
    let columns = names[..<count]
    if let index = columns.firstIndex(of: column) { return index }
    let lowercased = column.lowercased()
    return columns.firstIndex { $0.lowercased() == lowercased }
  }
}
