import Quarry

/// Makes a request of the library out of a tree of nodes.
struct RandomRequestBuilder {
  let world: RandomWorld
  /// The table of each node.
  let tables: [Int]
  /// The aliases of the nodes that are referred to, by node.
  let aliases: [TableAlias<Void>?]

  init(world: RandomWorld, request: RandomRequest) {
    self.world = world
    tables = request.tables
    aliases = request.aliases.map { alias in
      switch alias {
      case .none: nil
      case .anonymous: TableAlias()
      case .named(let name): TableAlias(name: name)
      }
    }
  }

  func request(_ root: RandomNode) -> QueryInterfaceRequest<Row> {
    var request = refine(Table<Row>(world.tables[root.table].name).all(), root)
    if let limit = root.limit { request = request.limit(limit.count, offset: limit.offset) }
    return request
  }

  /// The request for the records of an association of one row.
  func request(
    _ association: RandomAssociation, ofRow row: [RandomValue], of node: RandomNode
  ) -> QueryInterfaceRequest<Row> {
    let table = world.tables[node.table]
    let values = zip(table.columns, row).map { ($0.name, $1.databaseValue) }
    let record = RandomRecord(values: Dictionary(uniqueKeysWithValues: values))
    let made = make(association, from: RandomRecord.self)
    return RandomRecord.$tableName.withValue(table.name) {
      made.accept(RequestFor(record: record))
    }
  }

  /// Adds the clauses of a node.
  fileprivate func refine<R: DerivableRequest<Row>>(_ request: R, _ node: RandomNode) -> R {
    var request = request
    if let selection = node.selection {
      request = request.select(selection.map { column(node.table, $0) })
    }
    if let alias = aliases[node.id], !node.leavesAlias { request = request.aliased(alias) }
    if node.startsWithFilters { request = filter(request, node) }
    for item in node.items { request = add(item, to: request) }
    if !node.startsWithFilters { request = filter(request, node) }
    if !node.order.isEmpty {
      request = request.order(node.order.map { ordering($0, in: node.id) })
    }
    if node.isReversed { request = request.reversed() }
    if node.isDistinct { request = request.distinct() }
    if node.isolatesAggregates { request = request.withAggregatesInSubqueries() }
    return request
  }

  private func filter<R: DerivableRequest<Row>>(_ request: R, _ node: RandomNode) -> R {
    node.filters.reduce(request) { $0.filter(expression($1, in: node.id)) }
  }

  private func add<R: DerivableRequest<Row>>(_ item: RandomItem, to request: R) -> R {
    var request = request
    let calls = item.calls
    for call in calls.dropLast() { request = add(call, to: request) }
    let item = calls[calls.count - 1]
    let association = item.association
    switch item {
    case .join(_, let isRequired, let isIncluded):
      let join = Join(request: request, isRequired: isRequired, isIncluded: isIncluded)
      return make(association).accept(join)
    case .annotate(_, let isRequired, let name):
      return make(association).accept(
        Annotation(
          request: request, isRequired: isRequired,
          column: column(
            association.destination.table, association.destination.selection?[0] ?? 0),
          name: name))
    case .prefetch:
      return make(association).accept(toMany: Prefetch(request: request)) ?? request
    case .aggregates(_, let aggregates):
      let values = aggregates.map { aggregate, name in
        make(association).accept(toMany: aggregateMaker(aggregate, association))?.forKey(name)
      }
      return request.annotated(with: values.compactMap { $0 })
    case .having(_, let aggregate, let comparison, let value):
      guard
        let left = make(association).accept(toMany: aggregateMaker(aggregate, association))
      else { return request }
      return request.having(comparison.apply(left, value))
    }
  }

  private func aggregateMaker(
    _ aggregate: RandomAggregate, _ association: RandomAssociation
  ) -> AggregateMaker {
    AggregateMaker(aggregate: aggregate) { column(association.destination.table, $0) }
  }

  private func column(_ table: Int, _ index: Int) -> Column {
    Column(world.tables[table].columns[index].name)
  }
}

// Associations
extension RandomRequestBuilder {
  private func make(_ association: RandomAssociation) -> AnyRowAssociation<Row> {
    make(association, from: Row.self)
  }

  private func make<Origin>(
    _ association: RandomAssociation, from type: Origin.Type
  ) -> AnyRowAssociation<Origin> {
    guard let pick = association.pick else { return makeAll(association, from: type) }
    var candidates = association
    candidates.pick = nil
    candidates.destination.leavesAlias = true
    candidates.destination.items = []
    candidates.destination.selection = nil
    var picked = association.destination
    picked.filters = []
    picked.order = []
    picked.isReversed = false
    return makeAll(candidates, from: type).picked(pick)
      .accept(Refinement(builder: self, node: picked))
      .accept(Naming(key: picked.key))
  }

  private func makeAll<Origin>(
    _ association: RandomAssociation, from type: Origin.Type
  ) -> AnyRowAssociation<Origin> {
    let isLate = association.steps.count > 1 && !association.refinesTheTarget
    let isToOne = !association.isToMany
    var made =
      step(association.steps[0], isRefined: association.steps.count > 1 || !isLate)
      as AnyRowAssociation<Origin>
    var others = association.steps.indices.dropFirst().map { index in
      let isLast = index == association.steps.count - 1
      return step(association.steps[index], isRefined: !isLast || !isLate)
        as AnyRowAssociation<Row>
    }
    while !association.nestsOnTheLeft && others.count > 1 {
      let index = others.count - 2
      let origin = Table<Row>(originName(of: association.steps[index + 1]))
      let through = others[index].through(others[index + 1], from: origin, isToOne: isToOne)
      others.replaceSubrange(index...index + 1, with: [through])
    }
    for other in others {
      made = made.through(
        other, from: Table<Origin>(originName(of: association.steps[0])), isToOne: isToOne)
    }
    if isLate { made = made.accept(Refinement(builder: self, node: association.destination)) }
    return made.accept(Naming(key: association.destination.key))
      .limited(association.destination.limit)
  }

  private func originName(of node: RandomNode) -> String {
    let link = world.links[node.link]
    return world.tables[node.kind == .belongsTo ? link.origin : link.destination].name
  }

  private func step<Origin>(
    _ node: RandomNode, isRefined: Bool
  ) -> AnyRowAssociation<Origin> {
    let origin = Table<Origin>(originName(of: node))
    let destination = Table<Row>(world.tables[node.table].name)
    let foreignKey = foreignKey(node)
    let association: AnyRowAssociation<Origin> =
      switch node.kind {
      case .belongsTo, .root:
        .belongsTo(origin.belongsTo(destination, using: foreignKey))
      case .hasOne: .hasOne(origin.hasOne(destination, using: foreignKey))
      case .hasMany: .hasMany(origin.hasMany(destination, using: foreignKey))
      }
    guard isRefined else { return association }
    return association.accept(Refinement(builder: self, node: node)).accept(Naming(key: node.key))
  }

  /// As little as is needed, for some nodes.
  private func foreignKey(_ node: RandomNode) -> ForeignKey? {
    let link = world.links[node.link]
    let origin = link.originColumns.map { column(link.origin, $0) }
    let rivals = world.links.filter {
      $0.isDeclared && $0.origin == link.origin && $0.destination == link.destination
    }
    if link.isDeclared && node.id % 3 > 0 {
      return rivals.count == 1 && node.id % 3 == 1 ? nil : ForeignKey(origin)
    }
    return ForeignKey(origin, to: link.destinationColumns.map { column(link.destination, $0) })
  }
}

extension RandomAssociation {
  /// A part of the association, which the whole is merged into.
  var firstCall: RandomAssociation? {
    guard let first else { return nil }
    var part = self
    part.first = nil
    part.destination.filters = Array(destination.filters.prefix(first.filters))
    part.destination.items = Array(destination.items.prefix(first.items))
    if !first.hasOrder {
      part.destination.order = []
      part.destination.isReversed = false
    }
    return part
  }

  var lastCall: RandomAssociation {
    guard let first else { return self }
    var part = self
    part.first = nil
    part.destination.filters = Array(destination.filters.dropFirst(first.filters))
    part.destination.items = Array(destination.items.dropFirst(first.items))
    if first.hasOrder {
      part.destination.order = []
      part.destination.isReversed = false
    }
    return part
  }
}

extension RandomItem {
  /// The call, or the two calls that are merged into it: one of them may be weaker.
  fileprivate var calls: [RandomItem] {
    guard let first = association.firstCall else { return [self] }
    let last = association.lastCall
    switch self {
    case .join(_, let isRequired, let isIncluded):
      let strengths = [(false, true), (true, true), (true, false)][last.destination.id % 3]
      return [(first, strengths.0), (last, strengths.1)].map { association, isStrong in
        .join(
          association, isRequired: isRequired && isStrong, isIncluded: isIncluded && isStrong)
      }
    case .prefetch: return [.prefetch(first), .prefetch(last)]
    case .annotate, .aggregates, .having: return [self]
    }
  }
}

// Clauses
extension RandomRequestBuilder {
  private func expression(_ reference: RandomReference, in node: Int) -> SQLExpression {
    let column = column(tables[reference.node], reference.column)
    guard reference.node != node, let alias = aliases[reference.node] else {
      return column.sqlExpression
    }
    return alias[column].sqlExpression
  }

  private func expression(_ predicate: RandomPredicate, in node: Int) -> SQLExpression {
    switch predicate {
    case .compare(let reference, let comparison, let value):
      comparison.apply(expression(reference, in: node), value.databaseValue)
    case .compareColumns(let lhs, let comparison, let rhs):
      comparison.apply(expression(lhs, in: node), expression(rhs, in: node))
    case .isNull(let reference):
      expression(reference, in: node) == nil
    case .isIn(let reference, let values):
      values.map(\.databaseValue).contains(expression(reference, in: node))
    case .and(let lhs, let rhs): expression(lhs, in: node) && expression(rhs, in: node)
    case .or(let lhs, let rhs): expression(lhs, in: node) || expression(rhs, in: node)
    case .not(let operand): !expression(operand, in: node)
    }
  }

  private func ordering(_ term: RandomOrderTerm, in node: Int) -> any SQLOrderingTerm {
    let expression = expression(term.reference, in: node)
    return switch term.direction {
    case .plain: expression
    case .ascending: expression.asc
    case .descending: expression.desc
    case .ascendingNullsLast: expression.ascNullsLast
    case .descendingNullsFirst: expression.descNullsFirst
    }
  }
}

extension RandomPredicate.Comparison {
  fileprivate func apply(_ lhs: SQLExpression, _ rhs: some SQLExpressible) -> SQLExpression {
    switch self {
    case .equal: lhs == rhs
    case .different: lhs != rhs
    case .less: lhs < rhs
    case .lessOrEqual: lhs <= rhs
    case .greater: lhs > rhs
    case .greaterOrEqual: lhs >= rhs
    }
  }

  fileprivate func apply(
    _ lhs: AssociationAggregate<Row>, _ rhs: Int64
  ) -> AssociationAggregate<Row> {
    switch self {
    case .equal: lhs == rhs
    case .different: lhs != rhs
    case .less: lhs < rhs
    case .lessOrEqual: lhs <= rhs
    case .greater: lhs > rhs
    case .greaterOrEqual: lhs >= rhs
    }
  }
}

/// A record of the current table.
private struct RandomRecord: TableRecord, EncodableRecord {
  @TaskLocal static var tableName = ""

  static var databaseTableName: String { tableName }

  let values: [String: DatabaseValue]

  func encode(to container: inout PersistenceContainer) {
    for (name, value) in values { container[name] = value }
  }
}

private struct RequestFor: RowAssociationVisitor {
  typealias Origin = RandomRecord

  let record: RandomRecord

  func visit<A: Association>(_ association: A) -> QueryInterfaceRequest<Row>
  where A.OriginRowDecoder == RandomRecord, A.RowDecoder == Row {
    record.request(for: association)
  }
}

// Calls
private struct Refinement: RowAssociationChange {
  let builder: RandomRequestBuilder
  let node: RandomNode

  func apply<A: Association>(to association: A) -> A where A.RowDecoder == Row {
    builder.refine(association, node)
  }
}

private struct Join<R: DerivableRequest<Row>>: RowAssociationVisitor {
  typealias Origin = Row

  let request: R
  let isRequired: Bool
  let isIncluded: Bool

  func visit<A: Association>(_ association: A) -> R
  where A.OriginRowDecoder == Row, A.RowDecoder == Row {
    switch (isRequired, isIncluded) {
    case (true, true): request.including(required: association)
    case (true, false): request.joining(required: association)
    case (false, true): request.including(optional: association)
    case (false, false): request.joining(optional: association)
    }
  }
}

private struct Annotation<R: DerivableRequest<Row>>: RowAssociationVisitor {
  typealias Origin = Row

  let request: R
  let isRequired: Bool
  let column: Column
  let name: String

  func visit<A: Association>(_ association: A) -> R
  where A.OriginRowDecoder == Row, A.RowDecoder == Row {
    let association = association.select(column.forKey(name))
    return isRequired
      ? request.annotated(withRequired: association)
      : request.annotated(withOptional: association)
  }
}

private struct Prefetch<R: DerivableRequest<Row>>: ToManyVisitor {
  typealias Origin = Row

  let request: R

  func visit<A: AssociationToMany>(_ association: A) -> R
  where A.OriginRowDecoder == Row, A.RowDecoder == Row {
    request.including(all: association)
  }
}

private struct AggregateMaker: ToManyVisitor {
  typealias Origin = Row

  let aggregate: RandomAggregate
  let column: (Int) -> Column

  func visit<A: AssociationToMany>(_ association: A) -> AssociationAggregate<Row>
  where A.OriginRowDecoder == Row, A.RowDecoder == Row {
    switch aggregate {
    case .count: association.count
    case .isEmpty: association.isEmpty
    case .min(let index): association.min(column(index))
    case .max(let index): association.max(column(index))
    case .sum(let index): association.sum(column(index))
    case .average(let index): association.average(column(index))
    case .total(let index): association.total(column(index))
    }
  }
}
