import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

@Suite("Cursors and statements that leave their access", .onQueueAndPool)
struct EscapingCursorTests {
  private static let message = """
    SQLite error 21: a statement or its cursor was used outside of its access
    """
  private static let wayOut = """
    the access has ended, or another thread runs it: fetch inside of the closure, as `fetchAll` does
    """

  @Test func `A cursor that leaves its access throws, and can be dropped`() throws {
    let queue = try makeBookshopDatabase()
    let (rows, books, titles) = try queue.writeWithoutTransaction { db in
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

  @Test func `The row of a cursor stays readable, while other accesses go on`() throws {
    let queue = try makeBookshopDatabase()
    let (cursor, row) = try queue.writeWithoutTransaction { db in
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

  /// What a cursor throws in another access than its own.
  private func lateMessage(_ sql: String) -> String {
    "SQLite error 21: the cursor was used outside of its access - while executing `\(sql)`"
  }

  @Test func `A cursor that was not begun throws in a later access, and elsewhere, with its SQL`()
    throws
  {
    let queue = try makeBookshopDatabase()
    let sql = "SELECT id FROM book ORDER BY id"
    let cursor = try queue.writeWithoutTransaction { db in try Int.fetchCursor(db, sql: sql) }
    for _ in 1...2 {
      #expect(
        queue.writeWithoutTransaction { _ in errorText { try cursor.next() } } == lateMessage(sql))
      #expect(
        errorText { try cursor.next() }
          == "\(Self.message)\n\(Self.wayOut)\n- while executing `\(sql)`")
    }
  }

  @Test func `A cursor that has begun ends with its access`() throws {
    let queue = try makeBookshopDatabase()
    let sql = "SELECT id FROM book ORDER BY id"
    let (rows, ids) = try queue.writeWithoutTransaction { db in
      let rows = try Row.fetchCursor(db, sql: sql)
      let ids = try Int.fetchCursor(db, sql: sql)
      #expect(try rows.next() == ["id": 1])
      #expect(try ids.next() == 1)
      return (rows, ids)
    }
    #expect(
      errorText { try ids.next() } == "\(Self.message)\n\(Self.wayOut)\n- while executing `\(sql)`")
    for _ in 1...2 {
      let texts = queue.writeWithoutTransaction { _ in
        [errorText { try rows.next() }, errorText { try ids.next() }]
      }
      #expect(texts == [lateMessage(sql), lateMessage(sql)])
    }
  }

  @Test func `A cursor at its end stays there, wherever it is asked`() throws {
    let queue = try makeBookshopDatabase()
    let cursor = try queue.writeWithoutTransaction { db in
      let cursor = try Int.fetchCursor(db, sql: "SELECT 1")
      #expect(try Array(cursor) == [1])
      return cursor
    }
    #expect(try cursor.next() == nil)
    #expect(try queue.writeWithoutTransaction { _ throws in try cursor.next() } == nil)
  }

  private static func makeDatabaseWithoutForeignKeys() throws -> AnyDatabaseWriter {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    return try makeBookshopDatabase(configuration: configuration)
  }

  /// A title that is missing can't be decoded.
  private struct Title: FetchableRecord {
    let row: Row

    static let rows = Log<Row>()

    init(row: Row) throws {
      self.row = row
      Self.rows.append(row)
      _ = try row.decode(String.self, forColumn: "title")
    }
  }

  @Test func `After the access, a cursor locks no table, wherever it stopped`() throws {
    let sql = "SELECT title FROM book ORDER BY year"
    let overflow = "SELECT abs(CASE id WHEN 2 THEN -9223372036854775808 ELSE 1 END) FROM book"
    let stops: [(Database) throws -> Any] = [
      { db in
        let cursor = try Row.fetchCursor(db, sql: sql)
        _ = try cursor.next()
        return cursor
      },
      { db in
        let cursor = try Title.fetchCursor(db, sql: "SELECT NULL AS title FROM book")
        #expect(throws: RowDecodingError.self) { try cursor.next() }
        return cursor
      },
      { db in
        let cursor = try Int.fetchCursor(db, sql: overflow)
        _ = try cursor.next()
        #expect(throws: DatabaseError.self) { try cursor.next() }
        return cursor
      },
    ]
    for stop in stops {
      let queue = try Self.makeDatabaseWithoutForeignKeys()
      let cursor = try queue.writeWithoutTransaction(stop)
      try queue.writeWithoutTransaction { db in try db.execute(sql: "DROP TABLE book") }
      withExtendedLifetime(cursor) {}
    }
  }

  @Test func `The row of a record that was not decoded keeps its values`() throws {
    let queue = try Self.makeDatabaseWithoutForeignKeys()
    let cursor = try queue.writeWithoutTransaction { db in
      let cursor = try Title.fetchCursor(
        db, sql: "SELECT NULL AS title, x'C3A9' AS cover FROM book WHERE id = 1")
      #expect(throws: RowDecodingError.self) { try cursor.next() }
      return cursor
    }
    try queue.writeWithoutTransaction { db in try db.execute(sql: "DELETE FROM book") }
    let row = try #require(Title.rows.elements.last { $0["cover"] != nil })
    #expect(row.liveStatement == nil)
    #expect(try row.decode(Data.self, forColumn: "cover") == Data([0xC3, 0xA9]))
    withExtendedLifetime(cursor) {}
  }

  @Test
  func `A row that is kept from one access to the next one keeps its values, its scopes theirs`()
    throws
  {
    let queue = try makeBookshopDatabase()
    let adapter = ScopeAdapter(["rest": SuffixRowAdapter(fromIndex: 1)])
    let (cursor, row, scope) = try queue.writeWithoutTransaction { db in
      let cursor = try Row.fetchCursor(
        db, sql: "SELECT id, title FROM book ORDER BY id", adapter: adapter)
      let row = try cursor.next()
      return (cursor, row, row?.scopes["rest"])
    }
    try queue.write { db in try db.execute(sql: "UPDATE book SET title = 'x' WHERE id = 1") }
    #expect(row?.unscoped == ["id": 1, "title": "Dispossession"])
    #expect(scope?["title"] == "Dispossession")
    withExtendedLifetime(cursor) {}
  }

  @Test func `A statement is executed in a later access, its former cursor is not concerned`()
    throws
  {
    let queue = try makeBookshopDatabase()
    let sql = "SELECT id FROM book ORDER BY id"
    let (statement, cursor) = try queue.writeWithoutTransaction { db in
      let statement = try db.makeStatement(sql: sql)
      let cursor = try Int.fetchCursor(statement)
      #expect(try cursor.next() == 1)
      return (statement, cursor)
    }
    try queue.writeWithoutTransaction { _ throws in
      var formerCursor: FastDatabaseValueCursor<Int>? = cursor
      let newCursor = try Int.fetchCursor(statement)
      #expect(try newCursor.next() == 1)
      #expect(errorText { try formerCursor?.next() } == lateMessage(sql))
      formerCursor = nil
      #expect(try newCursor.next() == 2)
    }
  }

  @Test func `Cursors and statements are released by other threads, while the connection is used`()
    throws
  {
    let queue = try makeBookshopDatabase()
    for _ in 1...20 {
      var escaped = try queue.writeWithoutTransaction { db in
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

  @Test func `What another thread releases in the middle of an access ends with the access`() throws
  {
    let queue = try makeBookshopDatabase()
    let sql = "SELECT * FROM book ORDER BY id"
    try queue.writeWithoutTransaction { db in
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

  @Test func `A cursor and a statement whose connection is gone throw`() throws {
    var queue: AnyDatabaseWriter? = try makeBookshopDatabase()
    let (statement, fresh, begun) = try #require(queue).writeWithoutTransaction { db in
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

  @Test func `A cursor whose connection is closed throws`() throws {
    let queue = try makeBookshopDatabase()
    var cursor: RowCursor? = try queue.writeWithoutTransaction { db in
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
