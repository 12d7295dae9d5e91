/// The columns of the records of a type. An identity: containers with the same one have the same columns.
final class ColumnLayout: Sendable {
  let names: [String]

  init(names: [String]) {
    self.names = names
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
  @exclusivity(unchecked) var layout: ColumnLayout?

  /// The values of the columns that are set.
  @exclusivity(unchecked) private(set) var values: UnsafeMutablePointer<DatabaseValue>
  @exclusivity(unchecked) private(set) var count = 0
  @exclusivity(unchecked) private var capacity: Int

  /// What encodes `Encodable` records, kept by a connection. Only while a record is being encoded.
  @exclusivity(unchecked) var encoders: RecordEncoders?

  init(expecting layout: ColumnLayout, encoders: RecordEncoders? = nil) {
    names = layout.names
    self.layout = layout
    self.encoders = encoders
    capacity = max(names.count, 8)
    values = .allocate(capacity: capacity)
  }

  init(copying other: ContainerStorage) {
    names = other.names
    layout = other.layout
    encoders = other.encoders
    capacity = max(other.names.count, 8)
    values = .allocate(capacity: capacity)
    values.initialize(from: other.values, count: other.count)
    count = other.count
  }

  deinit {
    values.deinitialize(count: count)
    values.deallocate()
  }

  /// Removes all values, and expects columns again.
  func restart(expecting layout: ColumnLayout, encoders: RecordEncoders) {
    removeValues()
    self.encoders = encoders
    if self.layout === layout { return }
    self.layout = layout
    names = layout.names
    reserveCapacity(names.count)
  }

  func removeValues() {
    // One by one: an array of values is destroyed by a slow function of the standard library.
    for index in 0..<count { (values + index).deinitialize(count: 1) }
    count = 0
  }

  @inline(__always) func set(_ value: DatabaseValue, forColumn column: String) {
    if count < names.count, names[count] == column {
      (values + count).initialize(to: value)
      count += 1
    } else {
      setUnexpected(value, forColumn: column)
    }
  }

  /// Sets the column that is expected next, which the caller knows.
  @inline(__always) func setNextExpected(_ value: DatabaseValue) {
    (values + count).initialize(to: value)
    count += 1
  }

  private func setUnexpected(_ value: DatabaseValue, forColumn column: String) {
    if let index = index(ofColumn: column) {
      values[index] = value
      return
    }
    layout = nil
    names.removeSubrange(count...)
    names.append(column)
    reserveCapacity(names.count)
    (values + count).initialize(to: value)
    count += 1
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

  private func reserveCapacity(_ minimum: Int) {
    guard minimum > capacity else { return }
    capacity = max(minimum, capacity * 2)
    let grown = UnsafeMutablePointer<DatabaseValue>.allocate(capacity: capacity)
    grown.moveInitialize(from: values, count: count)
    values.deallocate()
    values = grown
  }
}
