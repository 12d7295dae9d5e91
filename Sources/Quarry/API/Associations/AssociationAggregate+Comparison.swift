// Comparisons of aggregates.

extension AssociationAggregate {
  /// Less than.
  public static func < (lhs: Self, rhs: Self) -> Self {
    lhs.combined(with: rhs) { .binary(.lessThan, $0, $1) }
  }

  /// Less than.
  public static func < (lhs: Self, rhs: some SQLExpressible) -> Self {
    lhs.map { .binary(.lessThan, $0, rhs.sqlExpression) }
  }

  /// Less than.
  public static func < (lhs: some SQLExpressible, rhs: Self) -> Self {
    rhs.map { .binary(.lessThan, lhs.sqlExpression, $0) }
  }

  /// Less than, or equal.
  public static func <= (lhs: Self, rhs: Self) -> Self {
    lhs.combined(with: rhs) { .binary(.lessThanOrEqual, $0, $1) }
  }

  /// Less than, or equal.
  public static func <= (lhs: Self, rhs: some SQLExpressible) -> Self {
    lhs.map { .binary(.lessThanOrEqual, $0, rhs.sqlExpression) }
  }

  /// Less than, or equal.
  public static func <= (lhs: some SQLExpressible, rhs: Self) -> Self {
    rhs.map { .binary(.lessThanOrEqual, lhs.sqlExpression, $0) }
  }

  /// Greater than.
  public static func > (lhs: Self, rhs: Self) -> Self {
    lhs.combined(with: rhs) { .binary(.greaterThan, $0, $1) }
  }

  /// Greater than.
  public static func > (lhs: Self, rhs: some SQLExpressible) -> Self {
    lhs.map { .binary(.greaterThan, $0, rhs.sqlExpression) }
  }

  /// Greater than.
  public static func > (lhs: some SQLExpressible, rhs: Self) -> Self {
    rhs.map { .binary(.greaterThan, lhs.sqlExpression, $0) }
  }

  /// Greater than, or equal.
  public static func >= (lhs: Self, rhs: Self) -> Self {
    lhs.combined(with: rhs) { .binary(.greaterThanOrEqual, $0, $1) }
  }

  /// Greater than, or equal.
  public static func >= (lhs: Self, rhs: some SQLExpressible) -> Self {
    lhs.map { .binary(.greaterThanOrEqual, $0, rhs.sqlExpression) }
  }

  /// Greater than, or equal.
  public static func >= (lhs: some SQLExpressible, rhs: Self) -> Self {
    rhs.map { .binary(.greaterThanOrEqual, lhs.sqlExpression, $0) }
  }
}
