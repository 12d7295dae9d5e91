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
/// See <https://www.sqlite.org/windowfunctions.html>.
public struct SQLWindow: Sendable {
  /// The name of the window that this one refines.
  var base: String?
  var partition: [SQLExpression] = []
  var orderings: [SQLOrdering] = []
  var frame: SQLWindowFrame?
  /// `OVER "w"`: the window as it is, in place of a refinement `OVER ("w")`.
  var isReference = false

  /// Creates a window.
  ///
  /// - parameter partitionBy: Rows with the same values are in the same partition. None for one
  ///   partition of all rows.
  /// - parameter orderBy: The order of the rows of a partition.
  /// - parameter frame: The rows of the partition that aggregates look at. By default, those from
  ///   the first to the current one and its peers if there is an order, all of them if there is
  ///   none.
  public init(
    partitionBy: any SQLExpressible..., orderBy: any SQLOrderingTerm...,
    frame: SQLWindowFrame? = nil
  ) {
    self.init(partitionBy: partitionBy, orderBy: orderBy, frame: frame)
  }

  /// See ``init(partitionBy:orderBy:frame:)-(SQLExpressible...,_,_)``.
  public init(
    partitionBy: [any SQLExpressible], orderBy: [any SQLOrderingTerm] = [],
    frame: SQLWindowFrame? = nil
  ) {
    partition = partitionBy.map { $0.sqlExpression }
    orderings = orderBy.map { $0.sqlOrdering }
    self.frame = frame
  }

  /// Creates a window that adds an order, a frame, or both to a window that the request names.
  ///
  /// ```swift
  /// // "best" ORDER BY "date"
  /// SQLWindow(extending: "best", orderBy: Column("date"))
  /// ```
  ///
  /// SQLite refuses an order where the named window has one, and any extension of a window with a
  /// frame.
  public init(
    extending name: String, orderBy: any SQLOrderingTerm..., frame: SQLWindowFrame? = nil
  ) {
    base = name
    orderings = orderBy.map { $0.sqlOrdering }
    self.frame = frame
  }

  /// A window that the request names.
  ///
  /// ```swift
  /// // RANK() OVER "best"
  /// rank().over(SQLWindow(named: "best"))
  /// ```
  public init(named name: String) {
    base = name
    isReference = true
  }
}

extension SQLWindow: ExpressibleByStringLiteral {
  /// A window that the request names.
  ///
  /// ```swift
  /// // RANK() OVER "best"
  /// rank().over("best")
  /// ```
  public init(stringLiteral name: String) {
    self.init(named: name)
  }
}

/// A window that a request names.
package struct WindowDefinition: Sendable {
  var name: String
  var window: SQLWindow
}
