import Quarry

/// A trigger to create, as a value: `ResolvedTrigger` finds out where it is.
struct TriggerModel {
  enum Step {
    case sql(SQL)
    case insert(table: String, [ColumnAssignment], conflict: Database.ConflictResolution?)
    case insertRows(
      table: String, columns: [String], SQLSubquery, conflict: Database.ConflictResolution?)
    case update(Relation, [ColumnAssignment], conflict: Database.ConflictResolution?)
    case delete(Relation)
    case select(SQLSubquery)
    case raise(String, condition: SQLExpression?)
  }

  var name: String
  var timing: TriggerTiming
  var event: TriggerEvent
  var table: String
  var options: TriggerOptions
  var conditions: [SQL] = []
  var steps: [Step] = []
  /// The fault that makes the definition invalid: thrown when it is resolved.
  var fault: String?
}
