#if Macros
  import Quarry

  // Scalar functions: see <https://www.sqlite.org/lang_corefunc.html>. Others accept `untyped`
  // expressions.

  /// The number of characters of a text.
  ///
  /// ```swift
  /// // LENGTH("name")
  /// Player.filter { length($0.name) > 3 }
  /// ```
  public func length<Root, Content>(
    _ value: Typed<Root, String, Content>
  ) -> TypedExpression<Root, Int> { TypedExpression(length(value.plain)) }

  /// See `length(_:)`.
  public func length<Root, Content>(
    _ value: Typed<Root, String?, Content>
  ) -> TypedExpression<Root, Int?> { TypedExpression(length(value.plain)) }

  /// The absolute value of a number.
  ///
  /// ```swift
  /// // ABS("score" - ?)
  /// Player.filter { abs($0.score - 10) > 3 }
  /// ```
  public func abs<Root, Value: NumberInDatabase, Content>(
    _ value: Typed<Root, Value, Content>
  ) -> TypedExpression<Root, Value> { TypedExpression(abs(value.plain), value.coding) }

  extension Typed where Value: BinaryInteger {
    /// The number as a `Double`, to combine with others.
    ///
    /// ```swift
    /// // ("price" * CAST("count" AS REAL)) > ?
    /// Item.filter { $0.price * $0.count.asDouble > 100 }
    /// ```
    public var asDouble: TypedExpression<Root, Double> { TypedExpression(cast(plain, as: .real)) }
  }

  extension Typed where Value: TextInDatabase {
    /// The text in lower case, as `String.lowercased()`.
    public var lowercased: TypedExpression<Root, Value> {
      TypedExpression(plain.lowercased, coding)
    }

    /// The text in upper case, as `String.uppercased()`.
    public var uppercased: TypedExpression<Root, Value> {
      TypedExpression(plain.uppercased, coding)
    }
  }
#endif
