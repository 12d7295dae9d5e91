/// A request that is compiled: a relation or a compound.
protocol QueryTree: TreePart {
  func compiled(for purpose: QueryPurpose, in context: PlanningContext) throws -> CompiledQuery

  func mapped(by transform: ValueTransform) -> Self

  /// The request, if it has one source: its filters may name rows by their keys.
  var singleRelation: Relation? { get }
}

extension QueryTree {
  /// The request, if it has one source, and its rows are read.
  func relation(for purpose: QueryPurpose) -> Relation? {
    switch purpose {
    case .rows, .count, .exists: singleRelation
    case .delete, .update: nil
    }
  }
}

/// The statement that a request is compiled into.
enum QueryPurpose {
  /// For a single result, `LIMIT 1` is added, unless the request has at most one row anyway.
  case rows(forSingleResult: Bool)
  case count
  /// Returns whether there are rows.
  case exists
  case delete
  /// The resolution is `IGNORE`, `REPLACE`… or nil.
  case update([ColumnAssignment], conflictResolution: String?)
}

extension QueryPurpose {
  func write(to key: inout TreeKey) {
    switch self {
    case .rows(let forSingleResult): key.append(kind: forSingleResult ? 1 : 0)
    case .count: key.append(kind: 2)
    case .exists: key.append(kind: 3)
    case .delete: key.append(kind: 4)
    case .update(let assignments, let conflictResolution):
      key.append(kind: 5)
      key.append(conflictResolution)
      key.append(assignments.count)
      for assignment in assignments {
        key.append(assignment.columnName)
        key.append(assignment.value)
      }
    }
  }

  func mapped(by transform: ValueTransform) -> QueryPurpose {
    switch self {
    case .rows, .count, .exists, .delete: self
    case .update(let assignments, let conflictResolution):
      .update(assignments.map(transform.map), conflictResolution: conflictResolution)
    }
  }
}

extension Relation: QueryTree {
  func compiled(for purpose: QueryPurpose, in context: PlanningContext) throws -> CompiledQuery {
    switch purpose {
    case .rows(let forSingleResult):
      try CompiledQuery(self, in: context, forSingleResult: forSingleResult)
    case .count:
      try CompiledQuery(SQLWriter.write(count: Planner.planCount(self, in: context), in: context))
    case .exists:
      try CompiledQuery(
        SQLWriter.write(exists: .select(Planner.plan(self, in: context)), in: context))
    case .delete: try CompiledQuery(SQLWriter.write(delete: self, returning: nil, in: context))
    case .update(let assignments, let conflictResolution):
      try CompiledQuery(
        SQLWriter.write(
          update: self, assignments: assignments, conflictResolution: conflictResolution,
          returning: nil, in: context))
    }
  }

  func mapped(by transform: ValueTransform) -> Relation { transform.map(self) }

  var singleRelation: Relation? { self }
}

extension Compound: QueryTree {
  func compiled(for purpose: QueryPurpose, in context: PlanningContext) throws -> CompiledQuery {
    switch purpose {
    case .rows(let forSingleResult):
      try CompiledQuery(self, in: context, forSingleResult: forSingleResult)
    case .count:
      try CompiledQuery(SQLWriter.write(count: Planner.planCount(self, in: context), in: context))
    case .exists:
      try CompiledQuery(
        SQLWriter.write(exists: .compound(Planner.plan(self, in: context)), in: context))
    case .delete, .update: throw InvalidRequest("Can't modify the rows of a compound request")
    }
  }

  func mapped(by transform: ValueTransform) -> Compound { transform.map(self) }

  var singleRelation: Relation? { nil }
}
