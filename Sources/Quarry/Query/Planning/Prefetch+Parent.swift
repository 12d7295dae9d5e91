// Prefetches that join the parent: their key is its primary key.
//
// - The clauses of the association refer to an alias of the parent, or of a source that is joined
//   to it.
// - The association is limited: each parent has its first rows.
// - The association follows an expression that is not made of equal columns.
// - A collation takes different keys for equal, or SQLite converts keys: see `compareWithParent`.

extension Prefetch {
  /// The parent, with the joined sources whose aliases the association refers to. Nil if it refers
  /// to no alias of the main request.
  func stepOfDesignatedParent(
    _ parent: Relation, in context: PlanningContext
  ) throws -> AssociationStep? {
    let candidates = parent.allAliases
    if candidates.isEmpty { return nil }
    let references = try References(context) { try $0.visit(steps) }
    let own = ownAliases
    let aliases = candidates.filter { !own.contains($0) && references.contains($0) }
    if aliases.isEmpty { return nil }
    var step = AssociationStep(parent: parent)
    step.relation.joins = try parent.joins(to: aliases, key: key, in: context)
    return step
  }

  private var ownAliases: Set<TableAliasBase> {
    steps.reduce(into: []) { $0.formUnion($1.relation.allAliases) }
  }

  /// Refuses an alias of the main request, where the parent is a joined record: the rest of the
  /// main row is not known.
  func checkAliases(of request: Relation, in context: PlanningContext) throws {
    let references = try References(context) { try $0.visit(steps) }
    let aliases = references.aliases.intersection(request.allAliases).subtracting(ownAliases)
    guard let source = request.sourceDesignated(by: aliases) else { return }
    let origin = parentStep.value.relation.source
    throw InvalidRequest(
      "including(all:) of \"\(key)\" can't refer to an alias of \(source.description): joins to "
        + "many rows repeat the records of the request, so that its records depend on those of "
        + "\(origin.description) only. To resolve this error, begin the request with "
        + "\(origin.description).")
  }

  /// Makes the parent the first step.
  mutating func joinParent(_ step: AssociationStep, in context: PlanningContext) throws {
    (keyColumns, requiresKey) = try keyColumns(of: step.relation.source, in: context)
    parentColumns = keyColumns
    steps.insert(step, at: 0)
    joinsParent = true
  }

  /// The columns that identify the parents: those of the foreign key, if they do.
  private func keyColumns(
    of source: Source, in context: PlanningContext
  ) throws -> (columns: [String], requiresKey: Bool) {
    guard case .table(let table) = source,
      let primaryKey = try context.schema.primaryKeyIfKnown(of: table), primaryKey.isNamed
    else {
      throw InvalidRequest(
        "including(all:) of \"\(key)\" needs a primary key in \(source.description): the "
          + "association is limited, or its condition is no foreign key, or refers to an alias of "
          + "the parent, or SQLite alone finds its keys equal. To resolve this error, declare the "
          + "primary key in a DatabaseSchemaSource.")
    }
    if let condition = steps[0].foreignKey, !condition.parentIsOrigin {
      let columns = try context.schema.mapping(
        condition, parent: source, child: steps[0].relation.source
      ).map(\.destination)
      if try context.schema.hasUniqueKey(columns, in: table) {
        return (columns, requiresKey: false)
      }
    }
    return (primaryKey.columns, requiresKey: true)
  }

  /// Keeps the first rows of each parent.
  ///
  /// - parameter count: the number of steps of the association, the last ones.
  mutating func limit(_ limit: Limit, to count: Int, in context: PlanningContext) throws {
    let first = steps.count - count
    let rows = LimitedAssociation(steps: Array(steps[first...]), limit: limit)
    try checkJoins(of: rows, in: context)
    try checkDistinctRows(of: rows, in: context)
    let (identifyingSteps, needsParent) = try rows.identifyingSteps(
      from: steps[first - 1].relation.source, in: context)
    let identifying = identifyingSteps.map { (step: $0, alias: TableAliasBase(name: nil)) }
    let parentAlias = TableAliasBase(name: nil)
    let condition = try rows.condition(
      on: identifying,
      of: LimitingParent(source: steps[first - 1].relation.source, alias: parentAlias), in: context)
    for (step, alias) in identifying { steps[first + step].relation.aliases.append(alias) }
    // A distinct record does not identify the pivots, which order it: they keep their conditions.
    if count == 1 || !steps[steps.count - 1].relation.isDistinct {
      for index in first..<steps.count { steps[index].relation.filters = [] }
    }
    if !needsParent { steps[first].condition = .expression(nil) }
    steps[first - 1].relation.aliases += condition.parentAliases + [parentAlias]
    steps[first - 1].relation.filters.append(.expression(condition.expression))
  }
}

extension Prefetch {
  /// The `LIMIT` counts rows identified by the primary keys of the steps, so any other join must be
  /// to-one: a to-many join would duplicate rows.
  private func checkJoins(of rows: LimitedAssociation, in context: PlanningContext) throws {
    guard rows.steps.last?.relation.grouping == nil else { return }
    for step in rows.steps {
      guard let source = try step.relation.sourceOfRepeatedRows(in: context) else { continue }
      throw InvalidRequest(
        "The association \"\(key)\" can't be limited in including(all:): it joins many rows of "
          + "\(source.description). To resolve this error, filter with a subquery, or join no more "
          + "than one row.")
    }
  }

  /// The `LIMIT` counts records, so each distinct row must be one.
  private func checkDistinctRows(of rows: LimitedAssociation, in context: PlanningContext) throws {
    guard let relation = rows.steps.last?.relation, relation.isDistinct,
      try !relation.distinctRowsAreRecords(in: context)
    else { return }
    throw InvalidRequest(
      "The association \"\(key)\" can't be limited in including(all:): it selects distinct rows "
        + "that are not those of \(relation.source.description). To resolve this error, select "
        + "its primary key, and nothing that is not joined to it.")
  }
}

extension Relation {
  /// The source that one of the aliases designates.
  fileprivate func sourceDesignated(by aliases: Set<TableAliasBase>) -> Source? {
    if self.aliases.contains(where: { aliases.contains($0) }) { return source }
    return joins.lazy.compactMap { $0.relation.sourceDesignated(by: aliases) }.first
  }

  /// The source that is joined to a row more than once, if any.
  func sourceOfRepeatedRows(in context: PlanningContext) throws -> Source? {
    for node in joins {
      let source = node.relation.source
      guard try context.isToOne(node.condition, from: self.source, to: source, asDeclared: true)
      else { return source }
      if let source = try node.relation.sourceOfRepeatedRows(in: context) { return source }
    }
    return nil
  }
}

extension AssociationStep {
  /// The origin of an association, as its first step.
  init(parent: Relation) {
    self.init(
      key: AssociationKey(singular: "grdb_parent", plural: "grdb_parents"),
      condition: .expression(nil),
      relation: Relation(source: parent.source, aliases: parent.aliases, selection: []),
      isToMany: false)
  }
}

extension Relation {
  /// The aliases of the source, and of all joined sources.
  var allAliases: Set<TableAliasBase> {
    joins.reduce(into: Set(aliases)) { $0.formUnion($1.relation.allAliases) }
  }

  /// The joins that lead to sources with one of the aliases, as mere links.
  fileprivate func joins(
    to aliases: Set<TableAliasBase>, key: String, in context: PlanningContext
  ) throws -> [JoinNode] {
    try joins.compactMap { node in
      guard !node.relation.allAliases.isDisjoint(with: aliases) else { return nil }
      let child = node.relation.source
      guard try context.isToOne(node.condition, from: source, to: child, asDeclared: true) else {
        throw InvalidRequest(
          "including(all:) of \"\(key)\" can't refer to an alias of \(child.description), which is "
            + "joined to many rows. To resolve this error, filter with a subquery, or refer to a "
            + "source that is joined to one row.")
      }
      var link = node
      link.relation = node.relation.selectingNothing
      link.relation.ordering = OrderingClause()
      link.relation.joins = try node.relation.joins(to: aliases, key: key, in: context)
      return link
    }
  }
}

extension PlanningContext {
  /// True if a parent has one joined row at most: a unique index says so, and the join compares its
  /// columns as it does.
  ///
  /// The destination of a foreign key is taken for unique where the schema is silent: in views and
  /// table expressions.
  ///
  /// - parameter asDeclared: whether the index suffices, however the join compares its columns.
  package func isToOne(
    _ condition: JoinCondition, from parent: Source, to child: Source, asDeclared: Bool = false
  ) throws -> Bool {
    switch condition {
    case .expression: return false
    case .limited(let rows): return rows.limit.count == 1
    case .foreignKey(let condition):
      guard case .table(let table) = child, try !schema.isView(table) else {
        return condition.parentIsOrigin
      }
      let mapping = try schema.mapping(condition, parent: parent, child: child)
      return try isToOne(
        mapping, parentIsOrigin: condition.parentIsOrigin,
        parentCompares: condition.isReversed != condition.parentCompares,
        from: asDeclared ? nil : parent, to: child)
    }
  }

  /// - parameter parentCompares: whether the collations of the parent compare.
  func isToOne(
    _ mapping: [(origin: String, destination: String)], parentIsOrigin: Bool,
    parentCompares: Bool, from parent: Source?, to child: Source
  ) throws -> Bool {
    guard case .table(let table) = child, try !schema.isView(table) else { return parentIsOrigin }
    let columns = try mapping.compactMap { pair -> String? in
      let (column, other) =
        parentIsOrigin ? (pair.destination, pair.origin) : (pair.origin, pair.destination)
      guard let parent else { return column }
      return try schema.isJoinedAsIndexed(
        column, of: table, with: other, of: parent, parentCompares: parentCompares) ? column : nil
    }
    return try schema.hasUniqueKey(columns, in: table)
  }
}
