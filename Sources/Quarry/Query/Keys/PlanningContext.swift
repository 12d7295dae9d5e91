/// The schema, and the features of SQLite: all that planning asks for.
package struct PlanningContext {
  package let schema: any SchemaReader
  /// Answers what only a connection knows.
  var connection: (any ConnectionFacts)?
  /// The version that SQL is written for, nil for the linked one.
  var sqliteVersion: SQLiteVersion?
  /// `UPDATE` and `DELETE` may have a `LIMIT`. Nil to ask the library.
  var limitsModifications: Bool?
  /// The statement is one of a trigger.
  var isOfTrigger = false
}

extension PlanningContext {
  /// In triggers, SQLite has no `UPDATE` and `DELETE` with a limit.
  package init(ofTrigger schema: any SchemaReader) {
    self.init(schema: schema, limitsModifications: false, isOfTrigger: true)
  }
}

/// What planning and writing ask a connection.
protocol ConnectionFacts: AnyObject {
  /// The names that SQLite gives to the columns of a query: it is compiled, and not run.
  func columnNames(of query: any PlannedQuery) throws -> [String]

  /// Compiles an update of rows one by one, which is not run: SQLite may refuse its values, as it
  /// does aggregates.
  func checkUpdate(of rows: Relation, _ assignments: [ColumnAssignment]) throws

  /// Whether a function that was added to the connection is an aggregate. Nil for those of SQLite,
  /// and for unknown ones.
  func isAggregate(function name: String, argumentCount: Int) throws -> Bool?

  /// The number of arguments that a statement may have.
  var maximumStatementArgumentCount: Int { get }
}

// What the tree keeps as deferred is computed from the context of planning.
extension PlanningContext: DeferredContext {}

extension Deferred {
  convenience init(
    ofSchema isOfSchema: Bool = false,
    _ value: @escaping @Sendable (PlanningContext) throws -> Value
  ) {
    self.init(isOfSchema: isOfSchema) { context in
      guard let context = context as? PlanningContext else { throw InvalidRequest.notPlanned }
      return try value(context)
    }
  }

  func callAsFunction(_ context: PlanningContext) throws -> Value { try value(context) }
}
