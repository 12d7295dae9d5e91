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
      TypedExpression(lhs.plain + lhs.expression(rhs), lhs.coding)
    }

    /// See `+`.
    public static func + (lhs: Value, rhs: Self) -> TypedExpression<Root, Value> {
      TypedExpression(rhs.expression(lhs) + rhs.plain, rhs.coding)
    }

    /// See `+`.
    public static func + <Other>(
      lhs: Self, rhs: Typed<Root, Value, Other>
    ) -> TypedExpression<Root, Value> { TypedExpression(lhs.plain + rhs.plain, lhs.coding) }

    /// See `+`.
    public static func + <Other>(
      lhs: Self, rhs: Typed<Root, Value?, Other>
    ) -> TypedExpression<Root, Value?> { TypedExpression(lhs.plain + rhs.plain, rhs.coding) }

    /// See `+`.
    public static func + <Wrapped, Other>(
      lhs: Self, rhs: Typed<Root, Wrapped, Other>
    ) -> TypedExpression<Root, Value> where Value == Wrapped? {
      TypedExpression(lhs.plain + rhs.plain, lhs.coding)
    }

    /// The difference of two numbers.
    ///
    /// ```swift
    /// // "score" - ?
    /// Player.select { $0.score - 2 }
    /// ```
    public static func - (lhs: Self, rhs: Value) -> TypedExpression<Root, Value> {
      TypedExpression(lhs.plain - lhs.expression(rhs), lhs.coding)
    }

    /// See `-`.
    public static func - (lhs: Value, rhs: Self) -> TypedExpression<Root, Value> {
      TypedExpression(rhs.expression(lhs) - rhs.plain, rhs.coding)
    }

    /// See `-`.
    public static func - <Other>(
      lhs: Self, rhs: Typed<Root, Value, Other>
    ) -> TypedExpression<Root, Value> { TypedExpression(lhs.plain - rhs.plain, lhs.coding) }

    /// See `-`.
    public static func - <Other>(
      lhs: Self, rhs: Typed<Root, Value?, Other>
    ) -> TypedExpression<Root, Value?> { TypedExpression(lhs.plain - rhs.plain, rhs.coding) }

    /// See `-`.
    public static func - <Wrapped, Other>(
      lhs: Self, rhs: Typed<Root, Wrapped, Other>
    ) -> TypedExpression<Root, Value> where Value == Wrapped? {
      TypedExpression(lhs.plain - rhs.plain, lhs.coding)
    }

    /// The product of two numbers.
    ///
    /// ```swift
    /// // "score" * ?
    /// Player.select { $0.score * 2 }
    /// ```
    public static func * (lhs: Self, rhs: Value) -> TypedExpression<Root, Value> {
      TypedExpression(lhs.plain * lhs.expression(rhs), lhs.coding)
    }

    /// See `*`.
    public static func * (lhs: Value, rhs: Self) -> TypedExpression<Root, Value> {
      TypedExpression(rhs.expression(lhs) * rhs.plain, rhs.coding)
    }

    /// See `*`.
    public static func * <Other>(
      lhs: Self, rhs: Typed<Root, Value, Other>
    ) -> TypedExpression<Root, Value> { TypedExpression(lhs.plain * rhs.plain, lhs.coding) }

    /// See `*`.
    public static func * <Other>(
      lhs: Self, rhs: Typed<Root, Value?, Other>
    ) -> TypedExpression<Root, Value?> { TypedExpression(lhs.plain * rhs.plain, rhs.coding) }

    /// See `*`.
    public static func * <Wrapped, Other>(
      lhs: Self, rhs: Typed<Root, Wrapped, Other>
    ) -> TypedExpression<Root, Value> where Value == Wrapped? {
      TypedExpression(lhs.plain * rhs.plain, lhs.coding)
    }

    /// The quotient of two numbers. That of integers is an integer.
    ///
    /// ```swift
    /// // "score" / ?
    /// Player.select { $0.score / 2 }
    /// ```
    public static func / (lhs: Self, rhs: Value) -> TypedExpression<Root, Value> {
      TypedExpression(lhs.plain / lhs.expression(rhs), lhs.coding)
    }

    /// See `/`.
    public static func / (lhs: Value, rhs: Self) -> TypedExpression<Root, Value> {
      TypedExpression(rhs.expression(lhs) / rhs.plain, rhs.coding)
    }

    /// See `/`.
    public static func / <Other>(
      lhs: Self, rhs: Typed<Root, Value, Other>
    ) -> TypedExpression<Root, Value> { TypedExpression(lhs.plain / rhs.plain, lhs.coding) }

    /// See `/`.
    public static func / <Other>(
      lhs: Self, rhs: Typed<Root, Value?, Other>
    ) -> TypedExpression<Root, Value?> { TypedExpression(lhs.plain / rhs.plain, rhs.coding) }

    /// See `/`.
    public static func / <Wrapped, Other>(
      lhs: Self, rhs: Typed<Root, Wrapped, Other>
    ) -> TypedExpression<Root, Value> where Value == Wrapped? {
      TypedExpression(lhs.plain / rhs.plain, lhs.coding)
    }
  }
#endif
