// From requests to SQL: they are planned, then written.

extension SQLWriter {
  /// The query of a plan.
  static func write(select plan: SelectPlan, in context: PlanningContext) throws -> SQLText {
    try text(in: context) { try $0.write(root: plan) }
  }

  /// The `ORDER BY` clause of a request, with its arguments.
  package static func write(
    orderOf relation: Relation, in context: PlanningContext
  ) throws -> SQLText {
    let plan = try Planner.plan(relation, in: context)
    return try text(in: context) {
      $0.scope = plan.scope
      try $0.writeOrdering(plan.sources)
    }
  }

  /// SQL written by hand, with its arguments.
  ///
  /// - parameter source: the source of the selections in it, such as those after `RETURNING`.
  package static func write(
    literal sql: SQL, in context: PlanningContext, source: Source? = nil
  ) throws -> SQLText {
    let sql = try closed(sql, in: context, source: source)
    return try text(in: context) { try $0.write(sql) }
  }

  /// The same SQL with its requests planned, which is done once: closures of deferred clauses may
  /// answer otherwise the next time.
  package static func closed(
    _ sql: SQL, in context: PlanningContext, source: Source? = nil
  ) throws -> SQL { try ClausePlanner(context: context, plans: [], source: source).map(sql) }

  /// The query that counts the rows of a request.
  static func write(count plan: CountPlan, in context: PlanningContext) throws -> SQLText {
    try text(in: context) { try $0.write(plan) }
  }

  /// The query that reports whether a query has rows.
  static func write(exists query: QueryPlan, in context: PlanningContext) throws -> SQLText {
    try text(in: context) { try $0.write(exists: query) }
  }

  /// The deletion of the rows of a request.
  package static func write(
    delete relation: Relation, returning: [SQLSelection]?, in context: PlanningContext,
    mode: Mode = .arguments
  ) throws -> SQLText {
    let plan = try Planner.planDelete(relation, returning: returning, in: context)
    return try text(in: context, mode: mode) { try $0.write(delete: plan) }
  }

  /// The update of the rows of a request.
  ///
  /// - parameter conflictResolution: `IGNORE`, `REPLACE`… or nil.
  package static func write(
    update relation: Relation, assignments: [ColumnAssignment], conflictResolution: String?,
    returning: [SQLSelection]?, in context: PlanningContext, mode: Mode = .arguments
  ) throws -> SQLText {
    let plan = try Planner.planUpdate(relation, assignments, returning: returning, in: context)
    return try text(in: context, mode: mode) {
      try $0.write(update: plan, conflictResolution: conflictResolution)
    }
  }
}

// Definitions have no arguments: values become SQL literals.
extension SQLWriter {
  /// A query, without parentheses, whose values are SQL literals.
  package static func literalSQL(subquery: SQLSubquery, schema: any SchemaReader) throws -> String {
    try literalSQL(schema) { try $0.write(nested: $1.plan(subquery)) }
  }

  fileprivate static func literalSQL(
    _ schema: any SchemaReader, _ body: (inout SQLWriter, ClausePlanner) throws -> Void
  ) throws -> String {
    var writer = SQLWriter(mode: .literals)
    try body(&writer, ClausePlanner(context: PlanningContext(schema: schema), plans: []))
    return try writer.finish().sql
  }
}

extension SQL {
  /// The text, whose values are SQL literals. A comment at the end of SQL ends with it.
  ///
  /// - Throws: `InvalidRequest` for raw SQL with parameters.
  package func text(_ schema: any SchemaReader) throws -> String {
    try SQLWriter.literalSQL(schema) { try $0.write($1.map(self)) }
  }
}
