// An expression that compares columns of both sources for equality is a foreign key: it is followed
// like one.

extension AssociationStep {
  /// Turns a condition `left[a] == right[b] && …` into a foreign key, and into filters of the
  /// destination.
  ///
  /// The condition stays as it is when it has no equality, or compares the left source otherwise
  /// too.
  mutating func resolveEqualities() {
    guard case .expression(let makeExpression?) = condition else { return }
    let join = makeExpression()
    var pairs: [(left: String, right: String)] = []
    var others: [SQLExpression] = []
    for operand in join.expression.conjuncts {
      if let pair = operand.equality(join.left, join.right) {
        pairs.append(pair)
      } else if operand.refersOnly(to: join.right) {
        others.append(operand)
      } else {
        return
      }
    }
    if pairs.isEmpty { return }
    condition = .foreignKey(
      ForeignKeyCondition(
        originColumns: pairs.map(\.right), destinationColumns: pairs.map(\.left),
        parentIsOrigin: false))
    if others.isEmpty { return }
    relation.aliases.append(join.right)
    relation.filters = others.map { .expression($0) } + relation.filters
  }
}

extension SQLExpression {
  var conjuncts: [SQLExpression] {
    if case .associative(.and, let operands) = node { operands.array } else { [self] }
  }

  /// The columns of `left["a"] == right["b"]`, in any order.
  fileprivate func equality(
    _ left: TableAliasBase, _ right: TableAliasBase
  ) -> (left: String, right: String)? {
    guard case .comparison(.equal, let lhs, let rhs) = node else { return nil }
    if let a = lhs.column(of: left), let b = rhs.column(of: right) { return (a, b) }
    if let a = rhs.column(of: left), let b = lhs.column(of: right) { return (a, b) }
    return nil
  }

  private func column(of alias: TableAliasBase) -> String? {
    guard case .qualified(let inner, alias) = node, case .column(let name) = inner.node else {
      return nil
    }
    return name
  }

  /// False when in doubt.
  fileprivate func refersOnly(to alias: TableAliasBase) -> Bool {
    switch node {
    case _ where !fitsStack: false
    case .value: true
    case .qualified(let inner, let other):
      if case .column = inner.node { alias == other } else { false }
    case .membership(_, .list, _), .comparison, .binary, .associative, .between, .not, .prefix,
      .collate:
      !containsChild { !$0.refersOnly(to: alias) }
    default: false
    }
  }
}
