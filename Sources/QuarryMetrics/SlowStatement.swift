import Quarry
import QuarryPlans

/// A statement that ran for longer than a ``MetricsRecorder`` was asked to accept.
public struct SlowStatement: Sendable, CustomStringConvertible {
  /// The SQL, without its arguments.
  public let sql: String
  /// How long it ran, with what the program did between two rows.
  public let duration: Duration
  /// How SQLite executes it, or nil where that can't be found out: the schema has changed since,
  /// the access was canceled, or the statement neither reads nor changes rows.
  public let plan: ExplainedPlan?

  /// The duration, the SQL and the plan.
  public var description: String {
    let lines = ["\(duration) \(sql)"] + (plan.map { ["\($0)"] } ?? [])
    return lines.joined(separator: "\n")
  }
}
