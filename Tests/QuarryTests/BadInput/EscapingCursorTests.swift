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
