/// Finds what the subquery of an aggregate joins.
struct AggregateIsolation {
  private let plan: SelectPlan
  private let context: PlanningContext
  private let call: SQLExpression
  /// The aliases that the call refers to.
  private let aliases: Set<TableAliasBase>
  private let destination: Int
  private let path: Set<Int>
  /// The references of the conditions of each joined source.
  private var references: [References] = []
  /// The sources that have one row at most for a row of the root, whichever rows of others are
  /// joined with it.
  private var constants: Set<Int> = [0]
  private var sources: Set<Int>
  /// The sources of the subquery, and those whose rows depend on theirs.
  private var dependents: Set<Int> = []
  private var filters: [SQLExpression] = []

  init(
    _ plan: SelectPlan, _ call: SQLExpression, destination: Int, in context: PlanningContext
  ) throws {
    self.plan = plan
    self.context = context
    self.call = call
    self.destination = destination
    aliases = try References(context) { try $0.visit(call) }.aliases
    var path: Set<Int> = []
    for start in aliases.compactMap(plan.source(of:)) + [destination] {
      var source = start
      while source > 0, path.insert(source).inserted { source = plan.sources[source].parent }
    }
    self.path = path
    sources = path
  }

  /// True if a join repeats the rows that are aggregated.
  var isMultiplied: Bool { get throws { try areMultiplied(by: plan.joins.indices) } }

  private func areMultiplied(by sources: some Sequence<Int>) throws -> Bool {
    try sources.contains { try !path.contains($0) && !plan.isToOne($0, in: context) }
  }

  /// True for a count of rows that are identified by several columns: `COUNT(DISTINCT …)` takes
  /// one.
  var countsCompositeKeys: Bool {
    get throws {
      try call.isRowCount
        && context.schema.groupingColumns(of: plan.source(destination)).count > 1
    }
  }

  /// - Throws: `InvalidRequest` for rows that no subquery can find.
  func isolated() throws -> AggregatePlan {
    var finder = self
    try finder.findConstants()
    try finder.findDependents()
    try finder.addRestrictions()
    let sources = finder.sources.sorted()
    for source in sources {
      let join = plan.sources[source]
      guard !join.sharesExistenceCondition, join.jointSources.isEmpty else { throw knot(join.key) }
    }
    let repeatsRows = try call.isSum && areMultiplied(by: sources)
    let countsKeys = try sources.count > 1 && countsCompositeKeys
    let distinctSources =
      if countsKeys { [destination] } else if repeatsRows || belongsToOtherSource {
        path.sorted()
      } else { [Int]() }
    return AggregatePlan(
      path: path.sorted(), sources: sources, filters: finder.filters.map { .expression($0) },
      distinctSources: distinctSources,
      countsRows: call.isRowCount && (sources.count == 1 || countsKeys))
  }

  /// SQLite computes an aggregate of columns of the enclosing query in that query.
  private var belongsToOtherSource: Bool {
    !aliases.isEmpty && aliases.allSatisfy { plan.source(of: $0).map { $0 == 0 } ?? true }
  }

  private func knot(_ key: String) -> InvalidRequest {
    InvalidRequest(
      "The aggregate of the association \"\(plan.sources[destination].key)\" can't be "
        + "computed in a request with other associations to many records, where "
        + "conditions of the children of \"\(key)\" refer to each other. To resolve this error, "
        + "compute it in a request of its own.")
  }
}

// Sources and conditions of the request that decide which rows of the path there are.
extension AggregateIsolation {
  private mutating func addRestrictions() throws {
    var conditions: [(expression: SQLExpression, references: References)] = []
    for case .expression(let filter) in plan.root.filters {
      for expression in filter.conjuncts {
        let references = try References(context) { try $0.visit(expression) }
        conditions.append((expression, references))
      }
    }
    var sizes = (-1, -1)
    while sizes != (sources.count, conditions.count) {
      sizes = (sources.count, conditions.count)
      try addJoins()
      try conditions.removeAll { condition in
        guard try restricts(condition.references) else { return false }
        filters.append(condition.expression)
        try addSources(of: condition.references)
        return true
      }
    }
  }

  /// Required sources that are joined to those of the subquery, or refer to what depends on them,
  /// and what their conditions refer to.
  private mutating func addJoins() throws {
    for source in plan.joins.indices {
      if sources.contains(source) {
        try addSources(of: references[source - 1], besides: source)
      } else if plan.sources[source].kind != .left, !constants.contains(source),
        try sources.contains(plan.sources[source].parent) || refers(source, to: dependents)
      {
        try add(source)
      }
    }
  }

  private mutating func addSources(of references: References, besides owner: Int = 0) throws {
    for source in plan.joins.indices where !sources.contains(source) {
      if try references.mayContain(source, of: plan, besides: owner, in: context) {
        try add(source)
      }
    }
  }

  private mutating func add(_ source: Int) throws {
    var source = source
    while !constants.contains(source), sources.insert(source).inserted {
      source = plan.sources[source].parent
    }
    try findDependents()
  }

  /// True if a condition of the request is one on sources of the subquery, or on what depends on
  /// them.
  private func restricts(_ references: References) throws -> Bool {
    try dependents.contains { try references.mayContain($0, of: plan, in: context) }
  }
}

// Sources whose rows depend on those of others.
extension AggregateIsolation {
  private mutating func findConstants() throws {
    references = try plan.joins.indices.map { try plan.referencesOfConditions(of: $0, in: context) }
    for source in plan.joins.indices
    where try constants.contains(plan.sources[source].parent) && plan.isToOne(source, in: context) {
      constants.insert(source)
    }
    var size = 0
    while size != constants.count {
      size = constants.count
      let others = Set(plan.joins.indices).subtracting(constants)
      for source in constants.subtracting([0]) {
        let isChild = others.contains(plan.sources[source].parent)
        if try isChild || refers(source, to: others) { constants.remove(source) }
      }
    }
  }

  /// Adds what is joined to dependent sources, or refers to them.
  private mutating func findDependents() throws {
    guard !sources.isSubset(of: dependents) else { return }
    dependents.formUnion(sources)
    var size = 0
    while size != dependents.count {
      size = dependents.count
      for source in plan.joins.indices
      where !dependents.contains(source) && !constants.contains(source) {
        let isChild = dependents.contains(plan.sources[source].parent)
        if try isChild || refers(source, to: dependents) { dependents.insert(source) }
      }
    }
  }

  /// True if the conditions of a joined source may refer to one of some others.
  private func refers(_ source: Int, to others: Set<Int>) throws -> Bool {
    try others.contains {
      try references[source - 1].mayContain($0, of: plan, besides: source, in: context)
    }
  }
}

extension SQLExpression {
  /// `COUNT(DISTINCT "id")`, where `id` identifies a row.
  fileprivate var isRowCount: Bool {
    guard case .function(let call) = node, call.isDistinct,
      case .qualified(let inner, _)? = call.arguments.first?.node, case .rowIdentity = inner.node
    else { return false }
    return true
  }
}
