import QuarryTestSupport
import Testing

@testable import Quarry

// JSON is decoded by application code, which may end the statement that has its text.
@Suite(.serialized) struct JSONMemoryTests {
  private struct Shelf: Decodable, FetchableRecord, TableRecord {
    var books: Books
  }

  private struct Books: Decodable {
    nonisolated(unsafe) static var whileDecoding: (() -> Void)?
    nonisolated(unsafe) static var kept: KeyedDecodingContainer<CodingKeys>?

    var first: String
    var last: String

    enum CodingKeys: CodingKey { case first, filling, last }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      first = try container.decode(String.self, forKey: .first)
      Self.whileDecoding?()
      Self.kept = container
      _ = try container.decode([String].self, forKey: .filling)
      last = try container.decode(String.self, forKey: .last)
    }
  }

  private static let table = """
    CREATE TABLE shelf AS
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4),
      w(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM w WHERE i < 3000)
    SELECT json_object('first', 'first ' || i, 'filling',
      (SELECT json_group_array('book ' || n.i || ' ' || w.i) FROM w), 'last', 'last ' || i) AS books
    FROM n
    """

  private func inShelves(_ body: (Database) throws -> Void) throws {
    try inEmptyDatabase { db in
      try db.execute(sql: Self.table)
      defer {
        Books.whileDecoding = nil
        Books.kept = nil
      }
      try body(db)
    }
  }

  @Test func `A type inside JSON may end the statement that is being fetched`() throws {
    try inShelves { db in
      let statement = try db.makeStatement(sql: "SELECT books FROM shelf")
      Books.whileDecoding = {
        Books.whileDecoding = nil
        _ = try? Row.fetchAll(statement)
      }
      let executed = try #require(try Shelf.fetchCursor(statement).next())
      #expect(executed.books.first == "first 1" && executed.books.last == "last 1")

      Books.whileDecoding = {
        Books.whileDecoding = nil
        db.interrupt()
        _ = try? Row.fetchAll(db, sql: "SELECT * FROM shelf")
        _ = try? Row.fetchAll(db, sql: "SELECT upper(books) FROM shelf")
      }
      let cursor = try Shelf.fetchCursor(db, sql: "SELECT books FROM shelf")
      let interrupted = try #require(try cursor.next())
      #expect(interrupted.books.first == "first 1" && interrupted.books.last == "last 1")
    }
  }

  @Test func `A container of JSON may be kept beyond the fetch`() throws {
    try inShelves { db in
      #expect(try Shelf.fetchAll(db).map(\.books.last) == (1...4).map { "last \($0)" })
      try db.execute(sql: "DELETE FROM shelf")
      let kept = try #require(Books.kept)
      #expect(try kept.decode(String.self, forKey: .last) == "last 4")
      #expect(try kept.decode([String].self, forKey: .filling).count == 3_000)
    }
  }
}
