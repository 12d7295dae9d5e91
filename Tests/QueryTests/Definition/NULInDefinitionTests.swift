import QuarryTestSupport
import Testing

@testable import Quarry

/// SQL can't contain NUL characters, texts can.
@Suite(.onQueueAndPool)
struct NULInDefinitionTests {
  private static let text = "x\0y"

  @Test func `default values and conditions have the whole text`() throws {
    try inEmptyDatabase { db throws in
      try db.create(table: "t") { t in
        t.primaryKey("id", .integer)
        t.column("a", .text).defaults(to: Self.text)
        t.column("b", .text).check { $0 != Self.text }
        t.check(Column("a") != "p\0q")
      }
      try db.execute(sql: "INSERT INTO t (b) VALUES ('x')")
      #expect(try String.fetchOne(db, sql: "SELECT hex(a) FROM t") == "780079")
      try db.execute(sql: "INSERT INTO t (a) VALUES ('p')")
      let sql = "INSERT INTO t (a, b) VALUES (?, ?)"
      for arguments: StatementArguments in [["p\0q", "b"], ["a", Self.text]] {
        let error = databaseError { try db.execute(sql: sql, arguments: arguments) }
        #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_CHECK)
      }
      try db.alter(table: "t") { t in t.add(column: "c", .text).defaults(to: "x") }
      #expect(throws: DatabaseError.self) {
        // No constant: SQLite would have to compute it for each row.
        try db.alter(table: "t") { t in t.add(column: "d", .text).defaults(to: Self.text) }
      }
    }
  }

  @Test func `views, indexes and triggers have the whole text`() throws {
    try inEmptyDatabase { db throws in
      try db.execute(
        sql:
          "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); INSERT INTO t VALUES (1, 'x'), (2, ?)",
        arguments: [Self.text])
      let condition = Column("a") == Self.text
      try db.create(view: "v1", as: Table("t").filter(condition))
      try db.create(view: "v2", asLiteral: "SELECT * FROM t WHERE a = \(Self.text)")
      try db.create(index: "i", on: "t", columns: ["id"], options: .unique, condition: condition)
      for view in ["v1", "v2"] {
        #expect(try Int.fetchAll(db, sql: "SELECT id FROM \(view)") == [2])
      }
      #expect(try Table("t").filter(condition).fetchCount(db) == 1)
    }
  }

  @Test func `many keys with such a text are found`() throws {
    try inEmptyDatabase { db throws in
      try db.execute(
        sql: "CREATE TABLE t (a TEXT PRIMARY KEY); INSERT INTO t VALUES ('x'), (?)",
        arguments: [Self.text])
      for count in [1, 150] {
        let keys = [Self.text] + (1..<count).map { "\($0)" }
        let found = try Table("t").filter(keys: keys).select(Column("a"), as: String.self).fetchAll(
          db)
        #expect(found == [Self.text])
      }
    }
  }
}
