import Quarry
import QuarryPages
import QuarryPlans

func queryInterfaceRequest(_ request: QueryInterfaceRequest<Player>, _ db: Database) throws {
  let _: SQLSubquery = request.sqlSubquery
  let _: Int = try request.fetchCount(db)
  let _: PreparedRequest = try request.makePreparedRequest(db)
  let _: PreparedRequest = try request.makePreparedRequest(db, forSingleResult: true)
  let _: Bool = try request.isEmpty(db)
  let _: String = request.databaseTableName
  let _: QueryInterfaceRequest<Player>.DatabaseComponents = Player.Columns.self
  let _: [Player] = try request.fetchAll(db)
  let _: Set<Player> = try request.fetchSet(db)
  let _: Player? = try request.fetchOne(db)
  let _: RecordCursor<Player> = try request.fetchCursor(db)
  let _: QueryInterfaceRequest<Row> = request.asRequest(of: Row.self)
}

func deferredClauses(_ request: QueryInterfaceRequest<Player>) {
  let _: [QueryInterfaceRequest<Player>] = [
    request.selectWhenConnected { _ in [Column("id")] },
    request.annotatedWhenConnected { _ in [Column("id")] },
    request.annotatedWhenConnected(with: { _ in [Column("id")] }),
    request.filterWhenConnected { db in try Column("id") > Player.fetchCount(db) },
    request.filterWhenConnected { _ in true },
    request.orderWhenConnected { _ in [Column("id").desc, Column("name")] },
    request.groupWhenConnected { _ in [Column("id")] },
    request.havingWhenConnected { _ in count(Column("id")) > 1 },
    request.reversed(), request.unordered(), request.withStableOrder(), request.distinct(),
    request.withAggregatesInSubqueries(),
    request.limit(1), request.limit(1, offset: 2), request.limit(1, offset: nil),
  ]
}

func selectedTypes(_ request: QueryInterfaceRequest<Player>, _ db: Database) throws {
  let _: QueryInterfaceRequest<String> = request.select([Column("name")])
  let _: QueryInterfaceRequest<String> = request.select([Column("name")], as: String.self)
  let _: QueryInterfaceRequest<String> = request.select(Column("name"))
  let _: QueryInterfaceRequest<String> = request.select(Column("name"), as: String.self)
  let _: QueryInterfaceRequest<Row> = request.select(Column("name"), Column("id"), as: Row.self)
  let _: QueryInterfaceRequest<String> = request.select({ $0.name }, as: String.self)
  let _: QueryInterfaceRequest<String> = request.select { $0.name }
  let _: QueryInterfaceRequest<Int> = try request.select({ _ in throw CancellationError() })
  let _: QueryInterfaceRequest<Int> = request.select(sql: "score")
  let _: QueryInterfaceRequest<Int> = request.select(sql: "score + ?", arguments: [1])
  let _: QueryInterfaceRequest<Int> = request.select(
    sql: "score + ?", arguments: [1], as: Int.self)
  let _: QueryInterfaceRequest<Int> = request.select(literal: "score + \(1)")
  let _: QueryInterfaceRequest<Int> = request.select(literal: "score + \(1)", as: Int.self)
  let _: QueryInterfaceRequest<Int64> = request.selectPrimaryKey()
  let _: QueryInterfaceRequest<Int64> = request.selectPrimaryKey(as: Int64.self)
  let _: QueryInterfaceRequest<Int64?> = request.selectID()
  let _: [String] = try request.select(Column("name"), as: String.self).fetchAll(db)
  let _: Int? = try request.select(max(Column("score")), as: Int.self).fetchOne(db)
  let names = try request.select(Column("name"), as: String.self).fetchSet(db)
  let _: Set<String> = names
  let _: [Int64?] = try request.selectID().fetchAll(db)
}

func batchDeletes(_ request: QueryInterfaceRequest<Team>, _ db: Database) throws {
  try request.deleteAll(db)
  let _: Int = try request.deleteAll(db)
  let _: Statement = try request.deleteAndFetchStatement(db, selection: [Column("id")])
  let _: Statement = try request.deleteAndFetchStatement(db, select: { [$0.id, $0.name] })
  let _: Statement = try request.deleteAndFetchStatement(db) { [$0.id] }
  let _: RecordCursor<Team> = try request.deleteAndFetchCursor(db)
  let _: [Team] = try request.deleteAndFetchAll(db)
  let _: Set<Team> = try request.deleteAndFetchSet(db)
  let _: Set<Int64> = try request.deleteAndFetchIds(db)
}

func batchUpdates(_ request: QueryInterfaceRequest<Player>, _ db: Database) throws {
  try request.updateAll(db) { $0.score.set(to: 0) }
  try request.updateAll(db) { [$0.score.set(to: 0), $0.name.set(to: nil)] }
  try request.updateAll(db, assignment: { $0.score += 1 })
  try request.updateAll(db, onConflict: .ignore, assignment: { $0.score += 1 })
  try request.updateAll(db, onConflict: .ignore, assignments: { [$0.score += 1] })
  try request.updateAll(db, [Column("score").set(to: 0)])
  try request.updateAll(db, Column("score").set(to: 0))
  try request.updateAll(db, Column("score") += 1, Column("name").set(to: "Ann"))
  try request.updateAll(db, onConflict: .replace, Column("score") += 1)
  let _: Int = try request.updateAll(db, onConflict: .replace, [Column("score") += 1])
}

func updatesAndFetches(_ request: QueryInterfaceRequest<Player>, _ db: Database) throws {
  let assignments = [Column("score") += 1]
  let _: Statement = try request.updateAndFetchStatement(
    db, onConflict: .ignore, assignments: { [$0.score += 1] }, select: { [$0.score] })
  let _: Statement = try request.updateAndFetchStatement(db) {
    [$0.score += 1]
  } select: {
    [$0.score]
  }
  let _: Statement = try request.updateAndFetchStatement(
    db, onConflict: .ignore, assignments, selection: [Column("score")])
  let _: Statement = try request.updateAndFetchStatement(
    db, assignments, selection: [Column("score")])
  let _: RecordCursor<Player> = try request.updateAndFetchCursor(db) { [$0.score += 1] }
  let _: RecordCursor<Player> = try request.updateAndFetchCursor(
    db, onConflict: .ignore, assignments)
  let _: [Player] = try request.updateAndFetchAll(db) { [$0.score += 1] }
  let _: [Player] = try request.updateAndFetchAll(db, onConflict: .ignore, assignments)
  let _: Set<Player> = try request.updateAndFetchSet(db) { [$0.score += 1] }
  let _: Set<Player> = try request.updateAndFetchSet(db, onConflict: .ignore, assignments)
}

func upsertStrategies() {
  let _: UpsertUpdateStrategy = [.noColumnUnlessSpecified]
  let _: UpsertUpdateStrategy = .allColumns
  let _: Int = UpsertUpdateStrategy(rawValue: 1).rawValue
}

func pages(_ db: Database, _ request: QueryInterfaceRequest<Player>) throws {
  let page: Page<Player> = try request.page(limit: 10).fetch(db)
  let cursors: [PageCursor?] = [page.next, page.previous]
  for cursor in cursors {
    let _: Page<Player> = try request.page(after: cursor, limit: 10).fetch(db)
    let _: Page<Player> = try request.page(before: cursor, limit: 10).fetch(db)
    let _: PageCursor? = try cursor.map { try PageCursor($0.text) }
  }
  let _: QueryInterfaceRequest<Player> = try request.page(limit: 10).request(db)
  let _: Page<Row> = try request.asRequest(of: Row.self).page(limit: 10).fetch(db)
  let _: Page<Int> = try request.select(Column("id"), as: Int.self).page(limit: 10).fetch(db)
}

func plans(_ db: Database, _ request: QueryInterfaceRequest<Player>) throws {
  let plan: ExplainedPlan = try request.explain(db)
  let _: ExplainedPlan = try db.explain(sql: plan.sql, arguments: [1])
  let _: [ExplainedPlan.Step] = plan.steps + plan.allSteps
  let _: [[String]] = [
    plan.scans, plan.searches, plan.indexNames, plan.automaticIndexes, plan.temporaryTrees,
  ]
  var configuration = Configuration()
  configuration.planGuard = PlanGuard { db, sql, arguments in
    _ = try db.explain(sql: sql, arguments: arguments)
  }
}
