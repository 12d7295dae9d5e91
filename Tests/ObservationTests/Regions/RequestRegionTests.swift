import QuarryRecords
import QuarryTestSupport
import Testing

@testable import Quarry

private let (id, title, year) = (Column("id"), Column("title"), Column("year"))
private let all = "book(authorId,id,price,title,year)"
private let alias = TableAlias(name: "b")

@Suite struct RequestRegionTests {
  static let requests: [(String, any DatabaseRegionConvertible, String)] = [
    ("a table", Table("book"), "book(*)"),
    ("a missing table", Table("nope"), "nope(*)"),
    ("all rows", Book.all(), all),
    ("all rows of a table", Table("book").all(), all),
    ("id == 1", Book.filter(id == 1), all + "[1]"),
    ("1 == id", Book.filter(1 == id), all + "[1]"),
    ("id === 1", Book.filter(id === 1), all + "[1]"),
    ("ID in another case", Book.filter(Column("ID") == 1), all + "[1]"),
    ("rowid", Book.filter(Column("rowid") == 1), all + "[1]"),
    ("ROWID", Book.filter(Column.rowID == 1), all + "[1]"),
    ("a double that is an integer", Book.filter(id == 1.0), all + "[1]"),
    ("a double that is none", Book.filter(id == 1.5), all),
    ("true", Book.filter(id == true), all + "[1]"),
    ("null", Book.filter(id == nil), "empty"),
    ("a text, which SQLite converts", Book.filter(id == "1"), all),
    ("a list", Book.filter([1, 2].contains(id)), all + "[1,2]"),
    ("a list with null", Book.filter([1, nil].contains(id)), all + "[1]"),
    ("an empty list", Book.filter([Int]().contains(title)), "empty"),
    ("false", Book.filter(false.databaseValue), "empty"),
    ("none", Book.none(), "empty"),
    ("a condition beside", Book.filter(id == 1 && title == "A"), all + "[1]"),
    ("two filters", Book.filter(id == 1).filter(year > 1900), all + "[1]"),
    ("two lists", Book.filter([1, 2].contains(id) && [2, 3].contains(id)), all + "[2]"),
    ("two keys", Book.filter(id == 1 && id == 2), "empty"),
    ("one key or another", Book.filter(id == 1 || id == 2), all + "[1,2]"),
    ("a key or something else", Book.filter(id == 1 || title == "A"), all),
    ("a collation", Book.filter(id.collating(.nocase) == 1), all + "[1]"),
    ("a collation of a condition", Book.filter((id == 1).collating(.nocase)), all + "[1]"),
    ("a collation in a list", Book.filter([1, 2].contains(id.collating(.nocase))), all + "[1,2]"),
    ("an alias", Book.aliased(alias).filter(alias[id] == 1), all + "[1]"),
    ("an alias of a condition", Book.aliased(alias).filter(alias[id == 1]), all + "[1]"),
    ("unequal", Book.filter(id != 1), all),
    ("not", Book.filter(!(id == 1)), all),
    ("less", Book.filter(id < 2), all),
    ("a range", Book.filter((1...2).contains(id)), all),
    ("not in a list", Book.filter(![1].contains(id)), all),
    ("arithmetic", Book.filter(-id == -1), all),
    ("a column", Book.filter(id == id), all),
    ("SQL", Book.filter(sql: "id = 1"), all),
    ("SQL beside a key", Book.filter(sql: "year > 1").filter(id == 1), all + "[1]"),
    ("filter(id:)", Book.filter(key: 1), all + "[1]"),
    ("filter(ids:)", Book.filter(keys: [1, 2]), all + "[1,2]"),
    ("filter(key:)", Book.filter(key: ["id": 1]), all + "[1]"),
    ("a key that is no rowid", Table("country").filter(key: "FR"), "country(code,name)"),
    ("no rowid", Table("shelf").filter(key: ["room": "A", "num": 1]), "shelf(label,num,room)"),
    ("a selection", Book.select(title).filter(id == 1), "book(id,title)[1]"),
    ("the key only", Book.select(id).filter(id == 1), "book(*)[1]"),
    ("order and limit", Book.filter(id == 1).order(year).limit(1), all + "[1]"),
    ("distinct", Book.filter(id == 1).distinct(), all + "[1]"),
    ("another type", Book.filter(id == 1).asRequest(of: Row.self), all + "[1]"),
    ("a hidden type", AnyFetchRequest(Book.filter(id == 1)), all + "[1]"),
    ("an adapter", Book.filter(id == 1).adapted { _ in ScopeAdapter([:]) }, all + "[1]"),
    ("SQL requests", SQLRequest<Row>(sql: "SELECT title FROM book WHERE id = 1"), "book(id,title)"),
    (
      "a joined table",
      Book.including(required: Book.author.filter(id == 1)), "author(country,id,name)," + all
    ),
    (
      "the source of a join",
      Book.filter(id == 1).including(required: Book.author),
      "author(country,id,name)," + all + "[1]"
    ),
    ("an association", Author(id: 1).books, all),
    (
      "an aggregate", Author.annotated(with: Author.books.count),
      "author(country,id,name),book(authorId,id)"
    ),
    (
      "a condition on an aggregate", Author.having(Author.books.isEmpty),
      "author(country,id,name),book(authorId,id)"
    ),
    ("including all", Author.including(all: Author.books), "author(country,id,name)," + all),
    (
      "including all of one",
      Author.filter(id == 1).including(all: Author.books), "author(country,id,name)[1]," + all
    ),
    (
      "some columns of all", Author.including(all: Author.books.select(title)),
      "author(country,id,name),book(authorId,title)"
    ),
    (
      "including one of all", Author.including(all: Author.books.filter(id == 7)),
      "author(country,id,name)," + all + "[7]"
    ),
    (
      "including all through others", Author.including(all: Author.reviews),
      "author(country,id,name),book(authorId,id),review(bookId,id,score)"
    ),
    ("including all of none", Author.none().including(all: Author.books), "empty"),
  ]

  @Test(arguments: requests.indices)
  func `the region of a request`(index: Int) throws {
    let (name, request, region) = Self.requests[index]
    try withShop { db throws in
      #expect(try request.databaseRegion(db).description == region, "\(name)")
    }
  }

  @Test func `a request that does not compile has no region`() throws {
    try withShop { db throws in
      #expect(throws: DatabaseError.self) {
        try Book.filter(Column("nope") == 1).databaseRegion(db)
      }
      #expect(throws: DatabaseError.self) {
        try SQLRequest<Row>(sql: "SELECT 1; SELECT 2").databaseRegion(db)
      }
    }
  }

  @Test func `the region of a request is not the one of the next statement with its SQL`() throws {
    try withShop { db throws in
      let sql = "SELECT * FROM \"book\" WHERE \"id\" = ?"
      #expect(try Book.filter(id == 1).databaseRegion(db).description == all + "[1]")
      let request = SQLRequest<Row>(sql: sql, arguments: [2])
      #expect(try request.databaseRegion(db).description == all)
      #expect(try Book.filter(id == 3).databaseRegion(db).description == all + "[3]")
    }
  }

  @Test func `a table that the request reads twice is not limited`() throws {
    try withShop { db throws in
      struct Part: TableRecord {
        static let whole = belongsTo(Part.self, key: "whole", using: ForeignKey(["wholeId"]))
      }
      try db.execute(
        sql: "CREATE TABLE part (id INTEGER PRIMARY KEY, wholeId INTEGER REFERENCES part)")
      let joined = Part.filter(id == 1).including(optional: Part.whole)
      #expect(try joined.databaseRegion(db).description == "part(id,wholeId)")
      let others = Table("book").select(Column("authorId"))
      let queried = Book.filter(id == 1).filter(others.contains(Column("authorId")))
      #expect(try queried.databaseRegion(db).description == all)
    }
  }

  /// SQLite looks such a subquery up in an index, and does not report it as a query.
  @Test func `a table that a subquery reads by its index is not limited`() throws {
    try withShop { db throws in
      try db.execute(
        sql: """
          CREATE TABLE part (id INTEGER PRIMARY KEY, wholeId INTEGER, code TEXT UNIQUE);
          INSERT INTO part VALUES (1, 5, 'a');
          """)
      let (wholeId, code, alias) = (Column("wholeId"), Column("code"), TableAlias(name: "p"))
      let parts = Table("part")
      let first = parts.filter(id == 1)
      let wholeOfFirst = first.filter(parts.select(id).contains(wholeId))
      let outerID: SQLExpression = alias["id"]
      let inner = parts.filter(wholeId == outerID)
      let requests: [QueryInterfaceRequest<Row>] = [
        wholeOfFirst, first.filter(parts.select(code).contains(code)),
        first.filter(!parts.select(id).contains(wholeId)),
        first.aliased(alias).filter(inner.exists()),
        first.filter(sql: "wholeId in(select id from part)"),
      ]
      for request in requests {
        #expect(try request.databaseRegion(db).description == "part(code,id,wholeId)")
      }
      for request in [first.filter([2, 5].contains(wholeId)), first.filter(sql: "wholeId IN (5)")] {
        #expect(try request.databaseRegion(db).description == "part(code,id,wholeId)[1]")
      }
      #expect(try wholeOfFirst.fetchCount(db) == 0)
      let insertion = "INSERT INTO part VALUES (5, NULL, 'b')"
      #expect(try notifications(wholeOfFirst, in: db, [insertion]) == [1])
      #expect(try wholeOfFirst.fetchCount(db) == 1)
    }
  }

  /// See <https://www.sqlite.org/lang_expr.html#the_in_and_not_in_operators>.
  @Test func `a table that is the list of an IN is not limited`() throws {
    try withShop { db throws in
      try db.execute(
        sql: """
          CREATE TABLE pick (id INTEGER PRIMARY KEY);
          CREATE VIEW picks AS SELECT id FROM pick;
          INSERT INTO pick VALUES (1);
          """)
      let first = Table("pick").filter(id == 1)
      for list in ["pick", "/* all */ main.pick", "\"pick\""] {
        let request = first.filter(sql: "5 IN \(list)")
        #expect(try request.databaseRegion(db).description == "pick(*)", "\(list)")
      }
      let ofView = first.filter(sql: "5 IN picks")
      #expect(try ofView.databaseRegion(db).description == "pick(*),picks(id)")
      #expect(try notifications(ofView, in: db, ["INSERT INTO pick VALUES (5)"]) == [1])
    }
  }

  @Test func `a request has the region of what its closures read, whose keys don't limit it`()
    throws
  {
    try withShop { db throws in
      try db.execute(
        sql: """
          CREATE TABLE favorite (bookId INTEGER);
          INSERT INTO favorite VALUES (1);
          INSERT INTO book (id, title) VALUES (1, 'Sea'), (2, 'Hill');
          """)
      let request = Book.all().filterWhenConnected { db in
        try Column("id") == (Int.fetchOne(db, sql: "SELECT bookId FROM favorite") ?? 0)
      }
      #expect(try request.databaseRegion(db).description == "book(*),favorite(bookId)")
      let (_, recorded) = try db.recordRegion { try request.fetchAll(db) }
      #expect(try recorded.observed(in: db).description == "\(all),favorite(bookId)")
      let second = request.filter(id == 2)
      #expect(try second.databaseRegion(db).description == "book(*)[2],favorite(bookId)")
      let updates = [
        "UPDATE favorite SET bookId = 2", "UPDATE book SET title = 'Dune' WHERE id = 2",
        "INSERT INTO note VALUES ('a')",
      ]
      #expect(try notifications(request, in: db, updates) == [1, 1, 0])
    }
  }

  @Test func `a request has the region of what closures of its associations read`() throws {
    try withShop { db throws in
      let books = Author.books.orderWhenConnected { db in
        let isEmpty = try Int.fetchOne(db, sql: "SELECT count(*) FROM note") == 0
        return isEmpty ? [Column("title")] : [Column("year")]
      }
      #expect(
        try Author.including(all: books).databaseRegion(db).description
          == "author(*),book(*),note(*)")
    }
  }

  @Test func `columns that closures name don't limit a request whose closures read`() throws {
    try withShop { db throws in
      try db.execute(
        sql: """
          INSERT INTO author (id) VALUES (1);
          INSERT INTO book (id, title, authorId) VALUES (10, 'Sea', 1);
          """)
      let books = Author.books.filterWhenConnected { db in
        let isEmpty = try Int.fetchOne(db, sql: "SELECT count(*) FROM note") == 0
        if isEmpty { return title == "Sea" }
        return year == 1900
      }
      let request = Author.joining(required: books)
      #expect(try request.databaseRegion(db).description == "author(*),book(*),note(*)")
      let changes = [
        "INSERT INTO note VALUES ('a')", "UPDATE book SET year = 1900",
        "INSERT INTO country VALUES ('FR', 'France')",
      ]
      #expect(try notifications(request, in: db, changes) == [1, 1, 0])
      let booksOf1900 = Author.books.filterWhenConnected { _ in year == 1900 }
      let constant = Author.joining(required: booksOf1900)
      #expect(
        try constant.databaseRegion(db).description
          == "author(country,id,name),book(authorId,year)")
    }
  }

  @Test func `a table expression that reads no table has the regions of its associations`() throws {
    try withShop { db throws in
      try db.execute(
        sql: """
          CREATE TABLE entry (id INTEGER PRIMARY KEY, d INTEGER);
          CREATE TABLE remark (id INTEGER PRIMARY KEY, entryId INTEGER REFERENCES entry);
          """)
      struct Remark: TableRecord {}
      struct Entry: TableRecord {
        static let remarks = hasMany(Remark.self)
      }
      let day = CommonTableExpression(
        recursive: true, named: "day", columns: ["d"],
        sql: "VALUES (1) UNION ALL SELECT d + 1 FROM day WHERE d < 3")
      let entries = day.hasMany(Entry.self, using: ForeignKey(["d"], to: ["d"]))
      let request = day.all().with(day).including(all: entries)
      #expect(try request.databaseRegion(db).description == "entry(d,id)")
      let remarks = day.all().with(day).including(all: entries.including(all: Entry.remarks))
      #expect(try remarks.databaseRegion(db).description == "entry(d,id),remark(entryId,id)")
      let insertions = ["INSERT INTO entry VALUES (1, 2)", "INSERT INTO remark VALUES (1, 1)"]
      #expect(try notifications(request, in: db, insertions) == [1, 0])
      try db.execute(sql: "DELETE FROM remark; DELETE FROM entry")
      #expect(try notifications(remarks, in: db, insertions) == [1, 1])
    }
  }

  /// Rows that are missing have nulls, so that a condition that no row satisfies may have rows.
  @Test func `right and full joins have the region of both tables`() throws {
    try withShop { db throws in
      let both = "author(country,id,name)," + all
      for condition in [id == nil, id === nil || id == 1, [Int]().contains(id)] {
        let books = Book.filter(condition)
        #expect(try books.including(right: Book.author).databaseRegion(db).description == both)
        #expect(try books.including(full: Book.author).databaseRegion(db).description == both)
        let behind = Review.filter(condition).joining(
          optional: Review.belongsTo(Book.self).including(right: Book.author))
        #expect(
          try behind.databaseRegion(db).description
            == "author(country,id,name),book(authorId,id),review(bookId,id,score)")
      }
      let authorsWithoutBook = Book.filter(id == nil).including(right: Book.author)
      let insertion = "INSERT INTO book (authorId) VALUES (1)"
      try db.execute(sql: "INSERT INTO author VALUES (1, 'Ann', 'FR')")
      #expect(try notifications(authorsWithoutBook, in: db, [insertion]) == [1])
    }
  }

  @Test func `an aggregate over no row has the region of its subqueries`() throws {
    try withShop { db throws in
      let maximum = Table("book").select(max(year))
      let first = Book.none().select(count(id), maximum)
      #expect(try first.databaseRegion(db).description == "book(*)")
      let second = Book.filter(id == nil).select(
        count(id), Table("author").select(max(Column("name"))))
      #expect(try second.databaseRegion(db).description == "author(name),book(*)")
      #expect(try Book.none().select(count(id)).databaseRegion(db).description == "empty")
    }
  }

  /// See <https://www.sqlite.org/lang_createtable.html#rowids_and_the_integer_primary_key>.
  @Test func `columns with all names of the rowid are no rowid`() throws {
    try withShop { db throws in
      try db.execute(
        sql: """
          CREATE TABLE odd (rowid, _rowid_, oid);
          INSERT INTO odd VALUES (7, 1, 1), (8, 2, 2);
          """)
      let region = "odd(_rowid_,oid,rowid)"
      let seven = Table("odd").filter(Column.rowID == 7)
      #expect(try seven.fetchCount(db) == 1)
      #expect(try seven.databaseRegion(db).description == region)
      #expect(throws: (any Error).self) { try Table("odd").filter(keys: [7]).databaseRegion(db) }
      #expect(throws: (any Error).self) { try Table("odd").filter(key: 7).databaseRegion(db) }
      #expect(try notifications(seven, in: db, ["UPDATE odd SET oid = 9 WHERE oid = 1"]) == [1])
    }
  }

  @Test func `views and table expressions are not limited`() throws {
    try withShop { db throws in
      try db.execute(sql: "CREATE VIEW v AS SELECT id, title FROM book")
      #expect(
        try Table("v").filter(id == 1).databaseRegion(db).description
          == "book(id,title),v(id,title)")
      let cte = CommonTableExpression(named: "c", request: Book.all())
      #expect(try cte.all().with(cte).filter(id == 1).databaseRegion(db).description == all)
    }
  }

  @Test func `tables of temporary and attached databases are limited`() throws {
    try withShop { db throws in
      try db.execute(
        sql: """
          ATTACH ':memory:' AS att;
          CREATE TABLE att.film (id INTEGER PRIMARY KEY, name TEXT);
          CREATE TEMP TABLE tape (id INTEGER PRIMARY KEY, name TEXT);
          """)
      #expect(
        try Table("film").filter(id == 1).databaseRegion(db).description == "film(id,name)[1]")
      #expect(
        try Table("att.film").filter(id == 1).databaseRegion(db).description == "film(id,name)[1]")
      #expect(
        try Table("tape").filter(id == 1).databaseRegion(db).description == "tape(id,name)[1]")
    }
  }

  @Test func `the region of a request follows the schema that another connection has changed`()
    throws
  {
    let pool = try makeShop(isPool: true)
    let authors = Table("author").all()
    func region() throws -> String {
      try pool.read { db in
        _ = try authors.fetchAll(db)
        return try authors.databaseRegion(db).description
      }
    }
    #expect(try region() == "author(country,id,name)")
    try pool.run("ALTER TABLE author ADD COLUMN age INTEGER")
    #expect(try region() == "author(age,country,id,name)")
  }

  /// A region, before and after another connection has added a column. Each time, the access asks
  /// for nothing else.
  private func regionsAroundChange(
    _ kind: ConnectionKind, _ region: (Database) throws -> DatabaseRegion
  ) throws -> [String] {
    try kind.withDatabase { writer throws in
      try makeShopTables(writer)
      let other = try DatabaseQueue(path: writer.path)
      // Compiled, and found again.
      _ = try writer.accessNow { db in try region(db) }
      let former = try writer.accessNow { db in try region(db).description }
      try other.run("ALTER TABLE author ADD COLUMN age INTEGER")
      let current = try writer.accessNow { db in try region(db).description }
      return [former, current]
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `a region that is asked for first follows the schema of another connection`(
    kind: ConnectionKind
  ) throws {
    let sql = "SELECT * FROM author"
    let regions: [(Database) throws -> DatabaseRegion] = [
      { db in try Table("author").all().databaseRegion(db) },
      { db in try SQLRequest<Row>(sql: sql).databaseRegion(db) },
      { db in try db.cachedStatement(sql: sql).databaseRegion },
      { db in try Row.fetchCursor(db, sql: sql).databaseRegion },
    ]
    for region in regions {
      #expect(
        try regionsAroundChange(kind, region)
          == ["author(country,id,name)", "author(age,country,id,name)"])
    }
  }
}
