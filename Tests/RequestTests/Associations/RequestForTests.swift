import QuarryTestSupport
import Testing

@testable import Quarry

private let id = Column("id")
private let y = Column("year")
private let score = Column("score")
private let author = Author(id: 1)
private let book = Book(id: 2, authorId: 1, publisherId: 3)

private struct Box: Codable, PersistableRecord {
  static let notes = hasMany(Note.self)
  static let items = hasMany(Item.self)
  var id: Int
}

/// A box whose properties have other types than its columns.
private struct OtherBox: Codable, PersistableRecord {
  static let databaseTableName = "box"
  static let notes = hasMany(Note.self)
  static let marks = hasMany(Mark.self)
  var id: String
  var label: Int
}

private struct Note: Codable, FetchableRecord, PersistableRecord {
  var id: Int
}

private struct BoxedNote: Codable, PersistableRecord {
  static let databaseTableName = "note"
  static let box = belongsTo(Box.self)
  var boxId: String
}

private struct Item: Codable, FetchableRecord, PersistableRecord {
  var id: Int
}

private struct Mark: Codable, FetchableRecord, PersistableRecord {
  var id: Int
}

/// Requests for the associated records of a record.
@Suite(.onQueueAndPool)
struct RequestForTests {
  @Test(arguments: [
    RequestCase(
      author.request(for: Author.books), #"SELECT * FROM "book" WHERE "authorId" = ?"#, [1]),
    RequestCase(
      book.request(for: Book.author), #"SELECT * FROM "author" WHERE "id" = ?"#, [1]),
    RequestCase(
      author.request(for: Author.books.filter(y > 1)),
      #"SELECT * FROM "book" WHERE ("year" > ?) AND ("authorId" = ?)"#, [1, 1]),
    RequestCase(
      author.request(for: Author.books.filter(y > 1)).filter(y < 9),
      #"SELECT * FROM "book" WHERE ("year" > ?) AND ("authorId" = ?) AND ("year" < ?)"#, [1, 1, 9]),
    RequestCase(
      Stock(shop: "north", isbn: "a").request(for: Stock.moves),
      #"SELECT * FROM "stockMove" WHERE ("shop" = ?) AND ("isbn" = ?)"#, ["north", "a"]),
    RequestCase(
      StockMove(id: 1, shop: "north", isbn: "a").request(for: StockMove.stock),
      #"SELECT * FROM "stock" WHERE ("shop" = ?) AND ("isbn" = ?)"#, ["north", "a"]),
    RequestCase(
      StockMove(id: 1, shop: "north").request(for: StockMove.stock),
      #"SELECT * FROM "stock" WHERE ?"#, [false]),
    RequestCase(
      Book(id: 1).request(for: Book.author), #"SELECT * FROM "author" WHERE ?"#, [false]),
    RequestCase(
      Employee(id: 1, managerId: 2).request(for: Employee.manager),
      #"SELECT * FROM "employee" WHERE "id" = ?"#, [2]),
  ])
  func `direct associations`(_ test: RequestCase) throws {
    try test.check()
  }

  @Test(arguments: [
    RequestCase(
      author.request(for: Author.reviews),
      """
      SELECT "review".* FROM "review" \
      JOIN "book" ON ("book"."id" = "review"."bookId") AND ("book"."authorId" = ?)
      """, [1]),
    RequestCase(
      author.request(
        for: Author.hasMany(
          Review.self, through: Author.books.filter(y > 2000), using: Book.reviews
        )
        .filter(score > 3)),
      """
      SELECT "review".* FROM "review" JOIN "book" \
      ON ("book"."id" = "review"."bookId") AND ("book"."year" > ?) AND ("book"."authorId" = ?) \
      WHERE "review"."score" > ?
      """, [2000, 1, 3]),
    RequestCase(
      author.request(
        for: Author.hasMany(Book.self, through: Author.publishers, using: Publisher.books)),
      """
      SELECT "book1".* FROM "book" "book1" \
      JOIN "publisher" ON "publisher"."id" = "book1"."publisherId" \
      JOIN "book" "book2" \
      ON ("book2"."publisherId" = "publisher"."id") AND ("book2"."authorId" = ?)
      """, [1]),
    RequestCase(
      Review(id: 1, bookId: 2).request(for: Review.author),
      """
      SELECT "author".* FROM "author" \
      JOIN "book" ON ("book"."authorId" = "author"."id") AND ("book"."id" = ?)
      """, [2]),
  ])
  func `indirect associations`(_ test: RequestCase) throws {
    try test.check()
  }

  @Test func `requests for one record`() throws {
    #expect(
      try sql(of: book.request(for: Book.author), forSingleResult: true).sql
        == #"SELECT * FROM "author" WHERE "id" = ?"#)
    #expect(
      try sql(of: author.request(for: Author.oneBook), forSingleResult: true).sql
        == #"SELECT * FROM "book" WHERE "authorId" = ? LIMIT 1"#)
  }

  @Test func `associations without foreign key are refused`() throws {
    let cte = CommonTableExpression<Void>(named: "c", sql: "SELECT 1")
    #expect(
      try invalidity(of: sql(of: author.request(for: Author.association(to: cte))))
        == "The request for the associated records of a record needs a foreign key: filter a request "
        + "by the values of the record instead")
  }

  @Test func `rows`() throws {
    let database = try makeBookshopDatabase()
    try database.read { db in
      let author = try Author.find(db, key: 1)
      #expect(try author.request(for: Author.books).order(id).fetchAll(db).map(\.id) == [1, 2])
      #expect(
        try author.request(for: Author.reviews).order(id).fetchAll(db).map(\.id) == [1, 2])
      #expect(
        try author.request(for: Author.publishers).order(id).fetchAll(db).map(\.id) == [1, 2])
      let book = try Book.find(db, key: 3)
      #expect(try book.request(for: Book.author).fetchOne(db)?.id == 2)
      let anonymous = try Book.find(db, key: 4)
      #expect(try anonymous.request(for: Book.author).fetchOne(db) == nil)
      #expect(try anonymous.request(for: Book.author).fetchCount(db) == 0)
    }
  }

  /// A value has no affinity: the text `'1'` would not equal 1 in a column without type.
  @Test func `columns of other types are compared as in a join`() throws {
    let database = try makeDatabase(
      sql: """
        CREATE TABLE box (id INTEGER PRIMARY KEY, label TEXT UNIQUE);
        CREATE TABLE note (id INTEGER PRIMARY KEY, boxId REFERENCES box(id));
        CREATE TABLE item (id INTEGER PRIMARY KEY, boxId TEXT REFERENCES box(id));
        CREATE TABLE mark (id INTEGER PRIMARY KEY, boxLabel REFERENCES box(label));
        INSERT INTO box VALUES (1, '7'), (20, 'x');
        INSERT INTO note VALUES (1, '1'), (2, 1), (3, 20.0), (4, NULL);
        INSERT INTO item VALUES (1, '1'), (2, '01'), (3, '20');
        INSERT INTO mark VALUES (1, '7'), (2, 'x');
        """)
    try database.read { db throws in
      // A request that is known finds the same.
      for _ in 1...3 {
        for (key, notes, items) in [(1, [1, 2], [1, 2]), (20, [3], [3])] {
          let box = Box(id: key)
          #expect(try box.request(for: Box.notes).order(id).fetchAll(db).map(\.id) == notes)
          #expect(try box.request(for: Box.items).order(id).fetchAll(db).map(\.id) == items)
          let first = try box.request(for: Box.notes.order(id).first()).fetchOne(db)
          #expect(first?.id == notes[0])
        }
        let other = OtherBox(id: "1", label: 7)
        #expect(try other.request(for: OtherBox.notes).order(id).fetchAll(db).map(\.id) == [1, 2])
        #expect(try other.request(for: OtherBox.marks).fetchAll(db).map(\.id) == [1])
        let absent = OtherBox(id: "a", label: 8)
        #expect(try absent.request(for: OtherBox.notes).fetchCount(db) == 0)
      }
      #expect(
        try sql(of: Box(id: 1).request(for: Box.notes), in: db)
          == RenderedSQL(#"SELECT * FROM "note" WHERE "boxId" = CAST(? AS NUMERIC)"#, [1]))
      #expect(
        try sql(of: BoxedNote(boxId: "1").request(for: BoxedNote.box), in: db)
          == RenderedSQL(#"SELECT * FROM "box" WHERE "id" = ?"#, ["1"]))
    }
  }
}
