// Equality of aggregates. `NULL` is compared with `IS NULL`.

extension AssociationAggregate {
  /// Equality: `=`, or `IS NULL`.
  public static func == (lhs: Self, rhs: Self) -> Self {
    lhs.combined(with: rhs) { SQLExpression.equal($0, $1) }
  }

  /// Equality: `=`, or `IS NULL`.
  public static func == (lhs: Self, rhs: (any SQLExpressible)?) -> Self {
    lhs.map { SQLExpression.equal($0, rhs?.sqlExpression ?? .null) }
  }

  /// Equality: `=`, or `IS NULL`.
  public static func == (lhs: (any SQLExpressible)?, rhs: Self) -> Self {
    rhs.map { SQLExpression.equal(lhs?.sqlExpression ?? .null, $0) }
  }

  /// A boolean test.
  public static func == (lhs: Self, rhs: Bool) -> Self {
    lhs.map { $0.tested(rhs) }
  }

  /// A boolean test.
  public static func == (lhs: Bool, rhs: Self) -> Self {
    rhs.map { $0.tested(lhs) }
  }

  /// Inequality: `<>`, or `IS NOT NULL`.
  public static func != (lhs: Self, rhs: Self) -> Self {
    lhs.combined(with: rhs) { SQLExpression.equal($0, $1).negated }
  }

  /// Inequality: `<>`, or `IS NOT NULL`.
  public static func != (lhs: Self, rhs: (any SQLExpressible)?) -> Self {
    lhs.map { SQLExpression.equal($0, rhs?.sqlExpression ?? .null).negated }
  }

  /// Inequality: `<>`, or `IS NOT NULL`.
  public static func != (lhs: (any SQLExpressible)?, rhs: Self) -> Self {
    rhs.map { SQLExpression.equal(lhs?.sqlExpression ?? .null, $0).negated }
  }

  /// A negated boolean test.
  public static func != (lhs: Self, rhs: Bool) -> Self {
    lhs.map { $0.tested(rhs).negated }
  }

  /// A negated boolean test.
  public static func != (lhs: Bool, rhs: Self) -> Self {
    rhs.map { $0.tested(lhs).negated }
  }

  /// Identity: `IS`.
  public static func === (lhs: Self, rhs: Self) -> Self {
    lhs.combined(with: rhs) { SQLExpression.identical($0, $1) }
  }

  /// Identity: `IS`.
  public static func === (lhs: Self, rhs: (any SQLExpressible)?) -> Self {
    lhs.map { SQLExpression.identical($0, rhs?.sqlExpression ?? .null) }
  }

  /// Identity: `IS`.
  public static func === (lhs: (any SQLExpressible)?, rhs: Self) -> Self {
    rhs.map { SQLExpression.identical(lhs?.sqlExpression ?? .null, $0) }
  }

  /// Difference: `IS NOT`.
  public static func !== (lhs: Self, rhs: Self) -> Self {
    lhs.combined(with: rhs) { SQLExpression.identical($0, $1).negated }
  }

  /// Difference: `IS NOT`.
  public static func !== (lhs: Self, rhs: (any SQLExpressible)?) -> Self {
    lhs.map { SQLExpression.identical($0, rhs?.sqlExpression ?? .null).negated }
  }

  /// Difference: `IS NOT`.
  public static func !== (lhs: (any SQLExpressible)?, rhs: Self) -> Self {
    rhs.map { SQLExpression.identical(lhs?.sqlExpression ?? .null, $0).negated }
  }
}
