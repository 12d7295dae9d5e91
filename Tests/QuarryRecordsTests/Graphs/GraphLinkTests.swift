import Quarry
import QuarryRecords
import QuarryTestSupport
import Testing

private typealias BookInfo = Shop.BookInfo
private typealias Genre = Shop.Genre

extension Database {
  fileprivate func links() throws -> [String] {
    try texts("SELECT bookId, genreId, weight FROM bookGenre ORDER BY bookId, genreId")
  }
}

private func info(_ db: Database, _ id: Int64) throws -> BookInfo {
  let book = try ShopBook.find(db, key: id)
  return BookInfo(book: book, genres: try book.request(for: ShopBook.genres).fetchAll(db))
}

struct GraphLinkTests {
  @Test func `records are linked and saved, and links stay with their columns`() throws {
    try withShop { db, recorder throws in
      var value = try info(db, 1)
      value.genres[0].name = "long novel"
      value.genres += [Genre(name: "comedy"), Genre(name: "romance")]
      _ = recorder.take()
      try value.save(db, BookInfo.genreGraph(.saved, .unlink))
      #expect(
        recorder.takeWrites() == [
          #"UPDATE "genre" SET "name"=? WHERE "id"=?"#,
          #"INSERT INTO "genre" ("id", "name") VALUES (?,?),(?,?) RETURNING "id""#,
          #"INSERT INTO "bookGenre" ("bookId", "genreId") VALUES (?,?),(?,?)"#,
        ])
      #expect(value.genres.map(\.id) == [1, 3, 4])
      #expect(try db.links() == ["1 1 5", "1 3 1", "1 4 1", "2 1 6"])
    }
  }

  @Test func `missing links are removed, kept or refused, and records stay`() throws {
    try withShop { db, recorder throws in
      var value = try info(db, 1)
      value.genres = [try Genre.find(db, key: 2)]
      let error = graphError { try value.save(db, BookInfo.genreGraph(.untouched, .refuse)) }
      #expect(error?.reason == .missingRows)
      #expect(error?.path == "book.genres")
      try value.save(db, BookInfo.genreGraph(.untouched, .keep, columns: ["weight": 9]))
      #expect(try db.links() == ["1 1 5", "1 2 9", "2 1 6"])
      _ = recorder.take()
      try value.save(db, BookInfo.genreGraph(.untouched, .unlink))
      #expect(
        recorder.takeWrites()
          == [#"DELETE FROM "bookGenre" WHERE ("bookId" = ?) AND ("genreId" = ?)"#])
      #expect(try db.links() == ["1 2 9", "2 1 6"])
      #expect(try Genre.fetchCount(db) == 2)
    }
  }

  @Test func `untouched records don't change, and must have rows`() throws {
    try withShop { db, _ throws in
      var value = try info(db, 1)
      value.genres[0].name = "X"
      try value.save(db, BookInfo.genreGraph(.untouched, .unlink))
      #expect(try Genre.find(db, key: 1).name == "novel")

      value.genres.append(Genre(name: "new"))
      let error = graphError { try value.save(db, BookInfo.genreGraph(.untouched, .unlink)) }
      #expect(error?.reason == .key)
      #expect(error?.path == "book.genres[1]")
      value.genres[1].id = 77
      let missing = graphError { try value.save(db, BookInfo.genreGraph(.untouched, .unlink)) }
      #expect(missing?.path == "book.genres[1]")
      #expect(
        (missing?.underlyingError as? DatabaseError)?.extendedResultCode
          == .SQLITE_CONSTRAINT_FOREIGNKEY)
    }
  }

  @Test func `many books share genres, which are saved once`() throws {
    try withShop { db, recorder throws in
      var values = [try info(db, 1), try info(db, 2), BookInfo(book: ShopBook(title: "New"))]
      for index in values.indices { values[index].genres = [Genre(id: 1, name: "prose")] }
      _ = recorder.take()
      try BookInfo.genreGraph(.saved, .unlink).save(db, &values)
      #expect(
        recorder.takeWrites() == [
          #"INSERT INTO "book" ("id", "authorId", "title", "position") VALUES (?,?,?,?)"#,
          #"UPDATE "genre" SET "name"=? WHERE "id"=?"#,
          #"INSERT INTO "bookGenre" ("bookId", "genreId") VALUES (?,?)"#,
        ])
      #expect(try db.links() == ["1 1 5", "2 1 6", "5 1 1"])
    }
  }

  @Test func `a record can't be linked twice`() throws {
    try withShop { db, _ throws in
      var value = try info(db, 1)
      value.genres.append(value.genres[0])
      for saving in [LinkedRecords.saved, .untouched] {
        let error = graphError { try value.save(db, BookInfo.genreGraph(saving, .unlink)) }
        #expect(error?.reason == .duplicate)
        #expect(error?.path == "book.genres[1]")
      }
      value.genres[1].name = "other"
      let error = graphError { try value.save(db, BookInfo.genreGraph(.saved, .unlink)) }
      #expect(error?.reason == .duplicate)
    }
  }

  @Test func `columns of links are not those of the foreign keys`() throws {
    try withShop { db, _ throws in
      var value = try info(db, 1)
      let graph = BookInfo.genreGraph(.saved, .unlink, columns: ["GENREID": 1])
      let error = graphError { try value.save(db, graph) }
      #expect(error?.reason == .graph)
      #expect(error?.message.contains(#""GENREID""#) == true)
      let null = BookInfo.genreGraph(.saved, .unlink, columns: ["weight": nil])
      value.genres.append(Genre(name: "new"))
      let failure = graphError { try value.save(db, null) }
      #expect(failure?.path == "book.genres[1].weight")
    }
  }

  @Test func `links of a removed record are removed with it`() throws {
    struct Info {
      var author: ShopAuthor
      var books: [BookInfo]
    }
    let graph = { (missing: MissingLinks) in
      SavedGraph(\Info.author).having(
        many: \.books, ShopAuthor.books, as: BookInfo.genreGraph(.saved, missing), key: \.authorId,
        missing: .delete)
    }
    try withShop { db, _ throws in
      try db.execute(sql: "DELETE FROM chapter")
      var value = Info(author: try .find(db, key: 1), books: [try info(db, 1)])
      #expect(graphError { try graph(.refuse).save(db, &value) }?.path == "author.books.genres")
      #expect(graphError { try graph(.keep).save(db, &value) }?.path == "author.books")
      try graph(.unlink).save(db, &value)
      #expect(try db.links() == ["1 1 5"])
      #expect(try ShopBook.fetchCount(db) == 3)
    }
  }

  @Test func `links that are marked as deleted are added again`() throws {
    struct Tag: Codable, FetchableRecord, PersistableRecord {
      static let databaseTableName = "tag"
      var id: Int64
    }
    struct Link: TableRecord, SoftDeletableRecord {
      static let databaseTableName = "link"
      static let tag = belongsTo(Tag.self)
    }
    struct Page: Codable, FetchableRecord, PersistableRecord {
      static let databaseTableName = "page"
      static let links = hasMany(Link.self)
      static let tags = hasMany(Tag.self, through: links, using: Link.tag)
      var id: Int64
    }
    struct Info {
      var page: Page
      var tags: [Tag]
    }
    let schema = """
      CREATE TABLE page (id INTEGER PRIMARY KEY); CREATE TABLE tag (id INTEGER PRIMARY KEY);
      CREATE TABLE link (
        pageId INTEGER REFERENCES page(id), tagId INTEGER REFERENCES tag(id), deletedAt TEXT);
      INSERT INTO page VALUES (1); INSERT INTO tag VALUES (1), (2);
      INSERT INTO link VALUES (1, 1, '2026-01-01'), (1, 2, NULL);
      """
    let graph = SavedGraph(\Info.page)
      .linking(many: \.tags, Page.tags, saving: .untouched, missing: .unlink)
    try withShop(schema) { db, _ throws in
      var value = Info(page: Page(id: 1), tags: [Tag(id: 1)])
      try graph.save(db, &value)
      try graph.save(db, &value)
      let rows = try db.texts("SELECT tagId, deletedAt IS NULL FROM link ORDER BY rowid")
      #expect(rows == ["1 0", "2 0", "1 1"])
    }
    // Where the key allows one row only, its mark is taken back.
    let keyed = schema.replacing(
      "deletedAt TEXT", with: "deletedAt TEXT, PRIMARY KEY (pageId, tagId)")
    try withShop(keyed) { db, _ throws in
      var value = Info(page: Page(id: 1), tags: [Tag(id: 1)])
      for _ in 1...2 {
        try graph.save(db, &value)
        let rows = try db.texts("SELECT tagId, deletedAt IS NULL FROM link ORDER BY tagId")
        #expect(rows == ["1 1", "2 0"])
      }
    }
  }
}
