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
  // Most transforms leave queries as they are: these have columns and windows of their own.

  func map(_ query: SQLSubquery) throws(Failure) -> SQLSubquery { query }

  func map(_ definition: TableExpression) throws(Failure) -> TableExpression { definition }

  func map(_ selection: SQLSelection) throws(Failure) -> SQLSelection {
    try selection.mapChildren(self)
  }

  func map(_ ordering: SQLOrdering) throws(Failure) -> SQLOrdering {
    try ordering.mapChildren(self)
  }

  func map(_ expressions: [SQLExpression]) throws(Failure) -> [SQLExpression] {
    try expressions.map { expression throws(Failure) in try map(expression) }
  }

  func map(_ expressions: RunList<SQLExpression>) throws(Failure) -> RunList<SQLExpression> {
    RunList(try map(expressions.array))
  }

  func map(
    _ branches: [(condition: SQLExpression, result: SQLExpression)]
  ) throws(Failure) -> [(condition: SQLExpression, result: SQLExpression)] {
    try branches.map { branch throws(Failure) in
      (condition: try map(branch.condition), result: try map(branch.result))
    }
  }

  func map(_ orderings: [SQLOrdering]) throws(Failure) -> [SQLOrdering] {
    try orderings.map { ordering throws(Failure) in try map(ordering) }
  }

  func map(_ selections: [SQLSelection]) throws(Failure) -> [SQLSelection] {
    try selections.map { selection throws(Failure) in try map(selection) }
  }

  func map(_ expression: SQLExpression?) throws(Failure) -> SQLExpression? {
    guard let expression else { return nil }
    return try map(expression)
  }
}
