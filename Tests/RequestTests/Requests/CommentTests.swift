import QuarryTestSupport
import Testing

@testable import Quarry

private let id = Column("id")
private let title = Column("title")
private let year = Column("year")

/// Comments at the end of SQL written by hand: what the library writes next is no part of them.
@Suite(.onQueueAndPool)
struct CommentTests {
  @Test(arguments: [
    RequestCase(
      Book.filter(sql: "year < ? -- old", arguments: [3000]).order(id).limit(1),
      #"SELECT * FROM "book" WHERE year < ? -- old\#n ORDER BY "id" LIMIT 1"#, [3000]),
    RequestCase(
      Book.filter(sql: "year < 3000 -- old").filter(year > 1),
      #"SELECT * FROM "book" WHERE (year < 3000 -- old\#n) AND ("year" > ?)"#, [1]),
    RequestCase(
      Book.order(sql: "year -- newest").limit(1),
      #"SELECT * FROM "book" ORDER BY year -- newest\#n LIMIT 1"#),
    RequestCase(
      Book.select(sql: "title -- of the book"),
      #"SELECT title -- of the book\#n FROM "book""#),
    RequestCase(
      Book.select(SQL("year + 1 -- next").forKey("next")),
      #"SELECT year + 1 -- next\#n AS "next" FROM "book""#),
    RequestCase(
      Book.select(year).group(sql: "year -- each").having(count(id) > 1),
      #"SELECT "year" FROM "book" GROUP BY year -- each\#n HAVING COUNT("id") > ?"#, [1]),
    RequestCase(
      Book.select(year).group(year).having(sql: "max(price) > 1 -- dear").order(year),
      #"SELECT "year" FROM "book" GROUP BY "year" HAVING max(price) > 1 -- dear\#n ORDER BY "year""#
    ),
    RequestCase(
      Book.filter(literal: "year < \(3000) -- \(title) is old").limit(1),
      #"SELECT * FROM "book" WHERE year < ? -- "title" is old\#n LIMIT 1"#, [3000]),
    RequestCase(
      Book.filter(sql: "year < 3000 /* old").order(id),
      #"SELECT * FROM "book" WHERE year < 3000 /* old */ ORDER BY "id""#),
    RequestCase(
      Book.filter(sql: "year < 3000 /*/").order(id),
      #"SELECT * FROM "book" WHERE year < 3000 /*/ */ ORDER BY "id""#),
  ])
  func `comments without an end`(_ test: RequestCase) throws {
    try test.check()
  }

  @Test(arguments: [
    "year < 3000 -- old\n", "year < 3000 /* old */", "year < 3000 /* -- */", "title <> '-- /*'",
    "year < 3000 -- /*\n", "year < 3000 /* '\n*/", "year > - - 1",
  ])
  func `other texts stay as they are`(condition: String) throws {
    try RequestCase(
      Book.filter(sql: condition).limit(1),
      #"SELECT * FROM "book" WHERE "# + condition + " LIMIT 1"
    ).check()
  }

  @Test(arguments: [
    RequestCase(
      Book.filter(literal: "\(SQL("year < 3000 -- old")) AND id > \(1)"),
      #"SELECT * FROM "book" WHERE year < 3000 -- old\#n AND id > ?"#, [1]),
    RequestCase(
      Book.filter(literal: "\(literal: "year < 3000 /* old") AND id > 1"),
      #"SELECT * FROM "book" WHERE year < 3000 /* old */ AND id > 1"#),
    RequestCase(
      Book.filter(literal: [SQL("id > 1 -- one"), "id > 2"].joined(separator: " AND ")),
      #"SELECT * FROM "book" WHERE id > 1 -- one\#n AND id > 2"#),
    RequestCase(
      Book.filter(literal: SQL("id > 1 -- one") + " AND id > 2 -- two" + " AND id > 3"),
      #"SELECT * FROM "book" WHERE id > 1 -- one\#n AND id > 2 -- two\#n AND id > 3"#),
    RequestCase(
      Book.select(
        literal: "\(SQL("year -- latest").sqlSelection), \(SQL("id -- ").sqlOrdering), 1"),
      #"SELECT year -- latest\#n, id -- \#n, 1 FROM "book""#),
    // What stands in a comment, or in a text, does not end it.
    RequestCase(
      Book.filter(literal: "id > 1 -- not \(SQL("id > 2 -- two")) AND id > 3\n"),
      #"SELECT * FROM "book" WHERE id > 1 -- not id > 2 -- two AND id > 3\#n"#),
    RequestCase(
      Book.filter(literal: SQL("title <> 'a") + " -- b" + " c'"),
      #"SELECT * FROM "book" WHERE title <> 'a -- b c'"#),
  ])
  func `comments of pieces`(_ test: RequestCase) throws {
    try test.check()
  }

  @Test func `texts that are appended go on`() throws {
    var condition: SQL = "id > 1 -- one"
    condition.append(sql: " and more")
    condition.append(literal: " AND id > 2 -- two")
    condition.append(sql: "\n AND id > 3")
    try RequestCase(
      Book.filter(literal: condition),
      #"SELECT * FROM "book" WHERE id > 1 -- one and more\#n AND id > 2 -- two\#n\#n AND id > 3"#
    ).check()
  }

  @Test func `rows are limited`() throws {
    try makeBookshopDatabase().write { db throws in
      let old = Book.filter(sql: "year < ? -- old", arguments: [3000]).order(id)
      #expect(try old.limit(1).fetchAll(db).map(\.id) == [1])
      #expect(try Book.order(sql: "year DESC -- newest").limit(1).fetchAll(db).map(\.id) == [3])
      let years = Book.select(year, as: Int?.self).group(sql: "year -- each")
      #expect(try years.having(year > 1970).order(year).fetchAll(db) == [1974, 2002])
      try Review.deleteAll(db)
      #expect(try old.limit(1).updateAll(db, year.set(to: 1)) == 1)
      #expect(try old.limit(1).deleteAll(db) == 1)
      #expect(try Book.order(id).fetchAll(db).map(\.id) == [2, 3, 4])
    }
  }

  @Test func `limited deletions`() throws {
    let old = Book.filter(sql: "year < 3000 -- old").order(id).limit(1)
    #expect(
      try deleteSQL(of: old).sql
        == #"DELETE FROM "book" WHERE year < 3000 -- old\#n ORDER BY "id" LIMIT 1"#)
    #expect(
      try deleteSQL(of: old, limitsModifications: false).sql
        == #"DELETE FROM "book" WHERE "id" IN (SELECT "id" FROM "book" "#
        + #"WHERE year < 3000 -- old\#n ORDER BY "id" LIMIT 1)"#)
  }

  @Test func `whole queries`() throws {
    let titles = CommonTableExpression<Void>(named: "titles", sql: "SELECT title FROM book -- all")
    try makeBookshopDatabase().read { db throws in
      #expect(try SQLRequest<Int>("SELECT id FROM book -- all").fetchCount(db) == 4)
      #expect(try SQLRequest<Int>("SELECT id FROM book /* all").fetchCount(db) == 4)
      #expect(try titles.all().with(titles).fetchCount(db) == 4)
      let latest: SQLRequest<Int> = "SELECT MAX(year) FROM book -- all"
      #expect(try Book.filter(year == latest).fetchAll(db).map(\.id) == [3])
    }
  }
}
