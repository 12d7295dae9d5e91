/// A change of the parts of a tree. Each function returns another part for the given one;
/// `mapChildren` applies them to all that is directly inside a part. A transform has code of its
/// own for the kinds that it changes, only.
protocol TreeTransform<Failure> {
  associatedtype Failure: Error

  func map(_ expression: SQLExpression) throws(Failure) -> SQLExpression
  func map(_ query: SQLSubquery) throws(Failure) -> SQLSubquery
  func map(_ selection: SQLSelection) throws(Failure) -> SQLSelection
  func map(_ ordering: SQLOrdering) throws(Failure) -> SQLOrdering
  func map(_ sql: SQL) throws(Failure) -> SQL
  func map(_ definition: TableExpression) throws(Failure) -> TableExpression
}

extension TreeTransform {
  func map(_ selection: SQLSelection) throws(Failure) -> SQLSelection {
    try selection.mapChildren(self)
  }

  func map(_ ordering: SQLOrdering) throws(Failure) -> SQLOrdering {
    try ordering.mapChildren(self)
  }

  func map(_ expressions: [SQLExpression]) throws(Failure) -> [SQLExpression] {
    var mapped: [SQLExpression] = []
    mapped.reserveCapacity(expressions.count)
    for expression in expressions { mapped.append(try map(expression)) }
    return mapped
  }

  func map(_ expressions: RunList<SQLExpression>) throws(Failure) -> RunList<SQLExpression> {
    RunList(try map(expressions.array))
  }

  func map(
    _ branches: [(condition: SQLExpression, result: SQLExpression)]
  ) throws(Failure) -> [(condition: SQLExpression, result: SQLExpression)] {
    var mapped = branches
    for (index, (condition, result)) in branches.enumerated() {
      mapped[index] = (condition: try map(condition), result: try map(result))
    }
    return mapped
  }

  func map(_ orderings: [SQLOrdering]) throws(Failure) -> [SQLOrdering] {
    var mapped: [SQLOrdering] = []
    for ordering in orderings { mapped.append(try map(ordering)) }
    return mapped
  }

  func map(_ selections: [SQLSelection]) throws(Failure) -> [SQLSelection] {
    var mapped: [SQLSelection] = []
    for selection in selections { mapped.append(try map(selection)) }
    return mapped
  }

  func map(_ expression: SQLExpression?) throws(Failure) -> SQLExpression? {
    guard let expression else { return nil }
    return try map(expression)
  }
}
