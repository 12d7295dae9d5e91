/// A type that can be a subquery: a request.
///
/// ```swift
/// // SELECT * FROM "author" WHERE "id" IN (SELECT "authorId" FROM "book")
/// Author.filter(Book.select(Column("authorId")).contains(Column("id")))
/// ```
public protocol SQLSubqueryable: SQLSpecificExpressible {
  /// The subquery.
  var sqlSubquery: SQLSubquery { get }
}

extension SQLSubqueryable {
  /// The subquery as a scalar: the first column of its first row.
  public var sqlExpression: SQLExpression { SQLExpression(.subquery(sqlSubquery)) }

  /// True if an element is one of the values that the subquery selects.
  ///
  /// ```swift
  /// // "authorId" IN (SELECT "id" FROM "author")
  /// Author.select(Column("id")).contains(Column("authorId"))
  /// ```
  public func contains(_ element: some SQLExpressible) -> SQLExpression {
    SQLExpression(
      .membership(element.sqlExpression, in: .subquery(sqlSubquery), isNegated: false))
  }

  /// True if the subquery has at least one row.
  ///
  /// ```swift
  /// // EXISTS (SELECT * FROM "author")
  /// Author.all().exists()
  /// ```
  public func exists() -> SQLExpression { SQLExpression(.exists(sqlSubquery, isNegated: false)) }
}

extension SQLSubquery: SQLSubqueryable {
  /// The subquery itself.
  public var sqlSubquery: SQLSubquery { self }
}
