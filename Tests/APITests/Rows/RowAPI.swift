import Foundation
import Quarry

func row(_ row: Row) throws {
  let _: Int = row.count
  let _: Row.PrefetchedRowsView = row.prefetchedRows
  _ = Row()
  let dictionary: [String: (any DatabaseValueConvertible)?] = ["id": 1, "name": nil]
  let _: Row = Row(dictionary)
  let _: Row? = Row(["id": 1] as [AnyHashable: Any])
  let _: Row = ["id": 1, "name": nil]
  let _: Row = row.copy()
  let _: [String] = Array(row.columnNames)
  let _: LazyMapCollection<Row, String> = row.columnNames
  let _: Bool = row.hasColumn("id")
  let _: Bool = row.containsNonNullValue
  let _: Bool = row.hasNull(atIndex: 0)
  let _: LazyMapCollection<Row, DatabaseValue> = row.databaseValues
  let _: Row.ScopesView = row.scopes
  let _: Row.ScopesTreeView = row.scopesTree
  let _: Row = row.unscoped
  let _: Row = row.unadapted
  let _: Bool = row == row
  var hasher = Hasher()
  row.hash(into: &hasher)
  let _: String = row.description
  let _: String = row.debugDescription
  let _: Set<Row> = [row]
}

func rowCollection(_ row: Row) {
  let start: Row.Index = row.startIndex
  let _: Bool = start == row.endIndex || start < row.endIndex
  let _: Row.Index = start.advanced(by: 1)
  let _: Int = start.distance(to: row.endIndex)
  let (column, value) = row[start]
  let _: (String, DatabaseValue) = (column, value)
  for (column, value) in row {
    let _: (String, DatabaseValue) = (column, value)
  }
  let _: [String] = row.map { column, _ in column }
  let _: [(String, DatabaseValue)] = row.reversed()
}

func rowSubscripts(_ row: Row) {
  let _: (any DatabaseValueConvertible)? = row[0]
  let _: (any DatabaseValueConvertible)? = row["id"]
  let _: (any DatabaseValueConvertible)? = row[Column("id")]
  let _: URL = row[0]
  let _: URL = row["url"]
  let _: URL = row[Column("url")]
  let _: URL? = row["url"]
  let _: Int = row[0]
  let _: Int = row["id"]
  let _: Int = row[Column("id")]
  let _: Int = row[Columns.id]
  let _: Int = row[Player.Columns.id]
  let _: Int? = row[0]
  let _: Int? = row["id"]
  let _: Int? = row[Column("id")]
  let _: DatabaseValue = row["id"]
  let _: Color = row["color"]
  let _: Color? = row["color"]
  let _: Level = row["level"]
  let _: Address = row["address"]
  let id = row["id"] as Int64
  let color = row["color"] as Color?
  if let score = row["score"] as Int? { print(id, score, color as Any) }
  if row["name"] == nil { print("NULL") }
  if let value = row["name"] { print(value) }
}

func rowUnsafeData(_ row: Row) throws {
  let _: Int = try row.withUnsafeData(atIndex: 0) { data in data?.count ?? 0 }
  let _: Int = try row.withUnsafeData(named: "data") { (data: Data?) in data?.count ?? 0 }
  let _: Int = try row.withUnsafeData(at: Column("data")) { data in data?.count ?? 0 }
  let _: String? = row.coalesce(["nick", "name"])
  let _: String? = row.coalesce([Column("nick"), Column("name")])
  let _: String? = row.coalesce([Columns.name, Columns.score])
}

func rowRecords(_ row: Row) throws {
  let _: Team = row["team"]
  let _: Team? = row["team"]
  let _: [Player] = row["players"]
  let _: ContiguousArray<Player> = row["players"]
  let _: Set<Player> = row["players"]
  let _: Team? = try row.decodeIfPresent(Team.self, forKey: "team")
  let _: Team? = try row.decodeIfPresent(forKey: "team")
  let _: Team = try row.decode(Team.self, forKey: "team")
  let _: Team = try row.decode(forKey: "team")
  let _: [Player] = try row.decode([Player].self, forKey: "players")
  let _: [Player] = try row.decode(forKey: "players")
  let _: Set<Player> = try row.decode(Set<Player>.self, forKey: "players")
  let _: Set<Player> = try row.decode(forKey: "players")
}

func rowDecoding(_ row: Row) throws {
  let _: URL = try row.decode(URL.self, atIndex: 0)
  let _: URL = try row.decode(atIndex: 0)
  let _: URL = try row.decode(URL.self, forColumn: "url")
  let _: URL = try row.decode(forColumn: "url")
  let _: URL = try row.decode(URL.self, forColumn: Column("url"))
  let _: URL = try row.decode(forColumn: Column("url"))
  let _: Int = try row.decode(Int.self, atIndex: 0)
  let _: Int = try row.decode(atIndex: 0)
  let _: Int = try row.decode(Int.self, forColumn: "id")
  let _: Int = try row.decode(forColumn: "id")
  let _: Int = try row.decode(Int.self, forColumn: Column("id"))
  let _: Int = try row.decode(forColumn: Column("id"))
  let _: Int? = try row.decode(Int?.self, forColumn: "id")
  let _: Int? = try row.decode(forColumn: "id")
}
