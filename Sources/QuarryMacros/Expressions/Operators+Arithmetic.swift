#if Macros
  import Quarry

  extension Typed where Value: NumberInDatabase {
    /// The sum of two numbers.
    ///
    /// ```swift
    /// // "score" + ?
    /// Player.select { $0.score + 2 }
    /// ```
    public static func + (lhs: Self, rhs: Value) -> TypedExpression<Root, Value> {
      TypedExpression(lhs.sqlExpression + lhs.expression(rhs), lhs.coding)
    }

    /// See `+`.
    public static func + (lhs: Value, rhs: Self) -> TypedExpression<Root, Value> {
      TypedExpression(rhs.expression(lhs) + rhs.sqlExpression, rhs.coding)
    }

    /// See `+`.
    public static func + <Other>(
      lhs: Self, rhs: Typed<Root, Value, Other>
    ) -> TypedExpression<Root, Value> {
      TypedExpression(lhs.sqlExpression + rhs.sqlExpression, lhs.coding)
    }

    /// See `+`.
    public static func + <Other>(
      lhs: Self, rhs: Typed<Root, Value?, Other>
    ) -> TypedExpression<Root, Value?> {
      TypedExpression(lhs.sqlExpression + rhs.sqlExpression, rhs.coding)
    }

    /// See `+`.
    public static func + <Wrapped, Other>(
      lhs: Self, rhs: Typed<Root, Wrapped, Other>
    ) -> TypedExpression<Root, Value> where Value == Wrapped? {
      TypedExpression(lhs.sqlExpression + rhs.sqlExpression, lhs.coding)
    }

    /// The difference of two numbers.
    ///
    /// ```swift
    /// // "score" - ?
    /// Player.select { $0.score - 2 }
    /// ```
    public static func - (lhs: Self, rhs: Value) -> TypedExpression<Root, Value> {
      TypedExpression(lhs.sqlExpression - lhs.expression(rhs), lhs.coding)
    }

    /// See `-`.
    public static func - (lhs: Value, rhs: Self) -> TypedExpression<Root, Value> {
      TypedExpression(rhs.expression(lhs) - rhs.sqlExpression, rhs.coding)
    }

    /// See `-`.
    public static func - <Other>(
      lhs: Self, rhs: Typed<Root, Value, Other>
    ) -> TypedExpression<Root, Value> {
      TypedExpression(lhs.sqlExpression - rhs.sqlExpression, lhs.coding)
    }

    /// See `-`.
    public static func - <Other>(
      lhs: Self, rhs: Typed<Root, Value?, Other>
    ) -> TypedExpression<Root, Value?> {
      TypedExpression(lhs.sqlExpression - rhs.sqlExpression, rhs.coding)
    }

    /// See `-`.
    public static func - <Wrapped, Other>(
      lhs: Self, rhs: Typed<Root, Wrapped, Other>
    ) -> TypedExpression<Root, Value> where Value == Wrapped? {
      TypedExpression(lhs.sqlExpression - rhs.sqlExpression, lhs.coding)
    }

    /// The product of two numbers.
    ///
    /// ```swift
    /// // "score" * ?
    /// Player.select { $0.score * 2 }
    /// ```
    public static func * (lhs: Self, rhs: Value) -> TypedExpression<Root, Value> {
      TypedExpression(lhs.sqlExpression * lhs.expression(rhs), lhs.coding)
    }

    /// See `*`.
    public static func * (lhs: Value, rhs: Self) -> TypedExpression<Root, Value> {
      TypedExpression(rhs.expression(lhs) * rhs.sqlExpression, rhs.coding)
    }

    /// See `*`.
    public static func * <Other>(
      lhs: Self, rhs: Typed<Root, Value, Other>
    ) -> TypedExpression<Root, Value> {
      TypedExpression(lhs.sqlExpression * rhs.sqlExpression, lhs.coding)
    }

    /// See `*`.
    public static func * <Other>(
      lhs: Self, rhs: Typed<Root, Value?, Other>
    ) -> TypedExpression<Root, Value?> {
      TypedExpression(lhs.sqlExpression * rhs.sqlExpression, rhs.coding)
    }

    /// See `*`.
    public static func * <Wrapped, Other>(
      lhs: Self, rhs: Typed<Root, Wrapped, Other>
    ) -> TypedExpression<Root, Value> where Value == Wrapped? {
      TypedExpression(lhs.sqlExpression * rhs.sqlExpression, lhs.coding)
    }

    /// The quotient of two numbers. That of integers is an integer.
    ///
    /// ```swift
    /// // "score" / ?
    /// Player.select { $0.score / 2 }
    /// ```
    public static func / (lhs: Self, rhs: Value) -> TypedExpression<Root, Value> {
      TypedExpression(lhs.sqlExpression / lhs.expression(rhs), lhs.coding)
    }

    /// See `/`.
    public static func / (lhs: Value, rhs: Self) -> TypedExpression<Root, Value> {
      TypedExpression(rhs.expression(lhs) / rhs.sqlExpression, rhs.coding)
    }

    /// See `/`.
    public static func / <Other>(
      lhs: Self, rhs: Typed<Root, Value, Other>
    ) -> TypedExpression<Root, Value> {
      TypedExpression(lhs.sqlExpression / rhs.sqlExpression, lhs.coding)
    }

    /// See `/`.
    public static func / <Other>(
      lhs: Self, rhs: Typed<Root, Value?, Other>
    ) -> TypedExpression<Root, Value?> {
      TypedExpression(lhs.sqlExpression / rhs.sqlExpression, rhs.coding)
    }

    /// See `/`.
    public static func / <Wrapped, Other>(
      lhs: Self, rhs: Typed<Root, Wrapped, Other>
    ) -> TypedExpression<Root, Value> where Value == Wrapped? {
      TypedExpression(lhs.sqlExpression / rhs.sqlExpression, lhs.coding)
    }
  }
#endif
