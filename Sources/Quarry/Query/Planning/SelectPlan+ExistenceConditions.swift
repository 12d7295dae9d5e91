// A required child of an optional source, whose conditions refer to a sibling:
//
//     a LEFT JOIN (b LEFT JOIN c ON c.x = b.x JOIN d ON d.y = b.y AND d.z > c.z) ON b.a = a.a
//
// No `EXISTS (SELECT 1 FROM d …)` in the condition of b can test d alone, since c comes after b.
// One test joins them all, and says that b has a row of the whole group. The flat chain of left
// joins then has all rows of the group, and others where d is missing: they are left out by `WHERE
// b IS NULL OR d IS NOT NULL`.
//
//     FROM a
//     LEFT JOIN b ON b.a = a.a AND EXISTS (
//       SELECT 1 FROM (SELECT 1) LEFT JOIN c ON c.x = b.x JOIN d ON d.y = b.y AND d.z > c.z)
//     LEFT JOIN c ON c.x = b.x
//     LEFT JOIN d ON d.y = b.y AND d.z > c.z
//     WHERE b.id IS NULL OR d.id IS NOT NULL

extension SelectPlan {
  /// Finds the groups of sources that are tested together.
  mutating func planJointConditions(in context: PlanningContext) throws {
    for source in joins.indices where sources[source].hasExistenceCondition {
      let root = sources.optionalRoot(of: source)
      let siblings = try references(of: source, in: context).filter {
        $0 != source && isBehind($0, root) && !isBehind(source, $0)
      }
      if siblings.isEmpty { continue }
      try addJointCondition(of: root, siblings, in: context)
    }
  }

  private mutating func addJointCondition(
    of root: Int, _ siblings: [Int], in context: PlanningContext
  ) throws {
    var group = Set(sources[root].jointSources)
    for source in (root + 1)..<sources.count
    where sources[source].hasExistenceCondition && sources.optionalRoot(of: source) == root {
      sources[source].sharesExistenceCondition = true
      group.insert(source)
    }
    var added = siblings
    while let source = added.popLast() {
      guard group.insert(source).inserted else { continue }
      added += try (references(of: source, in: context) + [sources[source].parent])
        .filter { $0 != root && isBehind($0, root) }
    }
    sources[root].jointSources = group.sorted()
    for source in group where !sources[source].jointSources.isEmpty {
      throw InvalidRequest(
        "Conditions of associations of the optional association \"\(sources[root].key)\" can't "
          + "refer to associations of \"\(sources[source].key)\", which has such conditions "
          + "itself. To resolve this error, filter with a subquery.")
    }
  }

  /// The sources that the conditions of a source refer to.
  private func references(of source: Int, in context: PlanningContext) throws -> [Int] {
    let references = try References(context) { try $0.visit(conditionsOf: sources[source]) }
    return references.aliases.compactMap { self.source(of: $0) }
  }

  private func isBehind(_ source: Int, _ ancestor: Int) -> Bool {
    var source = source
    while source > ancestor { source = sources[source].parent }
    return source == ancestor && ancestor > 0 && source != 0
  }
}

extension [PlannedSource] {
  /// The optional sources of groups that are tested together, and their required sources.
  var jointConditions: [(root: Int, required: Int)] {
    joins.indices.filter { self[$0].sharesExistenceCondition }
      .map { (root: optionalRoot(of: $0), required: $0) }
  }

  /// The optional ancestor of a required source.
  func optionalRoot(of source: Int) -> Int {
    var root = self[source].parent
    while self[root].hasExistenceCondition { root = self[root].parent }
    return root
  }
}

// Below an optional parent, a required source must be missing with it.
extension SelectPlan {
  /// A foreign key never matches a parent that is missing. Another condition may.
  func needsParentTest(_ source: Int) -> Bool {
    guard sources[source].hasExistenceCondition else { return false }
    if case .foreignKey = sources[source].condition { return false }
    let parent = sources[source].parent
    if case .table = self.source(parent) { return true }
    return comparedColumns(of: parent, joining: source).isEmpty
  }

  /// The columns of which one at least is not null in a row of a joined source.
  func existenceColumns(of number: Int, in context: PlanningContext) throws -> [String] {
    switch source(number) {
    case .table, .function: break
    case .tableExpression, .subquery:
      // They have no key, but their own condition may say enough.
      if let column = comparedColumns(of: number, joining: number).first { return [column] }
    }
    return try context.schema.existenceColumns(of: source(number))
  }

  /// Columns of a source that are not null where a source is joined. There may be others.
  ///
  /// - parameter joined: the source whose condition it is: the first one, or a child of it. Only
  ///   tables have foreign keys.
  private func comparedColumns(of source: Int, joining joined: Int) -> [String] {
    guard case .expression(let expression) = sources[joined].condition else { return [] }
    return expression.conjuncts.flatMap { comparedColumns(of: source, in: $0) }
  }

  /// The operands that are columns of a source, of an operator that is not true if one of them is
  /// null.
  private func comparedColumns(of source: Int, in expression: SQLExpression) -> [String] {
    let operands: [SQLExpression]
    switch expression.node {
    case .comparison(.equal, let left, let right), .comparison(.notEqual, let left, let right):
      operands = [left, right]
    case .binary(let op, let left, let right) where op != .match: operands = [left, right]
    case .pattern(let op, let left, let right, escape: _, isNegated: false) where op != .regexp:
      operands = [left, right]
    case .between(let value, let low, let high, isNegated: false): operands = [value, low, high]
    case .membership(let value, in: _, isNegated: false): operands = [value]
    case .collate(let inner, _): return comparedColumns(of: source, in: inner)
    default: return []
    }
    return operands.compactMap { operand -> String? in
      var operand = operand
      while case .collate(let inner, _) = operand.node { operand = inner }
      guard case .qualified(_, let alias) = operand.node, self.source(of: alias) == source else {
        return nil
      }
      return operand.column(aliases: [alias])
    }
  }
}
