import Foundation
import Quarry
import QuarryTestSupport
import Testing

@Suite("Cursors and statements that leave their access")
struct EscapingCursorTests {
  private static let message = """
    SQLite error 21: Database was not used on the correct thread.
    """

  @Test("A cursor that leaves its access throws, and can be dropped")
  func cursors() throws {
    let queue = try makeBookshopDatabase()
    let (rows, books, titles) = try queue.inDatabase { db in
      (
        try Row.fetchCursor(db, sql: "SELECT * FROM book"), try Book.fetchCursor(db),
        try Book.select(Column("title"), as: String?.self).fetchCursor(db)
      )
    }
    #expect(errorText { try rows.next() }?.hasPrefix(Self.message) == true)
    #expect(errorText { try books.next() }?.hasPrefix(Self.message) == true)
    #expect(errorText { try titles.next() }?.hasPrefix(Self.message) == true)
    #expect(try queue.read { try Book.fetchCount($0) } == 4)
  }

  @Test("The row of a cursor stays readable, while other accesses go on")
  func movedCursor() throws {
    let queue = try makeBookshopDatabase()
    let (cursor, row) = try queue.inDatabase { db in
      let cursor = try Row.fetchCursor(db, sql: "SELECT * FROM book ORDER BY id")
      return (cursor, try cursor.next())
    }
    #expect(try queue.read { try Book.fetchCount($0) } == 4)
    try queue.write { db in
      try db.execute(sql: "UPDATE book SET title = 'x'")
    }
    withExtendedLifetime(cursor) {}
    #expect(row?["title"] == "Dispossession")
  }

  @Test("A cursor can be used in a later access, while its table is there")
  func laterAccess() throws {
    let queue = try makeBookshopDatabase()
    let cursor = try queue.inDatabase { db in try Book.order(Column("id")).fetchCursor(db) }
    #expect(try queue.inDatabase { _ throws in try cursor.next()?.id } == 1)
    try queue.inDatabase { _ throws in
      #expect(try cursor.next()?.id == 2)
      #expect(try Array(cursor).map(\.id) == [3, 4])
      #expect(try cursor.next() == nil)
    }
  }

  @Test("A cursor that has begun and leaves its access throws, and goes on in another access")
  func begunCursor() throws {
    let queue = try makeBookshopDatabase()
    let (rows, ids) = try queue.inDatabase { db in
      let rows = try Row.fetchCursor(db, sql: "SELECT id FROM book ORDER BY id")
      let ids = try Int.fetchCursor(db, sql: "SELECT id FROM book ORDER BY id")
      #expect(try rows.next() == ["id": 1])
      #expect(try ids.next() == 1)
      return (rows, ids)
    }
    #expect(try queue.inDatabase { _ throws in try rows.next() } == ["id": 2])
    #expect(errorText { try ids.next() }?.hasPrefix(Self.message) == true)
    #expect(errorText { try rows.next() }?.hasPrefix(Self.message) == true)
    #expect(try queue.inDatabase { _ throws in try (rows.next(), ids.next()) } == (nil, nil))
  }

  @Test("A row that is kept from one access to the next one keeps its values, its scopes theirs")
  func keptRows() throws {
    let queue = try makeBookshopDatabase()
    let adapter = ScopeAdapter(["rest": SuffixRowAdapter(fromIndex: 1)])
    let (cursor, row, scope) = try queue.inDatabase { db in
      let cursor = try Row.fetchCursor(
        db, sql: "SELECT id, title FROM book ORDER BY id", adapter: adapter)
      let row = try cursor.next()
      return (cursor, row, row?.scopes["rest"])
    }
    try queue.write { db in try db.execute(sql: "UPDATE book SET title = 'x' WHERE id = 1") }
    let next = try queue.inDatabase { _ throws in try cursor.next() }
    #expect(row?.unscoped == ["id": 1, "title": "Dispossession"])
    #expect(scope?["title"] == "Dispossession")
    #expect(next?["id"] == 2)
    #expect(next?.scopes["rest"]?.count == 1)
  }

  @Test("A cursor whose statement is executed in another access throws")
  func executedAgain() throws {
    let queue = try makeBookshopDatabase()
    let (statement, cursor) = try queue.inDatabase { db in
      let statement = try db.makeStatement(sql: "SELECT id FROM book ORDER BY id")
      let cursor = try Int.fetchCursor(statement)
      #expect(try cursor.next() == 1)
      return (statement, cursor)
    }
    try queue.inDatabase { _ throws in
      #expect(try Int.fetchOne(statement) == 1)
      #expect(
        errorText { try cursor.next() } == """
          SQLite error 21: the statement of the cursor was executed again \
          - while executing `SELECT id FROM book ORDER BY id`
          """)
    }
  }

  @Test("Cursors and statements are released by other threads, while the connection is used")
  func releasedElsewhere() throws {
    let queue = try makeBookshopDatabase()
    for _ in 1...20 {
      var escaped = try queue.inDatabase { db in
        let cursor = try Row.fetchCursor(db, sql: "SELECT * FROM book ORDER BY id")
        let row = try cursor.next()
        return Escaped(
          values: [cursor, row as Any, try db.makeStatement(sql: "SELECT COUNT(*) FROM author")])
      }
      let worker = Thread { [escaped] in _ = escaped }
      escaped = Escaped(values: [])
      worker.start()
      for _ in 1...20 {
        #expect(try queue.read { try Book.fetchCount($0) } == 4)
      }
      while !worker.isFinished { Thread.sleep(forTimeInterval: 0.0001) }
    }
    // No statement is left: else closing would fail.
    try queue.close()
  }

  /// A cursor on its first row, and a statement.
  private static func begin(_ db: Database, _ sql: String) throws -> Released {
    let cursor = try Row.fetchCursor(db, sql: sql)
    _ = try cursor.next()
    return Released(values: [cursor, try db.makeStatement(sql: sql)])
  }

  @Test("What another thread releases in the middle of an access ends with the access")
  func releasedInTheMiddle() throws {
    let queue = try makeBookshopDatabase()
    let sql = "SELECT * FROM book ORDER BY id"
    try queue.inDatabase { db in
      let released = try Self.begin(db, sql)
      let other = try Row.fetchCursor(db, sql: sql)
      #expect(try other.next()?["id"] == 1)
      let worker = Thread { released.values = [] }
      worker.start()
      while !worker.isFinished { Thread.sleep(forTimeInterval: 0.0001) }
      #expect(try other.next()?["id"] == 2)
    }
    // No statement is left: else closing would fail.
    try queue.close()
  }

  @Test("A cursor and a statement whose connection is gone throw")
  func connectionGone() throws {
    var queue: DatabaseQueue? = try makeBookshopDatabase()
    let (statement, fresh, begun) = try #require(queue).inDatabase { db in
      let begun = try Row.fetchCursor(db, sql: "SELECT * FROM book")
      _ = try begun.next()
      return (
        try db.makeStatement(sql: "SELECT 1"), try Int.fetchCursor(db, sql: "SELECT 2"), begun
      )
    }
    queue = nil
    let uses: [() throws -> Any?] = [
      { try fresh.next() }, { try begun.next() }, { try Int.fetchOne(statement) },
      { try statement.execute() }, { try statement.setArguments([]) },
    ]
    for use in uses {
      let error = databaseError(use)
      #expect(error?.resultCode == .SQLITE_MISUSE)
      #expect(error?.message == "Connection is closed")
    }
  }

  @Test("A cursor whose connection is closed throws")
  func closedConnection() throws {
    let queue = try makeBookshopDatabase()
    var cursor: RowCursor? = try queue.inDatabase { db in
      try Row.fetchCursor(db, sql: "SELECT * FROM book")
    }
    #expect(databaseError { try queue.close() }?.resultCode == .SQLITE_BUSY)
    #expect(cursor != nil)
    cursor = nil
    try queue.close()
  }
}

/// What leaves its access, against the advice of the compiler.
private struct Escaped: @unchecked Sendable {
  var values: [Any]
}

/// What another thread releases.
private final class Released: @unchecked Sendable {
  var values: [Any]

  init(values: [Any]) { self.values = values }
}
