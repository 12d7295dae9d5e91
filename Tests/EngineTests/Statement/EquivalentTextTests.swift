import Foundation
import QuarryMigrations
import QuarryTestSupport
import Testing

@testable import Quarry

private let composed = Acute.composed
private let decomposed = Acute.decomposed

/// Texts and names that are equal in Swift are different in SQLite.
@Suite(.onQueueAndPool)
struct EquivalentTextTests {
  private typealias Fetch = @Sendable (Database, _ condition: String) throws -> [Int]

  private static let fetches: [(String, Fetch)] = [
    ("values", { try Int.fetchAll($0, sql: "SELECT id FROM word WHERE \($1)") }),
    (
      "a cached statement",
      { try Int.fetchAll($0.cachedStatement(sql: "SELECT id FROM word WHERE \($1)")) }
    ),
    ("a request", { try SQLRequest<Int>(sql: "SELECT id FROM word WHERE \($1)").fetchAll($0) }),
    (
      "a cached request",
      { try SQLRequest<Int>(sql: "SELECT id FROM word WHERE \($1)", cached: true).fetchAll($0) }
    ),
    (
      "a filter",
      { try Table("word").filter(sql: $1).select(Column("id"), as: Int.self).fetchAll($0) }
    ),
    ("rows", { try Row.fetchAll($0, sql: "SELECT id FROM word WHERE \($1)").map { $0[0] } }),
    (
      "cursors",
      { try Array(Int.fetchCursor($0.makeStatement(sql: "SELECT id FROM word WHERE \($1)"))) }
    ),
  ]

  private func inWords(_ body: (Database) throws -> Void) throws {
    try inEmptyDatabase { db throws in
      try db.execute(
        sql:
          "CREATE TABLE word (id INTEGER PRIMARY KEY, text); INSERT INTO word VALUES (1, ?), (2, ?)",
        arguments: [composed, decomposed])
      try body(db)
    }
  }

  @Test(arguments: fetches.indices)
  func `statements with other literals are other statements`(_ index: Int) throws {
    let (name, fetch) = Self.fetches[index]
    try inWords { db throws in
      for _ in 0..<3 {
        #expect(try fetch(db, "text = '\(composed)'") == [1], "\(name)")
        #expect(try fetch(db, "text = '\(decomposed)'") == [2], "\(name)")
      }
    }
  }

  @Test func `the row that was asked for is deleted, and updated`() throws {
    try inWords { db throws in
      let words = Table("word")
      try db.inSavepoint { () throws in
        #expect(try words.filter(sql: "text = '\(composed)'").deleteAll(db) == 1)
        return .rollback
      }
      #expect(try words.filter(sql: "text = '\(decomposed)'").deleteAll(db) == 1)
      #expect(try Int.fetchAll(db, sql: "SELECT id FROM word") == [1])
      try words.filter(sql: "text = '\(composed)'").updateAll(db, Column("text").set(to: "x"))
      #expect(
        try words.filter(sql: "text = '\(decomposed)'").updateAll(db, Column("text").set(to: "y"))
          == 0)
      #expect(try String.fetchAll(db, sql: "SELECT text FROM word") == ["x"])
    }
  }

  @Test func `parameters of other names take other arguments`() throws {
    try inEmptyDatabase { db throws in
      let sql = "SELECT :\(composed) - :\(decomposed)"
      var arguments: StatementArguments = [composed: 7]
      #expect(throws: DatabaseError.self) { try Int.fetchOne(db, sql: sql, arguments: arguments) }
      #expect(arguments.append(contentsOf: [decomposed: 3]).isEmpty)
      #expect(try Int.fetchOne(db, sql: sql, arguments: arguments) == 4)
      arguments = [decomposed: 3] + [composed: 7]
      #expect(try Int.fetchOne(db, sql: sql, arguments: arguments) == 4)
      let literal: SQL =
        "\(sql: ":\(composed)", arguments: [composed: 7])"
        + " - \(sql: ":\(decomposed)", arguments: [decomposed: 3])"
      #expect(try SQLRequest<Int>(literal: "SELECT \(literal)").fetchOne(db) == 4)
    }
    #expect([composed: 1] as StatementArguments != [decomposed: 1])
    #expect([composed: 1, "a": 2] as StatementArguments == ["a": 2, composed: 1])
    #expect([composed] as StatementArguments != [decomposed])
  }

  @Test(arguments: [0, 9])
  func `columns of other names have other values`(otherCount: Int) throws {
    try inEmptyDatabase { db throws in
      let others = (0..<otherCount).map { ", \($0) AS c\($0)" }.joined()
      let sql = "SELECT 1 AS \"\(composed)\", 2 AS \"\(decomposed)\"\(others)"
      let row = try Row.only(db, sql)
      for row in [row, row.copy(), try #require(try Row.fetchAll(db, sql: sql).first)] {
        #expect(row[composed] as Int == 1)
        #expect(row[decomposed] as Int == 2)
        #expect(row[Column(decomposed)] as Int == 2)
        #expect(row["E\u{301}"] as Int == 2)
        #expect(!row.hasColumn("\u{c9}"))
      }
      let one = try Row.only(db, "SELECT 1 AS \"\(composed)\"\(others)")
      #expect(!one.hasColumn(decomposed) && one.hasColumn(composed))
      #expect(one != (try Row.only(db, "SELECT 1 AS \"\(decomposed)\"\(others)")))
      #expect(one == (try Row.only(db, "SELECT 1 AS \"\(composed)\"\(others)")))
      let mapping = ColumnMapping(["a": composed, "b": decomposed])
      let mapped = try Row.fetchOne(db, sql: sql, adapter: mapping)
      #expect(mapped == ["a": 1, "b": 2])
    }
  }

  @Test func `tables of other names have other columns, keys, rows and indexes`() throws {
    try inEmptyDatabase { db throws in
      try db.execute(
        sql: """
          CREATE TABLE "\(composed)" (id INTEGER PRIMARY KEY, a);
          CREATE TABLE "\(decomposed)" (code TEXT PRIMARY KEY, b);
          INSERT INTO "\(composed)" VALUES (1, 'a');
          INSERT INTO "\(decomposed)" VALUES (1, 'b');
          CREATE INDEX ia ON "\(composed)" (a); CREATE INDEX ib ON "\(decomposed)" (b);
          """)
      for _ in 0..<2 {
        #expect(try db.columns(in: composed).map(\.name) == ["id", "a"])
        #expect(try db.columns(in: decomposed).map(\.name) == ["code", "b"])
        #expect(try db.primaryKey(composed).columns == ["id"])
        #expect(try db.primaryKey(decomposed).columns == ["code"])
        #expect(try Table(composed).filter(key: 1).fetchOne(db)?["a"] == "a")
        #expect(try Table(decomposed).filter(key: "1").fetchOne(db)?["b"] == "b")
        #expect(try db.indexes(on: decomposed).map(\.name).contains("ib"))
        #expect(try db.tableExists(decomposed) && !db.tableExists("\u{c9}"))
      }
      let description = try db.schemaDescription()
      #expect(description.tables.map { $0.columns[0].name }.sorted() == ["code", "id"])
      try db.rename(table: decomposed, to: "other")
      #expect(try !db.tableExists(decomposed) && db.tableExists(composed))
    }
  }

  @Test func `definitions find the column, and the index, by its bytes`() throws {
    try inEmptyDatabase { db throws in
      try db.create(table: "t") { t in
        t.column(composed, .integer)
        t.column(decomposed, .integer).references("t", column: composed)
      }
      try db.create(index: "i1", on: "t", columns: [composed], options: .unique)
      try db.create(index: "i2", on: "t", columns: [decomposed])
      try db.drop(indexOn: "t", columns: [decomposed])
      #expect(try db.indexes(on: "t").map(\.name) == ["i1"])
      let key = try #require(try db.foreignKeys(on: "t").first)
      #expect(key.originColumns.hasSameTexts(as: [decomposed]))
      #expect(key.destinationColumns.hasSameTexts(as: [composed]))
    }
  }

  @Test func `a schema with another name is another schema`() throws {
    func schema(_ name: String) throws -> (DatabaseSchemaDescription, Set<SchemaObject>) {
      var result: (DatabaseSchemaDescription, Set<SchemaObject>)?
      try inEmptyDatabase { db throws in
        try db.execute(sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, \"\(name)\" TEXT)")
        result = try (db.schemaDescription(), Set(db.readObjects(of: .main)))
      }
      return try #require(result)
    }
    let (one, other) = try (schema(composed), schema(decomposed))
    #expect(one.1 != other.1)
    #expect(try schema(composed).1 == one.1)
    #expect(one.0 != other.0)
    #expect(try schema(composed).0 == one.0)
  }

  @Test func `functions, collations and regular expressions are distinguished`() throws {
    let functions = [composed, decomposed].map { DatabaseFunction("f\($0)") { _ in 1 } }
    #expect(functions[0].id != functions[1].id)
    let collations = [composed, decomposed].map { DatabaseCollation($0) { _, _ in .orderedSame } }
    #expect(collations[0].id != collations[1].id)
    try inEmptyDatabase { db throws in
      db.add(function: .regexp)
      for _ in 0..<2 {
        #expect(
          try Bool.fetchOne(db, sql: "SELECT ? REGEXP ?", arguments: [composed, composed]) == true)
        #expect(
          try Bool.fetchOne(db, sql: "SELECT ? REGEXP ?", arguments: [composed, decomposed])
            == false)
      }
    }
  }
}
