/// Requests whose rows are combined: `SELECT … UNION SELECT …`.
///
/// SQLite gives all these operators the same precedence, and applies them from left to right. So
/// does this node: the operators of `others` apply, one after the other, to the rows of `first`. A
/// query that must be computed on its own (a member that is ordered, limited, or a compound itself)
/// is a subquery: see `PlannedMember`.
///
/// See <https://www.sqlite.org/lang_select.html#compound_select_statements>.
package struct Compound: Sendable {
  var first: SQLSubquery
  var others: [Member]
  /// Terms refer to columns by the names that the compound gives them.
  var ordering = OrderingClause()
  var limit: Limit?
  /// `WITH` definitions, for all members.
  var tableExpressions: [TableExpression] = []

  struct Member: Sendable {
    var op: CompoundOperator
    var query: SQLSubquery
  }
}

enum CompoundOperator: UInt8, Sendable {
  case union, unionAll, intersect, except
}

extension SQLSubquery {
  /// The rows of this query, combined with those of another one.
  func combined(_ op: CompoundOperator, with other: SQLSubquery) -> Compound {
    let member = Compound.Member(op: op, query: other)
    guard case .compound(var compound) = node, compound.limit == nil,
      compound.ordering.terms.isEmpty, !compound.ordering.isStable
    else { return Compound(first: self, others: [member]) }
    compound.others.append(member)
    return compound
  }
}
