/// The columns that a row shows, and its scopes.
///
/// A layout is made once per statement, or per statement and adapter: rows only refer to it. A
/// layout shows columns of the physical row of the statement, from an offset on, or through a list
/// of indexes.
package final class RowLayout {
  /// The names of the columns, as the row shows them.
  package let columnNames: [String]

  /// The physical index of the first column, where columns are contiguous.
  let offset: Int

  /// The physical index of each column, where columns are not contiguous.
  let mapping: [Int]?

  /// Other views on the same physical row, in the order of their definition.
  package let scopes: [(name: String, layout: RowLayout)]

  /// The names of the scopes that lead from the main row to this layout.
  package let path: [String]

  /// The layout of the physical row.
  let unadapted: RowLayout?

  /// The record of the row, if the key of an association is its name.
  package let namesake: NamesakeRecord?

  /// Two columns have names that differ by the case of ASCII letters at most.
  private let hasDuplicateNames: Bool
  /// Whether the layout starts with the columns of the record type that asked last.
  private let startsWithColumns = TypeMark()
  /// For more columns than a scan should visit.
  private let indexes: [BinaryText: Int]?

  package init(
    columnNames: [String],
    offset: Int = 0,
    mapping: [Int]? = nil,
    scopes: [(name: String, layout: RowLayout)] = [],
    path: [String] = [],
    unadapted: RowLayout? = nil,
    namesake: NamesakeRecord? = nil
  ) {
    self.columnNames = columnNames
    self.offset = offset
    self.mapping = mapping
    self.scopes = scopes
    self.path = path
    self.unadapted = unadapted
    self.namesake = namesake
    let hasDuplicateNames =
      Set(columnNames.lazy.map(\.identifierKey)).count < columnNames.count
    self.hasDuplicateNames = hasDuplicateNames
    indexes = columnNames.count > 8 ? Self.makeIndexes(columnNames, hasDuplicateNames) : nil
  }

  var count: Int { columnNames.count }

  /// The column of the statement that a column of the row reads.
  package func physicalIndex(_ index: Int) -> Int {
    if let mapping { mapping[index] } else { offset + index }
  }

  /// The leftmost column with a name, without regard to the case of ASCII letters.
  func index(ofColumn name: String) -> Int? {
    if let indexes { return indexes[BinaryText(name)] ?? indexes[name.identifierKey] }
    if let index = columnNames.firstIndex(where: { $0.hasSameBytes(as: name) }) {
      return hasDuplicateNames ? leftmostIndex(ofColumn: name) : index
    }
    return leftmostIndex(ofColumn: name)
  }

  /// The index of a column, first looked for at `guess`: columns are mostly read in order.
  func index(ofColumn name: String, guess: Int) -> Int? {
    if guess < columnNames.count, !hasDuplicateNames, columnNames[guess].hasSameBytes(as: name) {
      return guess
    }
    return index(ofColumn: name)
  }

  /// Whether the layout starts with the columns of a record type, whose names are different ones.
  func startsWith(_ columnNames: () throws -> [String], of type: Any.Type) rethrows -> Bool {
    try startsWithColumns.answer(for: type) {
      let expected = try columnNames()
      return expected.count <= count
        && zip(expected, self.columnNames).allSatisfy { $0.hasSameBytes(as: $1) }
    }
  }

  package func scope(named name: String) -> RowLayout? {
    for scope in scopes where scope.name.hasSameBytes(as: name) { return scope.layout }
    return nil
  }

  private func leftmostIndex(ofColumn name: String) -> Int? {
    columnNames.firstIndex { $0.isSameIdentifier(as: name) }
  }

  private static func makeIndexes(
    _ columnNames: [String], _ hasDuplicateNames: Bool
  ) -> [BinaryText: Int] {
    var indexes: [BinaryText: Int] = [:]
    for (index, name) in columnNames.enumerated().reversed() { indexes[name.identifierKey] = index }
    if !hasDuplicateNames {
      for (index, name) in columnNames.enumerated() { indexes[BinaryText(name)] = index }
    }
    return indexes
  }
}
