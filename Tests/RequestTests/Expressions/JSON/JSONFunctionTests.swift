import QuarryTestSupport
import Testing

@testable import Quarry

private let info = JSONColumn("info")
private let t = Column("title")
private let y = Column("year")
private let noValues: [Int] = []

struct JSONFunctionTests {
  @Test(arguments: [
    ExpressionCase(info["$.a"], #""info" ->> ?"#, ["$.a"]),
    ExpressionCase(info["a"], #""info" ->> ?"#, ["a"]),
    ExpressionCase(info[0], #""info" ->> ?"#, [0]),
    ExpressionCase(info[t], #""info" ->> "title""#),
    ExpressionCase(info["a"] == "x", #"("info" ->> ?) = ?"#, ["a", "x"]),
    ExpressionCase(info.jsonRepresentation(atPath: "$.a"), #""info" -> ?"#, ["$.a"]),
    ExpressionCase(info.jsonExtract(atPath: "$.a"), #"JSON_EXTRACT("info", ?)"#, ["$.a"]),
    ExpressionCase(
      info.jsonExtract(atPaths: ["$.a", "$.b"]), #"JSON_EXTRACT("info", ?, ?)"#, ["$.a", "$.b"]),
    ExpressionCase(t.asJSON["a"], #""title" ->> ?"#, ["a"]),
    ExpressionCase((t ?? "{}").asJSON["a"], #"IFNULL("title", ?) ->> ?"#, ["{}", "a"]),
    ExpressionCase((y + 1).asJSON["a"], #"("year" + ?) ->> ?"#, [1, "a"]),
    ExpressionCase(info["a"].asJSON["b"], #"("info" ->> ?) ->> ?"#, ["a", "b"]),
    ExpressionCase(info, #""info""#),
    ExpressionCase(info == nil, #""info" IS NULL"#),
    ExpressionCase(!info, #"NOT "info""#),
    ExpressionCase(info.collating(.nocase) == "a", #""info" = ? COLLATE NOCASE"#, ["a"]),
    ExpressionCase(
      t.collating(.nocase).asJSON["a"], #""title" ->> ? COLLATE NOCASE"#, ["a"]),
    ExpressionCase(
      info["a"].collating(.nocase) == "x", #"("info" ->> ?) = ? COLLATE NOCASE"#, ["a", "x"]),
    ExpressionCase(Columns.info["a"], #""info" ->> ?"#, ["a"]),
    ExpressionCase(AnySQLJSONExpressible(info)["a"], #""info" ->> ?"#, ["a"]),
  ])
  func `JSON is extracted by paths and operators`(_ test: ExpressionCase) throws {
    #expect(try sql(expression: test.expression) == test.expected)
  }

  @Test(arguments: [
    ExpressionCase(Database.json(t), #"JSON("title")"#),
    ExpressionCase(Database.jsonArray([t, y]), #"JSON_ARRAY("title", "year")"#),
    ExpressionCase(
      Database.jsonArray([t, 1, "a", DatabaseValue.null]), #"JSON_ARRAY("title", ?, ?, NULL)"#,
      [1, "a"]),
    ExpressionCase(Database.jsonArray(noValues), "JSON_ARRAY()"),
    ExpressionCase(Database.jsonArrayLength(t), #"JSON_ARRAY_LENGTH("title")"#),
    ExpressionCase(
      Database.jsonArrayLength(t, atPath: "$.a"), #"JSON_ARRAY_LENGTH("title", ?)"#, ["$.a"]),
    ExpressionCase(Database.jsonExtract(t, atPath: "$.a"), #"JSON_EXTRACT("title", ?)"#, ["$.a"]),
    ExpressionCase(
      Database.jsonExtract(t, atPaths: ["$.a", "$.b"]), #"JSON_EXTRACT("title", ?, ?)"#,
      ["$.a", "$.b"]),
    ExpressionCase(
      Database.jsonInsert(t, ["$.a": y]), #"JSON_INSERT("title", ?, "year")"#, ["$.a"]),
    ExpressionCase(
      Database.jsonReplace(t, ["$.a": 1]), #"JSON_REPLACE("title", ?, ?)"#, ["$.a", 1]),
    ExpressionCase(
      Database.jsonSet(t, ["$.a": 1, "$.b": y] as KeyValuePairs),
      #"JSON_SET("title", ?, ?, ?, "year")"#, ["$.a", 1, "$.b"]),
    ExpressionCase(Database.jsonObject(["a": y]), #"JSON_OBJECT(?, "year")"#, ["a"]),
    ExpressionCase(Database.jsonPatch(t, with: "{}"), #"JSON_PATCH("title", ?)"#, ["{}"]),
    ExpressionCase(Database.jsonRemove(t, atPath: "$.a"), #"JSON_REMOVE("title", ?)"#, ["$.a"]),
    ExpressionCase(
      Database.jsonRemove(t, atPaths: ["$.a", "$.b"]), #"JSON_REMOVE("title", ?, ?)"#,
      ["$.a", "$.b"]),
    ExpressionCase(Database.jsonType(t), #"JSON_TYPE("title")"#),
    ExpressionCase(Database.jsonType(t, atPath: "$.a"), #"JSON_TYPE("title", ?)"#, ["$.a"]),
    ExpressionCase(Database.jsonIsValid(t), #"JSON_VALID("title")"#),
    ExpressionCase(Database.jsonIsValid(t, options: nil), #"JSON_VALID("title")"#),
    ExpressionCase(Database.jsonQuote(t), #"JSON_QUOTE("title")"#),
    ExpressionCase(Database.jsonGroupArray(t), #"JSON_GROUP_ARRAY("title")"#),
    ExpressionCase(
      Database.jsonGroupArray(t, filter: y > 1),
      #"JSON_GROUP_ARRAY("title") FILTER (WHERE "year" > ?)"#, [1]),
    ExpressionCase(
      Database.jsonGroupObject(key: t, value: y), #"JSON_GROUP_OBJECT("title", "year")"#),
    ExpressionCase(
      Database.jsonGroupObject(key: t, value: y, filter: y > 1),
      #"JSON_GROUP_OBJECT("title", "year") FILTER (WHERE "year" > ?)"#, [1]),
  ])
  func `JSON is built from values`(_ test: ExpressionCase) throws {
    #expect(try sql(expression: test.expression) == test.expected)
  }

  /// JSON in a column is text: it is inserted as JSON where it is known to be JSON.
  private static let elements: [(SQLExpression, String, StatementArguments)] = [
    (1.databaseValue.sqlExpression, "?", [1]),
    (t.sqlExpression, #""title""#, []),
    (info.sqlExpression, #"JSON("info")"#, []),
    (t.asJSON.sqlExpression, #"JSON("title")"#, []),
    (Database.json(t), #"JSON("title")"#, []),
    (Database.json(t).asJSON.sqlExpression, #"JSON("title")"#, []),
    (info["a"], #""info" ->> ?"#, ["a"]),
    (info["a"].asJSON.sqlExpression, #"JSON("info" ->> ?)"#, ["a"]),
    (info.jsonRepresentation(atPath: "a"), #""info" -> ?"#, ["a"]),
    (info.jsonRepresentation(atPath: "a").asJSON.sqlExpression, #""info" -> ?"#, ["a"]),
    (info.jsonExtract(atPath: "$.a"), #"JSON_EXTRACT("info", ?)"#, ["$.a"]),
    (
      info.jsonExtract(atPath: "$.a").asJSON.sqlExpression, #"JSON(JSON_EXTRACT("info", ?))"#,
      ["$.a"]
    ),
    (
      info.jsonExtract(atPaths: ["$.a", "$.b"]).asJSON.sqlExpression,
      #"JSON_EXTRACT("info", ?, ?)"#,
      ["$.a", "$.b"]
    ),
    (DatabaseValue.null.asJSON.sqlExpression, "NULL", []),
    (
      Table("note").select(t).sqlExpression.asJSON.sqlExpression,
      #"JSON((SELECT "title" FROM "note"))"#, []
    ),
    (TableAlias(name: "book")[info].sqlExpression, #"JSON("book"."info")"#, []),
    (Optional(info).sqlExpression, #"JSON("info")"#, []),
  ]

  @Test(arguments: elements.indices)
  func `elements that are JSON are wrapped`(index: Int) throws {
    let (element, text, arguments) = Self.elements[index]
    func rendered(_ expression: SQLExpression) throws -> RenderedSQL {
      try sql(expression: expression, sqliteVersion: SQLiteVersion(3, 40, 1))
    }
    func expected(_ prefix: String, _ key: StatementArguments = []) -> RenderedSQL {
      RenderedSQL(prefix + text + ")", key + arguments)
    }
    let members: [String: any SQLExpressible] = ["k": element]
    #expect(try rendered(Database.jsonArray([element])) == expected("JSON_ARRAY("))
    #expect(try rendered(Database.jsonObject(members)) == expected("JSON_OBJECT(?, ", ["k"]))
    #expect(
      try rendered(Database.jsonInsert(t, members)) == expected(#"JSON_INSERT("title", ?, "#, ["k"])
    )
    #expect(
      try rendered(Database.jsonReplace(t, members))
        == expected(#"JSON_REPLACE("title", ?, "#, ["k"]))
    #expect(
      try rendered(Database.jsonSet(t, members)) == expected(#"JSON_SET("title", ?, "#, ["k"]))
    #expect(try rendered(Database.jsonQuote(element)) == expected("JSON_QUOTE("))
    #expect(
      try rendered(Database.jsonGroupArray(element)) == expected("JSON_GROUP_ARRAY("))
    #expect(
      try rendered(Database.jsonGroupObject(key: "k", value: element))
        == expected("JSON_GROUP_OBJECT(?, ", ["k"]))
  }

  @Test func `the JSON that is changed is not wrapped`() throws {
    let changes = [
      Database.json(info), Database.jsonPatch(info, with: info),
      Database.jsonRemove(info, atPath: "a"),
      Database.jsonType(info), Database.jsonSet(info, ["a": 1]),
    ]
    #expect(
      try sql(of: Table("book").select(changes)).sql
        == #"SELECT JSON("info"), JSON_PATCH("info", "info"), JSON_REMOVE("info", ?), "#
        + #"JSON_TYPE("info"), JSON_SET("info", ?, ?) FROM "book""#)
  }

  @Test func `aliases keep what is known of JSON`() throws {
    let alias = TableAlias<Person>(name: "p")
    let request = Person.aliased(alias)
      .select(Database.jsonArray([alias[info], alias.info, alias.info["a"]]))
      .filter(alias.info["a"] > 1)
    #expect(
      try sql(of: request, sqliteVersion: SQLiteVersion(3, 40))
        == RenderedSQL(
          #"SELECT JSON_ARRAY(JSON("p"."info"), JSON("p"."info"), "p"."info" ->> ?) "#
            + #"FROM "person" "p" WHERE ("p"."info" ->> ?) > ?"#, ["a", "a", 1]))
  }

  @Test func `SQLite computes the JSON functions`() throws {
    try DatabaseQueue().write { db in
      try db.execute(
        sql: """
          CREATE TABLE person (id INTEGER PRIMARY KEY, info TEXT);
          INSERT INTO person (info) VALUES ('{"name": "Ann", "tags": ["a", "b"]}'), ('{"name": "Bo"}');
          """)
      func fetch(_ expression: SQLExpression) throws -> [String?] {
        try Table("person").select(expression, as: String?.self).fetchAll(db)
      }
      #expect(try fetch(info["name"]) == ["Ann", "Bo"])
      #expect(try fetch(info.jsonRepresentation(atPath: "name")) == [#""Ann""#, #""Bo""#])
      #expect(try fetch(info["$.tags[1]"]) == ["b", nil])
      #expect(try fetch(Database.jsonArrayLength(info, atPath: "$.tags")) == ["2", nil])
      #expect(
        try fetch(Database.jsonArray([info, Column("info"), 1]))
          .map { $0?.hasPrefix(#"[{"name":""#) } == [true, true])
      #expect(
        try fetch(Database.jsonSet(info, ["$.tags": Database.jsonArray([1, 2])]))
          == [#"{"name":"Ann","tags":[1,2]}"#, #"{"name":"Bo","tags":[1,2]}"#])
      #expect(
        try fetch(Database.jsonGroupArray(info["name"])) == [#"["Ann","Bo"]"#])
      #expect(
        try fetch(Database.jsonGroupObject(key: info["name"], value: Column("id")))
          == [#"{"Ann":1,"Bo":2}"#])
      #expect(try Table("person").filter(info["name"] == "Bo").fetchCount(db) == 1)
      try Person.filter { $0.id == 2 }
        .updateAll(db) { $0.info.set(to: Database.jsonPatch($0.info, with: #"{"age": 3}"#)) }
      #expect(try fetch(info["age"]) == [nil, "3"])
    }
  }

  private enum Columns: String, ColumnExpression, SQLJSONExpressible { case info }

  private struct Person: TableRecord {
    enum Columns {
      static let id = Column("id")
      static let info = JSONColumn("info")
    }
  }
}
