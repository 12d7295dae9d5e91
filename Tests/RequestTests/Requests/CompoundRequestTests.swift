import QuarryTestSupport
import Testing

@testable import Quarry

private let id = Column("id")
private let name = Column("name")
private let title = Column("title")
private let year = Column("year")
private let price = Column("price")
private let authorId = Column("authorId")

private let authors = Author.select(name, as: String.self)
private let publishers = Publisher.select(name, as: String.self)
private let tags = TagName.select(name, as: String.self)
private let recent = CommonTableExpression<Void>(
  named: "recent", request: Book.filter(year > 2000))

@Suite(.onQueueAndPool)
struct CompoundRequestTests {
  @Test(arguments: [
    RequestCase(
      authors.union(publishers),
      #"SELECT "name" FROM "author" UNION SELECT "name" FROM "publisher""#),
    RequestCase(
      authors.unionAll(publishers),
      #"SELECT "name" FROM "author" UNION ALL SELECT "name" FROM "publisher""#),
    RequestCase(
      authors.intersect(publishers),
      #"SELECT "name" FROM "author" INTERSECT SELECT "name" FROM "publisher""#),
    RequestCase(
      authors.except(publishers),
      #"SELECT "name" FROM "author" EXCEPT SELECT "name" FROM "publisher""#),
    RequestCase(
      Book.filter(year > 1).union(Book.filter(title == "a" && year == 2)).limit(3),
      #"SELECT * FROM "book" WHERE "year" > ? UNION "#
        + #"SELECT * FROM "book" WHERE ("title" = ?) AND ("year" = ?) LIMIT 3"#, [1, "a", 2]),
    RequestCase(
      Table("book").select(year).group(year).having(count(id) > 1).unionAll(
        Table("book").select(id)),
      #"SELECT "year" FROM "book" GROUP BY "year" HAVING COUNT("id") > ? "#
        + #"UNION ALL SELECT "id" FROM "book""#, [1]),
  ])
  func `operators`(_ test: RequestCase) throws {
    try test.check()
  }

  @Test(arguments: [
    RequestCase(
      authors.union(publishers).except(tags),
      #"SELECT "name" FROM "author" UNION SELECT "name" FROM "publisher" "#
        + #"EXCEPT SELECT "name" FROM "tagName""#),
    RequestCase(
      authors.union(publishers.except(tags)),
      #"SELECT "name" FROM "author" UNION SELECT * FROM "#
        + #"(SELECT "name" FROM "publisher" EXCEPT SELECT "name" FROM "tagName")"#),
    RequestCase(
      authors.except(publishers.union(tags.intersect(authors))),
      #"SELECT "name" FROM "author" EXCEPT SELECT * FROM (SELECT "name" FROM "publisher" UNION "#
        + #"SELECT * FROM (SELECT "name" FROM "tagName" INTERSECT SELECT "name" FROM "author"))"#),
    RequestCase(
      AnyFetchRequest(authors.union(publishers)).except(tags),
      #"SELECT "name" FROM "author" UNION SELECT "name" FROM "publisher" "#
        + #"EXCEPT SELECT "name" FROM "tagName""#),
  ])
  func `nested compounds keep their meaning`(_ test: RequestCase) throws {
    try test.check()
  }

  @Test(arguments: [
    RequestCase(
      authors.order(name).limit(1).union(publishers.limit(2, offset: 1)),
      #"SELECT * FROM (SELECT "name" FROM "author" ORDER BY "name" LIMIT 1) UNION "#
        + #"SELECT * FROM (SELECT "name" FROM "publisher" LIMIT 2 OFFSET 1)"#),
    RequestCase(
      Book.joining(optional: Book.author.order(name)).select(title).union(tags),
      #"SELECT * FROM (SELECT "book"."title" FROM "book" LEFT JOIN "author" "#
        + #"ON "author"."id" = "book"."authorId" ORDER BY "author"."name") "#
        + #"UNION SELECT "name" FROM "tagName""#),
    RequestCase(
      authors.withStableOrder().union(tags),
      #"SELECT * FROM (SELECT "name" FROM "author" ORDER BY "id") UNION SELECT "name" FROM "tagName""#
    ),
    RequestCase(
      authors.union(publishers).limit(2).union(tags),
      #"SELECT * FROM (SELECT "name" FROM "author" UNION SELECT "name" FROM "publisher" LIMIT 2) "#
        + #"UNION SELECT "name" FROM "tagName""#),
    RequestCase(
      authors.union(publishers).order(name).union(tags).order(name.desc),
      #"SELECT * FROM (SELECT "name" FROM "author" UNION SELECT "name" FROM "publisher" "#
        + #"ORDER BY "name") UNION SELECT "name" FROM "tagName" ORDER BY "name" DESC"#),
    RequestCase(
      recent.all().select(title).with(recent).union(tags),
      #"SELECT * FROM (WITH "recent" AS (SELECT * FROM "book" WHERE "year" > ?) "#
        + #"SELECT "title" FROM "recent") UNION SELECT "name" FROM "tagName""#, [2000]),
  ])
  func `ordered and limited members are subqueries`(_ test: RequestCase) throws {
    try test.check()
  }

  @Test(arguments: [
    RequestCase(
      authors.union(publishers).order(name.desc).limit(2, offset: 1),
      #"SELECT "name" FROM "author" UNION SELECT "name" FROM "publisher" "#
        + #"ORDER BY "name" DESC LIMIT 2 OFFSET 1"#),
    RequestCase(
      authors.union(publishers).order(name.collating(.nocase).ascNullsLast).reversed(),
      #"SELECT "name" FROM "author" UNION SELECT "name" FROM "publisher" "#
        + #"ORDER BY "name" COLLATE NOCASE DESC NULLS FIRST"#),
    RequestCase(
      authors.union(publishers).order(length(name), name),
      #"SELECT * FROM (SELECT "name" FROM "author" UNION SELECT "name" FROM "publisher") "#
        + #"ORDER BY LENGTH("name"), "name""#),
    RequestCase(
      authors.union(publishers).order(sql: "1 DESC, ?", arguments: [3]),
      #"SELECT "name" FROM "author" UNION SELECT "name" FROM "publisher" ORDER BY 1 DESC, ?"#, [3],
      refused: "2nd ORDER BY term does not match any column in the result set"),
    RequestCase(
      Book.select(id, title).union(Author.select(id, name)).order(title).withStableOrder(),
      #"SELECT "id", "title" FROM "book" UNION SELECT "id", "name" FROM "author" "#
        + #"ORDER BY "title", 1, 2"#),
    RequestCase(
      Book.all().union(Table("bestseller").all()).withStableOrder().reversed(),
      #"SELECT * FROM "book" UNION SELECT * FROM "bestseller" "#
        + "ORDER BY 1 DESC, 2 DESC, 3 DESC, 4 DESC, 5 DESC, 6 DESC"),
    RequestCase(
      authors.union(publishers).order(name).unordered(),
      #"SELECT "name" FROM "author" UNION SELECT "name" FROM "publisher""#),
    RequestCase(
      Book.all().union(Book.filter(year > 1)).order { [$0.title.desc, $0.id] },
      #"SELECT * FROM "book" UNION SELECT * FROM "book" WHERE "year" > ? ORDER BY "title" DESC, "id""#,
      [1]),
    RequestCase(
      authors.union(publishers).limit(2, offset: 1).limit(3),
      #"SELECT "name" FROM "author" UNION SELECT "name" FROM "publisher" LIMIT 3"#),
  ])
  func `orderings and limits are those of the whole`(_ test: RequestCase) throws {
    try test.check()
  }

  @Test(arguments: [
    RequestCase(
      recent.all().select(title).union(tags).with(recent),
      #"WITH "recent" AS (SELECT * FROM "book" WHERE "year" > ?) "#
        + #"SELECT "title" FROM "recent" UNION SELECT "name" FROM "tagName""#, [2000]),
    RequestCase(
      tags.union(tags).with(recent).union(recent.all().select(title)),
      #"WITH "recent" AS (SELECT * FROM "book" WHERE "year" > ?) SELECT "name" FROM "tagName" "#
        + #"UNION SELECT "name" FROM "tagName" UNION SELECT "title" FROM "recent""#, [2000]),
    RequestCase(
      tags.union(tags).with(recent)
        .with(CommonTableExpression<Void>(named: "RECENT", sql: "SELECT 1")),
      #"WITH "RECENT" AS (SELECT 1) SELECT "name" FROM "tagName" UNION SELECT "name" FROM "tagName""#
    ),
    RequestCase(
      Author.filter(
        Book.select(authorId).except(Book.filter(year > 1).select(authorId)).contains(id)),
      #"SELECT * FROM "author" WHERE "id" IN (SELECT "authorId" FROM "book" "#
        + #"EXCEPT SELECT "authorId" FROM "book" WHERE "year" > ?)"#, [1]),
    RequestCase(
      Note.filter(authors.union(tags).exists()),
      #"SELECT * FROM "note" WHERE EXISTS "#
        + #"(SELECT "name" FROM "author" UNION SELECT "name" FROM "tagName")"#),
    RequestCase(
      Note.select(authors.union(tags).order(name)),
      #"SELECT (SELECT "name" FROM "author" UNION SELECT "name" FROM "tagName" ORDER BY "name") "#
        + #"FROM "note""#),
    RequestCase(
      "SELECT * FROM (\(authors.union(tags))) WHERE name > \("a")" as SQLRequest<String>,
      #"SELECT * FROM (SELECT "name" FROM "author" UNION SELECT "name" FROM "tagName") WHERE name > ?"#,
      ["a"]),
  ])
  func `compounds are subqueries`(_ test: RequestCase) throws {
    try test.check()
  }

  @Test func `compounds of an aliased request are correlated`() throws {
    let author = TableAlias<Author>()
    let request = Author.aliased(author).filter(
      Book.filter(authorId == author[id]).select(id)
        .union(Review.filter(id == author[id]).select(id)).exists())
    #expect(
      try sql(of: request).sql
        == #"SELECT * FROM "author" WHERE EXISTS (SELECT "id" FROM "book" WHERE "#
        + #""authorId" = "author"."id" UNION SELECT "id" FROM "review" WHERE "id" = "author"."id")"#
    )
    try makeBookshopDatabase().read { db throws in
      #expect(try request.fetchAll(db).map(\.id) == [1, 2, 3])
    }
  }

  @Test func `counts`() throws {
    #expect(
      try countSQL(of: authors.union(tags).order(name)).sql
        == #"SELECT COUNT(*) FROM (SELECT "name" FROM "author" UNION SELECT "name" FROM "tagName")"#
    )
    #expect(
      try countSQL(of: authors.unionAll(tags).with(recent).limit(2))
        == RenderedSQL(
          #"SELECT COUNT(*) FROM (WITH "recent" AS (SELECT * FROM "book" WHERE "year" > ?) "#
            + #"SELECT "name" FROM "author" UNION ALL SELECT "name" FROM "tagName" LIMIT 2)"#,
          [2000]))
  }

  @Test func `one result is one row`() throws {
    #expect(
      try sql(of: authors.union(tags), forSingleResult: true).sql
        == #"SELECT "name" FROM "author" UNION SELECT "name" FROM "tagName" LIMIT 1"#)
    #expect(
      try sql(of: authors.union(tags).limit(3), forSingleResult: true).sql
        == #"SELECT "name" FROM "author" UNION SELECT "name" FROM "tagName" LIMIT 3"#)
  }
}

/// Members that are written by hand: a request that may be more than one SELECT is a subquery.
@Suite(.onQueueAndPool)
struct CompoundSQLTests {
  @Test(
    arguments: [
      ("SELECT 1", "SELECT 1"),
      (
        " select a, 'x union y', \"order\", [limit], `except` from t where (b in (select 1 union select 2))",
        nil
      ),
      ("VALUES (1), (2)", "VALUES (1), (2)"),
      ("SELECT 1 ORDER BY 1", "SELECT * FROM (SELECT 1 ORDER BY 1)"),
      ("SELECT 1 LIMIT 1", "SELECT * FROM (SELECT 1 LIMIT 1)"),
      ("SELECT 1 union all SELECT 2", "SELECT * FROM (SELECT 1 union all SELECT 2)"),
      ("SELECT 1 Except SELECT 2", "SELECT * FROM (SELECT 1 Except SELECT 2)"),
      (
        "WITH t AS (SELECT 1) SELECT * FROM t",
        "SELECT * FROM (WITH t AS (SELECT 1) SELECT * FROM t)"
      ),
      ("SELECT 1 -- one", "SELECT * FROM (SELECT 1 -- one\n)"),
      ("SELECT /* one */ 1", "SELECT * FROM (SELECT /* one */ 1)"),
    ] as [(String, String?)])
  func `members`(text: String, member: String?) throws {
    let request = SQLRequest<Int>(sql: "SELECT 0").unionAll(SQLRequest<Int>(sql: text))
    #expect(try sql(of: request).sql == "SELECT 0 UNION ALL " + (member ?? text))
  }

  @Test(arguments: [
    RequestCase(
      SQLRequest<Int>("SELECT \(1)").union("SELECT \(year) FROM book" as SQLRequest<Int>),
      #"SELECT ? UNION SELECT "year" FROM book"#, [1]),
    RequestCase(
      ("\(authors.limit(1))" as SQLRequest<String>).union(tags),
      #"SELECT * FROM (SELECT "name" FROM "author" LIMIT 1) UNION SELECT "name" FROM "tagName""#),
    RequestCase(
      ("SELECT 1 \(SQL("LIMIT 2"))" as SQLRequest<Int>).union(tags),
      #"SELECT * FROM (SELECT 1 LIMIT 2) UNION SELECT "name" FROM "tagName""#),
    RequestCase(
      ("SELECT 1 WHERE 1 IN (\(authors.limit(1)))" as SQLRequest<Int>).union(tags),
      #"SELECT 1 WHERE 1 IN (SELECT "name" FROM "author" LIMIT 1) UNION SELECT "name" FROM "tagName""#
    ),
  ])
  func `interpolations`(_ test: RequestCase) throws {
    try test.check()
  }
}
