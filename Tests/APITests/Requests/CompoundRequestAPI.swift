import Quarry

func compoundRequest(_ db: Database) throws {
  let names = Player.select(Column("name"), as: String.self)
  let teams: SQLRequest<String> = "SELECT name FROM team"
  let compound: CompoundRequest<String> = names.union(teams)
  let _: [CompoundRequest<String>] = [
    names.unionAll(teams), names.intersect(teams), teams.except(names), compound.union(names),
    AnyFetchRequest(names).union(teams),
  ]
  let ordered: CompoundRequest<String> =
    compound
    .order(Column("name").desc)
    .order(sql: "1")
    .order(literal: "\(Column("name"))")
    .order([Column("name")])
    .orderWhenConnected { _ in [Column("name")] }
    .reversed()
    .unordered()
    .withStableOrder()
    .limit(10)
    .limit(10, offset: 20)
    .with(CommonTableExpression<Row>(named: "best", sql: "SELECT 1"))
  let _: CompoundRequest<Player> = Player.all().union(Player.limit(1)).order { $0.score.desc }
  let _: CompoundRequest<Row> = compound.asRequest(of: Row.self)
  let _: AdaptedFetchRequest<CompoundRequest<String>> = compound.adapted { _ in EmptyRowAdapter() }
  let _: [String] = try ordered.fetchAll(db)
  let _: Set<String> = try ordered.fetchSet(db)
  let _: String? = try ordered.fetchOne(db)
  _ = try ordered.fetchCursor(db)
  let _: Int = try ordered.fetchCount(db)
  let _: Bool = try ordered.isEmpty(db)
  let _: PreparedRequest = try ordered.makePreparedRequest(db)
  let _: SQLSubquery = compound.sqlSubquery
  let _: SQLExpression = compound.contains(Column("name"))
  let _: SQLExpression = compound.exists()
}

func recursiveTableExpressions() {
  let counter = CommonTableExpression<Int>(named: "counter", columns: ["x"]) { counter in
    SQLRequest<Int>("SELECT 1").unionAll(counter.all().select(Column("x") + 1))
  }
  let rows = CommonTableExpression(named: "rows") { rows in
    Table("player").all().union(rows.all())
  }
  let _: CommonTableExpression<Row> = rows
  let _: CommonTableExpression<Int> = counter.materialized()
  let _: CommonTableExpression<Int> = counter.materialized(false)
}
