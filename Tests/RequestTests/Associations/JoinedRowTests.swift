import QuarryTestSupport
import Testing

@testable import Quarry

private let id = Column("id")

/// The rows and records of joined requests.
@Suite(.onQueueAndPool)
struct JoinedRowTests {
  @Test func `scopes`() throws {
    let database = try makeBookshopDatabase()
    try database.read { db in
      let rows = try Book.order(id)
        .including(optional: Book.author.select(id, Column("name")))
        .asRequest(of: Row.self).fetchAll(db)
      #expect(rows.count == 4)
      #expect(rows[0].count == 6)
      #expect(rows[0].scopes["author"]?.description == #"[id:1 name:"Ursula Vernet"]"#)
      #expect(rows[3].scopes["author"]?.containsNonNullValue == false)
      #expect(Array(rows[0].unadapted.columnNames).suffix(2) == ["id", "name"])
    }
  }

  @Test func `empty scopes of pivots`() throws {
    let database = try makeBookshopDatabase()
    try database.read { db in
      let row = try Review.including(optional: Review.author).order(id)
        .asRequest(of: Row.self).fetchOne(db)
      #expect(row?.scopes["book"]?.isEmpty == true)
      #expect(row?.scopes["book"]?.scopes["author"]?["id"] as Int64? == 1)
      #expect(row?.scopesTree["author"]?["id"] as Int64? == 1)
    }
  }

  struct BookInfo: Decodable, FetchableRecord, Equatable {
    var book: Book
    var author: Author?
    var publisher: Publisher?
  }

  @Test func `records`() throws {
    let database = try makeBookshopDatabase()
    try database.read { db in
      let infos = try Book.order(id)
        .including(optional: Book.author)
        .including(optional: Book.publisher)
        .asRequest(of: BookInfo.self).fetchAll(db)
      #expect(infos.map(\.author?.id) == [1, 1, 2, nil])
      #expect(infos.map(\.publisher?.id) == [1, 2, 1, nil])
      #expect(infos.map(\.book.id) == [1, 2, 3, 4])
      let required = try Book.including(required: Book.author).fetchCount(db)
      #expect(required == 3)
    }
  }

  @Test func `annotations are columns of the main row`() throws {
    let database = try makeBookshopDatabase()
    try database.read { db in
      let author = Book.author.select(Column("name").forKey("authorName"))
      let row = try Book.filter(key: 3).annotated(withRequired: author)
        .asRequest(of: Row.self).fetchOne(db)
      #expect(row?["authorName"] as String? == "Italo Bassi")
      #expect(row?.scopes.isEmpty == true)
    }
  }

  @Test func `self joins`() throws {
    let database = try makeBookshopDatabase()
    try database.read { db in
      let rows = try Employee.including(optional: Employee.manager)
        .including(all: Employee.subordinates.order(id)).order(id)
        .asRequest(of: Row.self).fetchAll(db)
      #expect(rows.map { $0.scopes["manager"]?["name"] as String? } == [nil, "Ada", "Ada", "Bo"])
      #expect(
        rows.map { $0.prefetchedRows["subordinates"]?.map { $0["id"] as Int } ?? [] }
          == [[2, 3], [4], [], []])
    }
  }

  @Test func `a missing table concerns its own associations only`() throws {
    struct Reader: TableRecord {}
    struct Loan: TableRecord {
      static let book = belongsTo(Book.self)
      static let reader = belongsTo(Reader.self)
    }
    let database = try makeBookshopDatabase()
    try database.write { db in
      try db.execute(
        sql: """
          CREATE TABLE loan (
            id INTEGER PRIMARY KEY, bookId INTEGER REFERENCES book,
            readerId INTEGER REFERENCES reader)
          """)
      let withBook = Loan.including(required: Loan.book).asRequest(of: Row.self)
      #expect(try withBook.fetchAll(db) == [])
      for request in [
        Loan.including(required: Loan.reader), Loan.joining(optional: Loan.reader),
      ] {
        let error = databaseError { try request.asRequest(of: Row.self).fetchAll(db) }
        #expect(error?.message == "no such table: reader")
      }
    }
  }

  @Test func `the width of raw selections is unknown`() throws {
    let database = try makeBookshopDatabase()
    try database.read { db in
      let request = Book.select(sql: "book.id").including(required: Book.author)
      #expect(throws: InvalidRequest.self) { try request.fetchAll(db) }
      // SQLite finds its mistakes first.
      #expect(throws: DatabaseError.self) {
        try Book.select(sql: "nope").including(required: Book.author).fetchAll(db)
      }
    }
  }
}
