import Quarry

/// A table of Swift values. See `register(table:rows:columns:)`.
struct RowsTable<Element>: VirtualTable {
  let columns: [VirtualTableColumn]
  private let values: [@Sendable (Element) throws -> (any DatabaseValueConvertible)?]
  private let source: Source
  private let indexes: RowIndexes

  enum Source: Sendable {
    case stored(@Sendable () -> [Element])
    case computed(@Sendable (_ arguments: [DatabaseValue]) throws -> any Sequence<Element>)
  }

  init(_ source: Source, parameters: [String], columns: VirtualTableColumns<Element>) {
    self.source = source
    self.columns = columns.columns + parameters.map { .parameter($0) }
    values = columns.values
    indexes = RowIndexes(columns: columns.indexed)
  }

  func plan(_ query: inout VirtualTableQuery) {
    guard case .stored(let rows) = source else { return }
    let count = Int64(rows().count)
    query.estimatedRowCount = count
    guard let lookup = lookup(for: query) else { return }
    query.use(lookup, wholeList: true)
    query.estimatedRowCount = max(1, count / 100)
    query.estimatedCost = 10
  }

  /// The equality that finds the rows.
  private func lookup(for query: VirtualTableQuery) -> VirtualTableQuery.Constraint? {
    query.constraints.first { constraint in
      guard let column = constraint.column, indexes.columns.contains(column) else { return false }
      return query.isOrdinaryEquality(constraint, columns)
    }
  }

  func makeCursor(_ db: Database, for scan: VirtualTableScan) throws -> RowsCursor<Element> {
    switch source {
    case .computed(let rows):
      let rows = try rows(scan.arguments.map { $0 ?? .null })
      return RowsCursor(numbered(rows), values)
    case .stored(let rows):
      let rows = rows()
      guard let condition = scan.conditions.first, let column = condition.column else {
        return RowsCursor(numbered(rows), values)
      }
      let positions = try indexes.positions(of: condition.values, inColumn: column) {
        try rows.map { try values[column]($0)?.databaseValue ?? .null }
      }
      guard let positions else { return RowsCursor(numbered(rows), values) }
      var iterator = positions.makeIterator()
      return RowsCursor(
        AnyIterator { iterator.next().map { (Int64($0) + 1, rows[$0]) } }, values)
    }
  }

  private func numbered(_ rows: some Sequence<Element>) -> AnyIterator<(Int64, Element)> {
    var iterator = rows.makeIterator()
    var number: Int64 = 0
    return AnyIterator {
      number += 1
      return iterator.next().map { (number, $0) }
    }
  }
}

struct RowsCursor<Element>: VirtualTableCursor {
  private let rows: AnyIterator<(Int64, Element)>
  private let values: [@Sendable (Element) throws -> (any DatabaseValueConvertible)?]
  private var current: (number: Int64, element: Element)?

  init(
    _ rows: AnyIterator<(Int64, Element)>,
    _ values: [@Sendable (Element) throws -> (any DatabaseValueConvertible)?]
  ) {
    self.rows = rows
    self.values = values
  }

  mutating func next() -> Bool {
    current = rows.next()
    return current != nil
  }

  func value(at column: Int) throws -> (any DatabaseValueConvertible)? {
    guard let current, column < values.count else { return nil }
    return try values[column](current.element)
  }

  var rowID: Int64 { current?.number ?? 0 }
}

/// The positions of rows by the values of columns, made when they are first needed.
final class RowIndexes: Sendable {
  let columns: Set<Int>
  private let indexes = Locked<[Int: Index]>([:])

  private struct Index {
    var positions: [DatabaseValue: [Int]] = [:]
    /// The rows that have to be compared with every value.
    var unsure: [Int] = []
  }

  init(columns: Set<Int>) { self.columns = columns }

  /// The positions of the rows that may be equal to a value of a list, in order. Nil for any row.
  func positions(
    of list: [DatabaseValue], inColumn column: Int, values: () throws -> [DatabaseValue]
  ) throws -> [Int]? {
    var keys: Set<DatabaseValue> = []
    for value in list where !value.isNull {
      guard case .value(let key) = ComparisonKey(value) else { return nil }
      keys.insert(key)
    }
    if keys.isEmpty { return [] }
    let index = try index(ofColumn: column, values: values)
    let positions = keys.flatMap { index.positions[$0] ?? [] }
    return keys.count == 1 && index.unsure.isEmpty
      ? positions : (positions + index.unsure).sorted()
  }

  /// The values are computed by the application: not under the lock.
  private func index(ofColumn column: Int, values: () throws -> [DatabaseValue]) throws -> Index {
    if let known = indexes.withLock({ $0[column] }) { return known }
    let index = try Self.makeIndex(values())
    indexes.withLock { $0[column] = index }
    return index
  }

  private static func makeIndex(_ values: [DatabaseValue]) -> Index {
    var index = Index()
    for (position, value) in values.enumerated() {
      switch ComparisonKey(value) {
      case .unsure: index.unsure.append(position)
      case .value(let key): index.positions[key, default: []].append(position)
      }
    }
    return index
  }
}
