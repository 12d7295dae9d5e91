/// The schema, and the features of SQLite: all that planning asks for.
struct PlanningContext {
  let schema: any SchemaReader
  /// Answers what only a connection knows.
  var connection: (any ConnectionFacts)?
  /// The version that SQL is written for, nil for the linked one.
  var sqliteVersion: SQLiteVersion?
  /// `UPDATE` and `DELETE` may have a `LIMIT`. Nil to ask the library.
  var limitsModifications: Bool?
}

/// What planning and writing ask a connection.
protocol ConnectionFacts: AnyObject {
  /// The number of columns of a query that is written by hand: it is compiled, and not run.
  func columnCount(of query: QueryPlan) throws -> Int

  /// The number of arguments that a statement may have.
  var maximumStatementArgumentCount: Int { get }
}

/// A part of a clause that needs the schema to be known.
///
/// It has an identity: two parts are equal if they are the same one.
final class Deferred<Value>: Sendable {
  private let value: @Sendable (PlanningContext) throws -> Value
  /// True if the value is the same as long as the schema is. Closures of the user may return what they like.
  let isOfSchema: Bool

  init(
    ofSchema isOfSchema: Bool = false,
    _ value: @escaping @Sendable (PlanningContext) throws -> Value
  ) {
    self.value = value
    self.isOfSchema = isOfSchema
  }

  func callAsFunction(_ context: PlanningContext) throws -> Value {
    try value(context)
  }
}
