import Foundation
import QuarryFunctions
import QuarryTestSupport
import Testing

@testable import Quarry
@testable import QuarryPages

private let year = Column("year")

@Suite(.onQueueAndPool)
struct PageErrorTests {
  private func fault<T: FetchableRecord>(_ request: QueryInterfaceRequest<T>, limit: Int = 2) throws
    -> String?
  {
    try withBookshop { db throws in errorText { try request.page(limit: limit).fetch(db) } }
  }

  @Test(arguments: [0, -1, Int.min])
  func `a page has at least one row`(limit: Int) throws {
    #expect(
      try fault(Book.all(), limit: limit) == "A page has at least one row: its limit can't be "
        + "\(limit) - in request SELECT … FROM \"book\" …")
  }

  @Test func `requests without pages are refused`() throws {
    #expect(
      try fault(Book.limit(3))?.hasPrefix("The request has a limit: a page has one of its own.")
        == true)
    #expect(try fault(Book.select(year).distinct())?.hasPrefix("The request is distinct") == true)
    #expect(
      try fault(Book.select(year).group(year))?.hasPrefix(
        "The groups of a request have no primary key") == true)
    #expect(
      try fault(Book.select(max(year)))?.hasPrefix(
        "A request that selects an aggregate has one row") == true)
    let rank = rowNumber().over(orderBy: year).forKey("rank")
    #expect(
      try fault(Book.annotated(with: rank))?.hasPrefix(
        "A window function sees the rows of its page only") == true)
    #expect(
      try fault(Book.annotated(with: [SQL("row_number() OVER (ORDER BY year)").forKey("rank")]))?
        .hasPrefix("A window function sees the rows of its page only") == true)
  }

  @Test func `windows and aggregates of joined records are refused, however deep`() throws {
    let rank = rowNumber().over(orderBy: Column("id")).forKey("rank")
    let ranked = Book.author.annotated(with: rank)
    let oldest = Book.author.select(max(Column("id")))
    for (author, message) in [
      (ranked, "A window function sees the rows of its page only"),
      (oldest, "A request that selects an aggregate has one row"),
    ] {
      #expect(try fault(Book.including(required: author))?.hasPrefix(message) == true)
      let deep = Author.including(optional: Author.books.including(required: author))
      #expect(try fault(deep)?.hasPrefix(message) == true)
    }
  }

  @Test func `names of the values of the order are refused`() throws {
    let message = "The request selects a value whose name begins with \"page key \""
    let named = Book.annotated(with: Column("title").forKey("page key 1"))
    #expect(try fault(named.order(year))?.hasPrefix(message) == true)
    try inEmptyDatabase { db throws in
      try db.execute(
        sql: """
          CREATE TABLE "t" ("id" INTEGER PRIMARY KEY, "page key 2" INTEGER);
          INSERT INTO "t" VALUES (1, 3), (2, 1);
          """)
      let text = errorText { try Table<Row>("t").all().page(limit: 1).fetch(db) }
      #expect(text?.hasPrefix(message) == true)
    }
  }

  @Test func `orders that can't be compared are refused`() throws {
    #expect(
      try fault(Book.order(sql: "year DESC"))?.hasPrefix("Pages can't have an order in SQL") == true
    )
    #expect(
      try fault(Book.order(SQL("2").sqlExpression))?.hasPrefix(
        "Pages can't be ordered by the number of a column: 2.") == true)
    #expect(
      try fault(Book.order(SQL("(2)").sqlExpression.desc))?.hasPrefix(
        "Pages can't be ordered by the number of a column: (2).") == true)
    #expect(try fault(Book.order(.random))?.hasPrefix("Pages can't have a random order") == true)
    #expect(
      try fault(Book.order(SQLExpression.random % 5))?.hasPrefix("Pages can't have a random order")
        == true)
    #expect(
      try fault(Book.order(rowNumber().over(orderBy: year)))?
        .hasPrefix("Pages can't be ordered by a window function") == true)
    let nonsense = try fault(Book.order(SQL("year DESC").sqlExpression))
    #expect(nonsense?.contains("near \"DESC\": syntax error") == true)
  }

  @Test(arguments: [
    SQL("random()"), SQL("abs(Random ( )) % 5"), SQL(#""random"()"#), SQL("[RANDOM] (\n)"),
    SQL("random/* 1 */-- 2\n()"), SQL("hex(randomblob(4))"), SQL("(SELECT random())"),
    SQL("\(Column("year")) * \(SQLExpression.random)"),
    SQL("\(SQLExpression.function("random"))"),
    SQL("\(SQLExpression.function("RandomBlob", 4))"),
  ])
  func `a random order in SQL is refused`(order: SQL) throws {
    let message = "Pages can't have a random order"
    #expect(try fault(Book.order(order.sqlExpression.desc))?.hasPrefix(message) == true)
    #expect(try fault(Book.order(year, order.sqlExpression))?.hasPrefix(message) == true)
    let selected = Book.annotated(with: [order.forKey("r")]).order(Column("r").detached)
    #expect(try fault(selected)?.hasPrefix(message) == true)
    let joined = Book.joining(optional: Book.author.order(order.sqlExpression))
    #expect(try fault(joined)?.hasPrefix(message) == true)
  }

  @Test func `names and texts are not random functions`() throws {
    try inEmptyDatabase { db throws in
      try db.execute(
        sql: """
          CREATE TABLE "t" ("id" INTEGER PRIMARY KEY, "random" INTEGER);
          INSERT INTO "t" VALUES (1, 3), (2, 1), (3, 2);
          """)
      let random = Column("random")
      for order in [
        random.sqlExpression, SQL("random").sqlExpression, SQL(#""random" + (1)"#).sqlExpression,
        SQL("random || 'random()'").sqlExpression, (random * 1).sqlExpression,
      ] {
        let ids = Table<Row>("t").order(order).select(Column("id"), as: Int.self)
        #expect(try ids.page(limit: 3).fetch(db).records == [2, 3, 1])
      }
    }
  }

  @Test func `an order that is not total is refused`() throws {
    let view = try fault(Table<Book>("bestseller").order(year))
    #expect(
      view == "The order of the rows is not total: table \"bestseller\" has no primary key. "
        + "To fix this error, declare the key of a view in the schemaSource of the configuration, "
        + "or page the records of a table whose key is IN a subquery. "
        + "- in request SELECT … FROM \"bestseller\" …")
    let recent = CommonTableExpression<Book>(named: "recent", request: Book.filter(year > 1970))
    #expect(
      try fault(recent.all().with(recent).order(year))?.hasPrefix(
        "The order of the rows is not total") == true)
    #expect(try fault(Table<Book>("nope").order(year))?.contains("no such table: nope") == true)
  }

  @Test func `a cursor of another order is refused`() throws {
    try withBookshop { db throws in
      let cursor = try #require(Book.order(year).page(limit: 1).fetch(db).next)
      // Filters, and the selection, may be others.
      #expect(
        try Book.filter(Column("price") > 9).select(Column("title"), as: String.self).order(year)
          .page(after: cursor, limit: 9).fetch(db).records == ["Dispossession", "Invisible Towns"])
      let others: [QueryInterfaceRequest<Book>] = [
        Book.order(year.desc), Book.all(), Book.order(year, Column("title")),
        Book.order(year.collating(.nocase)), Book.order(year % 7), Book.order(year % 10),
        Table<Book>("author").order(Column("birthYear")),
        Book.joining(required: Book.author).order(year),
      ]
      for other in others {
        let error = #expect(throws: PageCursorError.self) {
          try other.page(after: cursor, limit: 1).fetch(db)
        }
        #expect(error?.reason == .otherOrder)
        #expect(error?.cursor == cursor.text)
      }
      let first = try Book.order((Column("title") == Data([1])).sqlExpression)
        .page(limit: 1).fetch(db).next
      let second = Book.order((Column("title") == Data([2])).sqlExpression)
      #expect(throws: PageCursorError.self) { try second.page(after: first, limit: 1).fetch(db) }
      let modulo = try Book.order(year % 7).page(limit: 1).fetch(db).next
      #expect(throws: PageCursorError.self) {
        try Book.order(year % 10).page(before: modulo, limit: 1).fetch(db)
      }
    }
  }

  /// It would be repaired, and compare with other texts than the stored one.
  @Test func `a text that is no UTF-8 can't end a page`() throws {
    try inEmptyDatabase { db throws in
      try db.execute(
        sql: """
          CREATE TABLE "word" ("id" INTEGER PRIMARY KEY, "word" TEXT);
          INSERT INTO "word" ("word") VALUES ('a'), (CAST(x'62ff' AS TEXT)), ('\u{fffd}'), ('z');
          """)
      let words = Table<Row>("word").order(Column("word")).select(Column("id"), as: Int.self)
      let text = errorText { try words.page(limit: 2).fetch(db) }
      #expect(
        text?.hasPrefix("The page ends at the text \"b\u{fffd}\", which is no valid UTF-8") == true)
      #expect(try words.page(limit: 3).fetch(db).records == [1, 2, 4])
      let page = try words.page(before: nil, limit: 1).fetch(db)
      #expect(page.records == [3])
      #expect(try words.page(before: page.previous, limit: 9).fetch(db).records == [1, 2, 4])
    }
  }

  /// One character, with the mark.
  @Test func `nor can one before a combining mark`() throws {
    try inEmptyDatabase { db throws in
      try db.execute(
        sql: """
          CREATE TABLE "word" ("id" INTEGER PRIMARY KEY, "word" TEXT);
          INSERT INTO "word" ("word") VALUES (CAST(x'62ffcc81' AS TEXT)), ('z');
          """)
      let words = Table<Row>("word").order(Column("word")).select(Column("id"), as: Int.self)
      let text = errorText { try words.page(limit: 1).fetch(db) }
      #expect(text?.hasPrefix("The page ends at the text ") == true)
    }
  }

  @Test func `a key that two rows share by the collation of its column is refused`() throws {
    try inEmptyDatabase { db throws in
      try db.execute(
        sql: """
          CREATE TABLE "tag" (
            "name" TEXT COLLATE NOCASE NOT NULL, PRIMARY KEY ("name" COLLATE BINARY)) WITHOUT ROWID
          """)
      let text = errorText { try Table<Row>("tag").all().page(limit: 1).fetch(db) }
      #expect(
        text?.hasPrefix(
          #"The order of the rows is not total: the primary key of table "tag" compares column "#
            + #""name" by BINARY, and the column has another collation."#) == true)
    }
  }

  @Test func `a row that can't be decoded is an error`() throws {
    struct Strict: FetchableRecord, TableRecord {
      static let databaseTableName = "book"
      var year: Int
      init(row: Row) { year = row["year"] }
    }
    try withBookshop { db throws in
      let text = errorText { try Strict.all().page(limit: 9).fetch(db) }
      #expect(text?.contains(#"column: "year""#) == true)
      #expect(errorText { try Strict.select(year, as: Int.self).page(limit: 9).fetch(db) } != nil)
    }
  }
}
