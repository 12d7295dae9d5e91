/// Several expressions that are compared together, one after the other.
///
/// ```swift
/// // ("shop", "isbn") = (?, ?)
/// SQLRowValue(Column("shop"), Column("isbn")) == SQLRowValue("north", "978")
///
/// // The next page: ("score", "id") > (?, ?)
/// SQLRowValue(Column("score"), Column("id")) > SQLRowValue(last.score, last.id)
///
/// // ("shop", "isbn") IN (VALUES (?, ?), (?, ?))
/// [SQLRowValue("north", "a"), SQLRowValue("south", "b")]
///   .contains(SQLRowValue(Column("shop"), Column("isbn")))
///
/// // ("shop", "isbn") IN (SELECT "shop", "isbn" FROM "stockMove")
/// StockMove.select(Column("shop"), Column("isbn"))
///   .contains(SQLRowValue(Column("shop"), Column("isbn")))
/// ```
///
/// A comparison of row values with different numbers of columns is an invalid request. So is a row
/// value without any expression. A row value of one expression is this expression.
///
/// See <https://www.sqlite.org/rowvalue.html>.
public struct SQLRowValue: SQLSpecificExpressible, Sendable {
  /// The row value as an expression.
  public let sqlExpression: SQLExpression

  /// Creates a row value from its expressions; nil is `NULL`.
  public init(_ elements: (any SQLExpressible)?...) { self.init(elements) }

  /// See `init(_:)`.
  public init(_ elements: [(any SQLExpressible)?]) {
    sqlExpression = .row(elements.map { SQLExpression(nullable: $0) })
  }
}
