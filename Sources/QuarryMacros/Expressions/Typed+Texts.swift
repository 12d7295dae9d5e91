#if Macros
  public import Quarry

  extension Typed where Value: TextInDatabase {
    /// Pattern matching. `%` matches any characters, `_` matches one.
    ///
    /// ```swift
    /// // "name" LIKE ?
    /// Player.filter { $0.name.like("A%") }
    /// ```
    ///
    /// See <https://www.sqlite.org/lang_expr.html#like>.
    public func like(_ pattern: String, escape: String? = nil) -> TypedCondition<Root> {
      TypedExpression(plain.like(pattern, escape: escape))
    }

    /// Pattern matching that distinguishes case. `*` matches any characters, `?` matches one,
    /// `[a-z]` one of a range.
    public func glob(_ pattern: String) -> TypedCondition<Root> {
      TypedExpression(plain.glob(pattern))
    }

    /// The text, compared with a collation.
    ///
    /// ```swift
    /// // "name" = ? COLLATE NOCASE
    /// Player.filter { $0.name.collating(.nocase) == "anna" }
    /// ```
    public func collating(_ collation: Database.CollationName) -> TypedExpression<Root, Value> {
      TypedExpression(sqlExpression.collating(collation), coding)
    }

    /// The text, compared with a collation of the application.
    public func collating(_ collation: DatabaseCollation) -> TypedExpression<Root, Value> {
      TypedExpression(sqlExpression.collating(collation), coding)
    }
  }
#endif
