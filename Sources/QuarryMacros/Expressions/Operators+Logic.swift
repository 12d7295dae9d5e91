#if Macros
  public import Quarry

  // Operands without a type are disfavored: the compiler tries them last, and checks long
  // conditions of typed ones ten times faster.

  extension Typed where Value: ConditionInDatabase {
    /// Whether both operands are true.
    ///
    /// ```swift
    /// // ("score" > ?) AND "isActive"
    /// Player.filter { $0.score > 10 && $0.isActive }
    /// ```
    public static func && <OtherValue, Other>(
      lhs: Self, rhs: Typed<Root, OtherValue, Other>
    ) -> TypedCondition<Root> where OtherValue: ConditionInDatabase {
      TypedExpression(lhs.sqlExpression && rhs.sqlExpression)
    }

    /// See `&&`.
    @_disfavoredOverload
    public static func && (lhs: Self, rhs: SQLExpression) -> TypedCondition<Root> {
      TypedExpression(lhs.sqlExpression && rhs)
    }

    /// See `&&`.
    @_disfavoredOverload
    public static func && (lhs: SQLExpression, rhs: Self) -> TypedCondition<Root> {
      TypedExpression(lhs && rhs.sqlExpression)
    }

    /// Whether one of the operands is true.
    ///
    /// ```swift
    /// // ("score" > ?) OR "isActive"
    /// Player.filter { $0.score > 10 || $0.isActive }
    /// ```
    public static func || <OtherValue, Other>(
      lhs: Self, rhs: Typed<Root, OtherValue, Other>
    ) -> TypedCondition<Root> where OtherValue: ConditionInDatabase {
      TypedExpression(lhs.sqlExpression || rhs.sqlExpression)
    }

    /// See `||`.
    @_disfavoredOverload
    public static func || (lhs: Self, rhs: SQLExpression) -> TypedCondition<Root> {
      TypedExpression(lhs.sqlExpression || rhs)
    }

    /// See `||`.
    @_disfavoredOverload
    public static func || (lhs: SQLExpression, rhs: Self) -> TypedCondition<Root> {
      TypedExpression(lhs || rhs.sqlExpression)
    }

    /// Whether the operand is false.
    ///
    /// ```swift
    /// // NOT "isActive"
    /// Player.filter { !$0.isActive }
    /// ```
    public static prefix func ! (operand: Self) -> TypedCondition<Root> {
      TypedExpression(!operand.sqlExpression)
    }
  }

  extension Typed {
    /// The first operand, or the second where the first is null.
    ///
    /// ```swift
    /// // IFNULL("nickname", ?)
    /// Player.select { $0.nickname ?? "Anonymous" }
    /// ```
    public static func ?? <Wrapped>(lhs: Self, rhs: Wrapped) -> TypedExpression<Root, Wrapped>
    where Value == Wrapped? {
      TypedExpression(lhs.sqlExpression ?? lhs.expression(rhs), lhs.coding.required())
    }

    /// See `??`.
    public static func ?? <Wrapped, Other>(
      lhs: Self, rhs: Typed<Root, Wrapped, Other>
    ) -> TypedExpression<Root, Wrapped> where Value == Wrapped? {
      TypedExpression(lhs.sqlExpression ?? rhs.comparable(with: lhs), rhs.coding)
    }

    /// See `??`.
    public static func ?? <Wrapped, Other>(
      lhs: Self, rhs: Typed<Root, Wrapped?, Other>
    ) -> TypedExpression<Root, Wrapped?> where Value == Wrapped? {
      TypedExpression(lhs.sqlExpression ?? rhs.comparable(with: lhs), rhs.coding)
    }
  }
#endif
