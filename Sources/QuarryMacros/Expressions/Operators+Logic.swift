#if Macros
  public import Quarry

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
    public static func && (lhs: Self, rhs: SQLExpression) -> TypedCondition<Root> {
      TypedExpression(lhs.sqlExpression && rhs)
    }

    /// See `&&`.
    public static func && (lhs: SQLExpression, rhs: Self) -> TypedCondition<Root> {
      TypedExpression(lhs && rhs.sqlExpression)
    }

    /// See `&&`. The first operand is a value of Swift.
    public static func && (lhs: Bool, rhs: Self) -> TypedCondition<Root> {
      TypedExpression(lhs.databaseValue && rhs.sqlExpression)
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
    public static func || (lhs: Self, rhs: SQLExpression) -> TypedCondition<Root> {
      TypedExpression(lhs.sqlExpression || rhs)
    }

    /// See `||`.
    public static func || (lhs: SQLExpression, rhs: Self) -> TypedCondition<Root> {
      TypedExpression(lhs || rhs.sqlExpression)
    }

    /// See `||`. The first operand is a value of Swift.
    public static func || (lhs: Bool, rhs: Self) -> TypedCondition<Root> {
      TypedExpression(lhs.databaseValue || rhs.sqlExpression)
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

  // The generic operators express these too. With concrete ones for the usual case, the compiler
  // checks long conditions much faster.
  extension Typed where Value == Bool, Content == SQLExpression {
    /// See `&&`.
    public static func && (lhs: Self, rhs: Self) -> Self {
      Self(lhs.sqlExpression && rhs.sqlExpression)
    }

    /// See `||`.
    public static func || (lhs: Self, rhs: Self) -> Self {
      Self(lhs.sqlExpression || rhs.sqlExpression)
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
