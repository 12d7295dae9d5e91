import QuarryTestSupport
import Testing

@testable import Quarry

/// Tables whose primary key has another collation than its columns: its index decides which rows
/// have the same key. See <https://www.sqlite.org/lang_createtable.html#uniqueconst>.
@Suite(.onQueueAndPool)
struct KeyCollationTests {
  private struct Topic: Codable, Equatable, FetchableRecord, PersistableRecord {
    var name: String
    var count: Int
  }

  private static let exact = "name TEXT COLLATE NOCASE, count, PRIMARY KEY (name COLLATE BINARY)"

  /// - parameter columns: those of the table, whose first rows have keys that differ by their case.
  private func withTopics(
    _ columns: String = Self.exact, options: String = "",
    _ body: (Database, SQLRecorder) throws -> Void
  ) throws {
    try inBookshop { db, recorder throws in
      try db.execute(
        sql: """
          CREATE TABLE topic (\(columns))\(options);
          INSERT INTO topic (name, count) VALUES ('sea', 1), ('Sea', 2);
          """)
      _ = recorder.take()
      try body(db, recorder)
    }
  }

  private func topics(_ db: Database) throws -> [String] {
    try String.fetchAll(
      db, sql: "SELECT name || ' ' || count FROM topic ORDER BY name COLLATE BINARY")
  }

  @Test(arguments: ["", " WITHOUT ROWID"])
  func `a record writes the row with its key, and no other one`(options: String) throws {
    try withTopics(options: options) { db, recorder throws in
      try Topic(name: "sea", count: 7).update(db)
      try Topic(name: "Sea", count: 8).save(db)
      #expect(try !Topic(name: "SEA", count: 9).exists(db))
      try Topic(name: "SEA", count: 9).save(db)
      #expect(try topics(db) == ["SEA 9", "Sea 8", "sea 7"])
      #expect(try Topic(name: "Sea", count: 0).delete(db))
      #expect(try !Topic(name: "Sea", count: 0).delete(db))
      #expect(try topics(db) == ["SEA 9", "sea 7"])
      let update = #"UPDATE "topic" SET "count"=? WHERE "name" COLLATE BINARY=?"#
      let deletion = #"DELETE FROM "topic" WHERE "name" COLLATE BINARY=?"#
      #expect(
        recorder.takeStatements().filter { !$0.contains("||") } == [
          update, update,
          #"SELECT EXISTS (SELECT 1 FROM "topic" WHERE "name" COLLATE BINARY=?)"#,
          update, #"INSERT INTO "topic" ("name", "count") VALUES (?,?)"#, deletion, deletion,
        ])
    }
  }

  @Test(arguments: ["", " WITHOUT ROWID"])
  func `a key finds the row that has it, and no other one`(options: String) throws {
    try withTopics(options: options) { db, recorder throws in
      #expect(try Topic.fetchOne(db, key: "Sea") == Topic(name: "Sea", count: 2))
      #expect(try !Topic.exists(db, key: "SEA"))
      #expect(try Topic.fetchAll(db, keys: ["SEA", "sea"]) == [Topic(name: "sea", count: 1)])
      #expect(try Topic.filter(key: ["name": "Sea"]).fetchAll(db).map(\.count) == [2])
      #expect(try Topic.deleteOne(db, key: "sea"))
      #expect(try !Topic.deleteOne(db, key: "SEA"))
      #expect(try topics(db) == ["Sea 2"])
      let condition = #""topic" WHERE "name" = ? COLLATE BINARY"#
      #expect(
        recorder.takeStatements().filter { !$0.contains("||") } == [
          "SELECT * FROM \(condition)", "SELECT EXISTS (SELECT * FROM \(condition))",
          #"SELECT * FROM "topic" WHERE ("name" COLLATE BINARY) IN (?, ?)"#,
          "SELECT * FROM \(condition)", "DELETE FROM \(condition)", "DELETE FROM \(condition)",
        ])
    }
  }

  @Test func `a remembered query compares as the first one`() throws {
    try withTopics { db, _ throws in
      for _ in 1...4 {
        #expect(try Topic.fetchOne(db, key: "sea")?.count == 1)
        #expect(try Topic.fetchOne(db, key: "Sea")?.count == 2)
        #expect(try Topic.fetchOne(db, key: "SEA") == nil)
      }
    }
  }

  @Test func `many keys, and keys of several columns, are compared as the index does`() throws {
    let columns =
      "name TEXT COLLATE NOCASE, shelf DEFAULT 1, count, PRIMARY KEY (shelf, name COLLATE BINARY)"
    try withTopics(columns) { db, _ throws in
      let key: [String: (any DatabaseValueConvertible)?] = ["shelf": 1, "name": "Sea"]
      #expect(try Topic.fetchOne(db, key: key)?.count == 2)
      let others: [[String: (any DatabaseValueConvertible)?]] = (1...150).map {
        ["shelf": $0, "name": "sea"]
      }
      #expect(try Topic.fetchAll(db, keys: others).map(\.count) == [1])
      #expect(try Topic.deleteOne(db, key: key))
      #expect(try topics(db) == ["sea 1"])
    }
    try withTopics { db, _ throws in
      let keys = ["Sea"] + (1...150).map { "\($0)" }
      #expect(try Topic.fetchAll(db, keys: keys).map(\.count) == [2])
    }
  }

  @Test(arguments: ["", " WITHOUT ROWID"])
  func `limited requests change the rows that they find`(options: String) throws {
    try withTopics(options: options) { db, _ throws in
      let first = Topic.order(Column("count")).limit(1)
      #expect(try first.updateAll(db, Column("count").set(to: 0)) == 1)
      #expect(try topics(db) == ["Sea 2", "sea 0"])
      #expect(try first.deleteAll(db) == 1)
      #expect(try topics(db) == ["Sea 2"])
    }
  }

  @Test(arguments: ["", " WITHOUT ROWID"])
  func `aggregates count the rows whose keys differ`(options: String) throws {
    struct Writer: TableRecord {
      static let databaseTableName = "author"
      static let topics = hasMany(Topic.self)
    }
    let columns = "authorId REFERENCES author, \(Self.exact)"
    try withTopics(columns, options: options) { db, _ throws in
      try db.execute(sql: "UPDATE topic SET authorId = 1")
      let request = Writer.filter(key: 1).annotated(with: Writer.topics.count)
      let row = try #require(try Row.fetchOne(db, request))
      #expect(row["topicCount"] == 2)
    }
  }

  /// An update found no row, and the insertion that followed violated the constraint.
  @Test func `keys are equal if their index takes them for equal`() throws {
    try inBookshop { db, _ throws in
      try db.execute(
        sql: """
          CREATE TABLE topic (name TEXT, count, PRIMARY KEY (name COLLATE NOCASE));
          INSERT INTO topic VALUES ('sea', 1), ('river', 2);
          """)
      try Topic(name: "SEA", count: 7).save(db)
      #expect(try topics(db) == ["river 2", "sea 7"])
      #expect(try Topic.fetchOne(db, key: "RIVER") == Topic(name: "river", count: 2))
      #expect(try Topic(name: "River", count: 0).delete(db))
      #expect(try topics(db) == ["sea 7"])
    }
  }

  @Test func `the schema has the collations that differ`() throws {
    try inBookshop { db, _ throws in
      try db.execute(
        sql: """
          CREATE TABLE one (a TEXT COLLATE NOCASE, PRIMARY KEY (a));
          CREATE TABLE two (
            "A" TEXT COLLATE NOCASE, b, c COLLATE RTRIM,
            PRIMARY KEY (c, b COLLATE NOCASE, a COLLATE BINARY));
          """)
      #expect(try db.primaryKey("one").keyCollations == [:])
      #expect(try db.primaryKey("two").keyCollations == ["a": "BINARY", "b": "NOCASE"])
      #expect(try db.primaryKey("author").keyCollations == [:])
    }
  }
}
