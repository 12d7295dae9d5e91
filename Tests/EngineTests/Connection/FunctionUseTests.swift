import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

@Suite("Functions and collations in schemas")
struct FunctionUseTests {
  private struct Refusal: Error, CustomStringConvertible {
    var description: String { "odd numbers are refused" }
  }

  private static let half = DatabaseFunction("half", argumentCount: 1, pure: true) { dbValues in
    guard let number = Int.fromDatabaseValue(dbValues[0]) else { return nil }
    guard number.isMultiple(of: 2) else { throw Refusal() }
    return number / 2
  }

  private static let byLength = DatabaseCollation("length") { left, right in
    left.utf8.count == right.utf8.count
      ? .orderedSame
      : left.utf8.count < right.utf8.count ? .orderedAscending : .orderedDescending
  }

  private func inDatabase(
    encoding: String = "UTF-8", _ body: (Database) throws -> Void
  ) throws {
    try DatabaseQueue().inDatabase { db in
      try db.execute(sql: "PRAGMA encoding = '\(encoding)'; CREATE TABLE t (a)")
      db.add(function: Self.half)
      db.add(collation: Self.byLength)
      try body(db)
    }
  }

  /// What `statement` throws is the error of the function, and the row of 3 is not there.
  private func expectRefusal(_ db: Database, _ statement: String) throws {
    let error = databaseError { try db.execute(sql: statement) }
    #expect(error?.resultCode == .SQLITE_ERROR)
    #expect(error?.message == "odd numbers are refused")
    #expect(error?.sql == statement)
    #expect(!db.isInsideTransaction)
  }

  @Test(arguments: [
    "CREATE INDEX i ON t(half(a))",
    "CREATE TABLE u (a, b CHECK (half(a) > 0)); DROP TABLE t; ALTER TABLE u RENAME TO t",
    "CREATE TABLE u (a, b AS (half(a)) STORED); DROP TABLE t; ALTER TABLE u RENAME TO t",
    "CREATE INDEX i ON t(a) WHERE half(a) > 1",
    "CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT half(new.a); END",
  ])
  func `an error of a function that the schema uses is an error of the statement that writes`(
    sql: String
  ) throws {
    try inDatabase { db throws in
      try db.execute(sql: sql)
      try db.execute(sql: "INSERT INTO t (a) VALUES (4)")
      try expectRefusal(db, "INSERT INTO t (a) VALUES (6), (3)")
      #expect(try Int.fetchAll(db, sql: "SELECT a FROM t") == [4])
    }
  }

  @Test func `an error while an index is made is an error of its creation`() throws {
    try inDatabase { db throws in
      try db.execute(sql: "INSERT INTO t VALUES (4), (3)")
      try expectRefusal(db, "CREATE INDEX i ON t(half(a))")
      #expect(try db.indexes(on: "t").isEmpty)
      #expect(try !db.triggerExists("i"))
    }
  }

  @Test func `an error in the middle of a fetch is thrown after the rows before`() throws {
    try inDatabase { db in
      try db.execute(sql: "INSERT INTO t VALUES (4), (8), (3), (2)")
      let cursor = try Int.fetchCursor(db, sql: "SELECT half(a) FROM t")
      #expect(try cursor.next() == 2)
      #expect(try cursor.next() == 4)
      #expect(databaseError { try cursor.next() }?.message == "odd numbers are refused")
      #expect(databaseError { try Int.fetchAll(db, sql: "SELECT half(a) FROM t") } != nil)
      #expect(databaseError { try Int.fetchSet(db, sql: "SELECT half(a) FROM t") } != nil)
    }
  }

  @Test func `a function goes before the one of SQLite with the same name`() throws {
    try inDatabase { db throws in
      db.add(function: DatabaseFunction("abs", argumentCount: 1, pure: true) { _ in "mine" })
      #expect(try String.fetchOne(db, sql: "SELECT abs(-1)") == "mine")
      db.remove(function: DatabaseFunction("abs", argumentCount: 1) { _ in nil })
      #expect(throws: DatabaseError.self) { try Int.fetchOne(db, sql: "SELECT abs(-1)") }
    }
  }

  @Test
  func
    `a schema whose function or collation is missing is an error of the statements that need it`()
    throws
  {
    try inDatabase { db throws in
      try db.execute(
        sql: "CREATE TABLE u (a TEXT COLLATE length UNIQUE); CREATE INDEX i ON t(half(a))")
      db.remove(function: Self.half)
      db.remove(collation: Self.byLength)
      let function = databaseError { try db.execute(sql: "INSERT INTO t VALUES (4)") }
      #expect(function?.message?.contains("half()") == true)
      let collation = databaseError { try db.execute(sql: "INSERT INTO u VALUES ('x')") }
      #expect(collation?.message == "no such collation sequence: length")
      db.add(function: Self.half)
      db.add(collation: Self.byLength)
      try db.execute(sql: "INSERT INTO t VALUES (4); INSERT INTO u VALUES ('x')")
    }
  }

  @Test(arguments: ["UTF-8", "UTF-16le", "UTF-16be"])
  func `a unique index uses its collation`(encoding: String) throws {
    try inDatabase(encoding: encoding) { db throws in
      try db.execute(sql: "CREATE TABLE u (a TEXT COLLATE length UNIQUE)")
      try db.execute(sql: "INSERT INTO u VALUES ('ccc'), ('é'), ('')")
      let error = databaseError { try db.execute(sql: "INSERT INTO u VALUES ('bb')") }
      #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE)
      #expect(try String.fetchAll(db, sql: "SELECT a FROM u ORDER BY a") == ["", "é", "ccc"])
      #expect(try String.fetchAll(db, sql: "SELECT a FROM u WHERE a = 'xx'") == ["é"])
    }
  }

  @Test func `a collation gets invalid UTF-8 repaired, and texts with NUL characters whole`() throws
  {
    try inDatabase { db throws in
      let log = Log<String>()
      db.add(
        collation: DatabaseCollation("logged") { left, right in
          log.append(left)
          log.append(right)
          return left < right
            ? .orderedAscending : left == right ? .orderedSame : .orderedDescending
        })
      try db.execute(
        sql: "INSERT INTO t VALUES (CAST(X'61FF62' AS TEXT)), (CAST(X'610062' AS TEXT))")
      let rows = try Row.fetchAll(db, sql: "SELECT a FROM t ORDER BY a COLLATE logged")
      #expect(rows.count == 2)
      #expect(Set(log.elements) == ["a\u{fffd}b", "a\0b"])
    }
  }

  @Test func `a collation without any order does not stop anything`() throws {
    try inDatabase { db throws in
      db.add(collation: DatabaseCollation("chaos") { _, _ in .orderedAscending })
      try db.execute(
        sql: """
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100)
          INSERT INTO t SELECT 'x' || i FROM n
          """)
      #expect(try Row.fetchAll(db, sql: "SELECT a FROM t ORDER BY a COLLATE chaos").count == 100)
      try db.execute(sql: "CREATE INDEX i ON t(a COLLATE chaos)")
      _ = try String.fetchAll(db, sql: "SELECT a FROM t WHERE a COLLATE chaos > 'x5'")
    }
  }

  @Test func `functions of a query run in their places: in a trigger, a view, and a subquery`()
    throws
  {
    try inDatabase { db throws in
      try db.execute(
        sql: """
          CREATE VIEW v AS SELECT half(a) AS h FROM t;
          CREATE TABLE log (h);
          CREATE TRIGGER r AFTER INSERT ON t BEGIN INSERT INTO log VALUES (half(new.a) + 100); END;
          INSERT INTO t VALUES (2), (4);
          """)
      #expect(try Int.fetchAll(db, sql: "SELECT h FROM v") == [1, 2])
      #expect(try Int.fetchAll(db, sql: "SELECT h FROM log") == [101, 102])
      #expect(
        try Int.fetchAll(db, sql: "SELECT a FROM t WHERE a > (SELECT max(half(a)) FROM t)") == [4])
    }
  }
}
