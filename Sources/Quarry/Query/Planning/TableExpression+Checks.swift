extension TableExpression {
  /// The query that defines the table expression.
  ///
  /// - Throws: `InvalidRequest` for a recursive definition without its recursive half, and for none
  ///   at all.
  var checkedBody: SQLSubquery {
    get throws {
      guard let body else {
        throw InvalidRequest(
          "The common table expression \(name.quotedDatabaseIdentifier) can't be defined "
            + "by its own request")
      }
      if isRecursive, !mayRefer(body) {
        throw InvalidRequest(
          "The recursive common table expression \(name.quotedDatabaseIdentifier) has no "
            + "recursive half: it must be a union with a request that selects from it")
      }
      return body
    }
  }

  /// Whether another definition is the same, but for the case of its name, and for hints.
  func hasSameRows(as other: TableExpression, in context: PlanningContext) -> Bool {
    var other = other
    other.name = name
    other.isMaterialized = isMaterialized
    return isSame(as: other, in: context)
  }

  /// False if the query is certainly no union of an initial and a recursive half.
  private func mayRefer(_ body: SQLSubquery) -> Bool {
    switch body.node {
    case .relation: return false
    case .planned: return true
    case .literal(let sql): return !sql.isNoCompound
    case .compound(let compound):
      return compound.others.contains { member in
        switch member.query.node {
        case .relation(let relation): selectsFromIt(relation)
        case .literal, .planned: true
        case .compound: false
        }
      }
    }
  }

  private func selectsFromIt(_ relation: Relation) -> Bool {
    relation.source.name.isSameIdentifier(as: name)
      || relation.joins.contains { selectsFromIt($0.relation) }
  }
}
