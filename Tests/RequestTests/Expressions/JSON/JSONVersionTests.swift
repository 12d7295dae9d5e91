import QuarryTestSupport
import Testing

@testable import Quarry

private let info = JSONColumn("info")
private let t = Column("title")
private let y = Column("year")

/// What needs a version of SQLite that may not be the linked one.
@Suite(.onQueueAndPool)
struct JSONVersionTests {
  @Test(arguments: [
    ExpressionCase(Database.jsonb(t), #"JSONB("title")"#),
    ExpressionCase(
      Database.jsonbArray([t, info, 1]), #"JSONB_ARRAY("title", JSONB("info"), ?)"#, [1]),
    ExpressionCase(Database.jsonbArray([t, y]), #"JSONB_ARRAY("title", "year")"#),
    ExpressionCase(Database.jsonbArray([y][...]), #"JSONB_ARRAY("year")"#),
    ExpressionCase(Database.jsonbExtract(t, atPath: "$.a"), #"JSONB_EXTRACT("title", ?)"#, ["$.a"]),
    ExpressionCase(
      Database.jsonbExtract(t, atPaths: ["$.a", "$.b"]), #"JSONB_EXTRACT("title", ?, ?)"#,
      ["$.a", "$.b"]),
    ExpressionCase(
      Database.jsonbInsert(t, ["$.a": info]), #"JSONB_INSERT("title", ?, JSONB("info"))"#, ["$.a"]),
    ExpressionCase(
      Database.jsonbReplace(t, ["$.a": 1]), #"JSONB_REPLACE("title", ?, ?)"#, ["$.a", 1]),
    ExpressionCase(Database.jsonbSet(t, ["$.a": 1]), #"JSONB_SET("title", ?, ?)"#, ["$.a", 1]),
    ExpressionCase(Database.jsonbObject(["a": y]), #"JSONB_OBJECT(?, "year")"#, ["a"]),
    ExpressionCase(Database.jsonbPatch(t, with: "{}"), #"JSONB_PATCH("title", ?)"#, ["{}"]),
    ExpressionCase(Database.jsonbRemove(t, atPath: "$.a"), #"JSONB_REMOVE("title", ?)"#, ["$.a"]),
    ExpressionCase(
      Database.jsonbRemove(t, atPaths: ["$.a", "$.b"]), #"JSONB_REMOVE("title", ?, ?)"#,
      ["$.a", "$.b"]),
    ExpressionCase(
      Database.jsonbGroupArray(info, filter: y > 1),
      #"JSONB_GROUP_ARRAY(JSONB("info")) FILTER (WHERE "year" > ?)"#, [1]),
    ExpressionCase(
      Database.jsonbGroupArray(t, orderBy: y.desc),
      #"JSONB_GROUP_ARRAY("title" ORDER BY "year" DESC)"#),
    ExpressionCase(
      Database.jsonbGroupObject(key: t, value: y, filter: y > 1),
      #"JSONB_GROUP_OBJECT("title", "year") FILTER (WHERE "year" > ?)"#, [1]),
    ExpressionCase(
      Database.jsonIsValid(t, options: [.json5, .jsonb]), #"JSON_VALID("title", ?)"#, [10]),
    ExpressionCase(Database.jsonArray([Database.jsonb(t).asJSON]), #"JSON_ARRAY(JSONB("title"))"#),
    ExpressionCase(Database.jsonArray([info]), #"JSON_ARRAY(JSONB("info"))"#),
    ExpressionCase(Database.jsonErrorPosition(t), #"JSON_ERROR_POSITION("title")"#),
    ExpressionCase(
      Database.jsonGroupArray(t, orderBy: y), #"JSON_GROUP_ARRAY("title" ORDER BY "year")"#),
  ])
  func theBinaryFormatIsWrittenFor345(_ test: ExpressionCase) throws {
    #expect(
      try sql(expression: test.expression, sqliteVersion: SQLiteVersion(3, 45)) == test.expected)
  }

  private static let requirements: [(SQLExpression, name: String, SQLiteVersion)] = [
    (info["a"], "Operator ->>", SQLiteVersion(3, 38)),
    (info.jsonRepresentation(atPath: "a"), "Operator ->", SQLiteVersion(3, 38)),
    (Database.jsonErrorPosition(t), "JSON_ERROR_POSITION", SQLiteVersion(3, 42)),
    (Database.jsonGroupArray(t, orderBy: y), "ORDER BY in JSON_GROUP_ARRAY", SQLiteVersion(3, 44)),
    (Database.jsonb(t), "JSONB", .jsonb),
    (Database.jsonbArray([t]), "JSONB_ARRAY", .jsonb),
    (Database.jsonbExtract(t, atPath: "a"), "JSONB_EXTRACT", .jsonb),
    (Database.jsonbInsert(t, ["a": 1]), "JSONB_INSERT", .jsonb),
    (Database.jsonbReplace(t, ["a": 1]), "JSONB_REPLACE", .jsonb),
    (Database.jsonbSet(t, ["a": 1]), "JSONB_SET", .jsonb),
    (Database.jsonbObject(["a": 1]), "JSONB_OBJECT", .jsonb),
    (Database.jsonbPatch(t, with: t), "JSONB_PATCH", .jsonb),
    (Database.jsonbRemove(t, atPath: "a"), "JSONB_REMOVE", .jsonb),
    (Database.jsonbGroupArray(t), "JSONB_GROUP_ARRAY", .jsonb),
    (Database.jsonbGroupObject(key: t, value: t), "JSONB_GROUP_OBJECT", .jsonb),
    (Database.jsonIsValid(t, options: .jsonb), "JSON_VALID with options", .jsonb),
  ]

  @Test(arguments: requirements.indices)
  func `earlier versions are refused`(index: Int) throws {
    let (expression, name, version) = Self.requirements[index]
    let found = SQLiteVersion(3, 37, 2)
    let request = Table("book").select(expression)
    #expect(
      try invalidity(of: sql(of: request, sqliteVersion: found))
        == "\(name) needs SQLite \(version) or later: the library is SQLite 3.37.2")
    #expect(try invalidity(of: sql(of: request, sqliteVersion: version)) == nil)
  }

  @Test func `the error shows the whole request`() throws {
    let request = Book.select(t).filter(Database.jsonbArray([t]) == y).order(t)
    let message = errorText { try sql(of: request, sqliteVersion: SQLiteVersion(3, 40, 1)) }
    #expect(
      message
        == "JSONB_ARRAY needs SQLite 3.45 or later: the library is SQLite 3.40.1 - in request SELECT \"title\" "
        + "FROM \"book\" WHERE JSONB_ARRAY(\"title\") = \"year\" ORDER BY \"title\"")
  }

  @Test(.lacks(.jsonb)) func `the error shows the statement of any request`() throws {
    let request = Book.select(t).filter(Database.jsonbArray([t]) == y).order(t)
    try makeBookshopDatabase().write { db throws in
      let fetching = errorText { try request.fetchAll(db) }
      let counting = errorText { try request.fetchCount(db) }
      let nesting = errorText { try Author.filter(request.exists()).fetchOne(db) }
      let updating = errorText {
        try Book.updateAll(db, t.set(to: Database.jsonb(t)))
      }
      let raw = errorText {
        try SQLRequest<Row>("SELECT \(Database.jsonb(t)) FROM book").fetchAll(db)
      }
      #expect(fetching?.hasPrefix("JSONB_ARRAY needs SQLite 3.45 or later") == true)
      #expect(
        counting?.hasSuffix(#"SELECT COUNT(*) FROM "book" WHERE JSONB_ARRAY("title") = "year""#)
          == true)
      #expect(nesting?.hasPrefix("JSONB_ARRAY needs SQLite 3.45 or later") == true)
      #expect(updating?.hasSuffix(#"UPDATE "book" SET "title" = JSONB("title")"#) == true)
      #expect(raw?.hasSuffix(#"SELECT JSONB("title") FROM book"#) == true)
    }
  }
}
