extension Sequence where Element: SQLExpressible {
  /// True if an element is one of these values.
  ///
  /// ```swift
  /// // "id" IN (?, ?, ?)
  /// [1, 2, 3].contains(Column("id"))
  /// ```
  public func contains(_ element: some SQLSpecificExpressible) -> SQLExpression {
    .membership(element.sqlExpression, in: map { $0.sqlExpression })
  }
}

extension Sequence where Element == any SQLExpressible {
  /// True if an element is one of these values.
  ///
  /// ```swift
  /// // "name" IN ("title", ?)
  /// [Column("title"), "Untitled"].contains(Column("name"))
  /// ```
  public func contains(_ element: some SQLSpecificExpressible) -> SQLExpression {
    .membership(element.sqlExpression, in: map { $0.sqlExpression })
  }
}

extension ClosedRange where Bound: SQLExpressible {
  /// True if an element is in the range.
  ///
  /// ```swift
  /// // "initial" BETWEEN ? AND ?
  /// ("A"..."M").contains(Column("initial"))
  /// ```
  public func contains(_ element: some SQLSpecificExpressible) -> SQLExpression {
    .between(element.sqlExpression, lowerBound.sqlExpression, upperBound.sqlExpression)
  }
}

extension ClosedRange where Bound: SQLExpressible & Strideable, Bound.Stride: SignedInteger {
  /// True if an element is in the range.
  ///
  /// ```swift
  /// // "score" BETWEEN ? AND ?
  /// (1...10).contains(Column("score"))
  /// ```
  public func contains(_ element: some SQLSpecificExpressible) -> SQLExpression {
    .between(element.sqlExpression, lowerBound.sqlExpression, upperBound.sqlExpression)
  }
}

extension Range where Bound: SQLExpressible {
  /// True if an element is in the range.
  ///
  /// ```swift
  /// // ("initial" >= ?) AND ("initial" < ?)
  /// ("A"..<"N").contains(Column("initial"))
  /// ```
  public func contains(_ element: some SQLSpecificExpressible) -> SQLExpression {
    element >= lowerBound && element < upperBound
  }
}

extension Range where Bound: SQLExpressible & Strideable, Bound.Stride: SignedInteger {
  /// True if an element is in the range.
  ///
  /// ```swift
  /// // ("score" >= ?) AND ("score" < ?)
  /// (1..<10).contains(Column("score"))
  /// ```
  public func contains(_ element: some SQLSpecificExpressible) -> SQLExpression {
    element >= lowerBound && element < upperBound
  }
}

extension PartialRangeFrom where Bound: SQLExpressible {
  /// True if an element is in the range.
  ///
  /// ```swift
  /// // "initial" >= ?
  /// ("N"...).contains(Column("initial"))
  /// ```
  public func contains(_ element: some SQLSpecificExpressible) -> SQLExpression {
    element >= lowerBound
  }
}

// Such a range is an endless sequence.
extension PartialRangeFrom where Bound: SQLExpressible & Strideable, Bound.Stride: SignedInteger {
  /// True if an element is in the range.
  ///
  /// ```swift
  /// // "score" >= ?
  /// (1000...).contains(Column("score"))
  /// ```
  public func contains(_ element: some SQLSpecificExpressible) -> SQLExpression {
    element >= lowerBound
  }
}

extension PartialRangeUpTo where Bound: SQLExpressible {
  /// True if an element is in the range.
  ///
  /// ```swift
  /// // "score" < ?
  /// (..<10).contains(Column("score"))
  /// ```
  public func contains(_ element: some SQLSpecificExpressible) -> SQLExpression {
    element < upperBound
  }
}

extension PartialRangeThrough where Bound: SQLExpressible {
  /// True if an element is in the range.
  ///
  /// ```swift
  /// // "score" <= ?
  /// (...10).contains(Column("score"))
  /// ```
  public func contains(_ element: some SQLSpecificExpressible) -> SQLExpression {
    element <= upperBound
  }
}

extension Sequence where Element: SQLSpecificExpressible {
  /// All elements, joined by an operator.
  ///
  /// ```swift
  /// // "firstName" || "lastName"
  /// [Column("firstName"), Column("lastName")].joined(operator: .concat)
  /// ```
  ///
  /// Without element, the result is the neutral value of the operator: true for `and`, 0 for `add`,
  /// etc.
  public func joined(
    operator joiningOperator: SQLExpression.AssociativeBinaryOperator
  ) -> SQLExpression {
    .associative(joiningOperator, map { $0.sqlExpression })
  }
}

extension Sequence where Element == any SQLSpecificExpressible {
  /// All elements, joined by an operator.
  ///
  /// ```swift
  /// // "firstName" || ? || "lastName"
  /// [Column("firstName"), " ".databaseValue, Column("lastName")].joined(operator: .concat)
  /// ```
  public func joined(
    operator joiningOperator: SQLExpression.AssociativeBinaryOperator
  ) -> SQLExpression {
    .associative(joiningOperator, map { $0.sqlExpression })
  }
}
