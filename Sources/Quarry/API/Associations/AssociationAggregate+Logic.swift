// Operators over aggregates. The associations of the left operand are joined first. Except `??`,
// operators lose the name of the aggregate.

extension AssociationAggregate {
  /// Negation.
  ///
  /// ```swift
  /// // SELECT "author".* FROM … HAVING COUNT(DISTINCT "book"."id") > 0
  /// Author.having(!Author.books.isEmpty)
  /// ```
  public static prefix func ! (aggregate: Self) -> Self {
    aggregate.map(\.negated)
  }

  /// Both conditions are true: `AND`.
  public static func && (lhs: Self, rhs: Self) -> Self {
    lhs.combined(with: rhs) { .associative(.and, $0, $1) }
  }

  /// Both conditions are true: `AND`.
  public static func && (lhs: Self, rhs: some SQLExpressible) -> Self {
    lhs.map { .associative(.and, $0, rhs.sqlExpression) }
  }

  /// Both conditions are true: `AND`.
  public static func && (lhs: some SQLExpressible, rhs: Self) -> Self {
    rhs.map { .associative(.and, lhs.sqlExpression, $0) }
  }

  /// One of the conditions is true: `OR`.
  public static func || (lhs: Self, rhs: Self) -> Self {
    lhs.combined(with: rhs) { .associative(.or, $0, $1) }
  }

  /// One of the conditions is true: `OR`.
  public static func || (lhs: Self, rhs: some SQLExpressible) -> Self {
    lhs.map { .associative(.or, $0, rhs.sqlExpression) }
  }

  /// One of the conditions is true: `OR`.
  public static func || (lhs: some SQLExpressible, rhs: Self) -> Self {
    rhs.map { .associative(.or, lhs.sqlExpression, $0) }
  }
}
