import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

/// Dies with the closure that captures it.
private final class Witness: Sendable {
  let log: Log<String>
  let name: String

  init(_ name: String, _ log: Log<String>) {
    self.name = name
    self.log = log
  }

  deinit { log.append(name) }

  func value() -> String { name }
}

@Suite("Lifetimes and replacements of functions and collations")
struct RegistrationTests {
  private func function(_ witness: Witness) -> DatabaseFunction {
    DatabaseFunction("f", argumentCount: 0) { _ in witness.value() }
  }

  private func collation(_ witness: Witness) -> DatabaseCollation {
    DatabaseCollation("c") { left, right in
      witness.name == "old" ? left.compare(right) : right.compare(left)
    }
  }

  @Test func `a function lives as long as it is registered`() throws {
    let log = Log<String>()
    let queue = try DatabaseQueue()
    queue.inDatabase { db in db.add(function: function(Witness("first", log))) }
    #expect(log.elements == [])
    queue.inDatabase { db in db.add(function: function(Witness("second", log))) }
    #expect(log.elements == ["first"])
    queue.inDatabase { db in
      db.remove(function: DatabaseFunction("f", argumentCount: 0) { _ in nil })
    }
    #expect(log.elements == ["first", "second"])
    queue.inDatabase { db in db.add(function: function(Witness("third", log))) }
    try queue.close()
    #expect(log.elements == ["first", "second", "third"])
  }

  @Test func `a collation lives as long as it is registered`() throws {
    let log = Log<String>()
    let queue = try DatabaseQueue()
    queue.inDatabase { db in db.add(collation: collation(Witness("first", log))) }
    queue.inDatabase { db in db.add(collation: collation(Witness("second", log))) }
    #expect(log.elements == ["first"])
    try queue.close()
    #expect(log.elements == ["first", "second"])
  }

  @Test func `registrations on a closed connection do nothing`() throws {
    let log = Log<String>()
    let queue = try DatabaseQueue()
    try queue.close()
    queue.inDatabase { db in
      db.add(function: function(Witness("function", log)))
      db.add(collation: collation(Witness("collation", log)))
      db.remove(function: function(Witness("removed", log)))
    }
    #expect(Set(log.elements) == ["function", "collation", "removed"])
  }

  @Test func `a function that is replaced while a statement runs serves the statement to its end`()
    throws
  {
    let log = Log<String>()
    try DatabaseQueue().inDatabase { db throws -> Void in
      db.add(function: function(Witness("old", log)))
      let cursor = try String.fetchCursor(
        db, sql: "WITH n(i) AS (VALUES (1), (2), (3)) SELECT f() || i FROM n")
      #expect(try cursor.next() == "old1")
      db.add(function: function(Witness("middle", log)))
      db.add(function: function(Witness("new", log)))
      #expect(try cursor.next() == "old2")
      #expect(try cursor.next() == "old3")
      #expect(log.elements == [])
      #expect(try cursor.next() == nil)
      // The statement has ended.
      #expect(try String.fetchOne(db, sql: "SELECT f()") == "new")
      #expect(log.elements == ["old", "middle"])
    }
  }

  @Test func `a function that is removed while a statement runs serves the statement to its end`()
    throws
  {
    let log = Log<String>()
    try DatabaseQueue().inDatabase { db throws -> Void in
      let function = function(Witness("old", log))
      db.add(function: function)
      do {
        let cursor = try String.fetchCursor(db, sql: "SELECT f() UNION ALL SELECT f() || '2'")
        #expect(try cursor.next() == "old")
        db.remove(function: function)
        // Statements that are compiled meanwhile also have the former function.
        #expect(try String.fetchOne(db, sql: "SELECT f() || '!'") == "old!")
      }
      let error = databaseError { try String.fetchOne(db, sql: "SELECT f() || '?'") }
      #expect(error?.message == "no such function: f")
    }
  }

  /// SQLite's own `date` has any number of arguments.
  @Test func `statements that are known call a function that fits better from now on`() throws {
    try DatabaseQueue().inDatabase { db throws -> Void in
      let sql = "SELECT date('2020-01-01')"
      let statement = try db.makeStatement(sql: sql)
      for _ in 1...2 {
        #expect(try String.fetchOne(db, sql: sql) == "2020-01-01")
        #expect(try String.fetchOne(statement) == "2020-01-01")
      }
      let cursor = try String.fetchCursor(db, sql: "\(sql) UNION ALL \(sql)")
      #expect(try cursor.next() == "2020-01-01")
      db.add(function: DatabaseFunction("date", argumentCount: 1) { _ in "New Year" })
      // A statement that runs has the former one.
      #expect(try cursor.next() == "2020-01-01")
      #expect(try String.fetchOne(db, sql: sql) == "New Year")
      #expect(try String.fetchOne(statement) == "New Year")
      #expect(try String.fetchOne(db, sql: "SELECT date('2020-01-01', '+1 day')") == "2020-01-02")
    }
  }

  @Test func `a collation that is replaced while a statement runs serves the statement to its end`()
    throws
  {
    let log = Log<String>()
    try DatabaseQueue().inDatabase { db throws -> Void in
      try db.execute(sql: "CREATE TABLE t AS SELECT column1 AS a FROM (VALUES ('a'), ('b'), ('c'))")
      db.add(collation: collation(Witness("old", log)))
      let sql = "SELECT a FROM t ORDER BY a COLLATE c"
      do {
        let cursor = try String.fetchCursor(db, sql: sql)
        #expect(try cursor.next() == "a")
        db.add(collation: collation(Witness("new", log)))
        #expect(try cursor.next() == "b")
      }
      #expect(try String.fetchAll(db, sql: sql) == ["c", "b", "a"])
      #expect(log.elements == ["old"])
    }
  }

  @Test func `a replacement that waits is forgotten with its connection`() throws {
    let log = Log<String>()
    do {
      let queue = try DatabaseQueue()
      try queue.inDatabase { db in
        db.add(function: function(Witness("old", log)))
        let cursor = try String.fetchCursor(db, sql: "SELECT f() UNION ALL SELECT f()")
        _ = try cursor.next()
        db.add(function: function(Witness("new", log)))
        withExtendedLifetime(cursor) {}
      }
    }
    #expect(Set(log.elements) == ["old", "new"])
  }

  private static let longName = String(repeating: "f", count: 256)

  @Test(
    arguments: [
      (
        "loans", 32_768, "SELECT Loans(1)",
        "no such function: Loans - SQLite has refused the function: 32768 arguments, and a name of 5 bytes"
      ),
      (
        "abs", -1, "SELECT abs(1, 2)",
        """
        wrong number of arguments to function abs() - SQLite has refused the function: -1 arguments, \
        and a name of 3 bytes
        """
      ),
      (
        longName, nil, "SELECT \(longName)()",
        """
        no such function: \(longName) - SQLite has refused the function: any number of arguments, \
        and a name of 256 bytes
        """
      ),
      ("a\0b", 0, "SELECT a()", "no such function: a"),
    ] as [(String, Int?, String, String)])
  func `a function that SQLite refuses is an error of the statements that call it`(
    name: String, argumentCount: Int?, sql: String, message: String
  ) throws {
    try DatabaseQueue().inDatabase { db throws in
      db.add(function: DatabaseFunction(name, argumentCount: argumentCount) { _ in nil })
      #expect(databaseError { try db.execute(sql: sql) }?.message == message)
      let other = databaseError { try db.execute(sql: "SELECT other()") }
      #expect(other?.message == "no such function: other")
      db.remove(function: DatabaseFunction(name, argumentCount: argumentCount) { _ in nil })
      #expect(try Int.fetchOne(db, sql: "SELECT abs(-1)") == 1)
    }
  }

  @Test func `the longest name and the highest number of arguments that SQLite takes are called`()
    throws
  {
    try DatabaseQueue().inDatabase { db throws in
      let name = String(repeating: "f", count: 255)
      db.add(function: DatabaseFunction(name, argumentCount: 127) { $0.count })
      let arguments = repeatElement("0", count: 127).joined(separator: ",")
      #expect(try Int.fetchOne(db, sql: "SELECT \(name)(\(arguments))") == 127)
    }
  }
}
