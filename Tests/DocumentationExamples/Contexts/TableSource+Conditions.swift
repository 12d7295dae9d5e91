let cte1 = CommonTableExpression(named: "cte1", request: Book.all())
let cte2 = CommonTableExpression(named: "cte2", request: Author.all())
