import Quarry

func rowRequest(_ request: some FetchRequest<Row>, _ db: Database) throws {
  let _: RowCursor = try request.fetchCursor(db)
  let _: [Row] = try request.fetchAll(db)
  let _: Row? = try request.fetchOne(db)
  let _: Set<Row> = try request.fetchSet(db)
}

func valueRequest<R: FetchRequest>(_ request: R, _ db: Database) throws
where R.RowDecoder: DatabaseValueConvertible & Hashable {
  let _: DatabaseValueCursor<R.RowDecoder> = try request.fetchCursor(db)
  let _: [R.RowDecoder] = try request.fetchAll(db)
  let _: R.RowDecoder? = try request.fetchOne(db)
  let _: Set<R.RowDecoder> = try request.fetchSet(db)
}

func fastValueRequest<R: FetchRequest>(_ request: R, _ db: Database) throws
where R.RowDecoder: DatabaseValueConvertible & StatementColumnConvertible & Hashable {
  let _: FastDatabaseValueCursor<R.RowDecoder> = try request.fetchCursor(db)
  let _: [R.RowDecoder] = try request.fetchAll(db)
  let _: R.RowDecoder? = try request.fetchOne(db)
  let _: Set<R.RowDecoder> = try request.fetchSet(db)
}

func recordRequest<R: FetchRequest>(_ request: R, _ db: Database) throws
where R.RowDecoder: FetchableRecord & Hashable {
  let _: RecordCursor<R.RowDecoder> = try request.fetchCursor(db)
  let _: [R.RowDecoder] = try request.fetchAll(db)
  let _: R.RowDecoder? = try request.fetchOne(db)
  let _: Set<R.RowDecoder> = try request.fetchSet(db)
}

func preparedRequest<R: FetchRequest>(_ request: R, _ db: Database) throws {
  var prepared: PreparedRequest = try request.makePreparedRequest(db, forSingleResult: false)
  prepared.statement = try db.makeStatement(sql: "SELECT 1")
  prepared.adapter = SuffixRowAdapter(fromIndex: 1)
  prepared.adapter = nil
  let _: Int = try request.fetchCount(db)
  let _: String = try request.sql(db)
  let adapted: AdaptedFetchRequest<R> = request.adapted { _ in SuffixRowAdapter(fromIndex: 1) }
  let _: SQLSubquery = adapted.sqlSubquery
  let _: Int = try adapted.fetchCount(db)
  let _: PreparedRequest = try adapted.makePreparedRequest(db)
  let _: PreparedRequest = try adapted.makePreparedRequest(db, forSingleResult: true)
  let _: AdaptedFetchRequest<R>.RowDecoder.Type = R.RowDecoder.self
}

func anyRequest(_ request: AnyFetchRequest<Player>, _ db: Database) throws {
  let _: AnyFetchRequest<Row> = request.asRequest(of: Row.self)
  let any: AnyFetchRequest<Team> = AnyFetchRequest(Team.all())
  let _: SQLSubquery = any.sqlSubquery
  let _: Int = try any.fetchCount(db)
  let _: PreparedRequest = try any.makePreparedRequest(db)
  let _: PreparedRequest = try any.makePreparedRequest(db, forSingleResult: true)
}

func existentialRequest(_ request: any FetchRequest<Player>, _ db: Database) throws {
  let _: [Player] = try request.fetchAll(db)
  let _: Int = try request.fetchCount(db)
}

/// A request of an application.
struct BestPlayers: FetchRequest {
  typealias RowDecoder = Player

  var sqlSubquery: SQLSubquery { Player.all().sqlSubquery }

  func fetchCount(_ db: Database) throws -> Int { try Player.fetchCount(db) }

  func makePreparedRequest(_ db: Database, forSingleResult: Bool) throws -> PreparedRequest {
    try Player.all().makePreparedRequest(db, forSingleResult: forSingleResult)
  }
}

func sqlRequest(_ db: Database) throws {
  var request = SQLRequest<Player>(sql: "SELECT * FROM player")
  request.adapter = nil
  _ = SQLRequest<Player>(sql: "SELECT ?", arguments: [1])
  _ = SQLRequest<Player>(sql: "SELECT ?", arguments: [1], adapter: nil, cached: true)
  _ = SQLRequest<Player>(literal: "SELECT \(1)")
  _ = SQLRequest<Player>(literal: "SELECT \(1)", adapter: SuffixRowAdapter(fromIndex: 1))
  _ = SQLRequest<Player>(literal: "SELECT \(1)", adapter: nil, cached: true)
  let rows = SQLRequest(sql: "SELECT * FROM player", arguments: [1], adapter: nil, cached: true)
  let _: SQLRequest<Row> = rows
  let literalRows = SQLRequest(literal: "SELECT \(1)", adapter: nil, cached: true)
  let _: SQLRequest<Row> = literalRows
  let _: SQLRequest<Int> = "SELECT 1"
  let _: SQLRequest<Player> = "SELECT * FROM player WHERE id = \(1)"
  let _: SQLSubquery = request.sqlSubquery
  let _: Int = try request.fetchCount(db)
  let _: PreparedRequest = try request.makePreparedRequest(db)
  let _: PreparedRequest = try request.makePreparedRequest(db, forSingleResult: true)
  let _: [Player] = try request.fetchAll(db)
  let _: [Int] = try SQLRequest<Int>(sql: "SELECT 1").fetchAll(db)
  let _: Int? = try SQLRequest<Int>(sql: "SELECT 1").fetchOne(db)
  _ = SQLRequest<Int>(unicodeScalarLiteral: "a")
  _ = SQLRequest<Int>(extendedGraphemeClusterLiteral: "a")
  _ = SQLRequest<Int>(stringLiteral: "SELECT 1")
  _ = SQLRequest<Int>(stringInterpolation: .init(literalCapacity: 1, interpolationCount: 0))
}
