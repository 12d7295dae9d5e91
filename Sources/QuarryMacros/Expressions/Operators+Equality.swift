#if Macros
  import Quarry

  extension Typed {
    /// Equality. A value that may be nil is compared with `IS NULL` when it is.
    ///
    /// ```swift
    /// // "name" = ?
    /// Player.filter { $0.name == "Anna" }
    /// ```
    public static func == (lhs: Self, rhs: Value) -> TypedCondition<Root> {
      TypedExpression(lhs.sqlExpression == lhs.expression(rhs))
    }

    /// See `==`.
    public static func == (lhs: Value, rhs: Self) -> TypedCondition<Root> {
      TypedExpression(rhs.expression(lhs) == rhs.sqlExpression)
    }

    /// See `==`.
    public static func == <Other>(
      lhs: Self, rhs: Typed<Root, Value, Other>
    ) -> TypedCondition<Root> { TypedExpression(lhs.sqlExpression == rhs.comparable(with: lhs)) }

    /// See `==`.
    public static func == <Other>(
      lhs: Self, rhs: Typed<Root, Value?, Other>
    ) -> TypedCondition<Root> { TypedExpression(lhs.sqlExpression == rhs.comparable(with: lhs)) }

    /// See `==`.
    public static func == <Wrapped, Other>(
      lhs: Self, rhs: Typed<Root, Wrapped, Other>
    ) -> TypedCondition<Root> where Value == Wrapped? {
      TypedExpression(lhs.sqlExpression == rhs.comparable(with: lhs))
    }

    /// Inequality. A value that may be nil is compared with `IS NOT NULL` when it is.
    ///
    /// ```swift
    /// // "name" <> ?
    /// Player.filter { $0.name != "Anna" }
    /// ```
    public static func != (lhs: Self, rhs: Value) -> TypedCondition<Root> {
      TypedExpression(lhs.sqlExpression != lhs.expression(rhs))
    }

    /// See `!=`.
    public static func != (lhs: Value, rhs: Self) -> TypedCondition<Root> {
      TypedExpression(rhs.expression(lhs) != rhs.sqlExpression)
    }

    /// See `!=`.
    public static func != <Other>(
      lhs: Self, rhs: Typed<Root, Value, Other>
    ) -> TypedCondition<Root> { TypedExpression(lhs.sqlExpression != rhs.comparable(with: lhs)) }

    /// See `!=`.
    public static func != <Other>(
      lhs: Self, rhs: Typed<Root, Value?, Other>
    ) -> TypedCondition<Root> { TypedExpression(lhs.sqlExpression != rhs.comparable(with: lhs)) }

    /// See `!=`.
    public static func != <Wrapped, Other>(
      lhs: Self, rhs: Typed<Root, Wrapped, Other>
    ) -> TypedCondition<Root> where Value == Wrapped? {
      TypedExpression(lhs.sqlExpression != rhs.comparable(with: lhs))
    }
  }
#endif
