import QuarryTestSupport
import Testing

@testable import Quarry

private let y = Column("year")
private let t = Column("title")
private let p = Column("price")
private let id = Column("id")
private let recent = CommonTableExpression<Void>(
  named: "recent", columns: ["id"], sql: "SELECT id FROM book WHERE year > ?", arguments: [2000])

@Suite(.onQueueAndPool)
struct UpdateTests {
  static let assignments: [(ColumnAssignment, String, StatementArguments)] = [
    (y.set(to: 1), #""year" = ?"#, [1]),
    (y.set(to: nil), #""year" = NULL"#, []),
    (y.set(to: p + 1), #""year" = "price" + ?"#, [1]),
    (
      y.set(to: Book.select(max(y))),
      #""year" = (SELECT MAX("year") FROM "book") FROM (SELECT 1 AS "grdb_row")"#, []
    ),
    (y += 1, #""year" = "year" + ?"#, [1]),
    (y -= p, #""year" = "year" - "price""#, []),
    (y *= 2, #""year" = "year" * ?"#, [2]),
    (y /= 2, #""year" = "year" / ?"#, [2]),
    (y &= 1, #""year" = "year" & ?"#, [1]),
    (y |= 1, #""year" = "year" | ?"#, [1]),
    (y <<= 1, #""year" = "year" << ?"#, [1]),
    (y >>= 1, #""year" = "year" >> ?"#, [1]),
  ]

  @Test(arguments: assignments.indices)
  func `assignments of values`(index: Int) throws {
    let (assignment, text, arguments) = Self.assignments[index]
    #expect(
      try updateSQL(of: Book.all(), [assignment])
        == RenderedSQL(#"UPDATE "book" SET "# + text, arguments))
  }

  static let updates: [(QueryInterfaceRequest<Book>, String, StatementArguments)] = [
    (
      Book.filter(id == 2), #"UPDATE "book" SET "year" = ?, "title" = NULL WHERE "id" = ?"#, [1, 2]
    ),
    (
      Book.select(t).distinct().order(y), #"UPDATE "book" SET "year" = ?, "title" = NULL"#, [1]
    ),
    (
      Book.order(y).limit(1, offset: 2),
      #"UPDATE "book" SET "year" = ?, "title" = NULL ORDER BY "year" LIMIT 1 OFFSET 2"#, [1]
    ),
    (
      Book.with(recent).filter(recent.contains(id)),
      #"UPDATE "book" SET "year" = ?, "title" = NULL WHERE "id" IN "#
        + #"(WITH "recent"("id") AS (SELECT id FROM book WHERE year > ?) "#
        + #"SELECT "id" FROM "book" WHERE "id" IN "recent")"#, [1, 2000]
    ),
    (
      Book.joining(required: Book.author).filter(y == 3),
      #"UPDATE "book" SET "year" = ?, "title" = NULL WHERE "id" IN "#
        + #"(SELECT "book"."id" FROM "book" JOIN "author" ON "author"."id" = "book"."authorId" "#
        + #"WHERE "book"."year" = ?)"#, [1, 3]
    ),
    (
      Book.all().groupByPrimaryKey().having(max(y) > 3),
      #"UPDATE "book" SET "year" = ?, "title" = NULL WHERE "id" IN "#
        + #"(SELECT "id" FROM "book" GROUP BY "id" HAVING MAX("year") > ?)"#, [1, 3]
    ),
  ]

  @Test(arguments: updates.indices)
  func `updates of requests`(index: Int) throws {
    let (request, text, arguments) = Self.updates[index]
    #expect(
      try updateSQL(of: request, [y.set(to: 1), t.set(to: nil)]) == RenderedSQL(text, arguments))
  }

  @Test func `conflicts and RETURNING`() throws {
    #expect(
      try updateSQL(of: Book.all(), [y.set(to: 1)], conflictResolution: "IGNORE").sql
        == #"UPDATE OR IGNORE "book" SET "year" = ?"#)
    #expect(
      try updateSQL(of: Book.filter(y == 2), [y.set(to: 1)], returning: [AllColumns()])
        == RenderedSQL(#"UPDATE "book" SET "year" = ? WHERE "year" = ? RETURNING *"#, [1, 2]))
    #expect(
      try updateSQL(of: Book.filter(y == 2), [y.set(to: 1)], returning: [id + 3])
        == RenderedSQL(
          #"UPDATE "book" SET "year" = ? WHERE "year" = ? RETURNING "id" + ?"#, [1, 2, 3]))
  }

  @Test func `an order and a limit stand behind RETURNING`() throws {
    let latest = Book.filter(y > 1).order(y.desc).limit(1)
    #expect(
      try updateSQL(of: latest, [p.set(to: 2)], returning: [id + 3])
        == RenderedSQL(
          #"UPDATE "book" SET "price" = ? WHERE "year" > ? RETURNING "id" + ? "#
            + #"ORDER BY "year" DESC LIMIT 1"#, [2, 1, 3]))
    #expect(
      try deleteSQL(of: latest, returning: [id])
        == RenderedSQL(
          #"DELETE FROM "book" WHERE "year" > ? RETURNING "id" ORDER BY "year" DESC LIMIT 1"#, [1]))
    try makeBookshopDatabase().write { db throws in
      try Review.deleteAll(db)
      let updated = try latest.updateAndFetchAll(db, [p.set(to: 2)])
      #expect(updated.map(\.id) == [3])
      #expect(updated.map(\.price) == [2])
      let deleted = try latest.deleteAndFetchAll(db)
      #expect(deleted.map(\.id) == [3])
      let deletedIds = try latest.deleteAndFetchIds(db)
      #expect(deletedIds == [1])
      let left = try Book.order(id).fetchAll(db)
      #expect(left.map(\.id) == [2, 4])
    }
  }

  @Test func `other groups can't be updated`() throws {
    #expect(
      try invalidity(of: updateSQL(of: Book.all().group(y), [y.set(to: 1)]))
        == "Can't update query with GROUP BY clause")
  }

  @Test func `rows are updated`() throws {
    try makeBookshopDatabase().write { db throws in
      #expect(try Book.filter(y > 1970).updateAll(db, y += 1, p.set(to: nil)) == 2)
      #expect(try Book.order(id).select(y, as: Int?.self).fetchAll(db) == [1975, 1969, 2003, nil])
      #expect(try Book.updateAll(db) { $0.year.set(to: 2000) } == 4)
      #expect(try Book.filter(id == 1).updateAll(db) { [$0.year += 1, $0.price.set(to: 3)] } == 1)
      #expect(try Book.updateAll(db, []) == 0)
      #expect(try Book.updateAll(db, y.noOverwrite) == 0)
      #expect(try Table("book").updateAll(db, y.set(to: 1)) == 4)
      let joined = Book.joining(required: Book.author.filter(Column("country") == "FR"))
      #expect(try joined.updateAll(db, t.set(to: "French")) == 2)
      #expect(try Book.filter(t == "French").fetchCount(db) == 2)
    }
  }

  @Test func `updated rows are fetched`() throws {
    try makeBookshopDatabase().write { db throws in
      let request = Book.filter(y > 1970)
      let books = try request.updateAndFetchAll(db, [y += 1])
      #expect(Set(books.map(\.year)) == [1975, 2003])
      #expect(try request.updateAndFetchSet(db, [y += 1]).count == 2)
      #expect(try Array(request.updateAndFetchCursor(db) { [$0.year += 1] }).count == 2)
      let statement = try request.updateAndFetchStatement(db, [y += 1], selection: [y])
      #expect(try Int.fetchSet(statement) == [1978, 2006])
      #expect(throws: InvalidRequest.self) {
        try request.updateAndFetchStatement(db, [], selection: [y])
      }
      #expect(throws: InvalidRequest.self) {
        try request.updateAndFetchStatement(db, [y += 1], selection: [])
      }
    }
  }
}
