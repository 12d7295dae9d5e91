import QuarryTestSupport
import Testing

@testable import Quarry

@Suite("Statement cache")
struct StatementCacheTests {
  private func inDatabase<T>(_ body: (Database) throws -> T) throws -> T {
    try DatabaseQueue().inDatabase { db in
      try db.execute(sql: "CREATE TABLE t (a INTEGER PRIMARY KEY)")
      try db.execute(sql: "INSERT INTO t VALUES (1), (2), (3)")
      return try body(db)
    }
  }

  private let sql = "SELECT a FROM t WHERE a >= ? ORDER BY a"

  /// The identity of the idle statement: holding the statement itself would be using it.
  private func idle(_ db: Database) -> SQLiteStatement? {
    db.statements.idleStatement(sql: sql)?.sqliteStatement
  }

  @Test func `a text that is used twice is prepared once`() throws {
    try inDatabase { db in
      #expect(db.statements.idleStatement(sql: sql) == nil)
      #expect(try Int.fetchAll(db, sql: sql, arguments: [2]) == [2, 3])
      let statement = try #require(idle(db))
      let uses: [() throws -> Void] = [
        { _ = try Int.fetchAll(db, sql: sql, arguments: [1]) },
        { _ = try Int.fetchOne(db, sql: sql, arguments: [1]) },
        { _ = try Row.fetchAll(db, sql: sql, arguments: [1]) },
        { _ = try Row.fetchOne(db, sql: sql, arguments: [1]) },
        { _ = try Row.fetchSet(db, sql: sql, arguments: [1]) },
        { _ = try Row.fetchCursor(db, sql: sql, arguments: [1]).next() },
        { _ = try String.fetchSet(db, sql: sql, arguments: [1]) },
      ]
      for use in uses {
        try use()
        #expect(idle(db) == statement)
      }
    }
  }

  @Test func `arguments don't survive from a use to the next one`() throws {
    try inDatabase { db throws in
      #expect(try Int.fetchOne(db, sql: sql, arguments: [2]) == 2)
      #expect(
        databaseError { try Int.fetchOne(db, sql: sql) }?.message
          == "wrong number of statement arguments: 0")
      #expect(db.statements.idleStatement(sql: sql)?.arguments == [])
    }
  }

  @Test func `a statement in use gets a second one, which is not kept`() throws {
    try inDatabase { db in
      let outer = try Int.fetchCursor(db, sql: sql, arguments: [1])
      #expect(db.statements.idleStatement(sql: sql) == nil)
      var pairs: [[Int]] = []
      while let first = try outer.next() {
        let inner = try Int.fetchCursor(db, sql: sql, arguments: [first])
        #expect(inner._statement !== outer._statement)
        while let second = try inner.next() { pairs.append([first, second]) }
      }
      #expect(pairs == [[1, 1], [1, 2], [1, 3], [2, 2], [2, 3], [3, 3]])
    }
  }

  @Test func `a cursor that is released gives its statement back`() throws {
    try inDatabase { db in
      var cursor: RowCursor? = try Row.fetchCursor(db, sql: sql, arguments: [1])
      let statement = cursor?._statement.sqliteStatement
      _ = try cursor?.next()
      #expect(idle(db) == nil)
      cursor = nil
      #expect(idle(db) == statement)
    }
  }

  @Test func `a fetch that throws gives its statement back`() throws {
    try inDatabase { db in
      let sql = "SELECT NULLIF(a, 2) FROM t ORDER BY a"
      #expect(throws: RowDecodingError.self) { try Int.fetchAll(db, sql: sql) }
      #expect(try Int?.fetchAll(db, sql: sql) == [1, nil, 3])
      #expect(throws: RowDecodingError.self) { try Int.fetchAll(db, sql: sql) }
      try db.execute(sql: "DROP TABLE t")
    }
  }

  @Test func `public cached statements are kept apart from those of the toolkit`() throws {
    try inDatabase { db in
      let statement = try db.cachedStatement(sql: sql)
      #expect(try db.cachedStatement(sql: sql) === statement)
      #expect(db.statements.idleStatement(sql: sql) == nil)
      _ = try Int.fetchAll(db, sql: sql, arguments: [1])
      #expect(db.statements.idleStatement(sql: sql) !== statement)
      #expect(try db.makeStatement(sql: sql) !== statement)
    }
  }

  @Test(
    arguments: ["INSERT INTO t VALUES (?)", " INSERT INTO t VALUES (?) ; "])
  func `a statement that fails is forgotten`(sql: String) throws {
    try inDatabase { db in
      let statement = try db.cachedStatement(sql: sql)
      #expect(throws: DatabaseError.self) { try statement.execute(arguments: [1]) }
      #expect(db.publicStatements.statement(sql: sql) == nil)
      #expect(try db.cachedStatement(sql: sql) !== statement)
      let query = sql + " -- for values"
      #expect(throws: DatabaseError.self) { try Int.fetchAll(db, sql: query, arguments: [1]) }
      #expect(db.statements.idleStatement(sql: query) == nil)
      #expect(try Int.fetchAll(db, sql: query, arguments: [9]) == [])
    }
  }

  @Test func `a schema change, or releasing memory, empties both caches`() throws {
    let clearings: [(Database) throws -> Void] = [
      { db in try db.execute(sql: "CREATE TABLE u (b)") },
      { db in try db.execute(sql: "DROP TABLE u") },
      { db in try db.execute(sql: "CREATE INDEX i ON t(a)") },
      { db in db.clearSchemaCache() },
      { db in db.releaseMemory() },
    ]
    try inDatabase { db in
      for clear in clearings {
        _ = try Int.fetchAll(db, sql: sql, arguments: [1])
        _ = try db.cachedStatement(sql: sql)
        try clear(db)
        #expect(db.statements.idleStatement(sql: sql) == nil)
        #expect(db.publicStatements.statement(sql: sql) == nil)
      }
    }
  }

  @Test func `a cursor survives the clearing of the caches`() throws {
    try inDatabase { db in
      let cursor = try Row.fetchCursor(db, sql: sql, arguments: [1])
      var values: [Int] = []
      while let row = try cursor.next() {
        values.append(row[0])
        db.clearSchemaCache()
        _ = try Int.fetchAll(db, sql: sql, arguments: [1])
      }
      #expect(values == [1, 2, 3])
    }
  }
}

@Suite("Eviction of statements")
struct StatementEvictionTests {
  @Test func `a full cache forgets the statements that were used longest ago`() throws {
    try DatabaseQueue().inDatabase { db in
      let cache = StatementCache(capacity: 4)
      for index in 1...4 {
        cache.insert(try db.makeStatement(sql: "SELECT \(index)"), sql: "SELECT \(index)")
      }
      #expect(cache.idleStatement(sql: "SELECT 1") != nil)
      cache.insert(try db.makeStatement(sql: "SELECT 5"), sql: "SELECT 5")
      #expect(cache.idleStatement(sql: "SELECT 2") == nil)
      for index in [1, 3, 4, 5] {
        #expect(cache.idleStatement(sql: "SELECT \(index)") != nil)
      }
    }
  }

  @Test func `a text that is kept is not kept twice`() throws {
    try DatabaseQueue().inDatabase { db in
      let cache = StatementCache(capacity: 4)
      let first = try db.makeStatement(sql: "SELECT 1")
      cache.insert(first, sql: "SELECT 1")
      cache.insert(try db.makeStatement(sql: "SELECT 1"), sql: "SELECT 1")
      #expect(cache.statement(sql: "SELECT 1") === first)
      #expect(cache.idleStatement(sql: "SELECT 1") == nil)
      cache.remove(try db.makeStatement(sql: "SELECT 1"))
      #expect(cache.statement(sql: "SELECT 1") === first)
      cache.remove(first)
      #expect(cache.statement(sql: "SELECT 1") == nil)
    }
  }

  @Test func `more texts than the cache holds go through it, also while cursors are open`() throws {
    try DatabaseQueue().read { db in
      let cursors = try (0..<600).map { index in
        let cursor = try Int.fetchCursor(db, sql: "SELECT \(index) UNION ALL SELECT -1")
        #expect(try cursor.next() == index)
        return cursor
      }
      for cursor in cursors {
        #expect(try cursor.next() == -1)
        #expect(try cursor.next() == nil)
      }
      for index in 0..<600 {
        #expect(try Int.fetchOne(db, sql: "SELECT \(index)") == index)
      }
    }
  }
}
