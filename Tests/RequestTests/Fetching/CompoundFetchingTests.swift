import QuarryTestSupport
import Testing

@testable import Quarry

private let id = Column("id")
private let name = Column("name")
private let title = Column("title")
private let year = Column("year")
private let price = Column("price")
private let authorId = Column("authorId")

/// The rows of compound requests.
@Suite(.onQueueAndPool)
struct CompoundFetchingTests {
  @Test func `values`() throws {
    let a = Book.filter(year < 1980).select(id, as: Int.self)
    let b = Book.filter(price > 10).select(id)
    try makeBookshopDatabase().read { db throws in
      #expect(try a.union(b).order(id).fetchAll(db) == [1, 2, 3])
      #expect(try a.unionAll(b).order(id).fetchAll(db) == [1, 1, 2, 3])
      #expect(try a.intersect(b).fetchAll(db) == [1])
      #expect(try a.except(b).fetchAll(db) == [2])
      #expect(try a.union(b).fetchSet(db) == [1, 2, 3])
      #expect(try a.union(b).order(id.desc).fetchOne(db) == 3)
      #expect(try Array(a.unionAll(b).order(id).fetchCursor(db)) == [1, 1, 2, 3])
      #expect(try a.union(b).order(id).limit(1, offset: 1).fetchAll(db) == [2])
      #expect(try a.unionAll(b).fetchCount(db) == 4)
      #expect(try a.unionAll(b).limit(3).fetchCount(db) == 3)
      #expect(try !a.union(b).isEmpty(db))
      #expect(try a.intersect(b.none()).isEmpty(db))
      #expect(try a.union(b).asRequest(of: String.self).fetchSet(db) == ["1", "2", "3"])
      #expect(try a.union(b).orderWhenConnected { _ in [id.desc] }.fetchAll(db) == [3, 2, 1])
    }
  }

  @Test func `records and rows`() throws {
    try makeBookshopDatabase().read { db throws in
      let books = Book.filter(year < 1970).union(Book.filter(price > 13)).order(title)
      #expect(try books.fetchAll(db).map(\.title) == ["Invisible Towns", "Left Hand"])
      #expect(
        try books.asRequest(of: Row.self).select(title, in: db) == ["Invisible Towns", "Left Hand"])
      let raw: SQLRequest<Book> = "SELECT * FROM book WHERE id = \(4)"
      #expect(try raw.union(books).fetchSet(db).map(\.id).sorted() == [2, 3, 4])
      let rows = try Author.select(id, name, as: Row.self)
        .unionAll(Publisher.select(id, name)).order(name).limit(2).fetchAll(db)
      #expect(rows == [["id": 3, "name": "Ana Neves"], ["id": 2, "name": "Italo Bassi"]])
    }
  }

  @Test func `operators apply from left to right`() throws {
    let one: SQLRequest<Int> = "SELECT 1 AS n"
    let two: SQLRequest<Int> = "SELECT 2"
    try makeBookshopDatabase().read { db throws in
      #expect(try one.unionAll(two).except(one).fetchAll(db) == [2])
      #expect(try one.unionAll(two.except(one)).fetchAll(db) == [1, 2])
      #expect(try one.union(two).intersect(two).fetchAll(db) == [2])
      #expect(try one.union(two.intersect(two)).fetchAll(db) == [1, 2])
      #expect(try one.unionAll(one.union(one)).fetchAll(db) == [1, 1])
      #expect(try one.unionAll(one).union(one).fetchAll(db) == [1])
      let limited = one.unionAll(two).order(Column("n").desc).limit(1).unionAll(one)
      #expect(try limited.fetchAll(db) == [2, 1])
      #expect(try one.unionAll(two).order(-Column("n")).fetchAll(db) == [2, 1])
      #expect(
        try one.unionAll("SELECT 3 -- three" as SQLRequest<Int>).unionAll(two).fetchAll(db) == [
          1, 3, 2,
        ])
    }
  }

  struct BookInfo: Decodable, Hashable, FetchableRecord {
    var book: Book
    var author: Author?
  }

  @Test func `associations of the first request are decoded`() throws {
    let joined = Book.including(optional: Book.author)
    let request = joined.filter(year < 1970).unionAll(joined.filter(id == 4)).order(title)
      .asRequest(of: BookInfo.self)
    try makeBookshopDatabase().read { db throws in
      let infos = try request.fetchAll(db)
      #expect(infos.map(\.book.title) == ["Anonymous", "Left Hand"])
      #expect(infos.map(\.author?.name) == [nil, "Ursula Vernet"])
      #expect(try request.fetchOne(db) == infos[0])
    }
  }

  struct Shelved: Decodable, FetchableRecord {
    var author: Author
    var books: [Book]
  }

  struct Moved: Decodable, FetchableRecord {
    var stock: Stock
    var moves: [StockMove]
  }

  @Test func `associations of the first request are prefetched`() throws {
    let authors = Author.including(all: Author.books.order(id))
    let stocks = Stock.including(all: Stock.moves.order(id).forKey("moves"))
    try makeBookshopDatabase().read { db throws in
      let shelved = try authors.filter(id == 1).union(Author.filter(id > 1)).order(id.desc)
        .asRequest(of: Shelved.self).fetchAll(db)
      #expect(shelved.map(\.author.id) == [3, 2, 1])
      #expect(shelved.map { $0.books.map(\.id) } == [[], [3], [1, 2]])
      let moved = try stocks.filter(Column("qty") > 5).union(Stock.filter(Column("qty") == 3))
        .order(Column("shop")).asRequest(of: Moved.self).fetchAll(db)
      #expect(moved.map(\.stock.shop) == ["north", "south"])
      #expect(moved.map { $0.moves.map(\.delta) } == [[5, -2], [7]])
    }
  }

  /// SQLite calls the second `id` of a subquery `id:1`.
  @Test func `columns of subqueries keep their names`() throws {
    let joined = Book.including(optional: Book.author)
    let first = joined.order(title).limit(2)
    let third = joined.filter(id == 3)
    let renamed = first.adapted { _ in RenameColumnAdapter { $0 } }
    let requests: [CompoundRequest<Book>] = [
      first.unionAll(third),
      first.union(third).order(-id),
      joined.filter(id != 2).union(third).order(-id),
      joined.filter(id == 4).union(first).limit(3).union(third),
      AnyFetchRequest(first).unionAll(third),
      AnyFetchRequest(joined.filter(id != 2)).union(third).order(-id),
      AnyFetchRequest(first.unionAll(third)).union(third),
      renamed.unionAll(third),
      AnyFetchRequest(renamed.unionAll(third)).union(third),
    ]
    let expected: [Int: Int?] = [1: 1, 3: 2, 4: nil]
    try makeBookshopDatabase().read { db throws in
      for request in requests {
        for _ in 1...3 {
          let rows = try request.asRequest(of: Row.self).fetchAll(db)
          let authors = rows.map { ($0["id"] as Int, $0.scopes["author"]?["id"] as Int?) }
          #expect(Dictionary(uniqueKeysWithValues: authors) == expected)
          let names = rows[0].scopes["author"].map { Array($0.columnNames) }
          #expect(names == ["id", "name", "country", "birthYear"])
          #expect(rows[0].columnNames.first == "id")
        }
        let infos = try request.asRequest(of: BookInfo.self).fetchAll(db)
        #expect(infos.compactMap(\.author?.name).sorted() == ["Italo Bassi", "Ursula Vernet"])
      }
    }
  }

  @Test func `associations of a compound that is the first request`() throws {
    let authors = Author.including(all: Author.books.order(id))
    let request = authors.filter(id == 1).union(Author.filter(id == 2)).limit(2)
      .union(Author.filter(id == 3)).order(id)
    try makeBookshopDatabase().read { db throws in
      let shelved = try request.asRequest(of: Shelved.self).fetchAll(db)
      #expect(shelved.map(\.author.id) == [1, 2, 3])
      #expect(shelved.map { $0.books.map(\.id) } == [[1, 2], [3], []])
    }
  }

  @Test func `prefetched associations refer to definitions of the compound`() throws {
    func books(after start: Int) -> CompoundRequest<Shelved> {
      let recent = CommonTableExpression<Book>(
        named: "recent", request: Book.filter(year > start))
      let books = Author.hasMany(recent, key: "books") { author, recent in
        author[id] == recent[authorId]
      }
      return Author.including(all: books.order(id)).order(id).limit(2)
        .union(Author.filter(id == 3)).with(recent).order(id).asRequest(of: Shelved.self)
    }
    try makeBookshopDatabase().read { db throws in
      for (start, expected) in [
        (1960, [[1, 2], [3], []]), (1970, [[1], [3], []]), (2000, [[], [3], []]),
        (1960, [[1, 2], [3], []]),
      ] {
        let shelved = try books(after: start).fetchAll(db)
        #expect(shelved.map { $0.books.map { Int($0.id) } } == expected)
      }
    }
  }

  @Test func `adapters of the first request apply`() throws {
    try makeBookshopDatabase().read { db throws in
      let adapted = Book.select(id, title, as: Row.self)
        .adapted { _ in ColumnMapping(["label": "title"]) }
      #expect(
        try adapted.union(Author.select(id, name)).limit(1).fetchOne(db)
          == ["label": "Dispossession"])
      let raw = SQLRequest<Row>(
        sql: "SELECT 1 AS a, 2 AS b", adapter: SuffixRowAdapter(fromIndex: 1))
      #expect(try raw.union("SELECT 1, 3" as SQLRequest<Row>).fetchAll(db) == [["b": 2], ["b": 3]])
      #expect(
        try raw.union("SELECT 1, 3" as SQLRequest<Row>).except("SELECT 1, 2" as SQLRequest<Row>)
          .fetchAll(db) == [["b": 3]])
      #expect(
        try raw.unionAll(raw).adapted { _ in ColumnMapping(["c": "b"]) }.fetchAll(db)
          == [["c": 2], ["c": 2]])
    }
  }

  @Test func `views and table expressions`() throws {
    try makeBookshopDatabase().write { db throws in
      let names = Author.select(name, as: String.self).union(Publisher.select(name))
      try db.create(view: "name", as: names.order(name).limit(2))
      #expect(try Table<String>("name").fetchAll(db) == ["Ana Neves", "Italo Bassi"])
      let cte = CommonTableExpression<String>(named: "n", request: names)
      #expect(
        try cte.all().with(cte).filter(name > "M").order(name).fetchAll(db) == [
          "Meridian", "Quayside", "Ursula Vernet",
        ])
      #expect(try Table("name").with(cte).filter(!cte.contains(name)).fetchCount(db) == 0)
    }
  }
}

/// What is wrong with compound requests is thrown when they are prepared.
@Suite(.onQueueAndPool)
struct CompoundMistakeTests {
  private let uses: [(Database, CompoundRequest<Row>) throws -> Any?] = [
    { try $1.fetchAll($0) }, { try $1.fetchOne($0) }, { try $1.fetchCount($0) },
    { try $1.isEmpty($0) }, { try $1.fetchCursor($0) },
    { try Table("note").filter($1.exists()).fetchAll($0) },
    { db, request in
      let cte = CommonTableExpression<Row>(named: "c", request: request)
      return try cte.all().with(cte).fetchAll(db)
    },
  ]

  private func expect(
    _ message: String, in texts: [String] = [], of request: CompoundRequest<some Any>,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let request = request.asRequest(of: Row.self)
    try makeBookshopDatabase().read { db in
      for use in uses {
        let error = errorText { try use(db, request) } ?? "no error"
        for text in [message] + texts {
          #expect(error.contains(text), sourceLocation: sourceLocation)
        }
      }
    }
  }

  @Test func `other numbers of columns`() throws {
    try expect(
      "SELECTs to the left and right of UNION do not have the same number of result columns",
      in: [#"SELECT "id", "name" FROM "author" UNION SELECT "id" FROM "book""#],
      of: Author.select(id, name).union(Book.select(id)))
    try expect(
      "SELECTs to the left and right of EXCEPT do not have the same number of result columns",
      of: Author.all().except("SELECT 1" as SQLRequest<Int>))
  }

  @Test func `unknown columns`() throws {
    try expect(
      SQLiteBuild.noSuchColumn("nope"), in: [#"FROM "book" WHERE "nope" = "#],
      of: Author.select(id).union(Book.select(id).filter(Column("nope") == 1)))
  }

  @Test func `faults of members`() throws {
    try expect(
      "Can't generate SQL with an empty selection", in: [#"in request SELECT … FROM "book" …"#],
      of: Author.select(id).union(Book.select([any SQLSelectable]())))
    try expect(
      "Could not infer foreign key", in: [#"in request SELECT … FROM "author" …"#],
      of: Author.joining(required: Author.belongsTo(Book.self)).union(Author.all()))
  }

  @Test func `faults of the whole`() throws {
    let request = Author.select(id).union(Book.select(id)).except("SELECT 1" as SQLRequest<Int>)
      .order(sql: "id").reversed()
    #expect(
      errorText { try sql(of: request) }?.hasSuffix(
        #" - in request SELECT … FROM "author" … UNION SELECT … FROM "book" … EXCEPT …"#) == true)
    let unknown = ("SELECT 1" as SQLRequest<Int>).union(Book.select(id)).withStableOrder()
    #expect(
      try invalidity(of: sql(of: unknown))
        == "Can't order rows by all their columns: the number of columns is known to SQLite only")
  }

  @Test func `an alias of the compound is unknown`() throws {
    let book = TableAlias<Book>()
    #expect(
      try invalidity(
        of: sql(of: Book.aliased(book).select(id).union(Author.select(id)).order(book[id])))
        == "Undefined alias has no table name")
  }
}

extension CompoundRequest where RowDecoder == Row {
  fileprivate func select(_ column: Column, in db: Database) throws -> [String?] {
    try fetchAll(db).map { $0[column] }
  }
}
