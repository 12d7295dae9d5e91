// Trees have a limited depth: whatever walks them, and their release, recurses.
//
// The depth of an expression is known when it is built. One that is too deep becomes a fault, which takes the place of
// the tree. A thread may have less stack than the limit asks for: passes stop where there is hardly any left. Those that
// can't throw put a fault into the tree, or give the answer that is right in any case; writing throws in the end.

/// How deep requests can be.
enum TreeDepth {
  /// The limit of SQLite, by default. See <https://www.sqlite.org/limits.html#max_expr_depth>.
  static let limit = 1000

  /// A subquery takes as much stack as so many expressions.
  static let ofSubquery = 8

  /// SQLite joins 64 tables at most.
  static let limitOfAssociations = 100

  /// The stack that is left after a check suffices for so many levels.
  static let unchecked = 8
}

extension InvalidRequest {
  static var tooDeep: InvalidRequest {
    InvalidRequest("Expression tree is too large (maximum depth \(TreeDepth.limit))")
  }

  static var tooDeepForStack: InvalidRequest {
    InvalidRequest("Expression tree is too large for the stack of this thread")
  }

  static var tooManyNestedAssociations: InvalidRequest {
    InvalidRequest(
      "Associations are nested too deeply (maximum depth \(TreeDepth.limitOfAssociations))")
  }
}

extension SQLExpression {
  /// False if there is hardly any stack left to go into the expression.
  var fitsStack: Bool { depth <= TreeDepth.unchecked || ThreadStack.hasSpace }

  /// A fault to take the place of the expression, if there is hardly any stack left.
  var stackFault: SQLExpression? {
    fitsStack ? nil : SQLExpression(.invalid(.tooDeepForStack))
  }

  /// Refuses to go into the expression when there is hardly any stack left.
  func checkStack() throws {
    if !fitsStack { throw InvalidRequest.tooDeepForStack }
  }
}

extension SQLExpression.Node {
  /// The depth of the deepest expression or subquery of the node.
  var innerDepth: Int {
    switch self {
    case .column, .value, .countAll, .aliasExists, .rowIdentity, .invalid:
      0
    case .row(let elements):
      elements.depth
    case .associative(_, let operands):
      operands.depth
    case .subquery(let query), .exists(let query, _):
      Int(query.depth)
    case .literal(let sql):
      sql.depth
    case .cast(let operand, _), .json(let operand), .jsonElement(let operand),
      .not(let operand), .prefix(_, let operand), .collate(let operand, _),
      .isZero(let operand, _), .qualified(let operand, _), .associated(let operand, _):
      Int(operand.depth)
    case .comparison(_, let left, let right), .binary(_, let left, let right):
      Int(max(left.depth, right.depth))
    case .function, .window, .conditional, .pattern, .between, .membership:
      innerDepthOfMany
    }
  }

  private var innerDepthOfMany: Int {
    switch self {
    case .function(let call):
      max(call.arguments.depth, call.orderings.depth, Int(call.filter?.depth ?? 0))
    case .window(let call, let window):
      max(Int(call.depth), window.depth)
    case .conditional(let expression):
      expression.depth
    case .pattern(_, let operand, let pattern, let escape, _):
      Int(max(operand.depth, pattern.depth, escape?.depth ?? 0))
    case .between(let operand, let lower, let upper, _):
      Int(max(operand.depth, lower.depth, upper.depth))
    case .membership(let operand, let collection, _):
      max(Int(operand.depth), collection.depth)
    default:
      0
    }
  }
}

extension Sequence<SQLExpression> {
  var depth: Int { Int(reduce(0) { Swift.max($0, $1.depth) }) }
}

extension SQLExpression.Collection {
  fileprivate var depth: Int {
    switch self {
    case .list(let elements), .rows(let elements): elements.depth
    case .subquery(let query): Int(query.depth)
    case .table: 0
    }
  }
}

extension SQLExpression.CaseExpression {
  fileprivate var depth: Int {
    let others = Swift.max(operand?.depth ?? 0, otherwise?.depth ?? 0)
    return Int(branches.reduce(others) { Swift.max($0, $1.condition.depth, $1.result.depth) })
  }
}

extension SQLWindow {
  var depth: Int {
    Swift.max(
      partition.depth, orderings.depth, frame?.start.depth ?? 0, frame?.end?.depth ?? 0)
  }
}

extension SQLWindowFrame.Bound {
  fileprivate var depth: Int {
    switch node {
    case .preceding(let offset), .following(let offset): Int(offset.depth)
    case .unboundedPreceding, .currentRow, .unboundedFollowing: 0
    }
  }
}

extension SQL.Element {
  var depth: Int {
    switch self {
    case .raw, .identifier, .table: 0
    case .expression(let expression): Int(expression.depth)
    case .selection(let selection): selection.depth
    case .ordering(let ordering): ordering.depth
    case .subquery(let query): Int(query.depth)
    case .list(let elements): elements.depth
    case .definition(let definition): definition.depth
    case .columns(let selections, _, _): selections.depth
    }
  }
}

extension SQLSelection {
  var depth: Int {
    switch node {
    case .allColumns, .allColumnsExcluding, .primaryKey, .invalid: 0
    case .expression(let expression), .aliased(let expression, _): Int(expression.depth)
    case .literal(let sql): sql.depth
    case .qualified(let inner, _): inner.depth
    }
  }
}

extension SQLOrdering {
  var depth: Int {
    switch node {
    case .expression(let expression, _): Int(expression.depth)
    case .literal(let sql): sql.depth
    case .primaryKey: 0
    }
  }
}

extension Sequence<SQLSelection> {
  fileprivate var depth: Int { reduce(0) { Swift.max($0, $1.depth) } }
}

extension Sequence<SQLOrdering> {
  fileprivate var depth: Int { reduce(0) { Swift.max($0, $1.depth) } }
}
