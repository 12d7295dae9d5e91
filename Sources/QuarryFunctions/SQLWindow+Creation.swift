public import Quarry

extension SQLWindow {
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
  ) { self.init(partitionBy: partitionBy, orderBy: orderBy, frame: frame) }

  /// See `init(partitionBy:orderBy:frame:)`.
  public init(
    partitionBy: [any SQLExpressible], orderBy: [any SQLOrderingTerm] = [],
    frame: SQLWindowFrame? = nil
  ) {
    self.init()
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
    self.init()
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
  public init(named name: String) { self.init(stringLiteral: name) }
}
