// Facts about an expression that need no schema: the columns that it pins to a constant, whether it
// is a constant, whether it is an aggregate. When does `fetchOne` need `LIMIT 1`?

extension SQLExpression {
  /// The keys of the columns that equal a constant wherever the expression is true.
  ///
  /// - parameter aliases: the aliases of the source whose columns are looked for.
  func identifyingColumns(aliases: [TableAliasBase]) -> Set<BinaryText> {
    switch node {
    case _ where !fitsStack: return []
    case .associative(.and, let operands):
      return operands.reduce(into: []) { $0.formUnion($1.identifyingColumns(aliases: aliases)) }
    case .comparison(.equal, let left, let right), .comparison(.identical, let left, let right):
      if right.isConstant { return left.bijectedColumns(aliases: aliases) }
      return left.isConstant ? right.bijectedColumns(aliases: aliases) : []
    case .collate(let operand, _): return operand.identifyingColumns(aliases: aliases)
    default: return []
    }
  }

  private func bijectedColumns(aliases: [TableAliasBase]) -> Set<BinaryText> {
    if case .row(let elements) = node {
      return elements.reduce(into: []) { $0.formUnion($1.bijectedColumns(aliases: aliases)) }
    }
    return bijectedColumn(aliases: aliases).map { [$0.identifierKey] } ?? []
  }

  /// The column of a one-to-one transformation: two values of the expression differ if the column
  /// does.
  func bijectedColumn(aliases: [TableAliasBase]) -> String? {
    switch node {
    case _ where !fitsStack: return nil
    case .column(let name): return name
    case .qualified(let inner, let alias):
      return aliases.contains(alias) ? inner.bijectedColumn(aliases: []) : nil
    case .collate(let operand, _), .json(let operand):
      return operand.bijectedColumn(aliases: aliases)
    case .prefix(let op, let operand):
      return op == .minus ? operand.bijectedColumn(aliases: aliases) : nil
    case .associative(let op, let operands):
      guard op == .concat else { return nil }
      let variables = operands.filter { !$0.isConstant }
      return variables.count == 1 ? variables[0].bijectedColumn(aliases: aliases) : nil
    case .function(let call): return call.bijectedColumn(aliases: aliases)
    default: return nil
    }
  }

  /// True for values, and what is made of them. Raw SQL, subqueries and columns are no constants.
  var isConstant: Bool {
    fitsStack && node.traits.contains(.isConstantOfConstants) && !containsChild { !$0.isConstant }
  }

  /// True if a request that selects the expression has one row, unless it is grouped. Subqueries
  /// and raw SQL have rows of their own.
  package var isAggregate: Bool {
    guard fitsStack else { return false }
    if case .function(let call) = node { return call.isAggregate }
    return node.traits.contains(.isAggregateOfAggregates) && containsChild(where: \.isAggregate)
  }

  /// True if there is an aggregate anywhere in the expression, those of window functions, of
  /// subqueries and of raw SQL excluded.
  var hasAggregate: Bool {
    guard fitsStack else { return false }
    switch node {
    case .function(let call) where call.isAggregate: return true
    case .window(let call, over: _): return call.containsChild(where: \.hasAggregate)
    default: return containsChild(where: \.hasAggregate)
    }
  }

  /// True if there is a window function in the expression, subqueries and raw SQL excluded.
  package var hasWindow: Bool {
    guard fitsStack else { return false }
    if case .window = node { return true }
    return containsChild(where: \.hasWindow)
  }
}

extension SQLExpression.FunctionCall {
  fileprivate func bijectedColumn(aliases: [TableAliasBase]) -> String? {
    if arguments.count == 1, name == "HEX" || name == "QUOTE" {
      return arguments[0].bijectedColumn(aliases: aliases)
    }
    if arguments.count == 2, name == "IFNULL", arguments[1].isConstant {
      return arguments[0].bijectedColumn(aliases: aliases)
    }
    return nil
  }
}
