import Quarry
import QuarryTestSupport
import Testing

private let id = Column("id")
private let title = Column("title")
private let pages = Column("pages")

private struct Volume: TableRecord {}
private struct Archived: TableRecord { static let databaseTableName = "archive" }

/// Requests that differ in one part, executed by turns on one connection: what is remembered of one
/// is not the answer of the other.
struct AlikeRequestTests {
  private func check(
    _ first: QueryInterfaceRequest<Row>, _ firstRows: [Row],
    _ second: QueryInterfaceRequest<Row>, _ secondRows: [Row]
  ) throws {
    let queue = try makeDatabase(
      sql: """
        CREATE TABLE volume (id INTEGER PRIMARY KEY, title TEXT, pages INTEGER);
        CREATE TABLE archive (id INTEGER PRIMARY KEY, title TEXT, pages INTEGER);
        INSERT INTO volume VALUES (1, 'Emma', 500), (2, 'Walden', 300);
        INSERT INTO archive VALUES (2, 'Candide', 100), (3, 'Faust', 200);
        """)
    try queue.read { db throws in
      // Seen, compiled, and known.
      for _ in 1...3 {
        let (one, other) = (try first.fetchAll(db), try second.fetchAll(db))
        #expect(one == firstRows)
        #expect(other == secondRows)
      }
    }
  }

  private func rows(_ request: QueryInterfaceRequest<Volume>) -> QueryInterfaceRequest<Row> {
    request.asRequest(of: Row.self)
  }

  @Test func `tables in SQL`() throws {
    func request(_ table: any TableRecord.Type) -> QueryInterfaceRequest<Row> {
      rows(Volume.select(id).filter(literal: "id IN (SELECT id FROM \(table))").order(id))
    }
    try check(request(Volume.self), [["id": 1], ["id": 2]], request(Archived.self), [["id": 2]])
  }

  @Test func `columns in SQL`() throws {
    func selecting(_ columns: [Column]) -> QueryInterfaceRequest<Row> {
      let text: SQL = columns.map { "\($0)" as SQL }.joined(separator: ", ")
      return rows(Volume.select(literal: text).order(id))
    }
    try check(
      selecting([id]), [["id": 1], ["id": 2]], selecting([pages]), [["pages": 500], ["pages": 300]])
  }

  @Test func `lists of values in SQL`() throws {
    func request(_ ids: [Int]) -> QueryInterfaceRequest<Row> {
      rows(Volume.select(id).filter(literal: "id IN \(ids)").order(id))
    }
    try check(request([1]), [["id": 1]], request([2, 3]), [["id": 2]])
    try check(request([]), [], request([1, 2]), [["id": 1], ["id": 2]])
  }

  @Test func `orders in SQL`() throws {
    func request(_ order: any SQLOrderingTerm) -> QueryInterfaceRequest<Row> {
      rows(Volume.select(id).order(literal: "\(order)"))
    }
    try check(request(pages), [["id": 2], ["id": 1]], request(pages.desc), [["id": 1], ["id": 2]])
  }

  @Test func `columns that are left out`() throws {
    func request(_ name: String) -> QueryInterfaceRequest<Row> {
      rows(Volume.select(.allColumns(excluding: ["id", name])).order(id))
    }
    try check(
      request("title"), [["pages": 500], ["pages": 300]],
      request("pages"), [["title": "Emma"], ["title": "Walden"]])
  }

  @Test func `names of values`() throws {
    func request(_ name: String) -> QueryInterfaceRequest<Row> {
      rows(Volume.select((pages + 1).forKey(name)).order(id))
    }
    try check(request("a"), [["a": 501], ["a": 301]], request("b"), [["b": 501], ["b": 301]])
  }

  @Test func `orders of the primary key, and reversed ones`() throws {
    let ascending = rows(Volume.select(id).orderByPrimaryKey())
    try check(
      ascending, [["id": 1], ["id": 2]], ascending.reversed(), [["id": 2], ["id": 1]])
  }

  @Test func `arguments with names`() throws {
    func request(_ value: Int) -> QueryInterfaceRequest<Row> {
      rows(Volume.select(id).filter(sql: "pages < :most", arguments: ["most": value]))
    }
    try check(request(400), [["id": 2]], request(600), [["id": 1], ["id": 2]])
  }
}
