import QuarryTestSupport
import Testing

@testable import Quarry

/// The sum of integers.
private struct IntegerSum: DatabaseWindowAggregate {
  var sum = 0
  var count = 0

  mutating func step(_ dbValues: [DatabaseValue]) throws {
    guard let number = Int.fromDatabaseValue(dbValues[0]) else {
      throw DatabaseError(resultCode: .SQLITE_MISMATCH, message: "no integer: \(dbValues[0])")
    }
    sum += number
    count += 1
  }

  mutating func inverse(_ dbValues: [DatabaseValue]) throws {
    let number = Int.fromDatabaseValue(dbValues[0]) ?? 0
    if number == 13 { throw DatabaseError(resultCode: .SQLITE_PERM, message: "13 stays") }
    sum -= number
    count -= 1
  }

  func finalize() -> (any DatabaseValueConvertible)? { count == 0 ? nil : sum }
}

/// Joins texts; its value in a window differs from its value for a group.
private final class Texts: DatabaseWindowAggregate {
  static let log = Log<String>()
  private var texts: [String] = []

  init() {}
  deinit { Self.log.append("deinit") }

  func step(_ dbValues: [DatabaseValue]) { texts.append(dbValues[0].description) }
  func inverse(_ dbValues: [DatabaseValue]) { texts.removeFirst() }

  func value() throws -> (any DatabaseValueConvertible)? {
    if texts.contains("\"fail\"") { throw DatabaseError(message: "no value") }
    return "w:" + texts.joined()
  }

  func finalize() -> (any DatabaseValueConvertible)? { "g:" + texts.joined() }
}

@Suite("Window aggregates", .serialized)
struct DatabaseWindowAggregateTests {
  private func inDatabase(_ body: (Database) throws -> Void) throws {
    try DatabaseQueue().inDatabase { db in
      db.add(function: DatabaseFunction("intsum", argumentCount: 1, aggregate: IntegerSum.self))
      db.add(function: DatabaseFunction("texts", argumentCount: 1, aggregate: Texts.self))
      try db.execute(
        sql: """
          CREATE TABLE t (id INTEGER PRIMARY KEY, g TEXT, a INTEGER);
          INSERT INTO t VALUES (1, 'x', 4), (2, 'x', 5), (3, 'y', 3), (4, 'y', 8), (5, 'y', 1)
          """)
      try body(db)
    }
  }

  private func values(_ db: Database, _ window: String) throws -> [Int?] {
    try Optional<Int>.fetchAll(db, sql: "SELECT intsum(a) OVER (\(window)) FROM t ORDER BY id")
  }

  @Test(arguments: [
    ("ORDER BY id ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING", [9, 12, 16, 12, 9]),
    ("ORDER BY id ROWS 2 PRECEDING", [4, 9, 12, 16, 12]),
    ("ORDER BY id", [4, 9, 12, 20, 21]),
    ("", [21, 21, 21, 21, 21]),
    ("PARTITION BY g ORDER BY id", [4, 9, 3, 11, 12]),
    ("PARTITION BY g ORDER BY id DESC ROWS 1 PRECEDING", [9, 5, 11, 9, 1]),
    ("ORDER BY id ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING", [21, 17, 12, 9, 1]),
  ])
  func `rows leave a sliding window by the inverse`(window: String, expected: [Int]) throws {
    try inDatabase { db throws in
      #expect(try values(db, window) == expected)
    }
  }

  @Test func `the value of an empty window is that of an aggregate without step`() throws {
    try inDatabase { db throws in
      let window = "ORDER BY id ROWS BETWEEN 2 PRECEDING AND 2 PRECEDING"
      #expect(try values(db, window) == [nil, nil, 4, 5, 3])
      let none = "ORDER BY id ROWS BETWEEN 9 PRECEDING AND 8 PRECEDING"
      #expect(try values(db, none) == [nil, nil, nil, nil, nil])
    }
  }

  @Test func `a window aggregate is also an aggregate`() throws {
    try inDatabase { db throws in
      #expect(
        try Int.fetchAll(db, sql: "SELECT intsum(a) FROM t GROUP BY g ORDER BY g") == [9, 12])
      #expect(try DatabaseValue.fetchOne(db, sql: "SELECT intsum(a) FROM t WHERE 0") == .null)
      #expect(try String.fetchOne(db, sql: "SELECT texts(a) FROM t WHERE g = 'x'") == "g:45")
    }
  }

  @Test func `the value of a window is that of its own method`() throws {
    try inDatabase { db throws in
      let texts = try String.fetchAll(
        db, sql: "SELECT texts(a) OVER (ORDER BY id ROWS 1 PRECEDING) FROM t ORDER BY id")
      #expect(texts == ["w:4", "w:45", "w:53", "w:38", "w:81"])
    }
  }

  @Test func `errors of the step, of the inverse, and of the value are thrown`() throws {
    try inDatabase { db throws in
      let window = "OVER (ORDER BY id ROWS 1 PRECEDING)"
      let step = databaseError {
        try Int.fetchAll(db, sql: "SELECT intsum(iif(id = 3, 'z', a)) \(window) FROM t")
      }
      #expect(step?.resultCode == .SQLITE_MISMATCH)
      #expect(step?.message == "no integer: \"z\"")
      let inverse = databaseError {
        try Int.fetchAll(db, sql: "SELECT intsum(iif(id = 2, 13, a)) \(window) FROM t")
      }
      #expect(inverse?.resultCode == .SQLITE_PERM)
      #expect(inverse?.message == "13 stays")
      let value = databaseError {
        try String.fetchAll(db, sql: "SELECT texts(iif(id = 2, 'fail', a)) \(window) FROM t")
      }
      #expect(value?.message == "no value")
      #expect(try Int.fetchOne(db, sql: "SELECT intsum(a) FROM t") == 21)
    }
  }

  @Test func `window aggregates are freed, also when the statement stops before its end`() throws {
    try inDatabase { db throws in
      Texts.log.removeAll()
      let sql = "SELECT texts(a) OVER (PARTITION BY g ORDER BY id ROWS 1 PRECEDING) FROM t"
      _ = try String.fetchAll(db, sql: sql)
      #expect(Texts.log.elements.count == 2)
      Texts.log.removeAll()
      _ = try String.fetchOne(db, sql: sql)
      #expect(Texts.log.elements.count == 1)
    }
  }

  @Test func `a function made from a generic type is a window function where the type allows it`()
    throws
  {
    func function<Aggregate: DatabaseAggregate>(_ type: Aggregate.Type) -> DatabaseFunction {
      DatabaseFunction("generic", argumentCount: 1, aggregate: type)
    }
    try inDatabase { db throws in
      db.add(function: function(IntegerSum.self))
      #expect(try Int.fetchAll(db, sql: "SELECT generic(a) OVER () FROM t LIMIT 1") == [21])
    }
  }
}
