/// The names of the table expressions that are defined where a query is.
///
/// A table expression carries its definition wherever a query selects from it. Passes go into the
/// definition in the `WITH` clause, and not into those of the same name: a definition that selects
/// from another one, which selects from a third one, and so on, would be visited twice as often
/// with each level.
struct DefinedNames: Sendable {
  private var names: [String] = []

  var isEmpty: Bool { names.isEmpty }

  mutating func add(_ expressions: [TableExpression]) {
    for expression in expressions { names.append(expression.name) }
  }

  func contains(_ expression: TableExpression) -> Bool {
    names.contains { $0.isSameIdentifier(as: expression.name) }
  }
}
