// Trees have a limited depth: whatever walks them, and their release, recurses.
//
// The depth of an expression is known when it is built. One that is too deep becomes a fault, which
// takes the place of the tree. A thread may have less stack than the limit asks for: passes stop
// where there is hardly any left. Those that can't throw put a fault into the tree, or give the
// answer that is right in any case; writing throws in the end.

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
  package var fitsStack: Bool { depth <= TreeDepth.unchecked || ThreadStack.hasSpace }

  /// A fault to take the place of the expression, if there is hardly any stack left.
  var stackFault: SQLExpression? { fitsStack ? nil : SQLExpression(.invalid(.tooDeepForStack)) }

  /// Refuses to go into the expression when there is hardly any stack left.
  func checkStack() throws { if !fitsStack { throw InvalidRequest.tooDeepForStack } }
}
