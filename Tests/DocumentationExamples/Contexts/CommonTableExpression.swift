let recentId = CommonTableExpression<Int64>(named: "recentId", request: Book.select(Column("id")))
