import QuarryTestSupport
import Testing

@testable import Quarry

private struct Drink: Codable, FetchableRecord { var name: Int }

private struct HandDrink: FetchableRecord {
  var name: Int
  init(row: Row) { name = row["name"] }
}

@Suite("Errors of rows in memory", .onQueueAndPool)
struct KeptRowErrorTests {
  private static let sql = "SELECT 'Chai' AS name"
  private static let message = """
    could not decode Int from database value "Chai" - column: "name", column index: 0, \
    row: [name:"Chai"], sql: `\(sql)`
    """

  @Test func `copied rows remember their SQL`() throws {
    let rows = try DatabaseQueue().read { db -> [Row] in
      let cursor = try Row.fetchCursor(db, sql: Self.sql)
      let kept = try #require(try cursor.next())
      let copy = kept.copy()
      _ = try cursor.next()
      let one = try #require(try Row.fetchOne(db, sql: Self.sql))
      let all = try Row.fetchAll(db, sql: Self.sql)
      return try [kept, copy, kept.unscoped, one] + all + Row.fetchSet(db, sql: Self.sql)
    }
    for row in rows {
      #expect(errorText { try row.decode(Int.self, atIndex: 0) } == Self.message)
      #expect(errorText { try row.decode(Int.self, forColumn: "name") } == Self.message)
      #expect(errorText { try Drink(row: row) } == Self.message + ", record: Drink")
      #expect(
        errorText { try HandDrink.decodeWithErrors(from: row) } == Self.message
          + ", record: HandDrink")
    }
  }

  @Test func `a live row, values and records throw the same`() throws {
    try DatabaseQueue().read { db throws in
      let message = Self.message + ", arguments: []"
      #expect(errorText { try Int.fetchAll(db, sql: Self.sql) } == message)
      #expect(errorText { try Drink.fetchAll(db, sql: Self.sql) } == message + ", record: Drink")
      #expect(
        errorText { try HandDrink.fetchAll(db, sql: Self.sql) } == message + ", record: HandDrink")
    }
  }

  @Test func `prefetched rows remember their SQL`() throws {
    try inBookshop { db, _ throws in
      let request = Author.filter(Column("id") == 1)
        .including(all: Author.books.select(Column("title")).order(Column("id")))
      let row = try #require(try Row.fetchOne(db, request)?.prefetchedRows["books"]?.first)
      #expect(
        errorText { try row.decode(Int.self, atIndex: 0) } == """
          could not decode Int from database value "Dispossession" - column: "title", \
          column index: 0, row: [title:"Dispossession" grdb_authorId:1], sql: `SELECT "title", \
          "authorId" AS "grdb_authorId" FROM "book" WHERE "authorId" = ? ORDER BY "id"`, \
          arguments: [1]
          """)
    }
  }

  @Test func `a row made in memory has no SQL`() {
    let row: Row = ["name": "Chai"]
    #expect(
      errorText { try row.decode(Int.self, atIndex: 0) } == """
        could not decode Int from database value "Chai" - column: "name", column index: 0, \
        row: [name:"Chai"]
        """)
  }

  private struct Author: TableRecord {
    static let books = hasMany(Book.self).forKey("books")
  }

  private struct Book: TableRecord {}
}
