/// A request in the place of an expression, or of the body of a table expression or view.
///
/// ```swift
/// // SELECT * FROM "player" WHERE "score" = (SELECT MAX("score") FROM "player")
/// Player.filter(Column("score") == Player.select(max(Column("score"))))
/// ```
public struct SQLSubquery: Sendable {
  let node: Node
  /// The depth of the query as an expression.
  let depth: UInt16

  init(_ node: Node) {
    let depth = node.depth
    if depth <= TreeDepth.limit {
      self.node = node
      self.depth = UInt16(depth)
    } else {
      self.node = .literal(SQL(elements: [.expression(SQLExpression(.invalid(.tooDeep)))]))
      self.depth = 1
    }
  }

  /// A query that has been planned.
  init(_ plan: any PlannedQuery, depth: UInt16) {
    node = .planned(plan)
    self.depth = depth
  }

  /// Whether the query is still to be planned.
  var isOpen: Bool { if case .planned = node { false } else { true } }

  package indirect enum Node: Sendable {
    case relation(Relation)
    case compound(Compound)
    case literal(SQL)
    /// In a closed tree, planning has put its plan in the place of a query.
    case planned(any PlannedQuery)
  }
}

/// The plan of a query, which the tree only keeps.
package protocol PlannedQuery: Sendable {}
