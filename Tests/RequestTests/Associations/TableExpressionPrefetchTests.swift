import QuarryTestSupport
import Testing

@testable import Quarry

private let id = Column("id")
private let n = Column("name")
private let t = Column("title")
private let y = Column("year")
private let authorId = Column("authorId")

private let recent = CommonTableExpression<Book>(named: "recent", request: Book.filter(y > 1970))
private let byForeignKey = Author.hasMany(recent, key: "recents", using: ForeignKey(["authorId"]))
private let byEquality = Author.hasMany(recent) { author, recent in
  author[id] == recent[authorId]
}
private let definition = #"WITH "recent" AS (SELECT * FROM "book" WHERE "year" > ?) "#

/// To-many associations from and to common table expressions.
@Suite(.onQueueAndPool)
struct TableExpressionPrefetchTests {
  private func fetch(
    _ request: QueryInterfaceRequest<some Any>, _ key: String
  ) throws -> (sql: String?, children: [[Int]?]) {
    let recorder = SQLRecorder()
    let database = try makeBookshopDatabase(configuration: recorder.recording())
    return try database.read { db in
      let request = request.order(id).asRequest(of: Row.self)
      _ = try request.fetchAll(db)
      _ = recorder.take()
      let rows = try request.fetchAll(db)
      return (
        recorder.take().last, rows.map { $0.prefetchedRows[key]?.map { $0["id"] as Int } }
      )
    }
  }

  @Test(arguments: [byForeignKey, byEquality])
  func `foreign keys and equalities`(_ association: HasManyAssociation<Author, Book>) throws {
    let (sql, children) = try fetch(Author.with(recent).including(all: association), "recents")
    #expect(
      sql == definition
        + #"SELECT *, "authorId" AS "grdb_authorId" FROM "recent" WHERE "authorId" IN (?, ?, ?)"#)
    #expect(children == [[1], [3], []])
  }

  @Test func `equalities with conditions`() throws {
    let books = Author.hasMany(recent, key: "books") { author, recent in
      recent[authorId] == author[id] && recent[y] < 2000
    }
    let (sql, children) = try fetch(
      Author.with(recent).including(all: books.filter(t != "x")), "books")
    #expect(
      sql == definition + """
        SELECT *, "authorId" AS "grdb_authorId" FROM "recent" \
        WHERE ("year" < ?) AND ("title" <> ?) AND ("authorId" IN (?, ?, ?))
        """)
    #expect(children == [[1], [], []])
  }

  @Test func `other expressions join the parent`() throws {
    let later = Author.hasMany(recent, key: "later") { author, recent in
      recent[y] > author[Column("birthYear")] + 60
    }
    let (sql, children) = try fetch(Author.with(recent).including(all: later), "later")
    #expect(
      sql == definition + """
        SELECT "recent".*, "author"."id" AS "grdb_id" FROM "recent" JOIN "author" \
        ON ("recent"."year" > ("author"."birthYear" + ?)) AND ("author"."id" IN (?, ?, ?))
        """)
    #expect(children == [[3], [3], []])
  }

  @Test func `tables have associations with conditions, too`() throws {
    let later = Author.hasMany(Table<Book>("book"), key: "later") { author, book in
      book[y] > author[Column("birthYear")] + 40
    }
    let (sql, children) = try fetch(Author.including(all: later.order(id)), "later")
    #expect(
      sql == """
        SELECT "book".*, "author"."id" AS "grdb_id" FROM "book" JOIN "author" \
        ON ("book"."year" > ("author"."birthYear" + ?)) AND ("author"."id" IN (?, ?, ?)) \
        ORDER BY "book"."id"
        """)
    #expect(children == [[1, 3], [1, 2, 3], [3]])
  }

  @Test func `an equality beside a function of the parent joins the parent`() throws {
    let books = Author.hasMany(recent, key: "books") { author, recent in
      recent[authorId] == author[id] && abs(author[Column("birthYear")]) > 1925
    }
    let (sql, children) = try fetch(Author.with(recent).including(all: books), "books")
    #expect(
      sql == definition + """
        SELECT "recent".*, "author"."id" AS "grdb_id" FROM "recent" JOIN "author" \
        ON ("recent"."authorId" = "author"."id") AND (ABS("author"."birthYear") > ?) \
        AND ("author"."id" IN (?, ?, ?))
        """)
    #expect(children == [[1], [], []])
  }

  @Test func `they are joined too`() throws {
    #expect(
      try sql(of: Author.with(recent).joining(required: byEquality)).sql == definition + """
        SELECT "author".* FROM "author" JOIN "recent" ON "author"."id" = "recent"."authorId"
        """)
    #expect(
      try sql(of: Author.with(recent).annotated(with: byForeignKey.max(y))).sql == definition + """
        SELECT "author".*, MAX("recent"."year") AS "maxRecentYear" FROM "author" \
        LEFT JOIN "recent" ON "recent"."authorId" = "author"."id" GROUP BY "author"."id"
        """)
  }

  @Test func `from table expressions`() throws {
    let prolific = CommonTableExpression<Author>(
      named: "prolific", request: Author.having(Author.books.count > 1))
    for books in [
      prolific.hasMany(Book.self, using: ForeignKey(["authorId"], to: ["id"])),
      prolific.hasMany(Book.self) { prolific, book in prolific[id] == book[authorId] },
      prolific.hasMany(Table<Book>("book"), key: "books") { $0[id] == $1[authorId] },
      prolific.hasMany(Table<Book>("book"), using: ForeignKey(["authorId"], to: ["id"])),
    ] {
      let (sql, children) = try fetch(
        prolific.all().with(prolific).including(all: books.order(id)), "books")
      #expect(
        sql == """
          SELECT *, "authorId" AS "grdb_authorId" FROM "book" WHERE "authorId" = ? ORDER BY "id"
          """)
      #expect(children == [[1, 2]])
    }
  }

  @Test func `between table expressions`() throws {
    let french = CommonTableExpression<Author>(
      named: "french", request: Author.filter(Column("country") == "FR"))
    for books in [
      french.hasMany(recent, key: "books", using: ForeignKey(["authorId"], to: ["id"])),
      french.hasMany(recent, key: "books") { french, recent in recent[authorId] == french[id] },
    ] {
      let request = french.all().with(french).with(recent).including(all: books)
      let (sql, children) = try fetch(request, "books")
      #expect(
        sql == """
          WITH "french" AS (SELECT * FROM "author" WHERE "country" = ?), \
          "recent" AS (SELECT * FROM "book" WHERE "year" > ?) \
          SELECT *, "authorId" AS "grdb_authorId" FROM "recent" WHERE "authorId" = ?
          """)
      #expect(children == [[1]])
    }
  }

  @Test func `tables without record type`() throws {
    let authors = Table<Author>("author")
    for books in [
      authors.hasMany(recent, using: ForeignKey(["authorId"])),
      authors.hasMany(recent) { author, recent in author[id] == recent[authorId] },
    ] {
      #expect(
        try fetch(authors.all().with(recent).including(all: books), "recents").children
          == [[1], [3], []])
    }
  }

  @Test func `records are decoded`() throws {
    struct Info: Decodable, FetchableRecord {
      var author: Author
      var recents: [Book]
    }
    let database = try makeBookshopDatabase()
    let infos = try database.read { db in
      try Author.with(recent).including(all: byEquality).order(id)
        .asRequest(of: Info.self).fetchAll(db)
    }
    #expect(
      infos.map { $0.recents.map(\.title) } == [["Dispossession"], ["Invisible Towns"], []])
  }

  @Test func `indirect associations`() throws {
    let publishers = Author.hasMany(
      Publisher.self, through: byEquality,
      using: recent.association(to: Publisher.self) { recent, publisher in
        recent[Column("publisherId")] == publisher[id]
      }, key: "publishers")
    let (sql, children) = try fetch(Author.with(recent).including(all: publishers), "publishers")
    #expect(
      sql == definition + """
        SELECT "publisher".*, "recent"."authorId" AS "grdb_authorId" FROM "publisher" \
        JOIN "recent" ON ("recent"."publisherId" = "publisher"."id") \
        AND ("recent"."authorId" IN (?, ?, ?))
        """)
    #expect(children == [[1], [1], []])
  }

  @Test func `the first record that satisfies a condition on the parent`() throws {
    let prolific = CommonTableExpression<Author>(
      named: "prolific", request: Author.having(Author.books.count > 1))
    let first = prolific.hasMany(Book.self) { prolific, book in
      prolific[id] == book[authorId] && book[y] > prolific[Column("birthYear")] + 42
    }
    try makeBookshopDatabase().read { db throws in
      let request = prolific.all().with(prolific)
      let joined = request.including(required: first.order(y).first()).asRequest(of: Row.self)
      #expect(try joined.fetchAll(db).map { $0.scopes["book"]?["id"] as Int? } == [1])
      let last = request.including(optional: first.order(y.desc).filter(y < 1960).last())
      #expect(
        try last.asRequest(of: Row.self).fetchAll(db).map { $0.scopes["book"]?["id"] as Int? }
          == [nil])
    }
  }

  /// A prefetch has the definitions of the main request that it refers to, and no others.
  @Test func `definitions are inherited`() throws {
    let filtered = Author.with(recent).including(
      all: Author.books.filter(recent.all().select(id).contains(id)))
    #expect(try fetch(filtered, "books").sql?.hasPrefix(definition) == true)
    #expect(try fetch(filtered, "books").children == [[1], [3], []])
    let raw = Author.with(recent).including(
      all: Author.books.filter(sql: "id IN (SELECT id FROM recent)"))
    #expect(try fetch(raw, "books").children == [[1], [3], []])
    let unrelated = Author.with(recent).including(all: Author.books)
    #expect(try fetch(unrelated, "books").sql?.hasPrefix("SELECT *, ") == true)
  }

  /// A table expression that the association selects from is that of the request.
  @Test func `definitions of the association replace those of the request`() throws {
    let latest = CommonTableExpression<Book>(named: "recent", request: Book.filter(y > 1990))
    let latestBook = Book.association(to: latest) { book, latest in book[id] == latest[id] }
    let books = Author.books.joining(required: latestBook.with(latest))
    let (sql, children) = try fetch(Author.with(recent).including(all: books), "books")
    #expect(sql?.hasPrefix(definition) == true)
    #expect(children == [[], [3], []])
    let latestOfRecent = recent.association(to: latest) { recent, latest in
      recent[id] == latest[id]
    }
    let mixed = byEquality.joining(required: latestOfRecent.with(latest))
    let message = errorText { try fetch(Author.with(recent).including(all: mixed), "recents") }
    #expect(message?.contains(#"different table expressions named "recent""#) == true)
  }

  @Test func `rows without key are refused`() throws {
    let books = recent.hasMany(Author.self) { recent, author in
      author[Column("birthYear")] < recent[y]
    }
    let request = recent.all().with(recent).including(all: books)
    #expect(
      try invalidity(of: sql(of: request)) == """
        including(all:) of "authors" needs a primary key in common table expression "recent": \
        the association is limited, or its condition is no foreign key, or refers to an alias of \
        the parent, or SQLite alone finds its keys equal. To resolve this error, declare the primary key in a DatabaseSchemaSource.
        """)
  }
}

private let books = CommonTableExpression<Row>(named: "books", request: Table("book").all())
private let code = Column("code")
private let number = Column("number")

/// The column on the left of `==` decides the collation, in a prefetch as in a join.
struct TableExpressionCollationTests {
  private func database(_ author: String, _ book: String) throws -> DatabaseQueue {
    try makeDatabase(
      sql: """
        CREATE TABLE author (id INTEGER PRIMARY KEY, code TEXT \(author), number TEXT);
        CREATE TABLE book (id INTEGER PRIMARY KEY, code TEXT \(book), number TEXT);
        INSERT INTO author VALUES (1, 'Lyon', '7');
        INSERT INTO book VALUES (1, 'LYON', '7'), (2, 'Lyon', '7'), (3, 'lyon', '8');
        """)
  }

  private func check(
    _ association: HasManyAssociation<Author, Row>, _ expected: [Int], _ database: DatabaseQueue,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let request = Author.with(books)
    let prefetched = request.including(all: association.order(id)).asRequest(of: Row.self)
    try database.read { db throws in
      #expect(
        try request.joining(required: association).fetchCount(db) == expected.count,
        sourceLocation: sourceLocation)
      // A request that is known finds the same.
      for _ in 1...3 {
        let rows = try prefetched.fetchAll(db)
        let children = rows.map { $0.prefetchedRows["books"]?.map { $0["id"] as Int } }
        #expect(children == [expected], sourceLocation: sourceLocation)
      }
    }
  }

  @Test func `the column of the record on the left`() throws {
    let association = Author.hasMany(books, key: "books") { author, book in
      author[code] == book[code]
    }
    try check(association, [2], database("", ""))
    try check(association, [1, 2, 3], database("COLLATE NOCASE", ""))
    try check(association, [2], database("", "COLLATE NOCASE"))
    try check(association, [1, 2, 3], database("COLLATE NOCASE", "COLLATE NOCASE"))
  }

  @Test func `the column of the record on the right`() throws {
    let association = Author.hasMany(books, key: "books") { author, book in
      book[code] == author[code]
    }
    try check(association, [2], database("", ""))
    try check(association, [2], database("COLLATE NOCASE", ""))
    try check(association, [1, 2, 3], database("", "COLLATE NOCASE"))
  }

  /// The remembered queries of the two associations are not mistaken for each other.
  @Test func `the column of the record on either side`() throws {
    let left = Author.hasMany(books, key: "books") { $0[code] == $1[code] }
    let right = Author.hasMany(books, key: "books") { $1[code] == $0[code] }
    try database("COLLATE NOCASE", "").write { db throws in
      try db.execute(sql: "INSERT INTO author VALUES (2, 'LYON', '7')")
      func children(_ association: HasManyAssociation<Author, Row>) throws -> [[Int]?] {
        try Author.with(books).order(id).including(all: association.order(id))
          .asRequest(of: Row.self).fetchAll(db)
          .map { $0.prefetchedRows["books"]?.map { $0["id"] as Int } }
      }
      for _ in 1...3 {
        try #expect(children(left) == [[1, 2, 3], [1, 2, 3]])
        try #expect(children(right) == [[2], [1]])
      }
    }
  }

  @Test func `columns on both sides`() throws {
    let association = Author.hasMany(books, key: "books") { author, book in
      author[code] == book[code] && book[number] == author[number]
    }
    try check(association, [1, 2], database("COLLATE NOCASE", ""))
    try check(association, [2], database("", ""))
  }

  @Test func `the record is joined`() throws {
    let association = Author.hasMany(books, key: "books") { author, book in
      author[code] == book[code]
    }
    try database("COLLATE NOCASE", "").read { db throws in
      let request = Author.with(books).including(all: association).asRequest(of: Row.self)
      _ = try request.fetchAll(db)
      #expect(
        try db.statements { _ = try request.fetchAll(db) }.last == """
          WITH "books" AS (SELECT * FROM "book") SELECT "books".*, "author"."id" AS "grdb_id" \
          FROM "books" JOIN "author" ON ("author"."code" = "books"."code") AND ("author"."id" = ?)
          """)
    }
  }
}
