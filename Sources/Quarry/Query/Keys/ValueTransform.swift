// A query is compiled once for all values. So the values of its tree get numbers, the slots, which
// they keep on their way through planning and writing: each argument of the statement has that of
// its value.

/// Replaces the values of a tree.
struct ValueTransform: TreeTransform {
  enum Change {
    /// Slots from the next one on.
    case numbering(Slots)
    /// The values of slots take the place of those that are in them.
    case filling([DatabaseValue])
  }

  /// The slots that are given.
  final class Slots {
    var count: Int
    /// Answers what is deferred, if it depends on the schema only.
    let context: PlanningContext?

    init(after count: Int = 0, context: PlanningContext? = nil) {
      self.count = count
      self.context = context
    }
  }

  typealias Failure = Never

  let change: Change
  var definitions: Set<BinaryText> = []

  static func numbering(in context: PlanningContext) -> ValueTransform {
    ValueTransform(change: .numbering(Slots(context: context)))
  }

  func map(_ value: DatabaseValue) -> DatabaseValue {
    if value.isNull { return value }
    switch change {
    case .numbering(let slots):
      slots.count += 1
      return slots.count <= DatabaseValue.slotLimit ? value.inSlot(slots.count) : value
    case .filling(let values):
      if value.slot == 0 { return value }
      // A condition that is a closure may have more values than in the request that was remembered.
      return Int(value.slot) <= values.count ? values[Int(value.slot) - 1] : value.inSlot(0)
    }
  }

  /// Whether a part that the stack has no space for stays as it is: a tree with values outside of
  /// slots is not remembered. A remembered one would keep the values of an earlier request.
  private var keepsUnfitting: Bool { if case .numbering = change { true } else { false } }

  func map(_ expression: SQLExpression) -> SQLExpression {
    if case .value(let value) = expression.node { return SQLExpression(map(value)) }
    if case .column = expression.node { return expression }
    guard expression.fitsStack else {
      return keepsUnfitting ? expression : SQLExpression(.invalid(.tooDeepForStack))
    }
    return SQLExpression(expression.node.mapChildren(self))
  }

  func map(_ sql: SQL) -> SQL { SQL(elements: RunList(sql.elements.map(map))) }

  private func map(_ element: SQL.Element) -> SQL.Element {
    guard case .raw(let text, var arguments) = element else { return element.mapChildren(self) }
    if !arguments.values.isEmpty { arguments.values = arguments.values.map(map) }
    return .raw(text, arguments)
  }
}

// Queries.
extension ValueTransform {
  func map(_ query: SQLSubquery) -> SQLSubquery {
    switch query.node {
    case .relation(let relation): SQLSubquery(.relation(map(relation)))
    case .compound(let compound): SQLSubquery(.compound(map(compound)))
    case .literal(let sql): SQLSubquery(.literal(map(sql)))
    case .planned: query
    }
  }

  func map(_ relation: Relation) -> Relation {
    guard ThreadStack.hasSpace else {
      var relation = relation
      if !keepsUnfitting { relation.fail(.tooDeepForStack) }
      return relation
    }
    return defining(relation.tableExpressions).mapClauses(of: relation)
  }

  /// For a query with definitions.
  private func defining(_ expressions: [TableExpression]) -> ValueTransform {
    var inner = self
    inner.definitions.formUnion(expressions.map(\.key))
    return inner
  }

  private func mapClauses(of relation: Relation) -> Relation {
    var relation = relation
    relation.source = map(relation.source)
    relation.selection = ClauseList(relation.selection.map(map))
    relation.filters = ClauseList(relation.filters.map(map))
    relation.ordering = map(relation.ordering)
    relation.joins = relation.queriedJoins.map(map)
    relation.rareClauses = relation.rareClauses.map(map)
    return relation
  }

  /// In the order of `TreeKey`, which collects the values.
  private func map(_ clauses: RareClauses) -> RareClauses {
    var clauses = clauses
    clauses.grouping = clauses.grouping.map(map)
    clauses.havings = clauses.havings.map(map)
    clauses.tableExpressions = clauses.tableExpressions.map(map)
    for index in clauses.windows.indices {
      clauses.windows[index].window = clauses.windows[index].window.mapChildren(self)
    }
    clauses.prefetches = clauses.prefetches.map(map)
    clauses.aggregatedJoins = clauses.aggregatedJoins.map(map)
    clauses.mergedSources = clauses.mergedSources.map(map)
    return clauses
  }

  func map(_ compound: Compound) -> Compound {
    defining(compound.tableExpressions).mapClauses(of: compound)
  }

  private func mapClauses(of compound: Compound) -> Compound {
    var compound = compound
    compound.first = map(compound.first)
    for index in compound.others.indices {
      compound.others[index].query = map(compound.others[index].query)
    }
    compound.ordering = map(compound.ordering)
    compound.tableExpressions = compound.tableExpressions.map(map)
    return compound
  }

  func map(_ assignment: ColumnAssignment) -> ColumnAssignment {
    ColumnAssignment(columnName: assignment.columnName, value: assignment.value.map(map))
  }

  private func map(_ source: Source) -> Source {
    // The definition has the values: see `TreeKey`.
    if case .tableExpression(let expression) = source, definitions.contains(expression.key) {
      return source
    }
    return source.mapChildren(self)
  }

  func map(_ expression: TableExpression) -> TableExpression {
    var expression = expression
    expression.body = expression.body.map(map)
    return expression
  }

  private func map(_ node: JoinNode) -> JoinNode {
    var node = node
    node.condition = map(node.condition)
    node.relation = map(node.relation)
    return node
  }

  func map(_ node: PrefetchNode) -> PrefetchNode {
    PrefetchNode(key: node.key, steps: node.steps.map(map))
  }

  private func map(_ step: AssociationStep) -> AssociationStep {
    var step = step
    step.condition = map(step.condition)
    step.relation = map(step.relation)
    return step
  }

  private func map(_ condition: JoinCondition) -> JoinCondition {
    switch condition {
    case .foreignKey, .expression(nil): return condition
    case .expression(let makeExpression?): return .expression(map(makeExpression))
    case .limited(var rows):
      rows.steps = rows.steps.map(map)
      return .limited(rows)
    }
  }

  /// Each call returns the same condition on other aliases, hence with the same slots.
  private func map(
    _ makeExpression: @escaping @Sendable () -> JoinExpression
  ) -> @Sendable () -> JoinExpression {
    let definitions = definitions
    switch change {
    case .numbering(let slots):
      let start = slots.count
      let numbered: @Sendable () -> (JoinExpression, Int) = {
        var join = makeExpression()
        let slots = Slots(after: start)
        let transform = ValueTransform(change: .numbering(slots), definitions: definitions)
        join.expression = transform.map(join.expression)
        return (join, slots.count)
      }
      slots.count = numbered().1
      return { numbered().0 }
    case .filling(let values):
      return {
        var join = makeExpression()
        let transform = ValueTransform(change: .filling(values), definitions: definitions)
        join.expression = transform.map(join.expression)
        return join
      }
    }
  }
}

// Clauses. Deferred parts are asked for their value; those that remain have no slots.
extension ValueTransform {
  private func map(_ clause: SelectionClause) -> SelectionClause {
    switch clause {
    case .items(let items): .items(map(items))
    case .aggregates(let items, let isKept): .aggregates(map(items), isKept: isKept)
    case .record: value(of: clause).map { .items(map($0)) } ?? clause
    case .deferred(let selection): value(of: selection).map { .items(map($0)) } ?? clause
    }
  }

  private func map(_ clause: FilterClause) -> FilterClause {
    switch clause {
    case .expression(let expression): .expression(map(expression))
    case .deferred(let predicate): value(of: predicate).map { .expression(map($0)) } ?? clause
    case .keys(let keys): .keys(keys.map(map))
    case .scope: clause
    case .uniqueKeys(let keys):
      .uniqueKeys(keys.map { key in key.map { (column: $0.column, value: map($0.value)) } })
    }
  }

  private func map(_ clause: GroupingClause) -> GroupingClause {
    switch clause {
    case .expressions(let expressions): .expressions(map(expressions))
    case .deferred(let expressions): value(of: expressions).map { .expressions(map($0)) } ?? clause
    case .primaryKey: clause
    }
  }

  private func map(_ clause: OrderingClause) -> OrderingClause {
    var clause = clause
    clause.terms = clause.terms.flatMap { term -> [OrderingClause.Term] in
      switch term {
      case .ordering(let ordering): [.ordering(map(ordering))]
      case .deferred(let orderings):
        value(of: orderings).map { $0.map { .ordering(map($0)) } } ?? [term]
      }
    }
    return clause
  }

  private func value<Value>(of deferred: Deferred<Value>) -> Value? {
    guard case .numbering(let slots) = change, deferred.isOfSchema, let context = slots.context
    else { return nil }
    return try? deferred(context)
  }

  private func value(of clause: SelectionClause) -> [SQLSelection]? {
    guard case .numbering = change, case .record(let type, let alias) = clause else { return nil }
    return type.selection(alias)
  }
}
