import QuarryTestSupport
import Testing

@testable import Quarry

private let id = Column("id")
private let n = Column("name")
private let y = Column("year")
private let score = Column("score")

/// The limit of a to-many association is one per parent.
@Suite(.onQueueAndPool)
struct LimitedPrefetchTests {
  /// The last statement that a request executes.
  private func lastStatement(of request: QueryInterfaceRequest<some Any>) throws -> String? {
    let recorder = SQLRecorder()
    let database = try makeBookshopDatabase(configuration: recorder.recording())
    return try database.read { db throws in
      _ = try request.asRequest(of: Row.self).fetchAll(db)
      _ = recorder.take()
      _ = try request.asRequest(of: Row.self).fetchAll(db)
      return recorder.take().last
    }
  }

  @Test func `the parent is joined`() throws {
    #expect(
      try lastStatement(of: Author.including(all: Author.books.order(y.desc).limit(3))) == """
        SELECT "book".*, "author"."id" AS "grdb_id" FROM "book" JOIN "author" ON ("book"."id" IN (\
        SELECT "id" FROM "book" WHERE "authorId" = "author"."id" ORDER BY "year" DESC LIMIT 3)) \
        AND ("author"."id" IN (?, ?, ?)) ORDER BY "book"."year" DESC
        """)
  }

  /// As it is without a limit. The books of author 1 cost 12.5 and 9.
  @Test func `an order by the name of a selected value is one by the value`() throws {
    let price = Column("price")
    let negative = Author.books.select(id, (price * -1).forKey("price"))
    let ranked = Author.books.annotated(with: [(price * -1).forKey("rank")])
      .order(Column("rank").detached)
    #expect(
      try lastStatement(of: Author.including(all: negative.order(price).limit(1))) == """
        SELECT "book"."id", "book"."price" * ? AS "price", "author"."id" AS "grdb_id" \
        FROM "book" JOIN "author" ON ("book"."id" = (SELECT "id" FROM "book" \
        WHERE "authorId" = "author"."id" ORDER BY "price" * ? LIMIT 1)) \
        AND ("author"."id" IN (?, ?, ?)) ORDER BY "book"."price" * ?
        """)
    try makeBookshopDatabase().read { db throws in
      func first<A: AssociationToMany>(_ association: A) throws -> [Int?]
      where A.OriginRowDecoder == Author {
        try Author.order(id).including(all: association.forKey("found"))
          .asRequest(of: Row.self).fetchAll(db)
          .map { $0.prefetchedRows["found"]?.first.map { $0["id"] as Int } }
      }
      #expect(try first(negative.order(price)) == [1, 3, nil])
      #expect(try first(negative.order(price).limit(1)) == [1, 3, nil])
      #expect(try first(ranked) == [1, 3, nil])
      #expect(try first(ranked.limit(1)) == [1, 3, nil])
      let joined = try Author.order(id).including(optional: ranked.first().forKey("found"))
        .asRequest(of: Row.self).fetchAll(db)
      let ids = joined.map { $0.scopes["found"]?["id"] as Int? }
      #expect(ids == [1, 3, nil])
    }
  }

  /// Book 1 of publisher 1 has an author who was born in 1929, that of book 3 was born in 1923.
  @Test func `the order may be the name of a value that a joined record selects`() throws {
    let birthYear = Column("birthYear")
    let author = Book.author.select((-birthYear).forKey("birthYear"))
    try makeBookshopDatabase().read { db throws in
      for books in [
        Publisher.books.including(required: author).order(birthYear.detached),
        Publisher.books.including(required: author.order(birthYear.detached)),
      ] {
        let all = Publisher.order(id).including(all: books)
        let limited = Publisher.order(id).including(all: books.limit(1))
        let joined = Publisher.order(id).including(optional: books.first())
        let prefetched = try [all, limited].map { request in
          try request.asRequest(of: Row.self).fetchAll(db)
            .map { $0.prefetchedRows["books"]?.first.map { $0["id"] as Int } }
        }
        #expect(prefetched == [[1, 2], [1, 2]])
        let first = try joined.asRequest(of: Row.self).fetchAll(db)
          .map { $0.scopes["book"]?["id"] as Int? }
        #expect(first == [1, 2])
      }
    }
  }

  /// As it is in the request for all books of the author.
  @Test func `the first record of one record may be ordered by a selected value`() throws {
    let price = Column("price")
    let negative = Author.books.select(id, (price * -1).forKey("price")).order(price)
    let first = Author(id: 1).request(for: negative.first())
    #expect(
      try sql(of: first).sql == """
        SELECT "id", "price" * ? AS "price" FROM "book" WHERE "id" = (SELECT "id" FROM "book" \
        WHERE "authorId" = ? ORDER BY "price" * ? LIMIT 1)
        """)
    try makeBookshopDatabase().read { db throws in
      for request in [Author(id: 1).request(for: negative), first] {
        let row = try request.asRequest(of: Row.self).fetchOne(db)
        let found = row.map { $0["id"] as Int }
        #expect(found == 1)
      }
    }
  }

  /// Without a limit, the alias joins the author, so that the column has a qualifier.
  @Test func `a column means no selected value where the parent is joined anyway`() throws {
    let price = Column("price")
    let author = TableAlias<Author>()
    let later = Author.books.filter(y > author[Column("birthYear")])
      .select(id, (price * -1).forKey("price")).order(price).forKey("later")
    try makeBookshopDatabase().read { db throws in
      for association in [later, later.limit(1)] {
        let rows = try Author.aliased(author).order(id).including(all: association)
          .asRequest(of: Row.self).fetchAll(db)
        let first = rows.map { $0.prefetchedRows["later"]?.first.map { $0["id"] as Int } }
        #expect(first == [2, 3, nil])
      }
    }
  }

  @Test func `pivots stay`() throws {
    let reviews = Author.hasMany(
      Review.self, through: Author.books.filter(y > 1900).order(y), using: Book.reviews)
    #expect(
      try lastStatement(of: Author.including(all: reviews.limit(2, offset: 1))) == """
        SELECT "review".*, "author"."id" AS "grdb_id" FROM "review" \
        JOIN "book" ON "book"."id" = "review"."bookId" \
        JOIN "author" ON ("review"."id" IN (SELECT "review"."id" FROM "review" \
        JOIN "book" ON ("book"."id" = "review"."bookId") AND ("book"."year" > ?) \
        AND ("book"."authorId" = "author"."id") ORDER BY "book"."year" LIMIT 2 OFFSET 1)) \
        AND ("author"."id" IN (?, ?, ?)) ORDER BY "book"."year"
        """)
  }

  @Test func `the link to the parent stays where a pivot follows from it`() throws {
    // The books of the author of a book: the author follows from the book.
    let siblings = Book.hasMany(
      Book.self, through: Book.author, using: Author.books, key: "siblings")
    let database = try makeBookshopDatabase()
    try database.read { db throws in
      let rows = try Book.including(all: siblings.order(id).limit(1)).order(id)
        .asRequest(of: Row.self).fetchAll(db)
      #expect(
        rows.map { $0.prefetchedRows["siblings"]?.map { $0["id"] as Int } } == [[1], [1], [3], []])
    }
  }

  @Test func `the first records behind a first record`() throws {
    // The earliest book of author 1 has no review.
    let reviews = Author.hasMany(
      Review.self, through: Author.books.order(y).first(), using: Book.reviews)
    try makeBookshopDatabase().read { db throws in
      let rows = try Author.including(all: reviews.order(score).limit(1)).order(id)
        .asRequest(of: Row.self).fetchAll(db)
      #expect(rows.map { $0.prefetchedRows["reviews"]?.map { $0["id"] as Int } } == [[], [3], []])
    }
  }

  @Test func `a view without primary key has no first rows`() throws {
    let sold = Author.hasMany(
      Table<Book>("bestseller"), key: "sold", using: ForeignKey(["authorId"], to: ["id"]))
    try makeBookshopDatabase().read { db throws in
      #expect(
        errorText {
          try Author.including(all: sold.limit(1)).asRequest(of: Row.self).fetchAll(db)
        }?.contains("bestseller") == true)
    }
  }

  @Test func `a pivot does not follow from a record behind a condition`() throws {
    // Both books of author 1 lead to book 3, whose author is older than the others.
    let older = Book.association(to: Author.self) { _, author in author[Column("birthYear")] < 1925
    }
    let elders = Author.hasMany(Author.self, through: Author.books, using: older)
    let books = Author.hasMany(Book.self, through: elders, using: Author.books, key: "books")
    try makeBookshopDatabase().read { db throws in
      func ids(limit: Int) throws -> [[Int]?] {
        try Author.including(all: books.order(id).limit(limit)).order(id)
          .asRequest(of: Row.self).fetchAll(db)
          .map { $0.prefetchedRows["books"]?.map { $0["id"] as Int } }
      }
      #expect(try ids(limit: 1) == [[3], [3], []])
      #expect(try ids(limit: 3) == [[3, 3], [3], []])
    }
  }

  @Test func `a limited association that repeats its rows is refused`() throws {
    let database = try makeBookshopDatabase()
    try database.read { db throws in
      let reviewed = Author.books.joining(required: Book.reviews).limit(1)
      let error = #expect(throws: InvalidRequest.self) {
        try Author.including(all: reviewed).asRequest(of: Row.self).fetchAll(db)
      }
      #expect(
        error?.message.hasPrefix(
          "The association \"books\" can't be limited in including(all:): it joins many rows"
        )
          == true)
      // A group has one row.
      let counted = Author.books.annotated(with: Book.reviews.count).order(id).limit(1)
      let rows = try Author.including(all: counted).order(id).asRequest(of: Row.self).fetchAll(db)
      #expect(
        rows.map { $0.prefetchedRows["books"]?.map { $0["reviewCount"] as Int } } == [[2], [1], []])
    }
  }

  @Test func `rows`() throws {
    let database = try makeBookshopDatabase()
    try database.read { db throws in
      func children(
        _ request: QueryInterfaceRequest<Author>, _ key: String
      ) throws -> [[Int]?] {
        try request.order(id).asRequest(of: Row.self).fetchAll(db)
          .map { $0.prefetchedRows[key]?.map { $0["id"] } }
      }
      #expect(
        try children(Author.including(all: Author.books.order(y.desc).limit(1)), "books")
          == [[1], [3], []])
      #expect(
        try children(Author.including(all: Author.books.order(y).limit(1)), "books")
          == [[2], [3], []])
      #expect(
        try children(Author.including(all: Author.books.order(y).limit(5, offset: 1)), "books")
          == [[1], [], []])
      #expect(
        try children(Author.including(all: Author.reviews.order(score).limit(1)), "reviews")
          == [[2], [3], []])
      #expect(
        try children(Author.including(all: Author.books.limit(0)), "books") == [[], [], []])
    }
  }

  /// A link counts, and the order is that of the links.
  @Test func `many to many`() throws {
    let database = try DatabaseQueue()
    try database.write { db throws in
      try db.execute(
        sql: """
          CREATE TABLE team (id INTEGER PRIMARY KEY);
          CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT);
          CREATE TABLE role (
            teamId INTEGER REFERENCES team, playerId INTEGER REFERENCES player, position INTEGER);
          INSERT INTO team VALUES (1), (2), (3);
          INSERT INTO player VALUES (1, 'a'), (2, 'b'), (3, 'c');
          INSERT INTO role VALUES (1, 3, 1), (1, 1, 2), (1, 2, 3), (2, 2, 1), (2, 2, 2), (2, 1, 3);
          """)
      let teams = Table<Row>("team")
      let roles = teams.hasMany(Table<Row>("role")).order(Column("position"))
      let players = teams.hasMany(
        Row.self, through: roles, using: Table<Row>("role").belongsTo(Table<Row>("player")))
      func ids(_ association: HasManyThroughAssociation<Row, Row>) throws -> [[Int]?] {
        try teams.all().including(all: association).fetchAll(db)
          .map { $0.prefetchedRows["players"]?.map { $0["id"] } }
      }
      #expect(try ids(players.limit(2)) == [[3, 1], [2, 2], []])
      #expect(try ids(players.order(n.desc).limit(2)) == [[3, 2], [2, 2], []])
      #expect(try ids(players.reversed().order(n).limit(1)) == [[1], [1], []])
      #expect(try ids(players) == [[3, 1, 2], [2, 2, 1], []])
    }
  }

  /// To-many, to-one, to-many: two keys identify the rows.
  @Test func `chains`() throws {
    let siblings = Author.hasMany(
      Book.self, through: Author.publishers, using: Publisher.books, key: "siblings")
    let request = Author.order(id).including(all: siblings.order(id.desc).limit(2))
    let database = try makeBookshopDatabase()
    let rows = try database.read { db in try request.asRequest(of: Row.self).fetchAll(db) }
    #expect(
      rows.map { $0.prefetchedRows["siblings"]?.map { $0["id"] as Int } } == [[3, 2], [3, 1], []])
  }

  @Test func `behind other associations`() throws {
    let database = try makeBookshopDatabase()
    try database.read { db throws in
      let behind = try Book.order(id)
        .including(optional: Book.author.including(all: Author.books.order(y).limit(1)))
        .asRequest(of: Row.self).fetchAll(db)
      #expect(
        behind.map { $0.prefetchedRows["books"]?.map { $0["id"] as Int } } == [[2], [2], [3], []])
      let nested = try Author.order(id)
        .including(
          all: Author.books.order(y.desc).limit(1)
            .including(all: Book.reviews.order(score.desc).limit(1))
        )
        .asRequest(of: Row.self).fetchAll(db)
      #expect(
        nested.map {
          $0.prefetchedRows["books"]?.map { $0.prefetchedRows["reviews"]?.map { $0["id"] as Int } }
        } == [[[1]], [[3]], []])
    }
  }

  @Test func `joins and aggregates of the association stay`() throws {
    let database = try makeBookshopDatabase()
    try database.read { db throws in
      let books = Author.books.order(y.desc).limit(1)
        .including(optional: Book.publisher).annotated(with: Book.reviews.count)
      let rows = try Author.order(id).including(all: books).asRequest(of: Row.self).fetchAll(db)
      let children = rows.map { $0.prefetchedRows["books"] ?? [] }
      #expect(children.map { $0.map { $0["reviewCount"] as Int } } == [[2], [1], []])
      #expect(
        children.map { $0.map { $0.scopes["publisher"]?["name"] as String? } }
          == [["Meridian"], ["Meridian"], []])
      let distinct = Author.publishers.distinct().order(id).limit(1)
      let publishers = try Author.order(id).including(all: distinct)
        .asRequest(of: Row.self).fetchAll(db)
      #expect(
        publishers.map { $0.prefetchedRows["publishers"]?.map { $0["id"] as Int } }
          == [[1], [1], []])
    }
  }

  /// One publisher of three books of an author, and another one of one.
  @Test func `a distinct record counts once`() throws {
    let publishers = Author.publishers.distinct()
    #expect(
      try lastStatement(of: Author.including(all: publishers.order(n).limit(2))) == """
        SELECT DISTINCT "publisher".*, "author"."id" AS "grdb_id" FROM "publisher" \
        JOIN "book" ON "book"."publisherId" = "publisher"."id" \
        JOIN "author" ON ("author"."id" = "book"."authorId") AND ("publisher"."id" IN (\
        SELECT DISTINCT "publisher"."id" FROM "publisher" \
        JOIN "book" ON ("book"."publisherId" = "publisher"."id") \
        AND ("book"."authorId" = "author"."id") ORDER BY "publisher"."name" LIMIT 2)) \
        AND ("author"."id" IN (?, ?, ?)) ORDER BY "publisher"."name"
        """)
    try makeBookshopDatabase().write { db throws in
      try db.execute(
        sql: """
          INSERT INTO book (id, title, authorId, publisherId)
          VALUES (5, 'Exiles', 1, 1), (6, 'Returns', 1, 1)
          """)
      func ids<A: AssociationToMany>(_ association: A) throws -> [[Int]?]
      where A.OriginRowDecoder == Author {
        try Author.order(id).including(all: association.forKey("found"))
          .asRequest(of: Row.self).fetchAll(db)
          .map { $0.prefetchedRows["found"]?.map { $0["id"] as Int } }
      }
      #expect(try ids(publishers.order(n).limit(2)) == [[1, 2], [1], []])
      #expect(try ids(publishers.order(n).limit(1, offset: 1)) == [[2], [], []])
      #expect(try ids(publishers.select(n, id).order(n.desc).limit(1)) == [[2], [1], []])
      #expect(try ids(Author.books.distinct().order(y.desc).limit(1)) == [[1], [3], []])
    }
  }

  /// A publisher of a book of 1960 and of one of 2010, and another one of a book of 2005.
  @Test func `distinct records are ordered by the pivots that satisfy the conditions`() throws {
    let publishers = Author.hasMany(
      Publisher.self, through: Author.books.filter(y > 2000).order(y), using: Book.publisher)
    #expect(
      try lastStatement(of: Author.including(all: publishers.distinct().limit(2))) == """
        SELECT DISTINCT "publisher".*, "author"."id" AS "grdb_id" FROM "publisher" \
        JOIN "book" ON ("book"."publisherId" = "publisher"."id") AND ("book"."year" > ?) \
        JOIN "author" ON ("author"."id" = "book"."authorId") AND ("publisher"."id" IN (\
        SELECT DISTINCT "publisher"."id" FROM "publisher" \
        JOIN "book" ON ("book"."publisherId" = "publisher"."id") AND ("book"."year" > ?) \
        AND ("book"."authorId" = "author"."id") ORDER BY "book"."year" LIMIT 2)) \
        AND ("author"."id" IN (?, ?, ?)) ORDER BY "book"."year"
        """)
    let book = TableAlias<Book>()
    let published = Author.hasMany(
      Publisher.self, through: Author.books.aliased(book).order(y), using: Book.publisher
    ).filter(book[y] > 2000)
    try makeBookshopDatabase().write { db throws in
      try db.execute(
        sql: """
          INSERT INTO book (id, year, authorId, publisherId)
          VALUES (5, 1960, 3, 1), (6, 2005, 3, 2), (7, 2010, 3, 1)
          """)
      for association in [
        publishers.distinct(), publishers.distinct().limit(2), published.distinct().limit(2),
      ] {
        let rows = try Author.order(id).including(all: association.forKey("found"))
          .asRequest(of: Row.self).fetchAll(db)
        #expect(
          rows.map { $0.prefetchedRows["found"]?.map { $0["id"] as Int } } == [[], [1], [2, 1]])
      }
    }
  }

  @Test func `distinct rows that are no records are refused`() throws {
    let book = TableAlias<Book>()
    let published = Author.hasMany(
      Publisher.self, through: Author.books.aliased(book), using: Book.publisher)
    func message(_ table: String, _ key: String) -> String {
      """
      The association "\(key)" can't be limited in including(all:): it selects distinct rows that \
      are not those of table "\(table)". To resolve this error, select its primary key, and \
      nothing that is not joined to it.
      """
    }
    for books in [
      Author.books.select(y).distinct().limit(2),
      Author.books.select(sql: "id").distinct().limit(2),
    ] {
      #expect(
        try invalidity(of: sql(of: Author.including(all: books))) == message("book", "books"))
    }
    for publishers in [
      published.select(id, book[y]).distinct().limit(2), published.select(n).distinct().limit(2),
    ] {
      #expect(
        try invalidity(of: sql(of: Author.including(all: publishers)))
          == message("publisher", "publishers"))
    }
  }

  @Test func `limited associations are joined and aggregated`() throws {
    let latest = Author.books.order(y.desc).limit(1)
    #expect(
      try sql(of: Author.including(required: Author.books.order(y.desc).limit(2))).sql == """
        SELECT "author".*, "book".* FROM "author" JOIN "book" ON "book"."id" IN (\
        SELECT "id" FROM "book" WHERE "authorId" = "author"."id" ORDER BY "year" DESC LIMIT 2) \
        ORDER BY "book"."year" DESC
        """)
    let database = try makeBookshopDatabase()
    try database.read { db throws in
      let rows = try Author.annotated(with: latest.count, latest.max(y)).order(id)
        .asRequest(of: Row.self).fetchAll(db)
      #expect(rows.map { $0["bookCount"] as Int } == [1, 1, 0])
      #expect(rows.map { $0["maxBookYear"] as Int? } == [1974, 2002, nil])
      let publishers = Author.hasMany(Publisher.self, through: latest, using: Book.publisher)
      let through = try Author.order(id).including(all: publishers)
        .asRequest(of: Row.self).fetchAll(db)
      #expect(
        through.map { $0.prefetchedRows["publishers"]?.map { $0["id"] as Int } } == [[1], [1], []])
    }
  }

  @Test func `requests for a record`() throws {
    #expect(
      try sql(of: Author(id: 1).request(for: Author.books.order(y).limit(2)))
        == RenderedSQL(
          #"SELECT * FROM "book" WHERE "authorId" = ? ORDER BY "year" LIMIT 2"#, [1]))
  }

  @Test func `parents need a primary key`() throws {
    let sellers = Table<Book>("bestseller")
    let reviews = sellers.hasMany(Review.self, using: ForeignKey(["bookId"], to: ["id"]))
    let message = try invalidity(of: sql(of: sellers.all().including(all: reviews.limit(1))))
    #expect(
      message?.hasPrefix(#"including(all:) of "reviews" needs a primary key in table "bestseller""#)
        == true)
  }

  /// A foreign key to columns that are not unique leads to many rows: the links alone don't
  /// distinguish them.
  @Test func `foreign keys to columns that are not unique`() throws {
    let database = try DatabaseQueue()
    try database.write { db throws in
      try db.execute(
        sql: """
          CREATE TABLE a (id INTEGER PRIMARY KEY);
          CREATE TABLE b (id INTEGER PRIMARY KEY, aId INTEGER REFERENCES a, f TEXT);
          CREATE TABLE c (id INTEGER PRIMARY KEY, s TEXT);
          INSERT INTO a VALUES (1);
          INSERT INTO b VALUES (1, 1, 'x');
          INSERT INTO c VALUES (1, 'x'), (2, 'x');
          """)
      let a = Table<Row>("a")
      let b = Table<Row>("b")
      let c = b.belongsTo(Table<Row>("c"), using: ForeignKey(["f"], to: ["s"]))
      let all = a.hasMany(Row.self, through: a.hasMany(b), using: c, key: "cs")
      let rows = try a.all().including(all: all.order(id.desc).limit(1)).fetchAll(db)
      #expect(rows.map { $0.prefetchedRows["cs"]?.map { $0["id"] as Int } } == [[2]])
    }
  }

  @Test func `rows without primary key are refused`() throws {
    let database = try DatabaseQueue()
    try database.write { db throws in
      try db.execute(
        sql: """
          CREATE TABLE parent (code TEXT PRIMARY KEY, name TEXT);
          CREATE TABLE child (id INTEGER PRIMARY KEY, name TEXT);
          INSERT INTO parent VALUES ('a', 'x'), (NULL, 'y');
          INSERT INTO child VALUES (1, 'x'), (2, 'y');
          """)
      let parents = Table<Row>("parent")
      let children = parents.hasMany(
        Table<Row>("child"), key: "children", using: ForeignKey(["name"], to: ["name"]))
      #expect(
        try invalidity(of: parents.all().including(all: children.limit(1)).fetchAll(db)) == """
          including(all:) of "children" needs the primary key of table "parent", which is null in \
          a row
          """)
      let rows = try parents.all().including(all: children).fetchAll(db)
      #expect(rows.map { $0.prefetchedRows["children"]?.count } == [1, 1])
    }
  }

  @Test func `the parents are searched`() throws {
    let database = try makeBookshopDatabase()
    try database.write { db throws in
      try db.execute(sql: "CREATE INDEX bookOfAuthor ON book(authorId, year)")
      let steps = try Row.fetchAll(
        db,
        sql: """
          EXPLAIN QUERY PLAN SELECT "book".*, "author"."id" AS "grdb_id" FROM "book" \
          JOIN "author" ON ("book"."id" IN (SELECT "id" FROM "book" \
          WHERE "authorId" = "author"."id" ORDER BY "year" DESC LIMIT 3)) \
          AND ("author"."id" IN (SELECT +"value" FROM json_each(?))) ORDER BY "book"."year" DESC
          """, arguments: ["[1]"]
      ).map { $0["detail"] as String }
      #expect(!steps.contains { $0.hasPrefix("SCAN book") || $0.hasPrefix("SCAN author") })
      #expect(steps.contains { $0.hasPrefix("SEARCH book USING COVERING INDEX bookOfAuthor") })
    }
  }
}
