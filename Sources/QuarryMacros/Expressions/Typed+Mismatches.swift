#if Macros
  import Quarry

  // Overloads for operands of other types. The compiler chooses them where no other operator
  // applies: so its error says what is at fault, instead of naming a protocol that typed columns
  // don't conform to.

  extension Typed {
    /// Not available.
    @available(
      *, unavailable,
      message:
        "a typed column is compared with values of its type, and with columns of its type and table"
    )
    public static func == (lhs: Self, rhs: some SQLExpressible) -> TypedExpression<Root, Bool> {
      TypedExpression(lhs.sqlExpression == rhs.sqlExpression)
    }

    /// Not available.
    @available(
      *, unavailable,
      message:
        "a typed column is compared with values of its type, and with columns of its type and table"
    )
    public static func == <OtherRoot, OtherValue, Other>(
      lhs: Self, rhs: Typed<OtherRoot, OtherValue, Other>
    ) -> TypedExpression<Root, Bool> { TypedExpression(lhs.sqlExpression == rhs.sqlExpression) }

    /// Not available.
    @available(
      *, unavailable,
      message:
        "a typed column is compared with values of its type, and with columns of its type and table"
    )
    public static func != (lhs: Self, rhs: some SQLExpressible) -> TypedExpression<Root, Bool> {
      TypedExpression(lhs.sqlExpression != rhs.sqlExpression)
    }

    /// Not available.
    @available(
      *, unavailable,
      message:
        "a typed column is compared with values of its type, and with columns of its type and table"
    )
    public static func != <OtherRoot, OtherValue, Other>(
      lhs: Self, rhs: Typed<OtherRoot, OtherValue, Other>
    ) -> TypedExpression<Root, Bool> { TypedExpression(lhs.sqlExpression != rhs.sqlExpression) }

    /// Not available.
    @available(
      *, unavailable,
      message:
        "a typed column is compared with values of its type, and with columns of its type and table"
    )
    public static func < (lhs: Self, rhs: some SQLExpressible) -> TypedExpression<Root, Bool> {
      TypedExpression(lhs.sqlExpression < rhs.sqlExpression)
    }

    /// Not available.
    @available(
      *, unavailable,
      message:
        "a typed column is compared with values of its type, and with columns of its type and table"
    )
    public static func < <OtherRoot, OtherValue, Other>(
      lhs: Self, rhs: Typed<OtherRoot, OtherValue, Other>
    ) -> TypedExpression<Root, Bool> { TypedExpression(lhs.sqlExpression < rhs.sqlExpression) }

    /// Not available.
    @available(
      *, unavailable,
      message:
        "a typed column is compared with values of its type, and with columns of its type and table"
    )
    public static func <= (lhs: Self, rhs: some SQLExpressible) -> TypedExpression<Root, Bool> {
      TypedExpression(lhs.sqlExpression <= rhs.sqlExpression)
    }

    /// Not available.
    @available(
      *, unavailable,
      message:
        "a typed column is compared with values of its type, and with columns of its type and table"
    )
    public static func <= <OtherRoot, OtherValue, Other>(
      lhs: Self, rhs: Typed<OtherRoot, OtherValue, Other>
    ) -> TypedExpression<Root, Bool> { TypedExpression(lhs.sqlExpression <= rhs.sqlExpression) }

    /// Not available.
    @available(
      *, unavailable,
      message:
        "a typed column is compared with values of its type, and with columns of its type and table"
    )
    public static func > (lhs: Self, rhs: some SQLExpressible) -> TypedExpression<Root, Bool> {
      TypedExpression(lhs.sqlExpression > rhs.sqlExpression)
    }

    /// Not available.
    @available(
      *, unavailable,
      message:
        "a typed column is compared with values of its type, and with columns of its type and table"
    )
    public static func > <OtherRoot, OtherValue, Other>(
      lhs: Self, rhs: Typed<OtherRoot, OtherValue, Other>
    ) -> TypedExpression<Root, Bool> { TypedExpression(lhs.sqlExpression > rhs.sqlExpression) }

    /// Not available.
    @available(
      *, unavailable,
      message:
        "a typed column is compared with values of its type, and with columns of its type and table"
    )
    public static func >= (lhs: Self, rhs: some SQLExpressible) -> TypedExpression<Root, Bool> {
      TypedExpression(lhs.sqlExpression >= rhs.sqlExpression)
    }

    /// Not available.
    @available(
      *, unavailable,
      message:
        "a typed column is compared with values of its type, and with columns of its type and table"
    )
    public static func >= <OtherRoot, OtherValue, Other>(
      lhs: Self, rhs: Typed<OtherRoot, OtherValue, Other>
    ) -> TypedExpression<Root, Bool> { TypedExpression(lhs.sqlExpression >= rhs.sqlExpression) }

    /// Not available.
    @available(
      *, unavailable,
      message:
        "a typed number combines with values of its type, and with columns of its type and table"
    )
    public static func + (lhs: Self, rhs: some SQLExpressible) -> TypedExpression<Root, Value> {
      TypedExpression(lhs.sqlExpression + rhs.sqlExpression, lhs.coding)
    }

    /// Not available.
    @available(
      *, unavailable,
      message:
        "a typed number combines with values of its type, and with columns of its type and table"
    )
    public static func + <OtherRoot, OtherValue, Other>(
      lhs: Self, rhs: Typed<OtherRoot, OtherValue, Other>
    ) -> TypedExpression<Root, Value> {
      TypedExpression(lhs.sqlExpression + rhs.sqlExpression, lhs.coding)
    }

    /// Not available.
    @available(
      *, unavailable,
      message:
        "a typed number combines with values of its type, and with columns of its type and table"
    )
    public static func - (lhs: Self, rhs: some SQLExpressible) -> TypedExpression<Root, Value> {
      TypedExpression(lhs.sqlExpression - rhs.sqlExpression, lhs.coding)
    }

    /// Not available.
    @available(
      *, unavailable,
      message:
        "a typed number combines with values of its type, and with columns of its type and table"
    )
    public static func - <OtherRoot, OtherValue, Other>(
      lhs: Self, rhs: Typed<OtherRoot, OtherValue, Other>
    ) -> TypedExpression<Root, Value> {
      TypedExpression(lhs.sqlExpression - rhs.sqlExpression, lhs.coding)
    }

    /// Not available.
    @available(
      *, unavailable,
      message:
        "a typed number combines with values of its type, and with columns of its type and table"
    )
    public static func * (lhs: Self, rhs: some SQLExpressible) -> TypedExpression<Root, Value> {
      TypedExpression(lhs.sqlExpression * rhs.sqlExpression, lhs.coding)
    }

    /// Not available.
    @available(
      *, unavailable,
      message:
        "a typed number combines with values of its type, and with columns of its type and table"
    )
    public static func * <OtherRoot, OtherValue, Other>(
      lhs: Self, rhs: Typed<OtherRoot, OtherValue, Other>
    ) -> TypedExpression<Root, Value> {
      TypedExpression(lhs.sqlExpression * rhs.sqlExpression, lhs.coding)
    }

    /// Not available.
    @available(
      *, unavailable,
      message:
        "a typed number combines with values of its type, and with columns of its type and table"
    )
    public static func / (lhs: Self, rhs: some SQLExpressible) -> TypedExpression<Root, Value> {
      TypedExpression(lhs.sqlExpression / rhs.sqlExpression, lhs.coding)
    }

    /// Not available.
    @available(
      *, unavailable,
      message:
        "a typed number combines with values of its type, and with columns of its type and table"
    )
    public static func / <OtherRoot, OtherValue, Other>(
      lhs: Self, rhs: Typed<OtherRoot, OtherValue, Other>
    ) -> TypedExpression<Root, Value> {
      TypedExpression(lhs.sqlExpression / rhs.sqlExpression, lhs.coding)
    }
  }

  extension Sequence {
    /// Not available.
    @available(*, unavailable, message: "the elements have another type than the column")
    public func contains<Root, Value, Content>(
      _ element: Typed<Root, Value, Content>
    ) -> TypedCondition<Root> {
      TypedExpression([element.sqlExpression].contains(element.sqlExpression))
    }
  }

  extension Typed where Value: ConditionInDatabase {
    /// Not available.
    @available(
      *, unavailable, message: "a condition is combined with conditions on the records of its table"
    )
    @_disfavoredOverload
    public static func && <OtherRoot, OtherValue, Other>(
      lhs: Self, rhs: Typed<OtherRoot, OtherValue, Other>
    ) -> TypedCondition<Root> { TypedExpression(lhs.sqlExpression && rhs.sqlExpression) }

    /// Not available.
    @available(
      *, unavailable, message: "a condition is combined with conditions on the records of its table"
    )
    @_disfavoredOverload
    public static func || <OtherRoot, OtherValue, Other>(
      lhs: Self, rhs: Typed<OtherRoot, OtherValue, Other>
    ) -> TypedCondition<Root> { TypedExpression(lhs.sqlExpression || rhs.sqlExpression) }
  }
#endif
