/// The columns and values of a record.
///
/// Records fill containers in ``EncodableRecord/encode(to:)``:
///
/// ```swift
/// func encode(to container: inout PersistenceContainer) {
///   container["id"] = id
///   container[Columns.name] = name
/// }
/// ```
///
/// Columns keep the order in which they are set first. Their names are case-insensitive: setting a column again
/// replaces its value.
public struct PersistenceContainer: Sendable {
  /// The names of the columns: those of `values`, then the ones that are expected next.
  ///
  /// Records of the same type set the same columns in the same order. So a container starts with the columns of the
  /// record before: as long as the guess is right, setting a column is one comparison and one append.
  private var names: [String]

  /// The columns that the container started with, while they are right.
  private(set) var layout: ColumnLayout?

  /// The values of the columns that are set.
  private(set) var values: [DatabaseValue]

  /// What encodes `Encodable` records, kept by a connection. Only while the record is being encoded.
  private var encoders: RecordEncoders?

  init() {
    names = []
    values = []
  }

  /// An empty container that expects some columns.
  init(expecting layout: ColumnLayout, encoders: RecordEncoders? = nil) {
    names = layout.names
    self.layout = layout
    self.encoders = encoders
    values = []
    values.reserveCapacity(names.count)
  }

  /// The columns of a record.
  init(_ record: some EncodableRecord) throws {
    self.init()
    try fill(from: record)
  }

  /// Sets the columns of a record in an empty container.
  mutating func fill(from record: some EncodableRecord) throws {
    defer { encoders = nil }
    try record.encode(to: &self)
    guard values.count < names.count else { return }
    names.removeSubrange(values.count...)
    layout = nil
  }
}

/// The columns of the records of a type. An identity: containers with the same one have the same columns.
final class ColumnLayout: Sendable {
  let names: [String]

  init(names: [String]) {
    self.names = names
  }
}

extension PersistenceContainer {
  /// Sets a column. A new one comes last.
  mutating func set(_ value: DatabaseValue, forColumn column: String) {
    let count = values.count
    if count < names.count, names[count] == column {
      values.append(value)
    } else {
      setUnexpected(value, forColumn: column)
    }
  }

  private mutating func setUnexpected(_ value: DatabaseValue, forColumn column: String) {
    if let index = index(ofColumn: column) {
      values[index] = value
      return
    }
    layout = nil
    names.removeSubrange(values.count...)
    names.append(column)
    values.append(value)
  }

  /// The columns that are set.
  var columns: ArraySlice<String> { names[..<values.count] }

  /// The index of a column that is set, without regard to the case of letters.
  func index(ofColumn column: String) -> Int? {
    if let index = columns.firstIndex(of: column) { return index }
    let lowercased = column.lowercased()
    return columns.firstIndex { $0.lowercased() == lowercased }
  }

  /// The value of a column, NULL when it is not set.
  func value(forColumn column: String) -> DatabaseValue {
    index(ofColumn: column).map { values[$0] } ?? .null
  }

  /// Replaces a value.
  mutating func replaceValue(at index: Int, with value: DatabaseValue) {
    values[index] = value
  }

  /// The columns whose value is not the one of another container, with their other value.
  func changes(from other: PersistenceContainer) -> [String: DatabaseValue] {
    var changes: [String: DatabaseValue] = [:]
    for (column, value) in self {
      let old = other.value(forColumn: column)
      if old != value { changes[column] = old }
    }
    return changes
  }

  /// The error for a record that is not in its table.
  func recordNotFound(
    _ type: any TableRecord.Type, keyColumns: [String]
  ) -> RecordError {
    .recordNotFound(
      databaseTableName: type.databaseTableName,
      key: Dictionary(
        keyColumns.map { ($0, value(forColumn: $0)) }, uniquingKeysWith: { first, _ in first }))
  }
}

extension PersistenceContainer {
  /// Sets the columns of an `Encodable` record.
  mutating func encode<Record: EncodableRecord & Encodable>(_ record: Record) throws {
    let encoder = encoders?.encoder(for: Record.self) ?? RecordEncoder(Record.self)
    try encoder.encode(record, into: &self)
  }
}

extension PersistenceContainer: RandomAccessCollection {
  /// The position of a column.
  public typealias Index = Int

  /// The position of the first column.
  public var startIndex: Int { 0 }

  /// The position after the last column.
  public var endIndex: Int { values.count }

  /// The name and value of a column.
  public subscript(_ position: Int) -> (String, DatabaseValue) {
    (names[position], values[position])
  }

  /// The value of a column.
  public subscript(_ column: String) -> (any DatabaseValueConvertible)? {
    get { index(ofColumn: column).map { values[$0] } }
    set { set(newValue?.databaseValue ?? .null, forColumn: column) }
  }

  /// The value of a column.
  public subscript(_ column: some ColumnExpression) -> (any DatabaseValueConvertible)? {
    get { self[column.name] }
    set { self[column.name] = newValue }
  }
}

extension PersistenceContainer {
  /// Tells that the columns are those of a layout.
  mutating func adopt(_ layout: ColumnLayout) {
    self.layout = layout
  }
}
