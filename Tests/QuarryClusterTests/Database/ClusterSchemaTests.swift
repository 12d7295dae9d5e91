// Nodes run on Linux.
#if os(Linux)
  import Foundation
  import NodeProcesses
  import Quarry
  import QuarryTestSupport
  import Testing

  @testable import QuarryCluster

  /// Changes of the schema, by this client and by others.
  @Suite(
    "The schema of a cluster", .serialized,
    .enabled(if: TestCluster.program != nil, "Scripts/cluster test"))
  struct ClusterSchemaTests {
    @Test func `Changes by another client are seen by the next access`() throws {
      try TestCluster.withDatabase { nodes, cluster throws in
        let other = try nodes.database()
        func names() throws -> [String]? {
          try cluster.read { db in
            try Row.fetchOne(db, sql: "SELECT * FROM author").map { Array($0.columnNames) }
          }
        }
        try cluster.write { db in try Author(id: 1, name: "a").insert(db) }
        #expect(try names() == ["id", "name", "country", "birthYear"])
        try other.write { db in try db.execute(sql: "ALTER TABLE author ADD COLUMN note TEXT") }
        #expect(try names() == ["id", "name", "country", "birthYear", "note"])
        let count = try cluster.read { db in try db.columns(in: "author").count }
        #expect(count == 5)
        try other.write { db in
          try db.execute(
            sql: """
              CREATE TABLE shelf (id INTEGER PRIMARY KEY AUTOINCREMENT, room);
              CREATE INDEX "room's" ON shelf (room);
              CREATE VIRTUAL TABLE page USING fts5(text, tokenize = 'porter');
              CREATE VIEW "a view" AS SELECT id FROM shelf;
              CREATE TRIGGER t AFTER INSERT ON author BEGIN INSERT INTO shelf (room) VALUES ('x'); END;
              ANALYZE;
              """)
        }
        try cluster.write { db in try Author(id: 2, name: "b").insert(db) }
        let counts = try cluster.read { db in
          try Row.fetchOne(
            db, sql: "SELECT (SELECT count(*) FROM \"a view\") AS a, count(*) AS b FROM page")
        }
        #expect(counts == ["a": 1, "b": 0])
        try other.write { db in try db.execute(sql: "DROP TABLE shelf; DROP TRIGGER t") }
        #expect(throws: DatabaseError.self) {
          try cluster.read { db in _ = try Row.fetchOne(db, sql: "SELECT * FROM shelf") }
        }
      }
    }

    @Test func `A statement that is kept is compiled again, or says so`() throws {
      try TestCluster.withDatabase { nodes, cluster throws in
        let other = try nodes.database()
        try cluster.writeWithoutTransaction { db throws in
          let all = try db.makeStatement(sql: "SELECT * FROM author")
          let one = try db.makeStatement(sql: "SELECT id FROM author")
          #expect(try Row.fetchAll(all).isEmpty)
          try other.write { db in try db.execute(sql: "ALTER TABLE author ADD COLUMN note TEXT") }
          #expect(try Row.fetchAll(one).isEmpty)
          let error = #expect(throws: DatabaseError.self) { _ = try Row.fetchAll(all) }
          #expect(error?.resultCode == .SQLITE_SCHEMA)
          // So it does after a change by the connection itself.
          let again = try db.makeStatement(sql: "SELECT * FROM author")
          try db.execute(sql: "ALTER TABLE author DROP COLUMN note")
          #expect(throws: DatabaseError.self) { _ = try Row.fetchAll(again) }
        }
      }
    }

    @Test func `Changes of the schema are rolled back`() throws {
      try TestCluster.withDatabase { _, cluster throws in
        try cluster.writeWithoutTransaction { db throws in
          try db.inTransaction {
            try db.execute(sql: "CREATE TABLE shelf (a)")
            try db.inSavepoint {
              try db.execute(sql: "ALTER TABLE shelf ADD COLUMN b; INSERT INTO shelf VALUES (1, 2)")
              return .rollback
            }
            try db.execute(sql: "INSERT INTO shelf VALUES (3)")
            #expect(try Row.fetchAll(db, sql: "SELECT * FROM shelf") == [["a": 3]])
            return .rollback
          }
          #expect(try !db.tableExists("shelf"))
          try db.execute(sql: "CREATE TABLE shelf (c)")
          #expect(try db.columns(in: "shelf").map(\.name) == ["c"])
        }
      }
    }

    @Test func `A failing definition changes neither side`() throws {
      try TestCluster.withDatabase { _, cluster throws in
        try cluster.write { db in
          try Author(id: 1, name: "a").insert(db)
          // The shadow has no row that could contradict.
          let error = #expect(throws: DatabaseError.self) {
            try db.execute(sql: "ALTER TABLE author ADD COLUMN note TEXT NOT NULL")
          }
          #expect(error != nil)
          try db.execute(sql: "UPDATE author SET country = 'CZ'")
          try Author(id: 2, name: "b", country: "CZ").insert(db)
          let index = #expect(throws: DatabaseError.self) {
            try db.execute(sql: "CREATE UNIQUE INDEX i ON author (country)")
          }
          #expect(index?.resultCode == .SQLITE_CONSTRAINT)
        }
        let columns = try cluster.read { db in try db.columns(in: "author").count }
        #expect(columns == 4)
      }
    }

    @Test func `Migrations run once, for all clients`() throws {
      try TestCluster.withDatabase { nodes, cluster throws in
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { db in
          try db.create(table: "loan") { t in
            t.autoIncrementedPrimaryKey("id")
            t.belongsTo("book").notNull()
          }
        }
        migrator.registerMigration("2") { db in
          try db.execute(sql: "INSERT INTO book (id, title) VALUES (1, 'x')")
          try db.execute(sql: "INSERT INTO loan (bookId) VALUES (1)")
        }
        let other = try nodes.database()
        try migrator.migrate(cluster)
        try migrator.migrate(other)
        let count = try other.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM loan") }
        #expect(count == 1)
        let isComplete = try cluster.read { db in try migrator.hasCompletedMigrations(db) }
        #expect(isComplete)
      }
    }

    @Test func `Temporary tables belong to their connection`() throws {
      try TestCluster.withDatabase { _, cluster throws in
        try cluster.writeWithoutTransaction { db throws in
          try db.execute(sql: "CREATE TEMP TABLE note (text); INSERT INTO note VALUES ('x')")
          try db.execute(
            sql: "CREATE TEMP TRIGGER t AFTER INSERT ON author BEGIN DELETE FROM note; END")
          #expect(try String.fetchAll(db, sql: "SELECT text FROM note") == ["x"])
          try Author(id: 1, name: "a").insert(db)
          #expect(try String.fetchAll(db, sql: "SELECT text FROM note") == [])
        }
        #expect(throws: DatabaseError.self) {
          try cluster.read { db in _ = try Row.fetchAll(db, sql: "SELECT * FROM note") }
        }
      }
    }

    @Test func `What the planner and the traces show is the statement itself`() throws {
      try TestCluster.withDatabase { _, cluster throws in
        try cluster.writeWithoutTransaction { db throws in
          let log = Log<String>()
          db.trace { log.append("\($0)") }
          _ = try Row.fetchAll(db, sql: "SELECT name FROM author WHERE id = ?", arguments: [1])
          db.trace()
          #expect(log.elements == ["SELECT name FROM author WHERE id = ?"])
          let plan = try Row.fetchAll(
            db, sql: "EXPLAIN QUERY PLAN SELECT * FROM author WHERE id = 1")
          #expect((plan.first?["detail"] as String?)?.hasPrefix("SEARCH author") == true)
        }
      }
    }
  }
#endif
