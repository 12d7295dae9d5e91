extension PlanningContext {
  package init(_ db: Database) { self.init(schema: db.schema, connection: db) }

  /// The connection that the request is prepared for: that of the schema.
  var connectedDatabase: Database {
    get throws {
      guard let schema = schema as? DatabaseSchemaReader else {
        throw InvalidRequest("A clause of the request needs a database connection")
      }
      return schema.database
    }
  }
}

extension Database: ConnectionFacts {
  func columnNames(of query: any PlannedQuery) throws -> [String] {
    schema.wasAsked = true
    let text = try SQLWriter.text(in: PlanningContext(self)) { try $0.write(root: query.plan) }
    return try internalStatement(sql: text.sql).use { $0.columnNames }
  }

  func checkUpdate(of rows: Relation, _ assignments: [ColumnAssignment]) throws {
    let context = PlanningContext(self)
    let plan = try Planner.plan(rows, in: context)
    let planner = ClausePlanner(context: context, plans: [plan], source: rows.source)
    let update = try ModificationPlan(
      rows: plan, assignments: planner.map(assignments), collectsValues: false, returning: [])
    let text = try SQLWriter.text(in: context) {
      try $0.write(update: update, conflictResolution: nil)
    }
    try internalStatement(sql: text.sql).use { _ in }
  }

  func isAggregate(function name: String, argumentCount: Int) throws -> Bool? {
    // Nodes of a cluster have no others than those of SQLite.
    if engine != nil { return nil }
    let functions = try addedFunctions ?? AddedFunction.fetchAll(self)
    addedFunctions = functions
    // `f(*)`, which has no argument, is not distinguished from `f(a)`.
    let counts = argumentCount == 1 ? [1, 0, -1] : [argumentCount, -1]
    let known = functions.filter { $0.name.isSameIdentifier(as: name) }
    return counts.lazy.compactMap { count in
      known.first { $0.argumentCount == count }?.isAggregate
    }.first
  }
}

extension Database {
  /// Plans what is not remembered. See ``SchemaDependence/recording(_:_:)``.
  func planned<T>(_ plan: (PlanningContext) throws -> T) rethrows -> T {
    try SchemaDependence.recording(self) { try plan(PlanningContext(self)) }.0
  }

  /// The columns of the primary key of a table, outside of a request.
  ///
  /// - Throws: `InvalidRequest` for a rowid without name.
  package func primaryKeyColumns(_ table: String) throws -> [String] {
    try schema.refresh()
    return try schema.primaryKeyColumns(of: .table(table))
  }
}
