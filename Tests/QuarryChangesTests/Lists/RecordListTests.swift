import Quarry
import QuarryChanges
import QuarryTestSupport
import Testing

/// A list of books, and what is expected of its changes.
@Suite("Changes of a request") struct RecordListTests {
  struct Book: Codable, Equatable, Identifiable, FetchableRecord, PersistableRecord {
    static let author = belongsTo(Author.self)
    enum Columns {
      static let id = Column(CodingKeys.id)
      static let title = Column(CodingKeys.title)
    }
    var id: Int
    var title: String
    var authorId: Int?
  }

  private typealias Changes = [RecordListChange<Book>]

  struct Author: Codable, Equatable, FetchableRecord, PersistableRecord {
    static let books = hasMany(Book.self)
    var id: Int
    var name: String
  }

  private func makeShop() throws -> DatabaseQueue {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
          CREATE TABLE book (
            id INTEGER PRIMARY KEY, title TEXT NOT NULL, authorId INTEGER REFERENCES author(id));
          INSERT INTO author VALUES (1, 'Austen');
          INSERT INTO book VALUES (1, 'Emma', 1), (2, 'Mansfield Park', 1), (3, 'Persuasion', 1),
            (5, 'Sanditon', 1);
          """)
    }
    return queue
  }

  private let emma = Book(id: 1, title: "Emma", authorId: 1)
  private let mansfield = Book(id: 2, title: "Mansfield Park", authorId: 1)
  private let persuasion = Book(id: 3, title: "Persuasion", authorId: 1)
  private let sanditon = Book(id: 5, title: "Sanditon", authorId: 1)

  @Test func `the first value has all records, the next ones what has changed`() async throws {
    let queue = try makeShop()
    let observation = ValueObservation.changes(of: Book.order { $0.title })
    var lists = observation.values(in: queue).makeAsyncIterator()
    var list = try await lists.next()
    #expect(list?.records == [emma, mansfield, persuasion, sanditon])
    var changes: Changes = [
      .inserted(emma, at: 0), .inserted(mansfield, at: 1), .inserted(persuasion, at: 2),
      .inserted(sanditon, at: 3),
    ]
    #expect(list?.changes == changes)

    // One transaction: the first book goes to the end with another title, the last one is deleted,
    // and one is new.
    let zofloya = Book(id: 1, title: "Zofloya", authorId: 1)
    let beowulf = Book(id: 4, title: "Beowulf", authorId: nil)
    try await queue.write { db in
      try zofloya.update(db)
      try persuasion.delete(db)
      try beowulf.insert(db)
    }
    list = try await lists.next()
    #expect(list?.records == [beowulf, mansfield, sanditon, zofloya])
    changes = [
      .deleted(persuasion, at: 2), .moved(zofloya, from: 0, to: 3), .inserted(beowulf, at: 0),
      .updated(old: emma, new: zofloya, at: 3),
    ]
    #expect(list?.changes == changes)

    // A transaction without a difference is not reported, and neither is another table.
    try await queue.write { db in
      try db.execute(sql: "UPDATE book SET title = title")
      try db.execute(sql: "UPDATE author SET name = 'Jane Austen'")
    }
    try await queue.write { db in _ = try Book.deleteAll(db) }
    list = try await lists.next()
    #expect(list?.records == [])
    changes = [
      .deleted(beowulf, at: 0), .deleted(mansfield, at: 1), .deleted(sanditon, at: 2),
      .deleted(zofloya, at: 3),
    ]
    #expect(list?.changes == changes)
  }

  private struct RatedBook: FetchableRecord, TableRecord, Sendable {
    static var databaseTableName: String { "book" }
    let rating: Int?
    init(row: Row) { rating = row["rating"] }
  }

  @Test(arguments: [false, true], [false, true])
  func `a column that is added is observed`(isPool: Bool, isFollowed: Bool) async throws {
    let writer: any DatabaseWriter = isPool ? try DatabasePool.temporary() : try DatabaseQueue()
    try await writer.write { db in
      try db.execute(
        sql: "CREATE TABLE book (id INTEGER PRIMARY KEY); INSERT INTO book VALUES (1), (2)")
    }
    let request = isFollowed ? RatedBook.orderByPrimaryKey() : RatedBook.all()
    var lists = ValueObservation.changes(of: request).values(in: writer).makeAsyncIterator()
    var list = try await lists.next()
    try await writer.write { db in
      try db.execute(sql: "ALTER TABLE book ADD COLUMN rating INTEGER")
    }
    for rating in [5, 4] {
      try await writer.write { db in
        try db.execute(sql: "UPDATE book SET rating = ? WHERE id = 2", arguments: [rating])
      }
      while list?.records.last?.rating != rating { list = try await lists.next() }
    }
  }

  @Test func `another key is another record`() async throws {
    let queue = try makeShop()
    var lists = ValueObservation.changes(of: Book.filter { $0.id == 3 || $0.id == 9 }).values(
      in: queue
    )
    .makeAsyncIterator()
    _ = try await lists.next()
    try await queue.write { db in try db.execute(sql: "UPDATE book SET id = 9 WHERE id = 3") }
    let renamed = Book(id: 9, title: "Persuasion", authorId: 1)
    let changes: Changes = [.deleted(persuasion, at: 0), .inserted(renamed, at: 0)]
    #expect(try await lists.next()?.changes == changes)
  }

  private struct BookInfo: Decodable, Equatable, FetchableRecord {
    var book: Book
    var author: Author?
  }

  private struct AuthorInfo: Decodable, Equatable, FetchableRecord {
    var author: Author
    var books: [Book]
  }

  @Test func `a change of an associated record is an update`() async throws {
    let queue = try makeShop()
    let request = Book.filter(key: 1).including(optional: Book.author).asRequest(of: BookInfo.self)
    let prefetch = Author.including(all: Author.books.order { $0.id }).asRequest(
      of: AuthorInfo.self)
    let id = Column("id")
    var infos = ValueObservation.changes(of: request, identifiedBy: [id]).values(in: queue)
      .makeAsyncIterator()
    var authors = ValueObservation.changes(of: prefetch, identifiedBy: [id]).values(in: queue)
      .makeAsyncIterator()
    #expect(try await infos.next()?.records.first?.author?.name == "Austen")
    #expect(try await authors.next()?.records.first?.books.count == 4)
    try await queue.write { db in
      try db.execute(
        sql: "UPDATE author SET name = 'Jane Austen'; DELETE FROM book WHERE id > 1")
    }
    let (former, author) = (Author(id: 1, name: "Austen"), Author(id: 1, name: "Jane Austen"))
    let infoUpdate: RecordListChange<BookInfo> = .updated(
      old: BookInfo(book: emma, author: former), new: BookInfo(book: emma, author: author), at: 0)
    #expect(try await infos.next()?.changes == [infoUpdate])
    let authorUpdate: RecordListChange<AuthorInfo> = .updated(
      old: AuthorInfo(author: former, books: [emma, mansfield, persuasion, sanditon]),
      new: AuthorInfo(author: author, books: [emma]), at: 0)
    #expect(try await authors.next()?.changes == [authorUpdate])
  }

  private struct Titled: Codable, Equatable, FetchableRecord, TableRecord {
    static var databaseTableName: String { "titled" }
    var title: String
  }

  @Test func `the rows of a view are identified by columns`() async throws {
    let queue = try makeShop()
    try await queue.write { db in
      try db.execute(
        sql: "CREATE VIEW titled AS SELECT title FROM book")
    }
    let title = Column("title")
    var lists = ValueObservation.changes(
      of: Titled.filter(title < "F"), identifiedBy: [title]
    ).values(in: queue).makeAsyncIterator()
    let insertion: RecordListChange<Titled> = .inserted(Titled(title: "Emma"), at: 0)
    #expect(try await lists.next()?.changes == [insertion])
    try await queue.write { db in
      try db.execute(sql: "INSERT INTO book VALUES (4, 'Beowulf', NULL)")
    }
    #expect(try await lists.next()?.changes.count == 1)
  }

  private struct Note: Codable, Equatable, FetchableRecord, TableRecord {
    static var databaseSelection: [any SQLSelectable] { [.rowID, .allColumns] }
    var rowid: Int
    var text: String
  }

  @Test func `the rowid identifies the rows of a table without primary key`() async throws {
    let queue = try makeShop()
    try await queue.write { db in try db.execute(sql: "CREATE TABLE note (text TEXT)") }
    var lists = ValueObservation.changes(of: Note.all()).values(in: queue).makeAsyncIterator()
    #expect(try await lists.next()?.records == [])
    try await queue.write { db in try db.execute(sql: "INSERT INTO note VALUES ('lent')") }
    let lent = Note(rowid: 1, text: "lent")
    let insertion: RecordListChange<Note> = .inserted(lent, at: 0)
    #expect(try await lists.next()?.changes == [insertion])
    try await queue.write { db in try db.execute(sql: "UPDATE note SET text = 'returned'") }
    let update: RecordListChange<Note> = .updated(
      old: lent, new: Note(rowid: 1, text: "returned"), at: 0)
    #expect(try await lists.next()?.changes == [update])
  }

  /// A column that is called rowid repeats its values.
  @Test func `a rowid without name identifies no rows`() async throws {
    struct Mark: Codable, FetchableRecord, TableRecord { var rowid: Int }
    let queue = try makeShop()
    try await queue.write { db in
      try db.execute(sql: "CREATE TABLE mark (rowid, oid, _rowid_)")
    }
    var lists = ValueObservation.changes(of: Mark.all()).values(in: queue).makeAsyncIterator()
    let error = await #expect(throws: InvalidRequest.self) { _ = try await lists.next() }
    #expect(String(describing: error).contains("the rowid has no name"))
  }

  private func firstError<Record: FetchableRecord & Sendable>(
    _ request: QueryInterfaceRequest<Record>, by columns: [any ColumnExpression]? = nil
  ) async throws -> String {
    var lists = ValueObservation.changes(of: request, identifiedBy: columns)
      .values(in: try makeShop()).makeAsyncIterator()
    do {
      _ = try await lists.next()
      return "no error"
    } catch {
      return (error as? DatabaseError)?.message ?? "\(error)"
    }
  }

  @Test func `a request whose rows can't be identified is an error`() async throws {
    let infos = Book.all().including(optional: Book.author).asRequest(of: BookInfo.self)
    #expect(
      try await firstError(infos) == """
        changes of BookInfo need columns that identify a row, since it has no table with a primary \
        key: name them by `identifiedBy`
        """)
    struct Titles: Codable, FetchableRecord { var title: String }
    #expect(
      try await firstError(
        Book.select { [$0.title] }.asRequest(of: Titles.self), by: [Column("id")]) == """
          the request of changes does not select id, which identifies a row of Titles: select it, or \
          name other columns by `identifiedBy`
          """)
    #expect(
      try await firstError(Book.all(), by: [Column("authorId")]) == """
        the request of changes has two rows of Book with the key authorId: 1: changes are those of \
        one row with a key. Make the key unique by `identifiedBy`, or join no association to many \
        records
        """)
    #expect(
      try await firstError(Author.all().joining(required: Author.books)).contains(
        "two rows of Author with the key id: 1"))
  }
}
