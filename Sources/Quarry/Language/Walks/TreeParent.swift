// The walk over a tree. `Scripts/generate` writes it, and that of `TreeTransform`, from the
// declarations of the parts: an analysis is this walk, and the kinds that are special to it. What a
// kind of expression is by itself: `SQLExpression+Traits.swift`.

/// A part of a tree that contains expressions.
protocol TreeParent {
  /// Whether planning has something to find out in the part itself, whatever its children are.
  var dependsOnSchema: Bool { get }

  /// Calls `body` with each expression directly inside, and the other closures with each query, and
  /// each piece of SQL written by hand.
  func forEachChild(
    _ body: (SQLExpression) throws -> Void,
    query: (SQLSubquery) throws -> Void,
    sql: (SQL) throws -> Void
  ) rethrows
}

extension TreeParent {
  var dependsOnSchema: Bool { false }

  /// The depth of the deepest child, and whether planning has something to find out.
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

  var depth: Int { measure.depth }

  var isOpen: Bool { measure.isOpen }
}

extension SQLExpression {
  /// Whether an expression directly inside satisfies a predicate. Queries and SQL written by hand
  /// don't count.
  package func containsChild(where predicate: (SQLExpression) -> Bool) -> Bool {
    var isFound = false
    node.forEachChild {
      if !isFound { isFound = predicate($0) }
    } query: { _ in
    } sql: { _ in
    }
    return isFound
  }
}

extension SQLExpression.Node: TreeParent {
  var dependsOnSchema: Bool { traits.contains(.dependsOnSchema) }
}

extension SQLOrdering: TreeParent {
  var dependsOnSchema: Bool { if case .primaryKey = node { true } else { false } }
}

extension SQLSelection: TreeParent {
  var dependsOnSchema: Bool {
    switch node {
    case .allColumnsExcluding, .primaryKey: true
    case .qualified(let inner, _): inner.dependsOnSchema
    case .allColumns, .columns, .expression, .aliased, .literal, .invalid: false
    }
  }
}

extension SQL.Element: TreeParent {
  var dependsOnSchema: Bool {
    switch self {
    case .table(let name, let schema): schema == nil && name.mayHaveSchema
    case .selection(let selection): selection.dependsOnSchema
    case .ordering(let ordering): ordering.dependsOnSchema
    case .columns(let selections, _, _): selections.contains(where: \.dependsOnSchema)
    case .definition(let definition): definition.body == nil
    case .raw, .identifier, .expression, .subquery, .list: false
    }
  }
}

extension SQLWindow: TreeParent {}

extension Source: TreeParent {}

extension SelectionClause: TreeParent {
  var dependsOnSchema: Bool {
    switch self {
    case .items(let selections), .aggregates(let selections, _):
      selections.contains(where: \.dependsOnSchema)
    case .record, .deferred: false
    }
  }
}

extension OrderingClause: TreeParent {
  var dependsOnSchema: Bool {
    terms.contains { if case .ordering(let term) = $0 { term.dependsOnSchema } else { false } }
  }
}

extension Compound: TreeParent {}
