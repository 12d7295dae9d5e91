/// The columns and values of a record.
///
/// Records fill containers in ``EncodableRecord/encode(to:)``:
///
/// ```swift
/// struct Player: EncodableRecord {
///   enum Columns { static let name = Column("name") }
///   var id: Int64
///   var name: String
///
///   func encode(to container: inout PersistenceContainer) {
///     container["id"] = id
///     container[Columns.name] = name
///   }
/// }
/// ```
///
/// Columns keep the order in which they are set first. Their names are case-insensitive: setting a
/// column again replaces its value.
public struct PersistenceContainer: Sendable {
  /// No other container has it.
  @usableFromInline var storage: ContainerStorage
}

extension PersistenceContainer {
  init() { storage = ContainerStorage(expecting: ColumnSet(names: [])) }

  /// An empty container that costs nothing.
  static let placeholder = PersistenceContainer()

  /// The columns of a record.
  package init(_ record: some EncodableRecord) throws {
    self.init()
    try fill(from: record)
  }

  /// Sets the columns of a record in an empty container.
  mutating func fill(from record: some EncodableRecord) throws {
    try record.encode(to: &self)
    forgetExpectedColumns()
  }

  /// Forgets the columns of the record before that are not set.
  mutating func forgetExpectedColumns() {
    makeUnique()
    storage.forgetExpectedColumns()
  }

  /// Ends a row among `rows`, and begins the next one: see ``ContainerStorage/endRow()``.
  ///
  /// - Returns: false if the row is another one, or the container has been copied.
  @inline(__always) mutating func endRow(of rows: ObjectIdentifier) -> Bool {
    isKnownUniquelyReferenced(&storage) && ObjectIdentifier(storage.rows) == rows
      && storage.endRow()
  }

  /// The storage, which no other container has.
  mutating func uniqueStorage() -> ContainerStorage {
    makeUnique()
    return storage
  }

  @inline(__always) private mutating func makeUnique() {
    if !isKnownUniquelyReferenced(&storage) || storage.isReadOnly {
      storage = ContainerStorage(copying: storage)
    }
  }

  /// Shows another row of the values that it reads. Copies of the container go on to show their own
  /// row.
  mutating func showRow(at start: Int) {
    if !isKnownUniquelyReferenced(&storage) { storage = ContainerStorage(reading: storage) }
    storage.start = start
  }
}

extension PersistenceContainer {
  // Sets a column. A new one comes last.

  @usableFromInline mutating func set(_ value: DatabaseValue, forColumn column: String) {
    makeUnique()
    storage.set(value, forColumn: column)
  }

  @usableFromInline mutating func set(_ text: String, forColumn column: String) {
    makeUnique()
    storage.set(text, forColumn: column)
  }

  @inlinable @inline(__always)
  mutating func set(_ integer: Int64, forColumn column: String) {
    if expects(column) { return storage.setNextExpected(integer) }
    set(DatabaseValue(storage: .int64(integer)), forColumn: column)
  }

  @inlinable @inline(__always)
  mutating func set(_ double: Double, forColumn column: String) {
    if expects(column) { return storage.setNextExpected(double) }
    set(DatabaseValue(storage: .double(double)), forColumn: column)
  }

  @inlinable @inline(__always)
  mutating func setNull(forColumn column: String) {
    if expects(column) { return storage.setNextExpectedNull() }
    set(DatabaseValue.null, forColumn: column)
  }

  @inlinable @inline(__always) mutating func expects(_ column: String) -> Bool {
    isKnownUniquelyReferenced(&storage) && storage.expects(column)
  }

  /// Sets a column to a value of any type. The usual types need no database value.
  @inlinable @inline(__always)
  mutating func set<Value: DatabaseValueConvertible>(_ value: Value?, forColumn column: String) {
    guard let value else { return setNull(forColumn: column) }
    // The type is compared first, and the optimizer leaves one branch.
    // swift-format-ignore: NeverForceUnwrap
    if Value.self == String.self {
      set(value as! String, forColumn: column)
    } else if Value.self == Int64.self {
      set(value as! Int64, forColumn: column)
    } else if Value.self == Int.self {
      set(Int64(value as! Int), forColumn: column)
    } else if Value.self == Double.self {
      set(value as! Double, forColumn: column)
    } else {
      set(value.databaseValue, forColumn: column)
    }
  }

  /// Replaces a value.
  @inline(__always) mutating func replaceValue(at index: Int, with integer: Int64) {
    makeUnique()
    storage.replaceValue(at: index, with: integer)
  }

  /// Whether it has just the columns that it was made for, and values that can be stored.
  @inline(__always) func hasAll(of columnSet: ColumnSet) -> Bool {
    storage.columnSet === columnSet && storage.hasAllExpected
  }

  /// The columns that the container started with, when it has just them.
  var columnSet: ColumnSet? { storage.columnSet }

  /// The columns that are set.
  package var columns: ArraySlice<String> { storage.names[..<storage.count] }

  /// The values of the columns that are set.
  var values: [DatabaseValue] { storage.rows.values.values(in: storage.range) }

  /// The index of a column that is set, without regard to the case of letters.
  func index(ofColumn column: String) -> Int? { storage.index(ofColumn: column) }

  func value(at index: Int) -> DatabaseValue { storage.value(at: index) }

  func isNull(at index: Int) -> Bool { storage.isNull(at: index) }

  /// The values at some indexes, NULL without index.
  func values(at indexes: [Int?]) -> [DatabaseValue] {
    indexes.map { index in index.map(value(at:)) ?? .null }
  }

  /// The value of a column, NULL when it is not set.
  @usableFromInline func value(forColumn column: String) -> DatabaseValue {
    index(ofColumn: column).map(value(at:)) ?? .null
  }

  /// The rows that the values are part of, and their range.
  var rows: PackedRows { storage.rows }
  var range: Range<Int> { storage.range }

  /// Throws for a value that SQLite can't store, such as an integer above `Int64.max`.
  func checkValues(of recordType: @autoclosure () -> Any.Type) throws {
    guard storage.mayHaveInvalidValues else { return }
    for index in 0..<storage.count where storage.value(at: index).isInvalid {
      let reason = storage.value(at: index).invalidReason ?? "invalid value"
      throw DatabaseError(
        resultCode: .SQLITE_MISMATCH,
        message: """
          \(reason) - column: \(storage.names[index].debugDescription), record: \(recordType())
          """)
    }
  }

  /// The columns whose value differs from that of another container, with their other value.
  func changes(from other: PersistenceContainer) -> Changes {
    compactMap { column, value in
      let old = other.value(forColumn: column)
      return old == value ? nil : (column, old)
    }
  }

  typealias Changes = [(column: String, old: DatabaseValue)]

  /// Values by column: null for those that are not set.
  func values(of columns: [String]) -> [String: DatabaseValue] {
    Dictionary(
      columns.map { ($0, value(forColumn: $0)) }, uniquingKeysWith: { first, _ in first })
  }
}

extension PersistenceContainer: RandomAccessCollection {
  /// The position of a column.
  public typealias Index = Int

  /// The position of the first column.
  public var startIndex: Int { 0 }

  /// The position after the last column.
  public var endIndex: Int { storage.count }

  /// The name and value of a column.
  public subscript(_ position: Int) -> (String, DatabaseValue) {
    precondition(position >= 0 && position < storage.count, "column index out of range")
    return (storage.names[position], storage.value(at: position))
  }

  /// The value of a column.
  @_disfavoredOverload
  public subscript(_ column: String) -> (any DatabaseValueConvertible)? {
    get { index(ofColumn: column).map(value(at:)) }
    set { set(newValue?.databaseValue ?? .null, forColumn: column) }
  }

  /// The value of a column.
  @_disfavoredOverload
  public subscript(_ column: some ColumnExpression) -> (any DatabaseValueConvertible)? {
    get { self[column.name] }
    set { self[column.name] = newValue }
  }

  /// The value of a column: nil when it is not set, or can't be converted.
  @inlinable
  public subscript<Value: DatabaseValueConvertible>(_ column: String) -> Value? {
    get { Value.fromDatabaseValue(value(forColumn: column)) }
    @inline(__always) set { set(newValue, forColumn: column) }
  }

  /// The value of a column: nil when it is not set, or can't be converted.
  @inlinable
  public subscript<Value: DatabaseValueConvertible>(_ column: some ColumnExpression) -> Value? {
    get { self[column.name] }
    @inline(__always) set { self[column.name] = newValue }
  }
}
