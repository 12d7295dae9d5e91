import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

private struct Failure: Error, CustomStringConvertible {
  var description: String
}

/// Joins texts, and counts its instances.
private struct Joined: DatabaseAggregate {
  var texts: [String] = []

  mutating func step(_ dbValues: [DatabaseValue]) throws {
    texts.append(dbValues.map(\.description).joined(separator: "+"))
  }

  func finalize() -> (any DatabaseValueConvertible)? {
    texts.isEmpty ? nil : texts.joined(separator: ",")
  }
}

/// Fails where its argument says so.
private struct Failing: DatabaseAggregate {
  static let log = Log<String>()

  var failsAtTheEnd = false

  mutating func step(_ dbValues: [DatabaseValue]) throws {
    switch dbValues[0].storage {
    case .string("step"): throw DatabaseError(resultCode: .SQLITE_CONSTRAINT_CHECK, message: "step")
    case .string("finalize"): failsAtTheEnd = true
    default: break
    }
  }

  func finalize() throws -> (any DatabaseValueConvertible)? {
    Self.log.append("finalize")
    if failsAtTheEnd { throw Failure(description: "finalize") }
    return 1
  }
}

/// A reference type.
private final class Counter: DatabaseAggregate {
  static let log = Log<Int>()
  private var count = 0

  init() {}
  deinit { Self.log.append(count) }

  func step(_ dbValues: [DatabaseValue]) { count += 1 }
  func finalize() -> (any DatabaseValueConvertible)? { count }
}

@Suite("Aggregates", .serialized)
struct DatabaseAggregateTests {
  private func inDatabase(_ body: (Database) throws -> Void) throws {
    try DatabaseQueue().inDatabase { db in
      db.add(function: DatabaseFunction("joined", aggregate: Joined.self))
      db.add(function: DatabaseFunction("failing", argumentCount: 1, aggregate: Failing.self))
      db.add(function: DatabaseFunction("counted", argumentCount: 0, aggregate: Counter.self))
      try db.execute(
        sql: """
          CREATE TABLE t (g TEXT, a);
          INSERT INTO t VALUES ('x', 1), ('y', NULL), ('x', 'b'), ('y', x'00FF'), ('x', 1.5)
          """)
      try body(db)
    }
  }

  @Test func `there is one aggregate for each group`() throws {
    try inDatabase { db throws in
      let rows = try Row.fetchAll(db, sql: "SELECT g, joined(a) AS j FROM t GROUP BY g ORDER BY g")
      #expect(
        rows == [
          ["g": "x", "j": "1,\"b\",1.5"], ["g": "y", "j": "NULL,Data(2 bytes)"],
        ])
    }
  }

  @Test func `an aggregate takes any number of arguments`() throws {
    try inDatabase { db throws in
      #expect(try String.fetchOne(db, sql: "SELECT joined(g, 0) FROM t WHERE a = 1") == "\"x\"+0")
      #expect(try String.fetchOne(db, sql: "SELECT joined() FROM t WHERE g = 'x'") == ",,")
    }
  }

  @Test func `the aggregate of no row is finalized without step`() throws {
    try inDatabase { db throws in
      #expect(try DatabaseValue.fetchOne(db, sql: "SELECT joined(a) FROM t WHERE 0") == .null)
      #expect(try Int.fetchOne(db, sql: "SELECT counted() FROM t WHERE 0") == 0)
      #expect(try Int.fetchAll(db, sql: "SELECT counted() FROM t WHERE 0 GROUP BY g") == [])
    }
  }

  @Test func `FILTER and DISTINCT apply to aggregates`() throws {
    try inDatabase { db throws in
      #expect(try Int.fetchOne(db, sql: "SELECT counted() FILTER (WHERE g = 'y') FROM t") == 2)
      #expect(try String.fetchOne(db, sql: "SELECT joined(DISTINCT g) FROM t") == "\"x\",\"y\"")
    }
  }

  @Test func `an error of a step is thrown, and the aggregate is not finalized`() throws {
    try inDatabase { db throws in
      Failing.log.removeAll()
      let error = databaseError {
        try Int.fetchOne(db, sql: "SELECT failing(column1) FROM (VALUES (1), ('step'), (2))")
      }
      #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_CHECK)
      #expect(error?.message == "step")
      #expect(Failing.log.elements == [])
      #expect(try Int.fetchOne(db, sql: "SELECT failing(1)") == 1)
    }
  }

  @Test func `an error of the end is thrown`() throws {
    try inDatabase { db in
      let error = databaseError { try Int.fetchOne(db, sql: "SELECT failing('finalize')") }
      #expect(error?.resultCode == .SQLITE_ERROR)
      #expect(error?.message == "finalize")
    }
  }

  @Test func `aggregates are freed with their group, also when the statement stops before its end`()
    throws
  {
    try inDatabase { db throws in
      Counter.log.removeAll()
      #expect(try Int.fetchAll(db, sql: "SELECT counted() FROM t GROUP BY g") == [3, 2])
      #expect(Counter.log.elements == [3, 2])
      Counter.log.removeAll()
      #expect(try Int.fetchOne(db, sql: "SELECT counted() FROM t GROUP BY g") == 3)
      #expect(Counter.log.elements.first == 3)
      Counter.log.removeAll()
      // The other aggregate fails while this one is counting.
      #expect(throws: DatabaseError.self) {
        try Row.fetchOne(
          db, sql: "SELECT counted(), failing(iif(a = 'b', 'step', 0)) FROM t WHERE g = 'x'")
      }
      #expect(Counter.log.elements.count == 1)
    }
  }

  @Test func `an aggregate that is no window aggregate can't be used with OVER`() throws {
    try inDatabase { db in
      let error = databaseError { try Int.fetchOne(db, sql: "SELECT counted() OVER () FROM t") }
      #expect(error?.message == "counted() may not be used as a window function")
    }
  }

  @Test func `a function and an aggregate can replace each other`() throws {
    try inDatabase { db throws in
      db.add(function: DatabaseFunction("counted", argumentCount: 0) { _ in "scalar" })
      #expect(
        try String.fetchAll(db, sql: "SELECT counted() FROM t LIMIT 2") == ["scalar", "scalar"])
      db.add(function: DatabaseFunction("counted", argumentCount: 0, aggregate: Counter.self))
      #expect(try Int.fetchAll(db, sql: "SELECT counted() FROM t") == [5])
    }
  }
}
