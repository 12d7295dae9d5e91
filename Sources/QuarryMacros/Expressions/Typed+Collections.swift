#if Macros
  public import Quarry

  extension Sequence {
    /// Whether an expression is one of the elements.
    ///
    /// ```swift
    /// // "score" IN (?, ?, ?)
    /// Player.filter { [1, 2, 3].contains($0.score) }
    /// ```
    public func contains<Root, Content>(
      _ element: Typed<Root, Element, Content>
    ) -> TypedCondition<Root> {
      TypedExpression(map { element.expression($0) }.contains(element.sqlExpression))
    }

    /// Whether an expression is one of the elements: it is none of them where it is null.
    public func contains<Root, Content>(
      _ element: Typed<Root, Element?, Content>
    ) -> TypedCondition<Root> {
      TypedExpression(map { element.expression($0) }.contains(element.sqlExpression))
    }
  }

  extension TypedSelection {
    /// Whether an expression is one of the results of the subquery.
    ///
    /// ```swift
    /// // "teamId" IN (SELECT "id" FROM "team")
    /// Player.filter { Team.select { $0.id }.contains($0.teamId) }
    /// ```
    public func contains<Root, Content>(
      _ element: Typed<Root, Element, Content>
    ) -> TypedCondition<Root> { contains(element, element.coding.form) }

    /// See `contains(_:)`. An expression that is null is no result.
    public func contains<Root, Content>(
      _ element: Typed<Root, Element?, Content>
    ) -> TypedCondition<Root> { contains(element, element.coding.form) }

    /// See `contains(_:)`. Where a result is null, an expression that is none of the others is
    /// neither in nor out: `!` finds no row, as `NOT IN` of SQL.
    public func contains<Root, Wrapped, Content>(
      _ element: Typed<Root, Wrapped, Content>
    ) -> TypedCondition<Root> where Element == Wrapped? { contains(element, element.coding.form) }

    /// Not available.
    @available(
      *, unavailable,
      message: "the results of a subquery are compared with values of their type"
    )
    public func contains<Root, Value, Content>(
      _ element: Typed<Root, Value, Content>
    ) -> TypedCondition<Root> { contains(element, element.coding.form) }

    private func contains<Root, Value, Content>(
      _ element: Typed<Root, Value, Content>, _ form: StoredForm
    ) -> TypedCondition<Root> {
      let expression = element.sqlExpression
      guard let fault = forms.lazy.compactMap({ $0.fault(with: form) }).first else {
        return TypedExpression(sqlSubquery.contains(expression))
      }
      return TypedExpression(DatabaseValue.invalid(fault).sqlExpression)
    }
  }

  // The values of raw SQL have no type. Those of other requests are compared untyped.
  extension SQLRequest {
    /// Whether an expression is one of the results of the subquery.
    public func contains<Root, Value, Content>(
      _ element: Typed<Root, Value, Content>
    ) -> TypedCondition<Root> { TypedExpression(sqlSubquery.contains(element.sqlExpression)) }
  }

  extension ClosedRange {
    /// Whether an expression is in the range.
    ///
    /// ```swift
    /// // "score" BETWEEN ? AND ?
    /// Player.filter { (1...10).contains($0.score) }
    /// ```
    public func contains<Root, Content>(
      _ element: Typed<Root, Bound, Content>
    ) -> TypedCondition<Root> { element.isBetween(lowerBound, and: upperBound) }

    /// Whether an expression is in the range: it is not where it is null.
    public func contains<Root, Content>(
      _ element: Typed<Root, Bound?, Content>
    ) -> TypedCondition<Root> { element.isBetween(lowerBound, and: upperBound) }
  }

  extension ClosedRange where Bound: Strideable, Bound.Stride: SignedInteger {
    /// Whether an expression is in the range.
    public func contains<Root, Content>(
      _ element: Typed<Root, Bound, Content>
    ) -> TypedCondition<Root> { element.isBetween(lowerBound, and: upperBound) }

    /// Whether an expression is in the range: it is not where it is null.
    public func contains<Root, Content>(
      _ element: Typed<Root, Bound?, Content>
    ) -> TypedCondition<Root> { element.isBetween(lowerBound, and: upperBound) }
  }

  extension Range {
    /// Whether an expression is in the range.
    ///
    /// ```swift
    /// // ("score" >= ?) AND ("score" < ?)
    /// Player.filter { (1..<10).contains($0.score) }
    /// ```
    public func contains<Root, Content>(
      _ element: Typed<Root, Bound, Content>
    ) -> TypedCondition<Root> { element >= lowerBound && element < upperBound }

    /// Whether an expression is in the range: it is not where it is null.
    public func contains<Root, Content>(
      _ element: Typed<Root, Bound?, Content>
    ) -> TypedCondition<Root> { element >= lowerBound && element < upperBound }
  }

  extension Range where Bound: Strideable, Bound.Stride: SignedInteger {
    /// Whether an expression is in the range.
    public func contains<Root, Content>(
      _ element: Typed<Root, Bound, Content>
    ) -> TypedCondition<Root> { element >= lowerBound && element < upperBound }

    /// Whether an expression is in the range: it is not where it is null.
    public func contains<Root, Content>(
      _ element: Typed<Root, Bound?, Content>
    ) -> TypedCondition<Root> { element >= lowerBound && element < upperBound }
  }

  extension PartialRangeFrom {
    /// Whether an expression is in the range.
    ///
    /// ```swift
    /// // "score" >= ?
    /// Player.filter { (1000...).contains($0.score) }
    /// ```
    public func contains<Root, Content>(
      _ element: Typed<Root, Bound, Content>
    ) -> TypedCondition<Root> { element >= lowerBound }

    /// Whether an expression is in the range: it is not where it is null.
    public func contains<Root, Content>(
      _ element: Typed<Root, Bound?, Content>
    ) -> TypedCondition<Root> { element >= lowerBound }
  }

  // Such a range is an endless sequence.
  extension PartialRangeFrom where Bound: Strideable, Bound.Stride: SignedInteger {
    /// Whether an expression is in the range.
    public func contains<Root, Content>(
      _ element: Typed<Root, Bound, Content>
    ) -> TypedCondition<Root> { element >= lowerBound }

    /// Whether an expression is in the range: it is not where it is null.
    public func contains<Root, Content>(
      _ element: Typed<Root, Bound?, Content>
    ) -> TypedCondition<Root> { element >= lowerBound }
  }

  extension PartialRangeUpTo {
    /// Whether an expression is in the range.
    ///
    /// ```swift
    /// // "score" < ?
    /// Player.filter { (..<10).contains($0.score) }
    /// ```
    public func contains<Root, Content>(
      _ element: Typed<Root, Bound, Content>
    ) -> TypedCondition<Root> { element < upperBound }

    /// Whether an expression is in the range: it is not where it is null.
    public func contains<Root, Content>(
      _ element: Typed<Root, Bound?, Content>
    ) -> TypedCondition<Root> { element < upperBound }
  }

  extension PartialRangeThrough {
    /// Whether an expression is in the range.
    ///
    /// ```swift
    /// // "score" <= ?
    /// Player.filter { (...10).contains($0.score) }
    /// ```
    public func contains<Root, Content>(
      _ element: Typed<Root, Bound, Content>
    ) -> TypedCondition<Root> { element <= upperBound }

    /// Whether an expression is in the range: it is not where it is null.
    public func contains<Root, Content>(
      _ element: Typed<Root, Bound?, Content>
    ) -> TypedCondition<Root> { element <= upperBound }
  }

  extension Typed {
    /// Whether the expression is between two values, or one of them.
    ///
    /// ```swift
    /// // "score" BETWEEN ? AND ?
    /// Player.filter { $0.score.isBetween(1, and: 10) }
    /// ```
    public func isBetween(_ lower: Value, and upper: Value) -> TypedCondition<Root> {
      TypedExpression(sqlExpression.between(expression(lower), and: expression(upper)))
    }

    /// Whether the expression is between two expressions, or equal to one of them.
    public func isBetween<Lower, Upper>(
      _ lower: Typed<Root, Value, Lower>, and upper: Typed<Root, Value, Upper>
    ) -> TypedCondition<Root> {
      TypedExpression(
        sqlExpression.between(lower.comparable(with: self), and: upper.comparable(with: self)))
    }
  }
#endif
