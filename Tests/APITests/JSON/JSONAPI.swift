import Quarry

struct Profile: TableRecord {
  enum CodingKeys: String, CodingKey {
    case info
  }

  enum Columns {
    static let id = Column("id")
    static let info = JSONColumn(CodingKeys.info)
  }
}

enum JSONColumns: String, ColumnExpression, SQLJSONExpressible {
  case info
}

func jsonColumn() {
  var column = JSONColumn("info")
  column.name = "details"
  let _: String = column.name
  let _: SQLExpression = column.sqlExpression
  let _: SQLSelection = column.sqlSelection
  let _: SQLOrdering = column.sqlOrdering
  let _: SQLExpression = JSONColumns.info.sqlExpression
  let _: any SQLJSONExpressible = column
}

func jsonExpressible(_ json: some SQLJSONExpressible) {
  let _: [SQLExpression] = [
    json["$.a"], json[0], json[Column("path")], json.jsonExtract(atPath: "$.a"),
    json.jsonExtract(atPaths: ["$.a", "$.b"]), json.jsonExtract(atPaths: [Column("path")]),
    json.jsonRepresentation(atPath: "$.a"), json["a"] > 10, json["a"] == nil,
    Column("info").asJSON["a"], Column("info").asJSON["a"].asJSON["b"],
  ]
  let any: AnySQLJSONExpressible = AnySQLJSONExpressible(json)
  let _: SQLExpression = any.sqlExpression
  let _: AnySQLJSONExpressible = Column("info").asJSON
  let _: AnySQLJSONExpressible = (Column("a") + 1).asJSON
}

func jsonOfAliases() {
  let alias = TableAlias(name: "p")
  let _: AnySQLJSONExpressible = alias[JSONColumn("info")]
  let _: SQLExpression = alias[JSONColumn("info")]["a"]
  let profiles = TableAlias(for: Profile.self)
  let _: AnySQLJSONExpressible = profiles.info
  let _: SQLExpression = profiles.info["a"]
  let _: SQLExpression = profiles.id
  let _: [any SQLSelectable] = [profiles.info, profiles.info["a"].forKey("a")]
  let _ = Profile.select(profiles.info["a"]).filter { $0.info["a"] > 1 }.order { $0.info["a"].desc }
}

func jsonFunctions() {
  let info = JSONColumn("info")
  let values: [any SQLExpressible] = [1, "a", info]
  let members: [String: any SQLExpressible] = ["a": 1, "b": info]
  let pairs: KeyValuePairs<String, any SQLExpressible> = ["a": 1, "b": Column("id")]
  let filter = Column("id") > 1
  let _: [SQLExpression] = [
    Database.json(info), Database.json("[1]"),
    Database.jsonArray([1, 2]), Database.jsonArray([info, Column("id")]),
    Database.jsonArray(values),
    Database.jsonArrayLength(info), Database.jsonArrayLength(info, atPath: "$.a"),
    Database.jsonExtract(info, atPath: "$.a"), Database.jsonExtract(info, atPaths: ["$.a", "$.b"]),
    Database.jsonInsert(info, ["$.a": 1]), Database.jsonInsert(info, members),
    Database.jsonReplace(info, ["$.a": "b"]), Database.jsonReplace(info, pairs),
    Database.jsonSet(info, ["$.a": Column("id")]), Database.jsonSet(info, members.map { $0 }),
    Database.jsonObject(["a": 1, "b": info]), Database.jsonObject(pairs),
    Database.jsonPatch(info, with: info), Database.jsonPatch("{}", with: "{}"),
    Database.jsonRemove(info, atPath: "$.a"), Database.jsonRemove(info, atPaths: ["$.a"]),
    Database.jsonType(info), Database.jsonType(info, atPath: "$.a"),
    Database.jsonIsValid(info), Database.jsonQuote(info),
    Database.jsonGroupArray(info), Database.jsonGroupArray(info, filter: filter),
    Database.jsonGroupObject(key: Column("id"), value: info),
    Database.jsonGroupObject(key: "a", value: 1, filter: filter),
  ]
}

/// What only recent versions of SQLite have.
func recentJSONFunctions() {
  let info = JSONColumn("info")
  let values: [any SQLExpressible] = [1, "a", info]
  let options: Database.JSONValidationOptions = [.json, .json5, .probablyJSONB, .jsonb]
  let _: Int = options.rawValue
  let _: [SQLExpression] = [
    Database.jsonErrorPosition(info), Database.jsonIsValid(info, options: options),
    Database.jsonIsValid(info, options: nil),
    Database.jsonb(info), Database.jsonbArray([1, 2]), Database.jsonbArray(values),
    Database.jsonbExtract(info, atPath: "$.a"), Database.jsonbExtract(info, atPaths: ["$.a"]),
    Database.jsonbInsert(info, ["$.a": 1]), Database.jsonbReplace(info, ["$.a": 1]),
    Database.jsonbSet(info, ["$.a": 1]), Database.jsonbObject(["a": 1]),
    Database.jsonbPatch(info, with: "{}"), Database.jsonbRemove(info, atPath: "$.a"),
    Database.jsonbRemove(info, atPaths: ["$.a"]), Database.jsonbGroupArray(info),
    Database.jsonbGroupArray(info, orderBy: Column("id"), filter: Column("id") > 1),
    Database.jsonbGroupObject(key: "a", value: info),
    Database.jsonGroupArray(info, orderBy: Column("id").desc),
    Database.jsonGroupArray(info, orderBy: Column("id"), filter: Column("id") > 1),
    sum(info["a"], orderBy: Column("id")),
    total(info["a"], orderBy: Column("id"), filter: info["b"]),
  ]
}
