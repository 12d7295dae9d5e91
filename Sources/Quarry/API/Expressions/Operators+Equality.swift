extension SQLSpecificExpressible {
  /// Equality. `NULL` is compared with `IS NULL`.
  ///
  /// ```swift
  /// // "name" = ?
  /// Column("name") == "Arthur"
  ///
  /// // "name" IS NULL
  /// Column("name") == nil
  /// ```
  public static func == (lhs: Self, rhs: (any SQLExpressible)?) -> SQLExpression {
    .equal(lhs.sqlExpression, SQLExpression(nullable: rhs))
  }

  /// See `==(_:_:)`.
  public static func == (lhs: (any SQLExpressible)?, rhs: Self) -> SQLExpression {
    .equal(SQLExpression(nullable: lhs), rhs.sqlExpression)
  }

  /// See `==(_:_:)`.
  public static func == (lhs: Self, rhs: some SQLSpecificExpressible) -> SQLExpression {
    .equal(lhs.sqlExpression, rhs.sqlExpression)
  }

  /// A boolean test.
  ///
  /// ```swift
  /// // "isActive" = ?
  /// Column("isActive") == true
  /// ```
  public static func == (lhs: Self, rhs: Bool) -> SQLExpression {
    lhs.sqlExpression.tested(rhs)
  }

  /// See ``==(_:_:)-(Self,Bool)``.
  public static func == (lhs: Bool, rhs: Self) -> SQLExpression {
    rhs.sqlExpression.tested(lhs)
  }

  /// Inequality. `NULL` is compared with `IS NOT NULL`.
  ///
  /// ```swift
  /// // "name" <> ?
  /// Column("name") != "Arthur"
  ///
  /// // "name" IS NOT NULL
  /// Column("name") != nil
  /// ```
  public static func != (lhs: Self, rhs: (any SQLExpressible)?) -> SQLExpression {
    (lhs == rhs).negated
  }

  /// See `!=(_:_:)`.
  public static func != (lhs: (any SQLExpressible)?, rhs: Self) -> SQLExpression {
    (lhs == rhs).negated
  }

  /// See `!=(_:_:)`.
  public static func != (lhs: Self, rhs: some SQLSpecificExpressible) -> SQLExpression {
    (lhs == rhs).negated
  }

  /// The negation of a boolean test.
  public static func != (lhs: Self, rhs: Bool) -> SQLExpression {
    lhs.sqlExpression.tested(rhs).negated
  }

  /// The negation of a boolean test.
  public static func != (lhs: Bool, rhs: Self) -> SQLExpression {
    rhs.sqlExpression.tested(lhs).negated
  }

  /// Identity, where `NULL` is identical to itself.
  ///
  /// ```swift
  /// // "name" IS ?
  /// Column("name") === name
  /// ```
  public static func === (lhs: Self, rhs: (any SQLExpressible)?) -> SQLExpression {
    .identical(lhs.sqlExpression, SQLExpression(nullable: rhs))
  }

  /// See `===(_:_:)`.
  public static func === (lhs: (any SQLExpressible)?, rhs: Self) -> SQLExpression {
    .identical(SQLExpression(nullable: lhs), rhs.sqlExpression)
  }

  /// See `===(_:_:)`.
  public static func === (lhs: Self, rhs: some SQLSpecificExpressible) -> SQLExpression {
    .identical(lhs.sqlExpression, rhs.sqlExpression)
  }

  /// The negation of identity.
  ///
  /// ```swift
  /// // "name" IS NOT ?
  /// Column("name") !== name
  /// ```
  public static func !== (lhs: Self, rhs: (any SQLExpressible)?) -> SQLExpression {
    (lhs === rhs).negated
  }

  /// See `!==(_:_:)`.
  public static func !== (lhs: (any SQLExpressible)?, rhs: Self) -> SQLExpression {
    (lhs === rhs).negated
  }

  /// See `!==(_:_:)`.
  public static func !== (lhs: Self, rhs: some SQLSpecificExpressible) -> SQLExpression {
    (lhs === rhs).negated
  }
}
