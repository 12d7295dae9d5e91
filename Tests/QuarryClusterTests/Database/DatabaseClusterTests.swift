// Nodes run on Linux.
#if os(Linux)
  import Foundation
  import NodeProcesses
  import Quarry
  import QuarryTestSupport
  import Testing

  @testable import QuarryCluster

  @Suite(
    "A database of a cluster", .serialized,
    .enabled(if: TestCluster.program != nil, "Scripts/cluster test"))
  struct DatabaseClusterTests {
    @Test func `Records are written and read`() throws {
      try TestCluster.withDatabase { _, cluster throws in
        try cluster.write { db in
          try Author(id: 1, name: "Franz Kafka").insert(db)
          try Book(id: 1, title: "The Trial", price: 12.5, authorId: 1).insert(db)
          #expect(db.changesCount == 1)
          #expect(db.lastInsertedRowID == 1)
        }
        let books = try cluster.read { db in try Book.fetchAll(db) }
        #expect(books == [Book(id: 1, title: "The Trial", price: 12.5, authorId: 1)])
        let count = try cluster.read { db in
          try Author.filter(Column("name") == "Franz Kafka").fetchCount(db)
        }
        #expect(count == 1)
      }
    }

    @Test func `Values of all types come back as they were`() throws {
      try TestCluster.withDatabase { _, cluster throws in
        let values: [DatabaseValue] = [
          .null, Int64.min.databaseValue, Int64.max.databaseValue, 0.1.databaseValue,
          (-1e300).databaseValue, "".databaseValue, "Grüße 👋".databaseValue, Data().databaseValue,
          Data([0, 1, 255]).databaseValue, String(repeating: "x", count: 100_000).databaseValue,
        ]
        try cluster.write { db in
          try db.execute(sql: "CREATE TABLE any (id INTEGER PRIMARY KEY, value)")
          for value in values {
            try db.execute(sql: "INSERT INTO any (value) VALUES (?)", arguments: [value])
          }
          let stored = try DatabaseValue.fetchAll(db, sql: "SELECT value FROM any ORDER BY id")
          #expect(stored == values)
        }
        let arguments = try cluster.read { db in
          try Row.fetchOne(
            db, sql: "SELECT :b AS b, :a AS a, ? AS c, :b AS d",
            arguments: ["a": 1, "b": "two"] + [3.5])
        }
        #expect(arguments == ["b": "two", "a": 1, "c": 3.5, "d": "two"])
      }
    }

    @Test func `A transaction that throws leaves nothing`() throws {
      struct Refusal: Error {}
      try TestCluster.withDatabase { _, cluster throws in
        #expect(throws: Refusal.self) {
          try cluster.write { db in
            try Author(id: 1, name: "Franz Kafka").insert(db)
            throw Refusal()
          }
        }
        let count = try cluster.read { db in try Author.fetchCount(db) }
        #expect(count == 0)
        try cluster.write { db in
          try Author(id: 1, name: "Franz Kafka").insert(db)
          try db.inSavepoint {
            try Author(id: 2, name: "Max Brod").insert(db)
            return .rollback
          }
          try db.inSavepoint {
            try Author(id: 3, name: "Milena Jesenská").insert(db)
            return .commit
          }
        }
        let ids = try cluster.read { db in try Int.fetchAll(db, sql: "SELECT id FROM author") }
        #expect(ids == [1, 3])
      }
    }

    @Test func `Errors of SQL are those of a database on this machine`() throws {
      try TestCluster.withDatabase { _, cluster throws in
        try cluster.write { db in
          try Author(id: 1, name: "Franz Kafka").insert(db)
          let error = #expect(throws: DatabaseError.self) {
            try Author(id: 2, name: "Franz Kafka").insert(db)
          }
          #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE)
          #expect(error?.message == "UNIQUE constraint failed: author.name")
          // The transaction goes on.
          try Author(id: 3, name: "Max Brod").insert(db)
          let typo = #expect(throws: DatabaseError.self) {
            try db.execute(sql: "SELECT nme FROM author")
          }
          #expect(typo?.message?.hasPrefix("no such column: nme") == true)
          let key = #expect(throws: DatabaseError.self) {
            try db.execute(sql: "INSERT INTO book (authorId, title) VALUES (7, 'x')")
          }
          #expect(key?.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY)
        }
        let names = try cluster.read { db in
          try String.fetchAll(db, sql: "SELECT name FROM author ORDER BY id")
        }
        #expect(names == ["Franz Kafka", "Max Brod"])
      }
    }
  }
#endif
