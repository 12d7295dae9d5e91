extension SQLSpecificExpressible {
  /// Pattern matching. `%` matches any characters, `_` matches one.
  ///
  /// ```swift
  /// // "email" LIKE ?
  /// Column("email").like("%@example.com")
  ///
  /// // "title" LIKE ? ESCAPE ?
  /// Column("title").like("%10\\%%", escape: "\\")
  /// ```
  ///
  /// See <https://www.sqlite.org/lang_expr.html#like>.
  public func like(
    _ pattern: some SQLExpressible, escape: (any SQLExpressible)? = nil
  ) -> SQLExpression {
    SQLExpression(
      .like(
        sqlExpression, pattern.sqlExpression, escape: escape?.sqlExpression, isNegated: false))
  }

  /// The string, each word with a capital, as `String.capitalized`.
  public var capitalized: SQLExpression { .function("swiftCapitalizedString", sqlExpression) }

  /// The string in lower case, as `String.lowercased()`, for all Unicode letters.
  public var lowercased: SQLExpression { .function("swiftLowercaseString", sqlExpression) }

  /// The string in upper case, as `String.uppercased()`, for all Unicode letters.
  public var uppercased: SQLExpression { .function("swiftUppercaseString", sqlExpression) }

  /// The string, each word with a capital, by the rules of the current locale.
  public var localizedCapitalized: SQLExpression {
    .function("swiftLocalizedCapitalizedString", sqlExpression)
  }

  /// The string in lower case, by the rules of the current locale.
  public var localizedLowercased: SQLExpression {
    .function("swiftLocalizedLowercaseString", sqlExpression)
  }

  /// The string in upper case, by the rules of the current locale.
  public var localizedUppercased: SQLExpression {
    .function("swiftLocalizedUppercaseString", sqlExpression)
  }
}
