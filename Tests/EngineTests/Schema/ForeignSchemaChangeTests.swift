import Quarry
import QuarryMigrations
import QuarryTestSupport
import Testing

/// The schema that another connection changes.
struct ForeignSchemaChangeTests {
  private func withConnections(
    _ body: (_ queue: DatabaseQueue, _ other: DatabaseQueue) throws -> Void
  ) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      let other = try DatabaseQueue(path: path)
      try other.write { db in
        try db.execute(sql: "CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT)")
      }
      try body(DatabaseQueue(path: path), other)
    }
  }

  @Test func `introspection sees what another connection has changed`() throws {
    try withConnections { queue, other in
      try queue.read { db in
        try #expect(db.columns(in: "author").map(\.name) == ["id", "name"])
        try #expect(!db.tableExists("book"))
        try #expect(db.indexes(on: "author").isEmpty)
      }
      try other.write { db in
        try db.execute(
          sql: """
            ALTER TABLE author ADD COLUMN country TEXT;
            CREATE TABLE book (id INTEGER PRIMARY KEY, authorId INTEGER REFERENCES author);
            CREATE UNIQUE INDEX byName ON author(name);
            """)
      }
      try queue.read { db in
        try #expect(db.columns(in: "author").map(\.name) == ["id", "name", "country"])
        try #expect(db.tableExists("book"))
        try #expect(db.indexes(on: "author").map(\.name) == ["byName"])
        try #expect(db.table("author", hasUniqueKey: ["name"]))
        try #expect(db.foreignKeys(on: "book").map(\.destinationColumns) == [["id"]])
        try #expect(db.schemaDescription().tables.map(\.name) == ["author", "book"])
      }
    }
  }

  @Test func `a request finds a table that another connection has created`() throws {
    try withConnections { queue, other in
      try queue.read { db in try #expect(Table("author").filter(key: 1).fetchOne(db) == nil) }
      try other.write { db in
        try db.execute(
          sql: "CREATE TABLE book (isbn TEXT PRIMARY KEY); INSERT INTO book VALUES ('a')")
      }
      try queue.read { db in
        try #expect(Table("book").filter(key: "a").fetchOne(db) == ["isbn": "a"])
      }
    }
  }
}
