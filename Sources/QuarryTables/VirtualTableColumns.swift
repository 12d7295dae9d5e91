import Foundation
public import Quarry

/// The columns of a table of Swift values, with the way to each value.
///
/// ```swift
/// try db.register(table: "loan", rows: loans) { t in
///   t.column("isbn", \.isbn)
///   t.column("days") { $0.end.timeIntervalSince($0.start) / 86_400 }
/// }
/// ```
public struct VirtualTableColumns<Element> {
  private(set) var columns: [VirtualTableColumn] = []
  private(set) var values: [@Sendable (Element) throws -> (any DatabaseValueConvertible)?] = []
  private(set) var indexed: Set<Int> = []

  /// Adds a column.
  ///
  /// - parameter name: The name of the column.
  /// - parameter type: The type of the column. By default, the one that fits the Swift type: `TEXT`
  ///   for strings, `INTEGER` for integers, and so on; none for other types.
  /// - parameter isIndexed: Whether rows are looked up by the column, so that a join or a condition
  ///   on a value need not look at all rows. The index is made when it is first used. It is ignored
  ///   for rows that are computed by each scan. With it, a condition on a row value that has one
  ///   column of the table, `(isbn, 1) IN (SELECT …)`, compares texts by the affinity of that
  ///   column alone: the text `012` is not the integer 12.
  /// - parameter value: Returns the value of a row. Nil is NULL.
  public mutating func column<Value: DatabaseValueConvertible>(
    _ name: String, type: Database.ColumnType? = nil, isIndexed: Bool = false,
    _ value: @escaping @Sendable (Element) throws -> Value?
  ) {
    if isIndexed { indexed.insert(columns.count) }
    columns.append(VirtualTableColumn(name, type ?? Self.type(Value.self)))
    values.append { try value($0) }
  }

  private static func type(_ type: Any.Type) -> Database.ColumnType? {
    switch type {
    case is any BinaryInteger.Type: .integer
    case is any BinaryFloatingPoint.Type: .double
    case is Bool.Type: .boolean
    case is any StringProtocol.Type: .text
    case is Data.Type: .blob
    default: nil
    }
  }
}

extension Database {
  /// Registers a collection as a table of this connection.
  ///
  /// ```swift
  /// try db.register(table: "loan", rows: loans) { t in
  ///   t.column("isbn", isIndexed: true, \.isbn)
  ///   t.column("days", \.days)
  /// }
  ///
  /// // SELECT book.title, loan.days FROM book JOIN loan USING (isbn)
  /// ```
  ///
  /// The table keeps the collection as it is now. The rowid of a row is its position, counted from
  /// 1.
  ///
  /// See `Database.register(table:_:)`.
  ///
  /// - parameter name: The name of the table.
  /// - parameter rows: The rows.
  /// - parameter columns: Adds the columns.
  /// - throws: A `DatabaseError` for columns that SQLite can't have, and an impossible name.
  public func register<Rows: Collection & Sendable>(
    table name: String, rows: Rows,
    columns: (inout VirtualTableColumns<Rows.Element>) throws -> Void
  ) throws where Rows.Element: Sendable {
    let rows = Array(rows)
    try register(.stored { rows }, name: name, parameters: [], columns)
  }

  /// Registers a function that returns the rows of a table, for each scan anew: a table-valued
  /// function, if it has parameters.
  ///
  /// ```swift
  /// try db.register(table: "words", parameters: ["text"]) { arguments in
  ///   (String.fromDatabaseValue(arguments[0]) ?? "").split(separator: " ").map(String.init)
  /// } columns: { t in
  ///   t.column("word") { $0 }
  /// }
  ///
  /// // SELECT word FROM book, words(book.title)
  /// ```
  ///
  /// There is no row if an argument is NULL. A statement throws if an argument is missing.
  ///
  /// The rowid of a row is its position in its scan, counted from 1. SQLite may take rows with the
  /// same rowid for the same row where an `OR` has other arguments on each side, and loses one of
  /// them: combine two queries with `UNION ALL`.
  ///
  /// See `Database.register(table:_:)`.
  ///
  /// - parameter name: The name of the table.
  /// - parameter parameters: The names of the parameters.
  /// - parameter rows: Returns the rows for the arguments, which have the order of the parameters.
  /// - parameter columns: Adds the columns.
  /// - throws: A `DatabaseError` for columns that SQLite can't have, and an impossible name.
  public func register<Rows: Sequence>(
    table name: String, parameters: [String] = [],
    rows: @escaping @Sendable (_ arguments: [DatabaseValue]) throws -> Rows,
    columns: (inout VirtualTableColumns<Rows.Element>) throws -> Void
  ) throws { try register(.computed(rows), name: name, parameters: parameters, columns) }

  private func register<Element>(
    _ source: RowsTable<Element>.Source, name: String, parameters: [String],
    _ columns: (inout VirtualTableColumns<Element>) throws -> Void
  ) throws {
    var definition = VirtualTableColumns<Element>()
    try columns(&definition)
    try register(
      table: name, RowsTable(source, parameters: parameters, columns: definition))
  }
}
