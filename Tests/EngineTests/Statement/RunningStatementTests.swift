import QuarryTestSupport
import Testing

@testable import Quarry

// The statements of a connection between their first step and their reset.
struct RunningStatementTests {
  private func inDatabase(_ body: (Database) throws -> Void) throws {
    try DatabaseQueue().write { db in
      try db.execute(
        sql: """
          CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT);
          INSERT INTO book VALUES (1, 'Emma'), (2, 'Ulysses'), (3, 'Walden');
          """)
      try body(db)
    }
  }

  private func running(_ db: Database) -> [String] {
    var statements: [String] = []
    _ = db.owner.running.first { statement in
      statements.append(statement.sql)
      return false
    }
    return statements
  }

  @Test func `cursors run from their first step to their release, the last one first`() throws {
    try inDatabase { db throws in
      let ids = try Int.fetchCursor(db, sql: "SELECT id FROM book")
      var titles: FastDatabaseValueCursor<String>? = try String.fetchCursor(
        db, sql: "SELECT title FROM book")
      #expect(running(db) == [])
      _ = try ids.next()
      _ = try titles?.next()
      #expect(running(db) == ["SELECT title FROM book", "SELECT id FROM book"])
      titles = nil
      #expect(running(db) == ["SELECT id FROM book"])
      #expect(try ids.next() == 2)
    }
  }

  @Test func `statements leave in any order`() throws {
    try inDatabase { db throws in
      for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        var cursors = try (0..<3).map { try Int.fetchCursor(db, sql: "SELECT \($0)") as Any? }
        for cursor in cursors { _ = try (cursor as? FastDatabaseValueCursor<Int>)?.next() }
        #expect(running(db) == ["SELECT 2", "SELECT 1", "SELECT 0"])
        var left = [2, 1, 0]
        for index in order {
          cursors[index] = nil
          left.removeAll { $0 == index }
          let expected = left.map { "SELECT \($0)" }
          #expect(running(db) == expected)
        }
      }
    }
  }

  @Test func `a statement that is executed again is there once`() throws {
    try inDatabase { db throws in
      let statement = try db.makeStatement(sql: "SELECT id FROM book")
      let first = try Int.fetchCursor(statement)
      _ = try first.next()
      let second = try Int.fetchCursor(statement)
      #expect(running(db) == [])
      _ = try second.next()
      #expect(running(db) == ["SELECT id FROM book"])
      #expect(try Int.fetchAll(statement) == [1, 2, 3])
      #expect(running(db) == [])
    }
  }

  @Test func `a statement that fails leaves, at its start and in its middle`() throws {
    try inDatabase { db throws in
      let inserting = try db.makeStatement(sql: "INSERT INTO book(id) VALUES (?)")
      _ = databaseError { try inserting.execute(arguments: [1]) }
      _ = databaseError { try inserting.execute(arguments: StatementArguments()) }
      #expect(running(db) == [])
      let cursor = try Int.fetchCursor(
        db, sql: "SELECT abs(CASE id WHEN 2 THEN -9223372036854775807 - 1 ELSE id END) FROM book")
      #expect(try cursor.next() == 1)
      #expect(databaseError { try cursor.next() }?.message == "integer overflow")
      #expect(running(db).count == 1)
    }
  }

  @Test func `the end of an access ends all`() throws {
    let queue = try DatabaseQueue()
    var cursors: [FastDatabaseValueCursor<Int>] = []
    try queue.read { db in
      for number in 0..<3 {
        let cursor = try Int.fetchCursor(db, sql: "SELECT \(number)")
        _ = try cursor.next()
        cursors.append(cursor)
      }
    }
    try queue.read { db throws in #expect(running(db) == []) }
    #expect(cursors.count == 3)
  }

  #if DEBUG
    @Test func `a start without a reset stops debug builds`() async {
      await #expect(processExitsWith: .failure) {
        try DatabaseQueue().read { db in
          let statement = try db.makeStatement(sql: "SELECT 1 UNION ALL SELECT 2")
          _ = try statement.start()
          _ = try statement.start()
        }
      }
    }
  #endif
}
