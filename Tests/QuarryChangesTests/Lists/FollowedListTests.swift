import Quarry
import QuarryChanges
import QuarryFunctions
import QuarryTestSupport
import Testing

/// Which lists are fetched again, and which by their changed rows only.
@Suite("Followed lists") struct FollowedListTests {
  typealias Request = QueryInterfaceRequest<Book>

  struct Book: Codable, Equatable, FetchableRecord, PersistableRecord {
    static let author = belongsTo(Author.self)
    static let editions = hasMany(Edition.self)
    enum Columns {
      static let id = Column(CodingKeys.id)
      static let title = Column(CodingKeys.title)
      static let price = Column(CodingKeys.price)
      static let authorId = Column(CodingKeys.authorId)
    }
    var id: Int
    var title: String
    var price: Double?
    var authorId: Int?
  }

  struct Author: Codable, FetchableRecord, TableRecord {}
  struct Edition: Codable, FetchableRecord, TableRecord {}

  static let schema = """
    CREATE TABLE author (id INTEGER PRIMARY KEY);
    CREATE TABLE book (
      id INTEGER PRIMARY KEY, title TEXT NOT NULL, price REAL, email TEXT COLLATE NOCASE,
      authorId INTEGER REFERENCES author(id));
    CREATE TABLE edition (id INTEGER PRIMARY KEY, bookId INTEGER REFERENCES book(id));
    CREATE TABLE note (id TEXT PRIMARY KEY, text TEXT);
    CREATE TABLE pair (a INTEGER, b INTEGER, PRIMARY KEY (a, b)) WITHOUT ROWID;
    CREATE TABLE code (rowid TEXT, oid TEXT, _rowid_ TEXT, id TEXT NOT NULL PRIMARY KEY);
    INSERT INTO author VALUES (1);
    INSERT INTO book VALUES (1, 'Emma', 9, 'a', 1), (2, 'Persuasion', 8, 'B', 1);
    INSERT INTO note VALUES ('n', 'lent');
    INSERT INTO pair VALUES (1, 1);
    INSERT INTO code VALUES ('r', 'o', '_', 'c');
    """

  private static let bookChanges = [
    "UPDATE book SET title = 'Zofloya', price = 7 WHERE id = 1",
    "UPDATE book SET title = 'Evelina' WHERE id = 2",
  ]

  private func open(
    _ kind: ConnectionKind, _ directory: String, _ recorder: SQLRecorder
  ) throws -> any DatabaseWriter {
    let writer = try kind.open(in: directory, recorder.recording())
    try writer.write { db in try db.execute(sql: Self.schema) }
    return writer
  }

  /// The SQL of the second and third list of a request, without that of the library itself.
  private func fetches<Record: FetchableRecord & Sendable>(
    _ request: QueryInterfaceRequest<Record>, by columns: [any ColumnExpression]? = nil,
    kind: ConnectionKind = .memory,
    _ changes: [String] = Self.bookChanges
  ) async throws -> [[String]] {
    try await withTemporaryDirectory { directory in
      let recorder = SQLRecorder()
      let writer = try open(kind, directory, recorder)
      var lists = ValueObservation.changes(of: request, identifiedBy: columns).values(in: writer)
        .makeAsyncIterator()
      _ = try await lists.next()
      var fetches: [[String]] = []
      for sql in changes {
        _ = recorder.take()
        try await writer.write { db in try db.execute(sql: sql) }
        _ = try await lists.next()
        fetches.append(recorder.take().filter { $0.contains("FROM \"") })
      }
      return fetches
    }
  }

  private func isFollowed<Record: FetchableRecord & Sendable>(
    _ request: QueryInterfaceRequest<Record>, by columns: [any ColumnExpression]? = nil,
    _ changes: [String] = Self.bookChanges
  ) async throws -> Bool {
    try await fetches(request, by: columns, changes).joined().contains {
      $0.contains("page key rowid")
    }
  }

  private let one =
    #"SELECT *, "title" AS "page key 1", "id" AS "page key 2", "id" AS "page key rowid" "#
    + #"FROM "book" WHERE "id" = ?"#

  @Test(arguments: [ConnectionKind.memory, .queue, .walQueue])
  func `a queue fetches changed rows from the first change on`(kind: ConnectionKind) async throws {
    let request = Book.order { [$0.title, $0.id] }
    #expect(try await fetches(request, kind: kind) == [[one], [one]])
  }

  @Test func `the writer of a pool fetches a list once, and then changed rows`() async throws {
    let request = Book.order { [$0.title, $0.id] }
    let sql = try await fetches(request, kind: .pool)
    #expect(sql[0].last?.contains("page key rowid") == true)
    #expect(sql[1] == [one])
  }

  private func expect(_ request: Request, isFollowed: Bool, _ line: Int = #line) async throws {
    #expect(try await self.isFollowed(request) == isFollowed, "the request of line \(line)")
  }

  @Test func `the rows of total orders are followed`() async throws {
    try await expect(Book.orderByPrimaryKey(), isFollowed: true)
    try await expect(Book.order { $0.title }.withStableOrder(), isFollowed: true)
    try await expect(Book.order { [$0.price.descNullsFirst, $0.id.desc] }, isFollowed: true)
    try await expect(Book.order { [length($0.title), $0.id] }, isFollowed: true)
    let liked = Book.filter { $0.price > 1 && $0.title.like("%") }
    try await expect(liked.order { $0.id }, isFollowed: true)
    try await expect(Book.filter(keys: [1, 2]).order { [$0.title, $0.id] }, isFollowed: true)
    try await expect(Book.filter { lower($0.title) != "x" }.order { $0.id }, isFollowed: true)
    let columns = Book.order { $0.id }.select { [$0.id, $0.title, $0.price, $0.authorId] }
    try await expect(columns, isFollowed: true)
  }

  @Test func `a list without a total order is fetched`() async throws {
    try await expect(Book.all(), isFollowed: false)
    try await expect(Book.order { $0.title }, isFollowed: false)
    try await expect(Book.order(sql: "title, id"), isFollowed: false)
    try await expect(Book.order { [Column("email"), $0.id] }, isFollowed: false)
    try await expect(Book.order { [$0.title.collating(.nocase), $0.id] }, isFollowed: false)
    try await expect(Book.order(SQLExpression.random, Column("id")), isFollowed: false)
  }

  @Test func `a list is fetched where its rows may depend on anything else`() async throws {
    let books = Book.order { $0.id }
    let id = Column("id")
    try await expect(books.filter(sql: "id > 0"), isFollowed: false)
    try await expect(books.filter(literal: "\(id) > 0"), isFollowed: false)
    try await expect(books.limit(5), isFollowed: false)
    try await expect(books.distinct(), isFollowed: false)
    try await expect(books.joining(optional: Book.author), isFollowed: false)
    try await expect(books.including(optional: Book.author), isFollowed: false)
    try await expect(books.including(all: Book.editions), isFollowed: false)
    try await expect(books.group(id), isFollowed: false)
    try await expect(books.filter(date(Column("title")) == nil), isFollowed: false)
    try await expect(books.filter(Book.select(id).contains(id)), isFollowed: false)
    try await expect(books.filterWhenConnected { _ in Column("id") > 0 }, isFollowed: false)
    try await expect(
      books.filter(SQLExpression.function("ABS", id) > 0), isFollowed: false)
    #expect(try await !isFollowed(books, by: [id]))
  }

  @Test func `tables without a key, or without a name of the rowid, are fetched`() async throws {
    struct Note: Decodable, FetchableRecord, TableRecord { var id: String }
    struct Pair: Decodable, FetchableRecord, TableRecord { var a: Int }
    struct Code: Decodable, FetchableRecord, TableRecord { var id: String }
    let order = [Column("id")]
    #expect(
      try await !isFollowed(
        Note.order(order), ["UPDATE note SET text = 'x'", "UPDATE note SET text = 'y'"]))
    #expect(
      try await !isFollowed(
        Pair.order(Column("a"), Column("b")), ["UPDATE pair SET b = 2", "UPDATE pair SET b = 3"]))
    #expect(
      try await !isFollowed(
        Code.order(order), ["UPDATE code SET oid = 'x'", "UPDATE code SET oid = 'y'"]))
  }

  /// A list that is followed, of which the first change has been fetched.
  private func withFollowedList(
    _ kind: ConnectionKind,
    _ body: (any DatabaseWriter, String, SQLRecorder, inout AsyncList) async throws -> Void
  ) async throws {
    try await withTemporaryDirectory { directory in
      let recorder = SQLRecorder()
      let writer = try open(kind, directory, recorder)
      let observation = ValueObservation.changes(of: Book.order { [$0.title, $0.id] })
      var lists = observation.values(in: writer).makeAsyncIterator()
      _ = try await lists.next()
      try await writer.write { db in try db.execute(sql: "UPDATE book SET price = 1") }
      _ = try await lists.next()
      _ = recorder.take()
      try await body(writer, directory + "/library.sqlite", recorder, &lists)
    }
  }

  typealias AsyncList = AsyncValueObservation<RecordListChanges<Book>>.AsyncIterator

  private func fetchesList(_ recorder: SQLRecorder) -> Bool {
    recorder.take().contains { $0.contains(#"FROM "book""#) && $0.contains("ORDER BY") }
  }

  @Test(arguments: ConnectionKind.onFile)
  func `a list with commits of other connections is fetched`(kind: ConnectionKind) async throws {
    try await withFollowedList(kind) { writer, path, recorder, lists in
      let other = try DatabaseQueue(path: path)
      try await other.write { db in try db.execute(sql: "UPDATE book SET price = 2") }
      try await writer.write { db in
        try db.execute(sql: "UPDATE book SET title = 'Zofloya' WHERE id = 1")
      }
      let list = try #require(try await lists.next())
      #expect(list.records.map(\.price) == [2, 2])
      #expect(list.records.map(\.title) == ["Persuasion", "Zofloya"])
      #expect(fetchesList(recorder))
      try await writer.write { db in try db.execute(sql: "DELETE FROM book WHERE id = 2") }
      #expect(try await lists.next()?.records.map(\.id) == [1])
      #expect(!fetchesList(recorder))
    }
  }

  @Test func `a list is fetched after changes whose rows are not known`() async throws {
    try await withFollowedList(.memory) { writer, _, recorder, lists in
      let pure = DatabaseFunction("f", argumentCount: 0, pure: true) { _ in 1 }
      let changes: [@Sendable (Database) throws -> Void] = [
        { db in try db.notifyChanges(in: Table("book")) },
        { db in try db.execute(sql: "ALTER TABLE book ADD COLUMN pages INTEGER") },
        { db in try db.execute(sql: "CREATE INDEX byPrice ON book (price)") },
        { db in db.add(function: pure) },
        // Another LIKE finds other rows.
        { db in try db.execute(sql: "PRAGMA case_sensitive_like = ON") },
      ]
      for (number, change) in changes.enumerated() {
        try await writer.write { db in
          try change(db)
          try db.execute(sql: "UPDATE book SET price = \(10 + number) WHERE id = 1")
        }
        #expect(try await lists.next()?.records[0].price == Double(10 + number))
        #expect(fetchesList(recorder), "change \(number)")
      }
    }
  }

  @Test func `a transaction that is rolled back leaves the rows`() async throws {
    try await withFollowedList(.memory) { writer, _, recorder, lists in
      try await writer.write { db in
        try db.inSavepoint {
          try db.execute(sql: "DELETE FROM book")
          return .rollback
        }
      }
      try await writer.writeWithoutTransaction { db in
        try db.inTransaction {
          try db.execute(sql: "UPDATE book SET title = 'X'")
          return .rollback
        }
      }
      try await writer.write { db in
        try db.execute(sql: "UPDATE book SET price = NULL WHERE id = 1")
      }
      let emma = Book(id: 1, title: "Emma", price: nil, authorId: 1)
      let former = Book(id: 1, title: "Emma", price: 1, authorId: 1)
      #expect(try await lists.next()?.changes == [.updated(old: former, new: emma, at: 0)])
      #expect(!fetchesList(recorder))
    }
  }

  @Test func `a text that is no UTF-8 has no place that is known`() async throws {
    try await withFollowedList(.memory) { writer, _, recorder, lists in
      for id in [1, 2] {
        try await writer.write { db in
          try db.execute(sql: "UPDATE book SET title = CAST(x'ff' AS TEXT) WHERE id = \(id)")
        }
        #expect(try await lists.next()?.records.last?.id == id)
        #expect(fetchesList(recorder))
      }
    }
  }
  @Test(arguments: [ConnectionKind.memory, .pool])
  func `one row of a long list changes`(kind: ConnectionKind) async throws {
    try await kind.withDatabase { writer in
      try await writer.write { db in
        try db.execute(sql: Self.schema + "DELETE FROM book")
        for id in 1...2_000 {
          try Book(id: id, title: "Book \(id)", price: 1, authorId: nil).insert(db)
        }
      }
      let request = Book.order { [$0.title, $0.id] }
      let rows = try await time(ValueObservation.changes(of: request), in: writer)
      let fetched = ValueObservation.changes(of: request, identifiedBy: [Column("id")])
      let lists = try await time(fetched, in: writer)
      print("One row of 2,000 changes, \(kind): followed \(rows), fetched \(lists)")
    }
  }

  /// The median of the times from the beginning of a write to the changes of the list.
  private func time(
    _ observation: ValueObservation<ValueReducers.RecordChanges<Book>>,
    in writer: any DatabaseWriter
  ) async throws -> Duration {
    var lists = observation.values(in: writer).makeAsyncIterator()
    _ = try await lists.next()
    var durations: [Duration] = []
    for id in 1...5 {
      let start = ContinuousClock.now
      try await writer.write { db in
        try db.execute(sql: "UPDATE book SET price = price + 1 WHERE id = \(id)")
      }
      #expect(try await lists.next()?.changes.count == 1)
      durations.append(.now - start)
    }
    return durations.sorted()[2]
  }
}
