// Written by Scripts/generate, from operators.txt: change that file.

extension AssociationAggregate {
  /// The product.
  public static func * (lhs: Self, rhs: Self) -> Self {
    lhs.combined(with: rhs) { .associative(.multiply, $0, $1) }
  }

  /// The product.
  public static func * (lhs: Self, rhs: some SQLExpressible) -> Self {
    lhs.map { .associative(.multiply, $0, rhs.sqlExpression) }
  }

  /// The product.
  public static func * (lhs: some SQLExpressible, rhs: Self) -> Self {
    rhs.map { .associative(.multiply, lhs.sqlExpression, $0) }
  }

  /// The quotient.
  public static func / (lhs: Self, rhs: Self) -> Self {
    lhs.combined(with: rhs) { .binary(.divide, $0, $1) }
  }

  /// The quotient.
  public static func / (lhs: Self, rhs: some SQLExpressible) -> Self {
    lhs.map { .binary(.divide, $0, rhs.sqlExpression) }
  }

  /// The quotient.
  public static func / (lhs: some SQLExpressible, rhs: Self) -> Self {
    rhs.map { .binary(.divide, lhs.sqlExpression, $0) }
  }

  /// The sum.
  public static func + (lhs: Self, rhs: Self) -> Self {
    lhs.combined(with: rhs) { .associative(.add, $0, $1) }
  }

  /// The sum.
  public static func + (lhs: Self, rhs: some SQLExpressible) -> Self {
    lhs.map { .associative(.add, $0, rhs.sqlExpression) }
  }

  /// The sum.
  public static func + (lhs: some SQLExpressible, rhs: Self) -> Self {
    rhs.map { .associative(.add, lhs.sqlExpression, $0) }
  }

  /// The difference.
  public static func - (lhs: Self, rhs: Self) -> Self {
    lhs.combined(with: rhs) { .binary(.subtract, $0, $1) }
  }

  /// The difference.
  public static func - (lhs: Self, rhs: some SQLExpressible) -> Self {
    lhs.map { .binary(.subtract, $0, rhs.sqlExpression) }
  }

  /// The difference.
  public static func - (lhs: some SQLExpressible, rhs: Self) -> Self {
    rhs.map { .binary(.subtract, lhs.sqlExpression, $0) }
  }

  /// True if the first operand is less than the second.
  public static func < (lhs: Self, rhs: Self) -> Self {
    lhs.combined(with: rhs) { .binary(.lessThan, $0, $1) }
  }

  /// True if the first operand is less than the second.
  public static func < (lhs: Self, rhs: some SQLExpressible) -> Self {
    lhs.map { .binary(.lessThan, $0, rhs.sqlExpression) }
  }

  /// True if the first operand is less than the second.
  public static func < (lhs: some SQLExpressible, rhs: Self) -> Self {
    rhs.map { .binary(.lessThan, lhs.sqlExpression, $0) }
  }

  /// True if the first operand is not greater than the second.
  public static func <= (lhs: Self, rhs: Self) -> Self {
    lhs.combined(with: rhs) { .binary(.lessThanOrEqual, $0, $1) }
  }

  /// True if the first operand is not greater than the second.
  public static func <= (lhs: Self, rhs: some SQLExpressible) -> Self {
    lhs.map { .binary(.lessThanOrEqual, $0, rhs.sqlExpression) }
  }

  /// True if the first operand is not greater than the second.
  public static func <= (lhs: some SQLExpressible, rhs: Self) -> Self {
    rhs.map { .binary(.lessThanOrEqual, lhs.sqlExpression, $0) }
  }

  /// True if the first operand is greater than the second.
  public static func > (lhs: Self, rhs: Self) -> Self {
    lhs.combined(with: rhs) { .binary(.greaterThan, $0, $1) }
  }

  /// True if the first operand is greater than the second.
  public static func > (lhs: Self, rhs: some SQLExpressible) -> Self {
    lhs.map { .binary(.greaterThan, $0, rhs.sqlExpression) }
  }

  /// True if the first operand is greater than the second.
  public static func > (lhs: some SQLExpressible, rhs: Self) -> Self {
    rhs.map { .binary(.greaterThan, lhs.sqlExpression, $0) }
  }

  /// True if the first operand is not less than the second.
  public static func >= (lhs: Self, rhs: Self) -> Self {
    lhs.combined(with: rhs) { .binary(.greaterThanOrEqual, $0, $1) }
  }

  /// True if the first operand is not less than the second.
  public static func >= (lhs: Self, rhs: some SQLExpressible) -> Self {
    lhs.map { .binary(.greaterThanOrEqual, $0, rhs.sqlExpression) }
  }

  /// True if the first operand is not less than the second.
  public static func >= (lhs: some SQLExpressible, rhs: Self) -> Self {
    rhs.map { .binary(.greaterThanOrEqual, lhs.sqlExpression, $0) }
  }

  /// Equality. `NULL` is compared with `IS NULL`.
  public static func == (lhs: Self, rhs: Self) -> Self {
    lhs.combined(with: rhs) { .equal($0, $1) }
  }

  /// Equality. `NULL` is compared with `IS NULL`.
  public static func == (lhs: Self, rhs: (any SQLExpressible)?) -> Self {
    lhs.map { .equal($0, SQLExpression(nullable: rhs)) }
  }

  /// Equality. `NULL` is compared with `IS NULL`.
  public static func == (lhs: (any SQLExpressible)?, rhs: Self) -> Self {
    rhs.map { .equal(SQLExpression(nullable: lhs), $0) }
  }

  /// Inequality. `NULL` is compared with `IS NOT NULL`.
  public static func != (lhs: Self, rhs: Self) -> Self {
    lhs.combined(with: rhs) { .equal($0, $1).negated }
  }

  /// Inequality. `NULL` is compared with `IS NOT NULL`.
  public static func != (lhs: Self, rhs: (any SQLExpressible)?) -> Self {
    lhs.map { .equal($0, SQLExpression(nullable: rhs)).negated }
  }

  /// Inequality. `NULL` is compared with `IS NOT NULL`.
  public static func != (lhs: (any SQLExpressible)?, rhs: Self) -> Self {
    rhs.map { .equal(SQLExpression(nullable: lhs), $0).negated }
  }

  /// Identity, where `NULL` is identical to itself.
  public static func === (lhs: Self, rhs: Self) -> Self {
    lhs.combined(with: rhs) { .identical($0, $1) }
  }

  /// Identity, where `NULL` is identical to itself.
  public static func === (lhs: Self, rhs: (any SQLExpressible)?) -> Self {
    lhs.map { .identical($0, SQLExpression(nullable: rhs)) }
  }

  /// Identity, where `NULL` is identical to itself.
  public static func === (lhs: (any SQLExpressible)?, rhs: Self) -> Self {
    rhs.map { .identical(SQLExpression(nullable: lhs), $0) }
  }

  /// The negation of identity.
  public static func !== (lhs: Self, rhs: Self) -> Self {
    lhs.combined(with: rhs) { .identical($0, $1).negated }
  }

  /// The negation of identity.
  public static func !== (lhs: Self, rhs: (any SQLExpressible)?) -> Self {
    lhs.map { .identical($0, SQLExpression(nullable: rhs)).negated }
  }

  /// The negation of identity.
  public static func !== (lhs: (any SQLExpressible)?, rhs: Self) -> Self {
    rhs.map { .identical(SQLExpression(nullable: lhs), $0).negated }
  }

  /// True if both operands are true.
  public static func && (lhs: Self, rhs: Self) -> Self {
    lhs.combined(with: rhs) { .associative(.and, $0, $1) }
  }

  /// True if both operands are true.
  public static func && (lhs: Self, rhs: some SQLExpressible) -> Self {
    lhs.map { .associative(.and, $0, rhs.sqlExpression) }
  }

  /// True if both operands are true.
  public static func && (lhs: some SQLExpressible, rhs: Self) -> Self {
    rhs.map { .associative(.and, lhs.sqlExpression, $0) }
  }

  /// True if one of the operands is true.
  public static func || (lhs: Self, rhs: Self) -> Self {
    lhs.combined(with: rhs) { .associative(.or, $0, $1) }
  }

  /// True if one of the operands is true.
  public static func || (lhs: Self, rhs: some SQLExpressible) -> Self {
    lhs.map { .associative(.or, $0, rhs.sqlExpression) }
  }

  /// True if one of the operands is true.
  public static func || (lhs: some SQLExpressible, rhs: Self) -> Self {
    rhs.map { .associative(.or, lhs.sqlExpression, $0) }
  }
}
