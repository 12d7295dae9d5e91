import Foundation
import Quarry

func fetchTableRecords(_ db: Database) throws {
  let _: RecordCursor<Team> = try Team.fetchCursor(db)
  let _: [Team] = try Team.fetchAll(db)
  let _: Team? = try Team.fetchOne(db)
  let _: Set<Team> = try Team.fetchSet(db)
  let _: RecordCursor<Team> = try Team.fetchCursor(db, keys: [1, 2])
  let _: [Team] = try Team.fetchAll(db, keys: Set([1, 2]))
  let _: [Team] = try Team.fetchAll(db, keys: ["a", "b"])
  let _: Team? = try Team.fetchOne(db, key: 1)
  let _: Team? = try Team.fetchOne(db, key: nil as Int?)
  let _: Team = try Team.find(db, key: 1)
  let _: RecordCursor<Team> = try Team.fetchCursor(db, ids: [1, 2])
  let _: [Team] = try Team.fetchAll(db, ids: Set([1, 2]))
  let _: Team? = try Team.fetchOne(db, id: 1)
  let _: Team = try Team.find(db, id: 1)
  let _: Set<Team> = try Team.fetchSet(db, keys: [1, 2])
  let _: Set<Team> = try Team.fetchSet(db, ids: [1, 2])
  let key: [String: (any DatabaseValueConvertible)?] = ["citizenId": 1, "countryCode": "FR"]
  let _: RecordCursor<Citizenship> = try Citizenship.fetchCursor(db, keys: [key])
  let _: [Citizenship] = try Citizenship.fetchAll(
    db, keys: [["citizenId": 1, "countryCode": "FR"]])
  let _: Citizenship? = try Citizenship.fetchOne(db, key: ["citizenId": 1, "countryCode": "FR"])
  let _: Citizenship? = try Citizenship.fetchOne(db, key: key)
  let _: Citizenship? = try Citizenship.fetchOne(
    db, key: nil as [String: (any DatabaseValueConvertible)?]?)
  let _: Citizenship = try Citizenship.find(db, key: ["citizenId": 1, "countryCode": "FR"])
  let _: Set<Citizenship> = try Citizenship.fetchSet(db, keys: [key])
  let _: Player? = try Player.fetchOne(db, id: 1)
  let _: Player? = try Player.fetchOne(db, id: nil)
  let _: [Player] = try Player.fetchAll(db, ids: [1, nil])
}

func fetchRecords<Record: FetchableRecord & Hashable>(
  _ type: Record.Type, _ statement: Statement, _ db: Database
) throws {
  let adapter: any RowAdapter = SuffixRowAdapter(fromIndex: 1)
  let _: RecordCursor<Record> = try Record.fetchCursor(statement)
  let _: RecordCursor<Record> = try Record.fetchCursor(statement, arguments: [1], adapter: adapter)
  let _: [Record] = try Record.fetchAll(statement)
  let _: [Record] = try Record.fetchAll(statement, arguments: [1], adapter: adapter)
  let _: Record? = try Record.fetchOne(statement)
  let _: Record? = try Record.fetchOne(statement, arguments: [1], adapter: adapter)
  let _: Set<Record> = try Record.fetchSet(statement)
  let _: Set<Record> = try Record.fetchSet(statement, arguments: [1], adapter: adapter)
  let _: RecordCursor<Record> = try Record.fetchCursor(db, sql: "SELECT 1")
  let _: RecordCursor<Record> = try Record.fetchCursor(
    db, sql: "SELECT ?", arguments: [1], adapter: adapter)
  let _: [Record] = try Record.fetchAll(db, sql: "SELECT 1")
  let _: [Record] = try Record.fetchAll(db, sql: "SELECT ?", arguments: [1], adapter: adapter)
  let _: Record? = try Record.fetchOne(db, sql: "SELECT 1")
  let _: Record? = try Record.fetchOne(db, sql: "SELECT ?", arguments: [1], adapter: adapter)
  let _: Set<Record> = try Record.fetchSet(db, sql: "SELECT 1")
  let _: Set<Record> = try Record.fetchSet(db, sql: "SELECT ?", arguments: [1], adapter: adapter)
  let _: RecordCursor<Record> = try Record.fetchCursor(db, Player.all())
  let _: [Record] = try Record.fetchAll(db, Player.including(required: Player.team))
  let _: Record? = try Record.fetchOne(db, Player.all())
  let _: Set<Record> = try Record.fetchSet(db, SQLRequest<Row>(sql: "SELECT 1"))
  let _: Record.Type = RecordCursor<Record>.Element.self
}

func fetchableRecord<Record: FetchableRecord>(_ type: Record.Type, _ row: Row) throws {
  let _: Record = try Record(row: row)
  let _: [CodingUserInfoKey: Any] = Record.databaseDecodingUserInfo
  let _: JSONDecoder = Record.databaseJSONDecoder(for: "data")
  let _: DatabaseDataDecodingStrategy = Record.databaseDataDecodingStrategy(for: "data")
  let _: DatabaseDateDecodingStrategy = Record.databaseDateDecodingStrategy(for: "date")
  let _: DatabaseColumnDecodingStrategy = Record.databaseColumnDecodingStrategy
}

/// The initializer may throw, or not.
struct Named: FetchableRecord {
  var name: String

  init(row: Row) {
    name = row["name"]
  }
}

/// Decodes some properties, and computes others.
struct Ranked: Decodable, FetchableRecord {
  var name: String
  var rank: Int

  init(row: Row) throws {
    name = try FetchableRecordDecoder().decode(PlayerInfo.self, from: row).name
    rank = row["rank"]
  }
}

func recordDecoder(_ row: Row) throws {
  let decoder = FetchableRecordDecoder()
  let _: Player = try decoder.decode(Player.self, from: row)
}
