#if Macros
  import Quarry

  // Aggregate functions: see <https://www.sqlite.org/lang_aggfunc.html>. Those that are null
  // without any row are optional.

  /// The number of values that are not null.
  ///
  /// ```swift
  /// // COUNT("score")
  /// Player.select { count($0.score) }
  /// ```
  public func count<Root, Value, Content>(
    _ value: Typed<Root, Value, Content>, filter: TypedCondition<Root>? = nil
  ) -> TypedExpression<Root, Int> {
    TypedExpression(count(value.sqlExpression, filter: filter?.sqlExpression))
  }

  /// The number of different values that are not null.
  ///
  /// ```swift
  /// // COUNT(DISTINCT "score")
  /// Player.select { count(distinct: $0.score) }
  /// ```
  public func count<Root, Value, Content>(
    distinct value: Typed<Root, Value, Content>, filter: TypedCondition<Root>? = nil
  ) -> TypedExpression<Root, Int> {
    TypedExpression(count(distinct: value.sqlExpression, filter: filter?.sqlExpression))
  }

  /// The average of all values.
  ///
  /// ```swift
  /// // AVG("score")
  /// Player.select { average($0.score) }
  /// ```
  public func average<Root, Value, Content>(
    _ value: Typed<Root, Value, Content>, filter: TypedCondition<Root>? = nil
  ) -> TypedExpression<Root, Double?> where Value: NumberInDatabase {
    TypedExpression(average(value.plain, filter: filter?.sqlExpression))
  }

  /// The sum of all values, 0.0 if there is none.
  ///
  /// ```swift
  /// // TOTAL("score")
  /// Player.select { total($0.score) }
  /// ```
  public func total<Root, Value, Content>(
    _ value: Typed<Root, Value, Content>, filter: TypedCondition<Root>? = nil
  ) -> TypedExpression<Root, Double> where Value: NumberInDatabase {
    TypedExpression(total(value.plain, filter: filter?.sqlExpression))
  }

  /// The sum of all values, null if there is none.
  ///
  /// ```swift
  /// // SUM("score")
  /// Player.select { sum($0.score) }
  /// ```
  public func sum<Root, Value, Content>(
    _ value: Typed<Root, Value, Content>, filter: TypedCondition<Root>? = nil
  ) -> TypedExpression<Root, Value?> where Value: NumberInDatabase {
    TypedExpression(sum(value.plain, filter: filter?.sqlExpression), value.coding.nullable)
  }

  /// See `sum(_:filter:)`. A value that is null does not count.
  public func sum<Root, Value, Content>(
    _ value: Typed<Root, Value?, Content>, filter: TypedCondition<Root>? = nil
  ) -> TypedExpression<Root, Value?> where Value: NumberInDatabase {
    TypedExpression(sum(value.plain, filter: filter?.sqlExpression), value.coding)
  }

  /// The greatest of all values.
  ///
  /// ```swift
  /// // MAX("score")
  /// Player.select { max($0.score) }
  /// ```
  public func max<Root, Value, Content>(
    _ value: Typed<Root, Value, Content>, filter: TypedCondition<Root>? = nil
  ) -> TypedExpression<Root, Value?> {
    TypedExpression(max(value.sqlExpression, filter: filter?.sqlExpression), value.coding.nullable)
  }

  /// See `max(_:filter:)`. A value that is null does not count.
  public func max<Root, Value, Content>(
    _ value: Typed<Root, Value?, Content>, filter: TypedCondition<Root>? = nil
  ) -> TypedExpression<Root, Value?> {
    TypedExpression(max(value.sqlExpression, filter: filter?.sqlExpression), value.coding)
  }

  /// The least of all values.
  ///
  /// ```swift
  /// // MIN("score")
  /// Player.select { min($0.score) }
  /// ```
  public func min<Root, Value, Content>(
    _ value: Typed<Root, Value, Content>, filter: TypedCondition<Root>? = nil
  ) -> TypedExpression<Root, Value?> {
    TypedExpression(min(value.sqlExpression, filter: filter?.sqlExpression), value.coding.nullable)
  }

  /// See `min(_:filter:)`. A value that is null does not count.
  public func min<Root, Value, Content>(
    _ value: Typed<Root, Value?, Content>, filter: TypedCondition<Root>? = nil
  ) -> TypedExpression<Root, Value?> {
    TypedExpression(min(value.sqlExpression, filter: filter?.sqlExpression), value.coding)
  }
#endif
