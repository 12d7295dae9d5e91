// An expression that compares columns of both sources for equality is a foreign key: it is followed
// like one.

extension AssociationStep {
  /// Turns a condition `left[a] == right[b] && …` into a foreign key, and into filters of the
  /// destination.
  ///
  /// The condition stays as it is when it has no equality, or compares the left source otherwise
  /// too.
  ///
  /// - parameter parent: the left source.
  mutating func resolveEqualities(with parent: Source, in context: PlanningContext) throws {
    guard case .expression(let makeExpression?) = condition else { return }
    let join = makeExpression()
    var pairs: [EqualColumns] = []
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
    guard let first = pairs.first else { return }
    // A foreign key has all columns of one source on the left.
    if pairs.contains(where: { $0.parentCompares != first.parentCompares }),
      try mayCollate(pairs, of: parent, in: context)
    {
      return
    }
    condition = .foreignKey(
      ForeignKeyCondition(
        originColumns: pairs.map(\.right), destinationColumns: pairs.map(\.left),
        parentIsOrigin: false, parentCompares: first.parentCompares))
    if others.isEmpty { return }
    relation.aliases.append(join.right)
    relation.filters = others.map { .expression($0) } + relation.filters
  }

  /// Whether a collation may compare the columns. False for a parent whose collations are not
  /// known: it is not joined for that.
  private func mayCollate(
    _ pairs: [EqualColumns], of parent: Source, in context: PlanningContext
  ) throws -> Bool {
    guard case .table = parent, try context.schema.knowsCollations(of: parent) else { return false }
    return try context.schema.mayCollate(pairs.map(\.left), of: parent)
      || context.schema.mayCollate(pairs.map(\.right), of: relation.source)
  }
}

/// Columns of the left and of the right source that are equal, and whether that of the left source
/// stands on the left of `=`.
private typealias EqualColumns = (left: String, right: String, parentCompares: Bool)

extension SQLExpression {
  var conjuncts: [SQLExpression] {
    if case .associative(.and, let operands) = node { operands.array } else { [self] }
  }

  /// The columns of `left["a"] == right["b"]`, in any order.
  fileprivate func equality(_ left: TableAliasBase, _ right: TableAliasBase) -> EqualColumns? {
    guard case .comparison(.equal, let lhs, let rhs) = node else { return nil }
    if let a = lhs.column(of: left), let b = rhs.column(of: right) {
      return (left: a, right: b, parentCompares: true)
    }
    if let a = rhs.column(of: left), let b = lhs.column(of: right) {
      return (left: a, right: b, parentCompares: false)
    }
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
