// Calls of functions by name, for those that have no Swift function.

public import Quarry

extension SQLExpression {
  /// A call of an SQL function.
  ///
  /// ```swift
  /// // SOUNDEX("name")
  /// SQLExpression.function("SOUNDEX", Column("name"))
  /// ```
  ///
  /// See `aggregate(_:_:distinct:orderBy:filter:)` for aggregate functions: called by this method,
  /// they are computed from the rows of all records in `including(all:)`.
  ///
  /// - parameter name: The name of the function. A keyword of SQLite, or what is no word, is in
  ///   quotes: `"replace"("name")`.
  /// - parameter arguments: The arguments; nil is `NULL`.
  public static func function(
    _ name: String, _ arguments: (any SQLExpressible)?...
  ) -> SQLExpression {
    .scalar(
      name.plainUnlessKeyword, arguments.map { SQLExpression(nullable: $0) }, isPure: false)
  }

  /// A call of an aggregate function.
  ///
  /// ```swift
  /// // GROUP_CONCAT("name", ?) FILTER (WHERE "score" > ?)
  /// SQLExpression.aggregate("GROUP_CONCAT", Column("name"), "; ", filter: Column("score") > 0)
  /// ```
  ///
  /// An order of the arguments needs SQLite 3.44: with an earlier version, preparing the request
  /// throws an error.
  ///
  /// - parameter name: The name of the function. A keyword of SQLite, or what is no word, is in
  ///   quotes: `"replace"("name")`.
  /// - parameter arguments: The arguments; nil is `NULL`.
  /// - parameter distinct: Equal values count once.
  /// - parameter orderings: The order in which the function sees the values.
  /// - parameter filter: Only rows that satisfy this condition count.
  public static func aggregate(
    _ name: String, _ arguments: (any SQLExpressible)?..., distinct: Bool = false,
    orderBy orderings: any SQLOrderingTerm..., filter: (any SQLSpecificExpressible)? = nil
  ) -> SQLExpression {
    .aggregate(
      name.plainUnlessKeyword, arguments.map { SQLExpression(nullable: $0) },
      isDistinct: distinct, orderBy: orderings.map { $0.sqlOrdering }, filter: filter?.sqlExpression
    )
  }
}
