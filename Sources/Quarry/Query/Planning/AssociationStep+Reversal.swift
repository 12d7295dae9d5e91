// Requests for the destination of an association start from the destination, and are joined
// backwards to the first step: the source next to the origin of the association. There stands the
// foreign key.

extension [AssociationStep] {
  /// The rows of the destination, where a condition holds on the first step.
  ///
  /// ```
  /// SELECT "review".* FROM "review"
  /// JOIN "book" ON ("book"."id" = "review"."bookId") AND ("book"."authorId" = ?)
  /// ```
  ///
  /// - parameter alias: an alias for the source of the first step.
  func destination(where condition: FilterClause, alias: TableAliasBase? = nil) -> Relation {
    if count > 1, contains(where: \.relation.source.isFunctionOfParent) {
      return qualifyingArguments.destination(where: condition, alias: alias)
    }
    let pivotsHaveAliases = dropLast().contains { !$0.relation.allAliases.isEmpty }
    var relations = dropLast().map(\.relation.selectingNothing) + [self[count - 1].relation]
    relations[count - 1].becomeDestination()
    relations[0].filters.append(condition)
    if let alias { relations[0].aliases.append(alias) }
    for index in indices.dropFirst() {
      let node = JoinNode(
        key: "grdb_pivot", kind: .inner, condition: self[index].condition.reversed,
        relation: relations[index - 1])
      if pivotsHaveAliases, index == count - 1 {
        // Sources joined to the destination may refer to the pivots. In SQLite, an `ON` clause
        // refers only to tables joined earlier: pivots come first.
        relations[index].joins.insert(node, at: 0)
      } else {
        relations[index].join(node)
      }
    }
    return relations[count - 1]
  }
}

extension [AssociationStep] {
  /// The steps, where the arguments of table functions designate the step before by an alias:
  /// backwards, the functions are joined to the step behind them.
  private var qualifyingArguments: [AssociationStep] {
    var steps = self
    for index in indices {
      guard case .function(let name, let arguments) = self[index].relation.source,
        self[index].relation.source.isFunctionOfParent
      else { continue }
      let parent = TableAliasBase(name: nil)
      steps[index].relation.source = .function(name, arguments.map { $0.qualified(by: parent) })
      if index > 0 {
        steps[index - 1].relation.aliases.append(parent)
      } else {
        steps[count - 1].relation.fail(.recordWithoutForeignKey)
      }
    }
    return steps
  }
}

extension Relation {
  /// The order of an association is a default, and replaces none of the request.
  mutating func becomeDestination() {
    ordering.isDefault = true
    replacesOrder = false
  }
}

extension JoinCondition {
  /// The same condition, between the joined source and the one already present.
  fileprivate var reversed: JoinCondition {
    switch self {
    case .foreignKey(let condition): return .foreignKey(condition.reversed)
    case .expression(nil): return self
    case .expression(let makeExpression?):
      return .expression {
        let join = makeExpression()
        return JoinExpression(expression: join.expression, left: join.right, right: join.left)
      }
    case .limited(var rows):
      rows.isReversed.toggle()
      return .limited(rows)
    }
  }
}

extension Relation {
  /// The relation as a mere link: it selects nothing, and keeps what decides which rows are there.
  package var selectingNothing: Relation {
    var relation = self
    relation.selection = []
    relation.prefetches = []
    for index in relation.joins.indices {
      relation.joins[index].relation = relation.joins[index].relation.selectingNothing
    }
    return relation
  }
}
