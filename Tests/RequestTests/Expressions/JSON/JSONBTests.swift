import Foundation
import QuarryFunctions
import QuarryTestSupport
import Testing

@testable import Quarry

private let info = JSONColumn("info")
private let name = Column("name")

/// The binary format of JSON, which SQLite has since 3.45.
@Suite(.onQueueAndPool, .needs(.jsonb))
struct JSONBTests {
  private func withItems(_ body: (Database) throws -> Void) throws {
    try makeEmptyDatabase().write { db throws in
      try db.execute(
        sql: """
          CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, info);
          INSERT INTO item VALUES (1, 'Atlas', jsonb('{"pages":120,"tags":["maps","sea"]}'));
          INSERT INTO item VALUES (2, 'Primer', '{"pages":40}');
          """)
      try body(db)
    }
  }

  private static let functions: [(SQLExpression, String)] = [
    (Database.jsonb(#"{"a": 1}"#.databaseValue), #"{"a":1}"#),
    (Database.jsonbArray([name, info, 1]), #"["Atlas",{"pages":120,"tags":["maps","sea"]},1]"#),
    (Database.jsonbExtract(info, atPath: "$.tags"), #"["maps","sea"]"#),
    (Database.jsonbExtract(info, atPaths: ["$.pages", "$.tags[1]"]), #"[120,"sea"]"#),
    (Database.jsonbInsert(info, ["$.pages": 1]), #"{"pages":120,"tags":["maps","sea"]}"#),
    (Database.jsonbReplace(info, ["$.pages": 1]), #"{"pages":1,"tags":["maps","sea"]}"#),
    (Database.jsonbSet(info, ["$.tags": 1]), #"{"pages":120,"tags":1}"#),
    (Database.jsonbObject(["info": info]), #"{"info":{"pages":120,"tags":["maps","sea"]}}"#),
    (Database.jsonbPatch(info, with: #"{"tags":null}"#), #"{"pages":120}"#),
    (Database.jsonbRemove(info, atPath: "$.tags"), #"{"pages":120}"#),
    (Database.jsonbRemove(info, atPaths: ["$.pages", "$.tags[0]"]), #"{"tags":["sea"]}"#),
  ]

  @Test(arguments: functions.indices)
  func `functions make binary JSON`(index: Int) throws {
    let (expression, json) = Self.functions[index]
    try withItems { db throws in
      let request = Table("item").filter(Column("id") == 1)
      let isBinary = SQLExpression.function("TYPEOF", expression)
      #expect(try request.select(isBinary, as: String.self).fetchOne(db) == "blob")
      #expect(try request.select(Database.json(expression), as: String.self).fetchOne(db) == json)
    }
  }

  @Test func `aggregates make binary JSON`() throws {
    try withItems { db throws in
      func fetch(_ expression: SQLExpression) throws -> String? {
        try Table("item").select(Database.json(expression), as: String.self).fetchOne(db)
      }
      #expect(
        try fetch(Database.jsonbGroupArray(name, orderBy: name.desc)) == #"["Primer","Atlas"]"#)
      #expect(
        try fetch(Database.jsonbGroupObject(key: name, value: info["pages"]))
          == #"{"Atlas":120,"Primer":40}"#)
      #expect(
        try fetch(Database.jsonbGroupArray(info, filter: name == "Primer")) == #"[{"pages":40}]"#)
    }
  }

  @Test func `binary JSON is read like text`() throws {
    try withItems { db throws in
      let items = Table("item").order(Column("id"))
      #expect(try items.select(info["pages"], as: Int.self).fetchAll(db) == [120, 40])
      #expect(
        try items.filter(info["$.tags[0]"] == "maps").select(name, as: String.self).fetchAll(db)
          == ["Atlas"])
      #expect(
        try items.select(Database.jsonIsValid(info, options: [.jsonb]), as: Bool.self).fetchAll(db)
          == [true, false])
    }
  }
}
