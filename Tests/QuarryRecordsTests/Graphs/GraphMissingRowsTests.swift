import Quarry
import QuarryRecords
import QuarryTestSupport
import Testing

private typealias AuthorInfo = Shop.AuthorInfo
private typealias BookInfo = Shop.BookInfo
private typealias Chapter = Shop.Chapter
private typealias Work = Shop.Work

private func work(_ db: Database, _ id: Int64) throws -> Work {
  Work(
    author: try ShopAuthor.find(db, key: id),
    books: try ShopBook.filter(Column("authorId") == id).order(Column("id")).fetchAll(db).map {
      book in
      BookInfo(
        book: book,
        chapters: try Chapter.filter(Column("bookId") == book.id).order(Column("id")).fetchAll(db))
    })
}

struct GraphMissingRowsTests {
  @Test func `missing rows are detached, kept or refused`() throws {
    try withShop { db, recorder throws in
      var info = try AuthorInfo.find(db, 1)
      info.books.removeFirst()
      try info.save(db, AuthorInfo.graph(.keep))
      #expect(try db.books()[0] == "1 1 Emma a")

      let before = info
      let error = graphError { try info.save(db, AuthorInfo.graph(.refuse)) }
      #expect(error?.reason == .missingRows)
      #expect(error?.path == "author.books")
      #expect(error?.databaseTableName == "book")
      #expect(
        error?.description == """
          author.books: the database has 1 more: [id:1]. The graph refuses to remove rows: fetch the \
          value again, or choose another treatment of missing rows (table book)
          """)
      #expect(info == before)

      _ = recorder.take()
      try info.save(db, AuthorInfo.graph(.detach))
      #expect(recorder.takeWrites() == [#"UPDATE "book" SET "authorId" = NULL WHERE "id" = ?"#])
      #expect(try db.books()[0] == "1 - Emma a")
    }
  }

  @Test func `what a removed row has is removed before, as the graph says`() throws {
    try withShop { db, recorder throws in
      try db.execute(sql: "DELETE FROM bookGenre")
      var value = try work(db, 1)
      value.books[0].chapters[0].title = "E1, again"
      value.books.removeLast()
      _ = recorder.take()
      try value.save(db, Work.graph(books: .delete, chapters: .delete))
      #expect(
        recorder.takeWrites() == [
          #"DELETE FROM "chapter" WHERE "id" = ?"#, #"DELETE FROM "book" WHERE "id" = ?"#,
          #"UPDATE "chapter" SET "bookId"=?, "title"=? WHERE "id"=?"#,
        ])
      #expect(try db.texts("SELECT * FROM chapter") == ["1 1 E1, again", "2 1 E2"])
      #expect(try work(db, 1) == value)
    }
  }

  @Test func `chapters that stay prevent the removal of their book`() throws {
    try withShop { db, _ throws in
      try db.execute(sql: "DELETE FROM bookGenre")
      var value = try work(db, 1)
      value.books.removeLast()
      let before = value
      let kept = graphError { try value.save(db, Work.graph(books: .delete, chapters: .keep)) }
      #expect(kept?.reason == .failure)
      #expect(kept?.path == "author.books")
      #expect(
        (kept?.underlyingError as? DatabaseError)?.extendedResultCode
          == .SQLITE_CONSTRAINT_FOREIGNKEY)
      let refused = graphError { try value.save(db, Work.graph(books: .delete, chapters: .refuse)) }
      #expect(refused?.reason == .missingRows)
      #expect(refused?.path == "author.books.chapters")
      let detached = graphError {
        try value.save(db, Work.graph(books: .delete, chapters: .detach))
      }
      #expect(detached?.path == "author.books.chapters.bookId")
      #expect(value == before)
      #expect(try db.texts("SELECT id FROM chapter") == ["1", "2", "3"])
    }
  }

  @Test func `rows that a foreign key action removes too are no silent loss`() throws {
    let schema = """
      CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT, countryCode TEXT);
      CREATE TABLE book (
        id INTEGER PRIMARY KEY, authorId INTEGER REFERENCES author(id), title TEXT, position INTEGER,
        firstPart INTEGER REFERENCES book(id) ON DELETE CASCADE);
      INSERT INTO author VALUES (1, 'Austen', NULL);
      INSERT INTO book VALUES (1, 1, 'Emma', NULL, NULL), (2, 1, 'Emma II', NULL, 1);
      """
    try withShop(schema) { db, _ throws in
      var info = try AuthorInfo.find(db, 1)
      info.books.removeFirst()
      let error = graphError { try info.save(db, AuthorInfo.graph(.delete)) }
      #expect(error?.reason == .removedRow)
      #expect(error?.path == "author.books[0]")
      #expect(try ShopBook.fetchCount(db) == 2)
    }
  }

  @Test func `a row that is removed on one level, and saved on the next one, is refused`() throws {
    try withShop { db, _ throws in
      try db.execute(sql: "DELETE FROM bookGenre")
      var value = try work(db, 1)
      let removed = value.books.removeLast()
      value.books[0].chapters += removed.chapters
      let graph = SavedGraph(\Work.author).having(
        many: \.books, ShopAuthor.books, as: BookInfo.chapterGraph(.delete, moving: true),
        key: \.authorId, missing: .delete)
      let error = graphError { try value.save(db, graph) }
      #expect(error?.reason == .removedRow)
      #expect(error?.path == "author.books[0].chapters[2]")
      #expect(error?.message.contains("what is missing at author.books") == true)
      #expect(try db.texts("SELECT id FROM chapter") == ["1", "2", "3"])
    }
  }

  @Test func `two properties can't share the rows of one association`() throws {
    struct Info {
      var author: ShopAuthor
      var old: [ShopBook]
      var new: [ShopBook]
    }
    try withShop { db, _ throws in
      let books = try AuthorInfo.find(db, 1).books
      var info = Info(author: try .find(db, key: 1), old: books, new: [ShopBook(title: "X")])
      let graph = SavedGraph(\Info.author)
        .having(many: \.old, ShopAuthor.books, key: \.authorId, missing: .delete)
        .having(
          many: \.new, ShopAuthor.books.forKey("newBooks"), key: \.authorId, missing: .delete)
      let error = graphError { try graph.save(db, &info) }
      #expect(error?.reason == .graph)
      #expect(error?.path == "author.newBooks")
      #expect(error?.message.contains("author.books") == true)
      #expect(try db.books().count == 4)
    }
  }

  @Test(arguments: ["CASCADE", "SET NULL"])
  func `a removal that changes what another property has saved is refused`(action: String) throws {
    struct Series: Codable, FetchableRecord, PersistableRecord {
      static let databaseTableName = "series"
      var id: Int64
      var authorId: Int64 = 0
    }
    struct Volume: Codable, FetchableRecord, PersistableRecord {
      static let databaseTableName = "volume"
      var id: Int64
      var authorId: Int64 = 0
      var seriesId: Int64?
    }
    struct Writer: Codable, FetchableRecord, PersistableRecord {
      static let databaseTableName = "author"
      static let volumes = hasMany(Volume.self)
      static let series = hasMany(Series.self)
      var id: Int64
    }
    struct Info {
      var writer: Writer
      var volumes: [Volume]
      var series: [Series]
    }
    let schema = """
      CREATE TABLE author (id INTEGER PRIMARY KEY);
      CREATE TABLE series (id INTEGER PRIMARY KEY, authorId INTEGER REFERENCES author(id));
      CREATE TABLE volume (
        id INTEGER PRIMARY KEY, authorId INTEGER REFERENCES author(id),
        seriesId INTEGER REFERENCES series(id) ON DELETE \(action));
      INSERT INTO author VALUES (1); INSERT INTO series VALUES (1, 1), (2, 1);
      INSERT INTO volume VALUES (1, 1, 1), (2, 1, 2);
      """
    let graph = SavedGraph(\Info.writer)
      .having(many: \.volumes, Writer.volumes, key: \.authorId, missing: .delete)
      .having(many: \.series, Writer.series, key: \.authorId, missing: .delete)
    try withShop(schema) { db, _ throws in
      var info = Info(
        writer: Writer(id: 1), volumes: [Volume(id: 1, seriesId: 1), Volume(id: 2, seriesId: 2)],
        series: [Series(id: 1)])
      let error = graphError { try graph.save(db, &info) }
      #expect(error?.reason == .removedRow)
      #expect(
        error?.path == (action == "CASCADE" ? "author.volumes[1]" : "author.volumes[1].seriesId"))
      #expect(try db.texts("SELECT * FROM volume") == ["1 1 1", "2 1 2"])
      info.volumes[1].seriesId = nil
      try graph.save(db, &info)
      #expect(try db.texts("SELECT * FROM volume") == ["1 1 1", "2 1 -"])
    }
  }

  @Test func `a foreign key in the primary key can't be detached`() throws {
    struct Line: Codable, FetchableRecord, PersistableRecord {
      static let databaseTableName = "line"
      var authorId: Int64 = 0
      var number: Int
    }
    struct Writer: Codable, FetchableRecord, PersistableRecord {
      static let databaseTableName = "author"
      static let lines = hasMany(Line.self)
      var id: Int64
    }
    struct Info {
      var writer: Writer
      var lines: [Line]
    }
    let schema = """
      CREATE TABLE author (id INTEGER PRIMARY KEY);
      CREATE TABLE line (
        authorId INTEGER REFERENCES author(id), number INTEGER, PRIMARY KEY (authorId, number));
      INSERT INTO author VALUES (1); INSERT INTO line VALUES (1, 1), (1, 2);
      """
    try withShop(schema) { db, _ throws in
      var info = Info(writer: Writer(id: 1), lines: [Line(number: 1), Line(number: 3)])
      let graph = { (missing: MissingRows) in
        SavedGraph(\Info.writer)
          .having(many: \.lines, Writer.lines, key: \.authorId, missing: missing)
      }
      let error = graphError { try graph(.detach).save(db, &info) }
      #expect(error?.reason == .graph)
      #expect(error?.message.contains(#"column "authorId""#) == true)
      try graph(.delete).save(db, &info)
      #expect(try db.texts("SELECT * FROM line") == ["1 1", "1 3"])
    }
  }

  @Test func `one record is inserted, updated, removed and replaced`() throws {
    struct Info: Equatable {
      var author: ShopAuthor
      var profile: Shop.Profile?
    }
    let graph = { (missing: MissingRows) in
      SavedGraph(\Info.author)
        .having(one: \.profile, ShopAuthor.profile, key: \.authorId, missing: missing)
    }
    try withShop { db, recorder throws in
      var info = Info(
        author: try ShopAuthor.find(db, key: 1), profile: Shop.Profile(text: "novelist"))
      try graph(.delete).save(db, &info)
      #expect(info.profile?.authorId == 1)
      info.profile?.text = "writer"
      try graph(.delete).save(db, &info)
      #expect(try db.texts("SELECT * FROM profile") == ["1 writer"])
      info.profile = nil
      #expect(graphError { try graph(.refuse).save(db, &info) }?.path == "author.profile")
      try graph(.keep).save(db, &info)
      #expect(try db.texts("SELECT * FROM profile") == ["1 writer"])
      try graph(.delete).save(db, &info)
      #expect(try db.texts("SELECT * FROM profile") == [])
    }
  }
}
