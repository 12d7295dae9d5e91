// Row values. See <https://www.sqlite.org/rowvalue.html>.

extension SQLExpression {
  /// A row value of several expressions. One expression is itself.
  package static func row(_ elements: [SQLExpression]) -> SQLExpression {
    if elements.isEmpty {
      return SQLExpression(.invalid(InvalidRequest("A row value needs at least one expression")))
    }
    return elements.count == 1 ? elements[0] : SQLExpression(.row(elements))
  }

  /// True for row values of several expressions.
  var isRowValue: Bool { if case .row(let elements) = node { elements.count > 1 } else { false } }

  /// The fault of two operands that can't be compared because of their numbers of columns.
  static func widthFault(
    _ left: borrowing SQLExpression, _ right: borrowing SQLExpression
  ) -> SQLExpression? {
    guard left.isRowValue || right.isRowValue, let count = left.width,
      let otherCount = right.width, count != otherCount
    else { return nil }
    return SQLExpression(
      .invalid(
        InvalidRequest(
          "Can't compare \(count == 1 ? "one value" : "a row value of \(count) columns") "
            + "with \(otherCount == 1 ? "one value" : "a row value of \(otherCount) columns")")))
  }

  /// The number of columns, nil when only SQLite knows it.
  private var width: Int? {
    if case .row(let elements) = node { return elements.count }
    return node.traits.contains(.hasOneColumn) ? 1 : nil
  }
}
