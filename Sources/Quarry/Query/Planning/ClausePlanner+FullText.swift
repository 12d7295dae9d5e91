import Foundation

// References of full-text search, closed: the schema knows the names of tables, and the order of
// columns.

extension ClausePlanner {
  func closed(_ term: FullTextTerm) throws -> SQLExpression {
    switch term {
    case .table:
      let source = try requireSource()
      let table = try tableName(of: source)
      let isAmbiguous = try isAmbiguous(table, of: source)
      return SQLExpression(
        .fullText(.hiddenColumn(table, source: source.name, isAmbiguous: isAmbiguous)))
    case .columnIndex(let name):
      return SQLExpression(.literal(SQL(sql: "\(try columnIndex(name))")))
    case .weights(let weights): return SQLExpression(.fullText(.weightList(try completed(weights))))
    case .rankFunction(let weights):
      let list = try completed(weights).map(\.fullTextLiteral).joined(separator: ", ")
      return "bm25(\(list))".sqlExpression
    case .hiddenColumn, .weightList: return SQLExpression(.fullText(term))
    }
  }

  /// The name of the table without its schema.
  private func tableName(of source: Source) throws -> String {
    try context.schema.qualifiedTable(source.name)?.name ?? source.name
  }

  /// Whether the name of a hidden column may be that of a column of another source, too, such as
  /// the same table under another alias.
  private func isAmbiguous(_ column: String, of source: Source) throws -> Bool {
    func isSame(_ other: Source) -> Bool { other.name.isSameIdentifier(as: source.name) }
    let nearest = plans.lastIndex { $0.sources.contains { isSame($0.source) } }
    guard let nearest else { return false }
    if plans[nearest].sources.count(where: { isSame($0.source) }) > 1 { return true }
    return try plans[nearest...].contains { plan in
      try plan.sources.map(\.source).contains { other in
        if isSame(other) { return false }
        // The hidden column of a table of another schema, which is not in the list of columns.
        if try tableName(of: other).isSameIdentifier(as: column) { return true }
        let names = try context.schema.columnNamesIfKnown(of: other)
        return names?.contains { $0.isSameIdentifier(as: column) } ?? true
      }
    }
  }

  private func columnIndex(_ name: String) throws -> Int {
    let source = try requireSource()
    let names = try context.schema.columnNamesIfKnown(of: source) ?? []
    guard let index = names.firstIndex(where: { $0.isSameIdentifier(as: name) }) else {
      throw InvalidRequest("no such column in \(source.name): \(name)")
    }
    return index
  }

  /// The weights of all columns, in table order.
  private func completed(_ weights: [String: Double]) throws -> [Double] {
    let names = try context.schema.columnNamesIfKnown(of: requireSource()) ?? []
    var completed = Array(repeating: 1.0, count: names.count)
    for (name, weight) in weights.sorted(by: { $0.key < $1.key }) {
      guard weight.isFinite else {
        throw InvalidRequest("the weight of column \(name) is no number: \(weight)")
      }
      completed[try columnIndex(name)] = weight
    }
    return completed
  }
}

extension Double {
  /// The number without exponent, which FTS5 does not read in the arguments of rank functions.
  fileprivate var fullTextLiteral: String {
    let text = "\(self)"
    return text.contains("e") ? String(format: "%.20f", self) : text
  }
}
