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
  /// The depth of the deepest expression or subquery of the node, and whether it has a part that is open.
  var measure: (depth: Int, isOpen: Bool) {
    var depth = 0
    var isOpen = dependsOnSchema
    forEachChild {
      depth = max(depth, Int($0.depth))
      isOpen = isOpen || $0.isOpen
    } query: {
      depth = max(depth, Int($0.depth))
      isOpen = isOpen || $0.isOpen
    } sql: {
      depth = max(depth, $0.depth)
      isOpen = isOpen || $0.isOpen
    }
    return (depth, isOpen)
  }

  /// Whether the node itself stands for columns that the schema knows.
  private var dependsOnSchema: Bool {
    switch self {
    case .aliasExists, .rowIdentity, .fullText: true
    case .column, .value, .row, .subquery, .literal, .cast, .function, .window, .conditional, .json,
      .jsonElement, .countAll, .comparison, .binary, .associative, .pattern, .between, .membership,
      .exists, .not, .prefix, .collate, .isZero, .qualified, .associated, .invalid:
      false
    }
  }
}

extension Sequence<SQLExpression> {
  var depth: Int { Int(reduce(0) { Swift.max($0, $1.depth) }) }
}

extension SQLWindow {
  var depth: Int {
    var depth = 0
    forEachChild {
      depth = max(depth, Int($0.depth))
    } sql: {
      depth = max(depth, $0.depth)
    }
    return depth
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

  var isOpen: Bool {
    switch self {
    case .raw, .identifier: false
    case .table(let name, let schema): schema == nil && name.mayHaveSchema
    case .expression(let expression): expression.isOpen
    case .selection(let selection): selection.isOpen
    case .ordering(let ordering): ordering.isOpen
    case .subquery(let query): query.isOpen
    case .list(let elements): elements.contains(where: \.isOpen)
    case .definition(let definition): definition.body?.isOpen ?? true
    case .columns(let selections, _, _): selections.contains(where: \.isOpen)
    }
  }
}

extension SQLWindow {
  var isOpen: Bool {
    var isOpen = false
    forEachChild {
      isOpen = isOpen || $0.isOpen
    } sql: {
      isOpen = isOpen || $0.isOpen
    }
    return isOpen
  }
}

extension SQLSelection {
  var isOpen: Bool {
    switch node {
    case .allColumns, .columns, .invalid: false
    case .allColumnsExcluding, .primaryKey: true
    case .expression(let expression), .aliased(let expression, _): expression.isOpen
    case .literal(let sql): sql.isOpen
    case .qualified(let inner, _): inner.isOpen
    }
  }
}

extension SQLOrdering {
  var isOpen: Bool {
    switch node {
    case .expression(let expression, _): expression.isOpen
    case .literal(let sql): sql.isOpen
    case .primaryKey: true
    case .columns: false
    }
  }
}

extension SQLSelection {
  var depth: Int {
    var depth = 0
    forEachChild {
      depth = Int($0.depth)
    } sql: {
      depth = $0.depth
    }
    return depth
  }
}

extension SQLOrdering {
  var depth: Int {
    var depth = 0
    forEachChild {
      depth = Int($0.depth)
    } sql: {
      depth = $0.depth
    }
    return depth
  }
}

extension Sequence<SQLSelection> {
  fileprivate var depth: Int { reduce(0) { Swift.max($0, $1.depth) } }
}
