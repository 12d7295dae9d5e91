extension SQLSpecificExpressible {
  /// The ascending order.
  ///
  /// ```swift
  /// // ORDER BY "score" ASC
  /// Player.order(Column("score").asc)
  /// ```
  public var asc: SQLOrdering { SQLOrdering(.expression(sqlExpression, .ascending)) }

  /// The descending order.
  ///
  /// ```swift
  /// // ORDER BY "score" DESC
  /// Player.order(Column("score").desc)
  /// ```
  public var desc: SQLOrdering { SQLOrdering(.expression(sqlExpression, .descending)) }

  /// The ascending order, nulls after all other values.
  ///
  /// ```swift
  /// // ORDER BY "score" ASC NULLS LAST
  /// Player.order(Column("score").ascNullsLast)
  /// ```
  public var ascNullsLast: SQLOrdering {
    SQLOrdering(.expression(sqlExpression, .ascendingNullsLast))
  }

  /// The descending order, nulls before all other values.
  ///
  /// ```swift
  /// // ORDER BY "score" DESC NULLS FIRST
  /// Player.order(Column("score").descNullsFirst)
  /// ```
  public var descNullsFirst: SQLOrdering {
    SQLOrdering(.expression(sqlExpression, .descendingNullsFirst))
  }

  /// The expression, selected under a name.
  ///
  /// ```swift
  /// // SELECT "score" + "bonus" AS "total" FROM "player"
  /// Player.select((Column("score") + Column("bonus")).forKey("total"))
  /// ```
  public func forKey(_ name: String) -> SQLSelection { SQLSelection(.aliased(sqlExpression, name)) }

  /// The expression, selected under the name of a coding key.
  public func forKey(_ key: some CodingKey) -> SQLSelection { forKey(key.stringValue) }

  /// The expression, compared with a collation.
  ///
  /// ```swift
  /// // "name" = ? COLLATE NOCASE
  /// Column("name").collating(.nocase) == "arthur"
  ///
  /// // ORDER BY "name" COLLATE NOCASE
  /// Player.order(Column("name").collating(.nocase))
  /// ```
  public func collating(_ collation: Database.CollationName) -> SQLExpression {
    sqlExpression.collated(collation.rawValue)
  }

  /// The expression, compared with a collation of the application.
  public func collating(_ collation: DatabaseCollation) -> SQLExpression {
    sqlExpression.collated(collation.name)
  }

  /// The first operand, or the second where the first is null.
  ///
  /// ```swift
  /// // IFNULL("nickName", ?)
  /// Column("nickName") ?? "Anonymous"
  /// ```
  public static func ?? (lhs: Self, rhs: some SQLExpressible) -> SQLExpression {
    .scalar("IFNULL", lhs.sqlExpression, rhs.sqlExpression)
  }
}
