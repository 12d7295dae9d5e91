/// The schema, and the features of SQLite: all that planning asks for.
struct PlanningContext {
  let schema: any SchemaReader
  /// Counts columns that only SQLite knows. Nil without a connection.
  var columnCounter: (any ColumnCounter)?
  /// The version that SQL is written for, nil for the linked one.
  var sqliteVersion: SQLiteVersion?
  /// `UPDATE` and `DELETE` may have a `LIMIT`. Nil to ask the library.
  var limitsModifications: Bool?
}

/// Compiles queries that are written by hand, to count their columns. None is run.
protocol ColumnCounter: AnyObject {
  func columnCount(of query: QueryPlan) throws -> Int
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
