import Quarry

func specificExpressible(_ expression: some SQLSpecificExpressible) {
  let _: SQLSelection = expression.sqlSelection
  let _: SQLOrdering = expression.sqlOrdering
  let _: [SQLOrdering] = [
    expression.asc, expression.desc, expression.ascNullsLast, expression.descNullsFirst,
  ]
  let _: SQLSelection = expression.forKey("key")
  let _: SQLSelection = expression.forKey(PlayerKeys.score)
  let _: [SQLExpression] = [
    expression.sqlExpression, expression.collating(.nocase),
    expression.collating(.french),
    expression ?? 1, expression ?? Column("id"), expression ?? "a",
    expression.capitalized, expression.lowercased, expression.uppercased,
    expression.localizedCapitalized, expression.localizedLowercased,
    expression.localizedUppercased, expression.like("a%"),
    expression.like("a%", escape: "\\"), expression.like(Column("pattern")),
    !expression, -expression, ~expression,
  ]
}

func equality(_ anything: (any SQLExpressible)?) {
  let (id, name) = (Column("id"), Column("name"))
  let _: [SQLExpression] = [
    id == 1, id == nil, id == anything, name == "Ann", name == true, id == 1 + 2,
    1 == id, nil == id, anything == id, true == name, id == name, (id + 1) == (id - 1),
    id != 1, id != nil, id != anything, name != true, id != name,
    1 != id, nil != id, anything != id, false != name,
    id === 1, id === nil, id === anything, id === name, 1 === id, nil === id, anything === id,
    id !== 1, id !== nil, id !== anything, id !== name, 1 !== id, nil !== id, anything !== id,
  ]
}

func comparison() {
  let (id, name) = (Column("id"), Column("name"))
  let _: [SQLExpression] = [
    id < 1, id < name, 1 < id, id <= 1, id <= name, 1 <= id,
    id > 1, id > name, 1 > id, id >= 1, id >= name, 1 >= id, name > "a", 1.5 < id,
  ]
}

func arithmetic() {
  let (a, b) = (Column("a"), Column("b"))
  let _: [SQLExpression] = [
    a * 2, 2 * a, a * b, a / 2, 2 / a, a / b, a + 2, 2 + a, a + b, a - 2, 2 - a, a - b,
    a + 1.5, a + b * 2 - 1, -a, -(a + b),
  ]
}

func logic() {
  let (a, b) = (Column("a"), Column("b"))
  let _: [SQLExpression] = [
    a && b, a && true, true && a, a || b, a || false, false || a, !a, !(a && b),
    a == 1 && b == 2, a > 1 || b < 2 && a != nil, (a == 1) == true,
  ]
}

func bits() {
  let (a, b) = (Column("a"), Column("b"))
  let _: [SQLExpression] = [
    a & 1, 1 & a, a & b, a | 1, 1 | a, a | b, a << 1, 1 << a, a << b, a >> 1, 1 >> a, a >> b, ~a,
  ]
}

func membership(_ players: QueryInterfaceRequest<Int64>) {
  let id = Column("id")
  let ids: Set<Int> = [1, 2]
  let anything: [any SQLExpressible] = [1, "a"]
  let _: [SQLExpression] = [
    [1, 2].contains(id), ids.contains(id), ["a", "b"].contains(Column("name")),
    anything.contains(id), (1...3).contains(id), (1..<3).contains(id),
    ("a"..."z").contains(Column("name")), ("a"..<"z").contains(Column("name")),
    (1.0...2.0).contains(id), (1.0..<2.0).contains(id), players.contains(id),
    players.contains(1), players.exists(), !players.exists(), ![1, 2].contains(id),
    [Color.red, .green].contains(Column("color")), (1...10).lazy.map { $0 }.contains(id),
  ]
}

func subqueries(_ subquery: SQLSubquery, _ request: some SQLSubqueryable) {
  let _: SQLSubquery = request.sqlSubquery
  let _: [SQLExpression] = [
    request.sqlExpression, request.contains(1), request.contains(Column("id")), request.exists(),
    subquery.contains(1), subquery.exists(), Column("id") == subquery, subquery > 1,
    Column("score") == Player.select(max(Column("score"))),
  ]
}

func orderings(_ term: some SQLOrderingTerm, _ selectable: some SQLSelectable) {
  let _: SQLOrdering = term.sqlOrdering
  let _: SQLSelection = selectable.sqlSelection
  let _: [any SQLOrderingTerm] = [
    Column("id"), Column("id").desc, Column("name").collating(.nocase).desc, term,
    Column("score") + 1, Player.select(Column("id")), Column.rowID,
  ]
}

func optionalExpressions() {
  let id: Int? = 1
  let column: Column? = Column("id")
  let _: SQLExpression = id.sqlExpression
  let _: SQLExpression = column.sqlExpression
  let _: SQLSelection = column.sqlSelection
  let _: SQLOrdering = column.sqlOrdering
  let _: [SQLExpression] = [Column("id") == id, Column("id") != id, Column("id") > id]
}
