import Quarry

// The rows beyond a position: those whose first differing term is beyond its value.
//
// Where nulls can't be met, row values say this, and an index finds the first row:
//
//     ("score", "id") < (?, ?)
//
// Else, the terms are compared one after the other:
//
//     "year" > ? OR "year" = ? AND ("title" > ? OR "title" = ? AND "id" > ?)
//
// A comparison converts the values of a column by its affinity, which ORDER BY does not. Where the
// values may be others than those that the affinity makes, `+` removes it:
//
//     (+("year"), +("id")) > (?, ?)
//
// See https://www.sqlite.org/datatype3.html#affinity_of_expressions

extension PageOrder {
  func condition(beyond position: PagePosition, isReversed: Bool) -> SQLExpression {
    let comparisons = zip(terms, position.values).map { term, value in
      PageComparison(term, value, isReversed: isReversed)
    }
    if comparisons.allSatisfy({ $0.isPlain && $0.isDescending == comparisons[0].isDescending }) {
      return .binary(
        comparisons[0].isDescending
          ? (position.isInclusive ? .lessThanOrEqual : .lessThan)
          : (position.isInclusive ? .greaterThanOrEqual : .greaterThan),
        .row(comparisons.map(\.operand)), .row(comparisons.map { SQLExpression($0.value) }))
    }
    var condition = SQLExpression(false.databaseValue)
    for (index, comparison) in comparisons.enumerated().reversed() {
      let isLast = index == comparisons.count - 1
      let equal: SQLExpression? =
        isLast
        ? (position.isInclusive ? comparison.equal : nil)
        : .associative(.and, [comparison.equal, condition])
      condition = SQLExpression.associative(.or, comparison.beyond + (equal.map { [$0] } ?? []))
    }
    // The range of an index, where the first term can't be null beyond the value.
    guard let bound = comparisons[0].bound else { return condition }
    return .associative(.and, [bound, condition])
  }
}

/// A term of an order, and its value at a position.
private struct PageComparison {
  let term: PageOrder.Term
  let value: DatabaseValue
  let isDescending: Bool
  /// Whether nulls follow the other values.
  let nullsFollow: Bool

  init(_ term: PageOrder.Term, _ value: DatabaseValue, isReversed: Bool) {
    self.term = term
    self.value = value
    switch isReversed ? term.direction.reversed : term.direction {
    case .unspecified, .ascending: (isDescending, nullsFollow) = (false, false)
    case .ascendingNullsLast: (isDescending, nullsFollow) = (false, true)
    case .descending: (isDescending, nullsFollow) = (true, true)
    case .descendingNullsFirst: (isDescending, nullsFollow) = (true, false)
    }
  }

  var operand: SQLExpression {
    term.isConverted ? SQL("+(\(term.expression))").sqlExpression : term.expression
  }

  /// Whether no null is at the position or beyond it.
  var isPlain: Bool { !value.isNull && (!nullsFollow || term.isNeverNull) }

  var equal: SQLExpression { .equal(operand, SQLExpression(value)) }

  /// The alternatives: none if all other values come before.
  var beyond: [SQLExpression] {
    if value.isNull { return nullsFollow ? [] : [.comparison(.notIdentical, operand, .null)] }
    let comparison = SQLExpression.binary(
      isDescending ? .lessThan : .greaterThan, operand, SQLExpression(value))
    return isPlain ? [comparison] : [comparison, .identical(operand, .null)]
  }

  var bound: SQLExpression? {
    guard isPlain else { return nil }
    return .binary(
      isDescending ? .lessThanOrEqual : .greaterThanOrEqual, operand, SQLExpression(value))
  }
}
