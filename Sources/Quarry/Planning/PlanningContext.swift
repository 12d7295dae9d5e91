/// What planning may ask: the schema, and the features of SQLite.
struct PlanningContext {
  let schema: any SchemaReader
  let connection: AnyObject?
  /// The version that SQL is written for, nil for the linked one.
  var sqliteVersion: SQLiteVersion?
  /// `UPDATE` and `DELETE` may have a `LIMIT`. Nil to ask the library.
  var limitsModifications: Bool?
}

/// A part of a clause that needs the schema or the connection to be known.
///
/// It has an identity: two parts are equal if they are the same one.
final class Deferred<Value>: Sendable {
  private let value: @Sendable (PlanningContext) throws -> Value

  init(_ value: @escaping @Sendable (PlanningContext) throws -> Value) {
    self.value = value
  }

  func callAsFunction(_ context: PlanningContext) throws -> Value {
    try value(context)
  }
}
