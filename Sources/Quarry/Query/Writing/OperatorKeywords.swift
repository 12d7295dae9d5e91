// Operators in SQL. See <https://www.sqlite.org/lang_expr.html>.

extension SQLExpression.ComparisonOperator {
  var keyword: StaticString {
    switch self {
    case .equal: " = "
    case .notEqual: " <> "
    case .identical: " IS "
    case .notIdentical: " IS NOT "
    }
  }
}

extension SQLExpression.BinaryOperator {
  var keyword: StaticString {
    switch self {
    case .lessThan: " < "
    case .lessThanOrEqual: " <= "
    case .greaterThan: " > "
    case .greaterThanOrEqual: " >= "
    case .subtract: " - "
    case .divide: " / "
    case .modulo: " % "
    case .leftShift: " << "
    case .rightShift: " >> "
    case .match: " MATCH "
    case .jsonExtract: " -> "
    case .jsonExtractSQL: " ->> "
    }
  }
}

extension SQLExpression.PatternOperator {
  func keyword(isNegated: Bool) -> StaticString {
    switch self {
    case .like: isNegated ? " NOT LIKE " : " LIKE "
    case .glob: isNegated ? " NOT GLOB " : " GLOB "
    case .regexp: isNegated ? " NOT REGEXP " : " REGEXP "
    }
  }
}

extension SQLExpression.AssociativeBinaryOperator {
  var keyword: StaticString {
    switch kind {
    case .add: " + "
    case .multiply: " * "
    case .and: " AND "
    case .or: " OR "
    case .concat: " || "
    case .bitwiseAnd: " & "
    case .bitwiseOr: " | "
    }
  }
}

extension SQLExpression.PrefixOperator {
  var keyword: StaticString {
    switch self {
    case .minus: "-"
    case .bitwiseNot: "~"
    }
  }
}

extension SQLOrdering.Direction {
  var keyword: StaticString {
    switch self {
    case .unspecified: ""
    case .ascending: " ASC"
    case .descending: " DESC"
    case .ascendingNullsLast: " ASC NULLS LAST"
    case .descendingNullsFirst: " DESC NULLS FIRST"
    }
  }
}

extension JoinKind {
  var keyword: StaticString {
    switch self {
    case .inner: " JOIN "
    case .left: " LEFT JOIN "
    case .right: " RIGHT JOIN "
    case .full: " FULL JOIN "
    case .cross: " CROSS JOIN "
    }
  }
}
