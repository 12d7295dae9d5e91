#if Macros
  import Quarry

  extension Typed {
    /// Whether the first operand is less than the second: `NULL`, and so no row of a filter, if one
    /// is null.
    ///
    /// ```swift
    /// // "score" < ?
    /// Player.filter { $0.score < 10 }
    /// ```
    public static func < (lhs: Self, rhs: Value) -> TypedCondition<Root> {
      TypedExpression(lhs.sqlExpression < lhs.expression(rhs))
    }

    /// See `<`.
    public static func < (lhs: Value, rhs: Self) -> TypedCondition<Root> {
      TypedExpression(rhs.expression(lhs) < rhs.sqlExpression)
    }

    /// See `<`.
    public static func < <Other>(
      lhs: Self, rhs: Typed<Root, Value, Other>
    ) -> TypedCondition<Root> { TypedExpression(lhs.sqlExpression < rhs.comparable(with: lhs)) }

    /// See `<`.
    public static func < <Other>(
      lhs: Self, rhs: Typed<Root, Value?, Other>
    ) -> TypedCondition<Root> { TypedExpression(lhs.sqlExpression < rhs.comparable(with: lhs)) }

    /// See `<`.
    public static func < <Wrapped, Other>(
      lhs: Self, rhs: Typed<Root, Wrapped, Other>
    ) -> TypedCondition<Root> where Value == Wrapped? {
      TypedExpression(lhs.sqlExpression < rhs.comparable(with: lhs))
    }

    /// Whether the first operand is not greater than the second: `NULL`, and so no row of a filter,
    /// if one is null.
    ///
    /// ```swift
    /// // "score" <= ?
    /// Player.filter { $0.score <= 10 }
    /// ```
    public static func <= (lhs: Self, rhs: Value) -> TypedCondition<Root> {
      TypedExpression(lhs.sqlExpression <= lhs.expression(rhs))
    }

    /// See `<=`.
    public static func <= (lhs: Value, rhs: Self) -> TypedCondition<Root> {
      TypedExpression(rhs.expression(lhs) <= rhs.sqlExpression)
    }

    /// See `<=`.
    public static func <= <Other>(
      lhs: Self, rhs: Typed<Root, Value, Other>
    ) -> TypedCondition<Root> { TypedExpression(lhs.sqlExpression <= rhs.comparable(with: lhs)) }

    /// See `<=`.
    public static func <= <Other>(
      lhs: Self, rhs: Typed<Root, Value?, Other>
    ) -> TypedCondition<Root> { TypedExpression(lhs.sqlExpression <= rhs.comparable(with: lhs)) }

    /// See `<=`.
    public static func <= <Wrapped, Other>(
      lhs: Self, rhs: Typed<Root, Wrapped, Other>
    ) -> TypedCondition<Root> where Value == Wrapped? {
      TypedExpression(lhs.sqlExpression <= rhs.comparable(with: lhs))
    }

    /// Whether the first operand is greater than the second: `NULL`, and so no row of a filter, if
    /// one is null.
    ///
    /// ```swift
    /// // "score" > ?
    /// Player.filter { $0.score > 10 }
    /// ```
    public static func > (lhs: Self, rhs: Value) -> TypedCondition<Root> {
      TypedExpression(lhs.sqlExpression > lhs.expression(rhs))
    }

    /// See `>`.
    public static func > (lhs: Value, rhs: Self) -> TypedCondition<Root> {
      TypedExpression(rhs.expression(lhs) > rhs.sqlExpression)
    }

    /// See `>`.
    public static func > <Other>(
      lhs: Self, rhs: Typed<Root, Value, Other>
    ) -> TypedCondition<Root> { TypedExpression(lhs.sqlExpression > rhs.comparable(with: lhs)) }

    /// See `>`.
    public static func > <Other>(
      lhs: Self, rhs: Typed<Root, Value?, Other>
    ) -> TypedCondition<Root> { TypedExpression(lhs.sqlExpression > rhs.comparable(with: lhs)) }

    /// See `>`.
    public static func > <Wrapped, Other>(
      lhs: Self, rhs: Typed<Root, Wrapped, Other>
    ) -> TypedCondition<Root> where Value == Wrapped? {
      TypedExpression(lhs.sqlExpression > rhs.comparable(with: lhs))
    }

    /// Whether the first operand is not less than the second: `NULL`, and so no row of a filter, if
    /// one is null.
    ///
    /// ```swift
    /// // "score" >= ?
    /// Player.filter { $0.score >= 10 }
    /// ```
    public static func >= (lhs: Self, rhs: Value) -> TypedCondition<Root> {
      TypedExpression(lhs.sqlExpression >= lhs.expression(rhs))
    }

    /// See `>=`.
    public static func >= (lhs: Value, rhs: Self) -> TypedCondition<Root> {
      TypedExpression(rhs.expression(lhs) >= rhs.sqlExpression)
    }

    /// See `>=`.
    public static func >= <Other>(
      lhs: Self, rhs: Typed<Root, Value, Other>
    ) -> TypedCondition<Root> { TypedExpression(lhs.sqlExpression >= rhs.comparable(with: lhs)) }

    /// See `>=`.
    public static func >= <Other>(
      lhs: Self, rhs: Typed<Root, Value?, Other>
    ) -> TypedCondition<Root> { TypedExpression(lhs.sqlExpression >= rhs.comparable(with: lhs)) }

    /// See `>=`.
    public static func >= <Wrapped, Other>(
      lhs: Self, rhs: Typed<Root, Wrapped, Other>
    ) -> TypedCondition<Root> where Value == Wrapped? {
      TypedExpression(lhs.sqlExpression >= rhs.comparable(with: lhs))
    }
  }
#endif
