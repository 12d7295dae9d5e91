/// A row of a database query.
///
/// A row is a collection of columns, in the order of the query. Values are read by index, name, or
/// column:
///
/// ```swift
/// // SELECT "id", "name" FROM "player"
/// let rows = try Row.fetchCursor(db, sql: "SELECT id, name FROM player")
/// while let row = try rows.next() {
///   let id: Int64 = row[0]
///   let name: String? = row["name"]
/// }
/// ```
///
/// The row of a cursor reads straight from the statement. When the cursor moves on and the row is
/// still in use, the row first takes a copy of its values: a row never changes under the hands of
/// who keeps it.
///
/// Typed subscripts fail when the column is missing, or when its value can't be converted to the
/// type. While the library decodes a record, the failure is thrown by the fetching method as a
/// ``RowDecodingError``. Elsewhere it stops the program: use the `decode` methods, which throw, for
/// values that are not trusted.
///
/// See <https://www.sqlite.org/c3ref/column_blob.html>.
@safe public final class Row {
  /// The number of columns.
  public let count: Int

  /// The statement that the row reads, for a live row with contiguous columns, whose connection
  /// converts what loses nothing: the fast path.
  @safe @exclusivity(unchecked) @usableFromInline var directStatement: SQLiteStatement?

  // Small numbers take four bytes: a row of 88 bytes fits into a block of 96, and many rows are
  // kept.

  /// The index, in the statement, of the first column.
  @usableFromInline let offset: CInt
  private var indexInBatch: CInt

  /// The statement that the row reads, while the row is live. The cursor keeps the statement, and
  /// detaches the row before it ends.
  private var unownedStatement: Unretained<Statement>?

  /// The rows in memory that the row belongs to, once it is copied.
  private(set) var batch: RowBatch?
  var batchIndex: Int { Int(indexInBatch) }

  /// The rows in memory, which the row has until it moves: not counted for each value.
  @inline(__always) var unownedBatch: Unretained<RowBatch>? {
    guard let batch else { return nil }
    return Unretained(batch)
  }

  /// The statement that the row reads, counted while the caller has it.
  var liveStatement: Statement? { unownedStatement?.object }

  /// Whether the row reads from a statement. To compare `liveStatement` with nil counts a
  /// reference.
  var isLive: Bool { batch == nil }

  let layout: RowLayout

  /// The column that was read last: the next one is a good guess.
  var lastColumn: CInt = -1

  /// True for the row that is given to the initialiser of a record: see ``fail(_:)``.
  /// Not `package`: its accesses would be checked while the program runs.
  var isDecodingRecord = false

  /// True if the row remembers a failure.
  @safe @exclusivity(unchecked) @usableFromInline var hasFailed = false

  /// True if the row moves with the one that it is a scope of.
  var isScope = false

  /// True if rows of scopes move with this one.
  @safe @exclusivity(unchecked) @usableFromInline var hasChildren = false

  /// How often the row has moved.
  @safe @exclusivity(unchecked) @usableFromInline var moveCount = 0

  /// State that is rarely needed: scopes in use, decoders, the error to throw.
  @safe @exclusivity(unchecked) @usableFromInline var extras: RowExtras?

  /// The extras, which the row has until its end: not counted for each row of a statement.
  @inline(__always) var unownedExtras: Unretained<RowExtras>? {
    guard let extras else { return nil }
    return Unretained(extras)
  }

  /// The decoders, which the row has until its end: not counted for each record.
  @inline(__always) var unownedDecoders: Unretained<RowDecoders>? {
    guard let extras, let decoders = extras.decoders else { return nil }
    return Unretained(decoders)
  }

  /// A row that reads from a statement.
  init(live statement: Statement, layout: RowLayout) {
    count = layout.count
    offset = CInt(layout.offset)
    directStatement =
      unsafe layout.mapping == nil && !statement.isExact ? statement.sqliteStatement : nil
    unownedStatement = Unretained(statement)
    indexInBatch = 0
    self.layout = layout
  }

  /// A row in memory.
  init(batch: RowBatch, index: Int, layout: RowLayout) {
    count = layout.count
    offset = CInt(layout.offset)
    directStatement = nil
    self.batch = batch
    indexInBatch = CInt(index)
    self.layout = layout
  }

  /// A row with these columns and values.
  package convenience init(columnNames: [String], values: [DatabaseValue]) {
    let layout = RowLayout(columnNames: columnNames)
    let batch = RowBatch(layout: layout, columnCount: values.count)
    batch.append(values)
    self.init(batch: batch, index: 0, layout: layout)
  }

  deinit {
    guard let extras else { return }
    for child in extras.children { child.setParent(nil) }
  }

  /// Stops reading from the statement: the row now reads from memory.
  func become(_ batch: RowBatch) {
    directStatement = nil
    extras?.decoders?.leaveStatement()
    unownedStatement = nil
    self.batch = batch
    indexInBatch = 0
  }

  /// Whether the values were read from a database.
  var isFromStatement: Bool { batch?.isFromStatement ?? true }

  /// Makes a row in memory show another row of its batch.
  func show(_ index: Int) {
    indexInBatch = CInt(index)
    lastColumn = -1
    moveCount &+= 1
  }

  /// Makes a row in memory show the rows of another batch, or none.
  func show(_ batch: RowBatch?) {
    self.batch = batch
    show(0)
  }

  /// Creates an empty row.
  public convenience init() { self.init(columnNames: [], values: []) }

  /// Creates a row from a dictionary, with its columns in any order.
  ///
  /// ```swift
  /// let row = Row(["id": 1, "name": "Alice"])
  /// ```
  public convenience init(_ dictionary: [String: (any DatabaseValueConvertible)?]) {
    self.init(
      columnNames: Array(dictionary.keys),
      values: dictionary.values.map { $0?.databaseValue ?? .null })
  }

  /// Creates a row from a dictionary, or nil when a key is not a string, or when a value can't be
  /// stored in a database.
  public convenience init?(_ dictionary: [AnyHashable: Any]) {
    guard let columns = StatementArguments(dictionary)?.namedValues else { return nil }
    self.init(columnNames: columns.map(\.name.text), values: columns.map(\.value))
  }
}

/// The rare parts of a row.
@usableFromInline final class RowExtras {
  /// Rows for the scopes of a row, which move with it.
  @safe @exclusivity(unchecked) var children: [Row] = []
  /// The names of the scopes of `children`.
  @safe @exclusivity(unchecked) var childNames: [String] = []
  /// The row this one is a scope of, while both move together.
  var parent: Unretained<Row>?
  /// The rows that move over prefetched rows.
  var prefetchedRows: [PrefetchedRow] = []
  /// The first failure while a record is decoded.
  var decodingError: (any Error)?
  /// Whether an association has fed a property, for a link.
  var feedsProperties = false
  /// The types of properties that are being decoded from the row itself.
  @safe @exclusivity(unchecked) var mainTypes: [ObjectIdentifier] = []
  /// How many placeholders contain the row, for a row that is one: see `Placeholder`.
  var placeholderDepth = 0
  /// The decoders of Codable records, kept from a row to the next one.
  var decoders: RowDecoders?

  /// The row of a scope, if there is one.
  func child(named name: String) -> Row? {
    for index in childNames.indices where childNames[index].hasSameBytes(as: name) {
      return children[index]
    }
    return nil
  }
}

/// The decoders of records from a row, which the row keeps, and knows nothing else of.
class RowDecoders {
  /// The row no longer reads from a statement.
  func leaveStatement() {}

  /// Ends the decoders that records of earlier rows have kept.
  ///
  /// - parameter moveCount: How often the row has moved.
  func forgetKept(_ moveCount: Int) {}

  /// Whether the rows of a batch have the prefetched associations that the decoders know.
  func fit(_ batch: RowBatch) -> Bool { true }
}

extension Row: ExpressibleByDictionaryLiteral {
  /// Creates a row from a literal, with its columns in order.
  ///
  /// ```swift
  /// let row: Row = ["id": 1, "name": "Alice"]
  /// ```
  public convenience init(dictionaryLiteral elements: (String, (any DatabaseValueConvertible)?)...)
  {
    self.init(
      columnNames: elements.map(\.0), values: elements.map { $0.1?.databaseValue ?? .null })
  }
}
