import Foundation
import Quarry

func fetchValues<Value: DatabaseValueConvertible & Hashable>(
  _ type: Value.Type, _ statement: Statement, _ db: Database
) throws {
  let adapter: any RowAdapter = SuffixRowAdapter(fromIndex: 1)
  let _: DatabaseValueCursor<Value> = try Value.fetchCursor(statement)
  let _: DatabaseValueCursor<Value> = try Value.fetchCursor(
    statement, arguments: [1], adapter: adapter)
  let _: [Value] = try Value.fetchAll(statement)
  let _: [Value] = try Value.fetchAll(statement, arguments: [1], adapter: adapter)
  let _: Value? = try Value.fetchOne(statement)
  let _: Value? = try Value.fetchOne(statement, arguments: [1], adapter: adapter)
  let _: Set<Value> = try Value.fetchSet(statement)
  let _: Set<Value> = try Value.fetchSet(statement, arguments: [1], adapter: adapter)
  let _: DatabaseValueCursor<Value> = try Value.fetchCursor(db, sql: "SELECT 1")
  let _: DatabaseValueCursor<Value> = try Value.fetchCursor(
    db, sql: "SELECT ?", arguments: [1], adapter: adapter)
  let _: [Value] = try Value.fetchAll(db, sql: "SELECT 1")
  let _: [Value] = try Value.fetchAll(db, sql: "SELECT ?", arguments: [1], adapter: adapter)
  let _: Value? = try Value.fetchOne(db, sql: "SELECT 1")
  let _: Value? = try Value.fetchOne(db, sql: "SELECT ?", arguments: [1], adapter: adapter)
  let _: Set<Value> = try Value.fetchSet(db, sql: "SELECT 1")
  let _: Set<Value> = try Value.fetchSet(db, sql: "SELECT ?", arguments: [1], adapter: adapter)
  let _: DatabaseValueCursor<Value> = try Value.fetchCursor(db, Player.all())
  let _: [Value] = try Value.fetchAll(db, Player.all())
  let _: Value? = try Value.fetchOne(db, Player.all())
  let _: Set<Value> = try Value.fetchSet(db, Player.all())
}

func fetchFastValues<Value: DatabaseValueConvertible & StatementColumnConvertible & Hashable>(
  _ type: Value.Type, _ statement: Statement, _ db: Database
) throws {
  let adapter: any RowAdapter = SuffixRowAdapter(fromIndex: 1)
  let _: FastDatabaseValueCursor<Value> = try Value.fetchCursor(statement)
  let _: FastDatabaseValueCursor<Value> = try Value.fetchCursor(
    statement, arguments: [1], adapter: adapter)
  let _: [Value] = try Value.fetchAll(statement)
  let _: [Value] = try Value.fetchAll(statement, arguments: [1], adapter: adapter)
  let _: Value? = try Value.fetchOne(statement)
  let _: Value? = try Value.fetchOne(statement, arguments: [1], adapter: adapter)
  let _: Set<Value> = try Value.fetchSet(statement)
  let _: Set<Value> = try Value.fetchSet(statement, arguments: [1], adapter: adapter)
  let _: FastDatabaseValueCursor<Value> = try Value.fetchCursor(db, sql: "SELECT 1")
  let _: FastDatabaseValueCursor<Value> = try Value.fetchCursor(
    db, sql: "SELECT ?", arguments: [1], adapter: adapter)
  let _: [Value] = try Value.fetchAll(db, sql: "SELECT 1")
  let _: [Value] = try Value.fetchAll(db, sql: "SELECT ?", arguments: [1], adapter: adapter)
  let _: Value? = try Value.fetchOne(db, sql: "SELECT 1")
  let _: Value? = try Value.fetchOne(db, sql: "SELECT ?", arguments: [1], adapter: adapter)
  let _: Set<Value> = try Value.fetchSet(db, sql: "SELECT 1")
  let _: Set<Value> = try Value.fetchSet(db, sql: "SELECT ?", arguments: [1], adapter: adapter)
  let _: FastDatabaseValueCursor<Value> = try Value.fetchCursor(db, Player.all())
  let _: [Value] = try Value.fetchAll(db, Player.all())
  let _: Value? = try Value.fetchOne(db, Player.all())
  let _: Set<Value> = try Value.fetchSet(db, Player.all())
}

func fetchConcreteValues(_ db: Database) throws {
  // Without annotation: types that read from statements take the fast cursor.
  let ints = try Int.fetchCursor(db, sql: "SELECT 1")
  let _: FastDatabaseValueCursor<Int> = ints
  let _: Int? = try ints.next()
  let urls = try URL.fetchCursor(db, sql: "SELECT 1")
  let _: DatabaseValueCursor<URL> = urls
  let names = try String.fetchAll(db, sql: "SELECT name FROM player")
  let _: [String] = names
  let _: [String?] = try String?.fetchAll(db, sql: "SELECT name FROM player")
  let _: [Int?] = try Optional<Int>.fetchAll(db, sql: "SELECT score FROM player")
  let _: Set<Color> = try Color.fetchSet(db, sql: "SELECT color FROM team")
  let _: [Level] = try Level.fetchAll(db, sql: "SELECT level FROM team")
  let _: Color? = try Color.fetchOne(db, sql: "SELECT color FROM team")
  let _: [DatabaseValue] = try DatabaseValue.fetchAll(db, sql: "SELECT 1")
  let _: Date? = try Date.fetchOne(db, sql: "SELECT CURRENT_TIMESTAMP")
  let _: UUID? = try UUID.fetchOne(db, sql: "SELECT 1")
  let _: Int? = try Int.fetchOne(db, sql: "SELECT ?", arguments: ["id"])
  let _: Int? = try Int.fetchOne(db, Player.select(max(Player.Columns.score)))
  let _: Int.Type = FastDatabaseValueCursor<Int>.Element.self
  let _: URL.Type = DatabaseValueCursor<URL>.Element.self
}
