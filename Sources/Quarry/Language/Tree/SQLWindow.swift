/// The rows that a window function looks at: which partition, in which order, which frame.
///
/// ```swift
/// // RANK() OVER (PARTITION BY "team" ORDER BY "score" DESC)
/// rank().over(partitionBy: Column("team"), orderBy: Column("score").desc)
/// ```
///
/// A request can give a name to a window, which several functions use, or refine:
///
/// ```swift
/// // SELECT "name", RANK() OVER "best", SUM("score") OVER ("best" ROWS UNBOUNDED PRECEDING)
/// // FROM "player" WINDOW "best" AS (PARTITION BY "team" ORDER BY "score" DESC)
/// Player.all()
///   .window("best", SQLWindow(partitionBy: Column("team"), orderBy: Column("score").desc))
///   .select(
///     Column("name"),
///     rank().over("best"),
///     sum(Column("score")).over(SQLWindow(extending: "best", frame: .rows(from: .unboundedPreceding))))
/// ```
///
/// Names of windows are quoted. SQL written by hand quotes them too, since SQLite distinguishes `w`
/// and `"w"` here.
///
/// The product `QuarryFunctions` creates it.
///
/// See <https://www.sqlite.org/windowfunctions.html>.
public struct SQLWindow: Sendable {
  /// The name of the window that this one refines.
  package var base: String?
  package var partition: [SQLExpression] = []
  package var orderings: [SQLOrdering] = []
  package var frame: SQLWindowFrame?
  /// `OVER "w"`: the window as it is, in place of a refinement `OVER ("w")`.
  package var isReference = false

  package init() {}
}

extension SQLWindow: ExpressibleByStringLiteral {
  /// A window that the request names.
  ///
  /// ```swift
  /// // RANK() OVER "best"
  /// rank().over("best")
  /// ```
  public init(stringLiteral name: String) {
    base = name
    isReference = true
  }
}

/// A window that a request names.
package struct WindowDefinition: Sendable {
  var name: String
  var window: SQLWindow

  package init(name: String, window: SQLWindow) {
    self.name = name
    self.window = window
  }
}
