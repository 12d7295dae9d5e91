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
  ) -> SQLExpression { self.pattern(.like, pattern, escape: escape) }

  /// Pattern matching that distinguishes case. `*` matches any characters, `?` matches one, `[a-z]`
  /// one of a range.
  ///
  /// ```swift
  /// // "path" GLOB ?
  /// Column("path").glob("/home/*/[a-m]*")
  /// ```
  ///
  /// See <https://www.sqlite.org/lang_expr.html#the_like_glob_regexp_match_and_extract_operators>.
  public func glob(_ pattern: some SQLExpressible) -> SQLExpression { self.pattern(.glob, pattern) }

  /// Matching of a regular expression.
  ///
  /// ```swift
  /// // "code" REGEXP ?
  /// Column("code").regexp("^[A-Z]{2}[0-9]+$")
  /// ```
  ///
  /// SQLite has the operator, but no implementation: add ``DatabaseFunction/regexp`` to the
  /// connection.
  public func regexp(_ pattern: some SQLExpressible) -> SQLExpression {
    self.pattern(.regexp, pattern)
  }

  /// Matching by a function of the application, or by a virtual table such as that of full-text
  /// search.
  ///
  /// ```swift
  /// // "body" MATCH ?
  /// Column("body").match("sqlite")
  /// ```
  ///
  /// See <https://www.sqlite.org/lang_expr.html#the_like_glob_regexp_match_and_extract_operators>.
  public func match(_ pattern: some SQLExpressible) -> SQLExpression {
    .binary(.match, sqlExpression, pattern.sqlExpression)
  }

  private func pattern(
    _ op: SQLExpression.PatternOperator, _ pattern: some SQLExpressible,
    escape: (any SQLExpressible)? = nil
  ) -> SQLExpression {
    SQLExpression(
      .pattern(
        op, sqlExpression, pattern.sqlExpression, escape: escape?.sqlExpression,
        isNegated: false))
  }

  /// The string, each word with a capital, as `String.capitalized`.
  public var capitalized: SQLExpression { .scalar("swiftCapitalizedString", sqlExpression) }

  /// The string in lower case, as `String.lowercased()`, for all Unicode letters.
  public var lowercased: SQLExpression { .scalar("swiftLowercaseString", sqlExpression) }

  /// The string in upper case, as `String.uppercased()`, for all Unicode letters.
  public var uppercased: SQLExpression { .scalar("swiftUppercaseString", sqlExpression) }

  /// The string, each word with a capital, by the rules of the current locale.
  public var localizedCapitalized: SQLExpression {
    .scalar("swiftLocalizedCapitalizedString", sqlExpression)
  }

  /// The string in lower case, by the rules of the current locale.
  public var localizedLowercased: SQLExpression {
    .scalar("swiftLocalizedLowercaseString", sqlExpression)
  }

  /// The string in upper case, by the rules of the current locale.
  public var localizedUppercased: SQLExpression {
    .scalar("swiftLocalizedUppercaseString", sqlExpression)
  }
}
