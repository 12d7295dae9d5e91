public import Quarry

extension SQLWindowFrame {
  /// A frame whose bounds count rows.
  ///
  /// - parameter start: The first row.
  /// - parameter exclusion: The rows that are left out.
  /// - parameter end: The last row. Without it, the frame ends with the current row.
  public static func rows(
    from start: Bound, to end: Bound? = nil, excluding exclusion: Exclusion = .noOthers
  ) -> Self { Self(unit: .rows, start: start, end: end, exclusion: exclusion) }

  /// A frame whose bounds are differences to the value of the single term of the order.
  ///
  /// ```swift
  /// // RANGE BETWEEN ? PRECEDING AND ? FOLLOWING
  /// SQLWindowFrame.range(from: .preceding(10), to: .following(10))
  /// ```
  public static func range(
    from start: Bound, to end: Bound? = nil, excluding exclusion: Exclusion = .noOthers
  ) -> Self { Self(unit: .range, start: start, end: end, exclusion: exclusion) }

  /// A frame whose bounds count groups of peers, which are rows that the order does not
  /// distinguish.
  public static func groups(
    from start: Bound, to end: Bound? = nil, excluding exclusion: Exclusion = .noOthers
  ) -> Self { Self(unit: .groups, start: start, end: end, exclusion: exclusion) }
}

extension SQLWindowFrame.Bound {
  /// The first row of the partition.
  public static let unboundedPreceding = Self(node: .unboundedPreceding)

  /// The current row; in ranges and groups, its peers too.
  public static let currentRow = Self(node: .currentRow)

  /// The last row of the partition.
  public static let unboundedFollowing = Self(node: .unboundedFollowing)

  /// Some rows, groups, or some difference before the current row. It is constant, and not
  /// negative.
  public static func preceding(_ offset: some SQLExpressible) -> Self {
    Self(node: .preceding(offset.sqlExpression))
  }

  /// Some rows, groups, or some difference after the current row. It is constant, and not
  /// negative.
  public static func following(_ offset: some SQLExpressible) -> Self {
    Self(node: .following(offset.sqlExpression))
  }
}
