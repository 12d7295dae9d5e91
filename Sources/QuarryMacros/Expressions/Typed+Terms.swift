#if Macros
  public import Quarry

  extension Typed: SQLSelectable, SQLOrderingTerm {
    /// The expression, selected.
    public var sqlSelection: SQLSelection { sqlExpression.sqlSelection }

    /// The expression, in its default order.
    public var sqlOrdering: SQLOrdering { sqlExpression.sqlOrdering }

    /// The ascending order.
    ///
    /// ```swift
    /// // ORDER BY "score" ASC
    /// Player.order { $0.score.asc }
    /// ```
    public var asc: SQLOrdering { sqlExpression.asc }

    /// The descending order.
    public var desc: SQLOrdering { sqlExpression.desc }

    /// The ascending order, nulls after all other values.
    public var ascNullsLast: SQLOrdering { sqlExpression.ascNullsLast }

    /// The descending order, nulls before all other values.
    public var descNullsFirst: SQLOrdering { sqlExpression.descNullsFirst }

    /// The expression, selected under a name.
    ///
    /// ```swift
    /// // SELECT *, "score" + "bonus" AS "total" FROM "player"
    /// Player.annotated { ($0.score + $0.bonus).forKey("total") }
    /// ```
    public func forKey(_ name: String) -> SQLSelection { sqlExpression.forKey(name) }

    /// The expression, selected under the name of a coding key.
    public func forKey(_ key: some CodingKey) -> SQLSelection { sqlExpression.forKey(key) }
  }
#endif
