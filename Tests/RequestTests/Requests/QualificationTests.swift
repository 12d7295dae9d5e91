import QuarryTestSupport
import Testing

@testable import Quarry

private let y = Column("year")
private let t = Column("title")
private let n = Column("name")

/// Columns are qualified as soon as the table is not alone, or has a name of its own.
struct QualificationTests {
  private static let from =
    #" FROM "book" JOIN "author" ON "author"."id" = "book"."authorId""#

  @Test(arguments: [
    RequestCase(
      Book.including(required: Book.author), #"SELECT "book".*, "author".*"# + from),
    RequestCase(
      Book.select(t, y + 1, (y + 1).forKey("k"), Column.rowID).joining(required: Book.author),
      #"SELECT "book"."title", "book"."year" + ?, "book"."year" + ? AS "k", "book"."rowid""# + from,
      [1, 1]),
    RequestCase(
      Book.joining(required: Book.author).filter(abs(y) > 1 && [1, 2].contains(y)),
      #"SELECT "book".*"# + from
        + #" WHERE (ABS("book"."year") > ?) AND ("book"."year" IN (?, ?))"#,
      [1, 1, 2]),
    RequestCase(
      Book.joining(required: Book.author).group(y).having(max(y) > 1).order(t.desc, y),
      #"SELECT "book".*"# + from
        + #" GROUP BY "book"."year" HAVING MAX("book"."year") > ?"#
        + #" ORDER BY "book"."title" DESC, "book"."year""#, [1]),
    RequestCase(
      Book.joining(required: Book.author).filter(key: 1),
      #"SELECT "book".*"# + from + #" WHERE "book"."id" = ?"#, [1]),
    RequestCase(
      Book.joining(required: Book.author).orderByPrimaryKey().groupByPrimaryKey(),
      #"SELECT "book".*"# + from + #" GROUP BY "book"."id" ORDER BY "book"."id""#),
    RequestCase(
      Book.joining(required: Book.author).selectPrimaryKey(as: Int.self),
      #"SELECT "book"."id""# + from),
    RequestCase(
      Book.joining(required: Book.author).filter(y.detached > 1),
      #"SELECT "book".*"# + from + #" WHERE ("year") > ?"#, [1]),
  ])
  func `joined requests qualify their columns`(_ test: RequestCase) throws {
    try test.check()
  }

  @Test func `interpolated columns are qualified and raw text is not`() throws {
    let author = Book.author.filter(SQL("\(n) = \("x") OR id > 1"))
    #expect(
      try sql(of: Book.joining(required: author))
        == RenderedSQL(
          #"SELECT "book".* FROM "book" JOIN "author" "#
            + #"ON ("author"."id" = "book"."authorId") AND ("author"."name" = ? OR id > 1)"#, ["x"])
    )
    let request = Book.joining(required: Book.author)
      .select(literal: "\(t), \(AllColumns()), title")
      .order(literal: "\(y) DESC")
    #expect(
      try sql(of: request).sql
        == #"SELECT "book"."title", "book".*, title"# + Self.from + #" ORDER BY "book"."year" DESC"#
    )
  }

  @Test func `subqueries are not qualified by their enclosing query`() throws {
    let request = Book.joining(required: Book.author)
      .filter(Author.select(Column("id")).contains(Column("authorId")) && Note.all().exists())
    #expect(
      try sql(of: request).sql
        == #"SELECT "book".*"# + Self.from
        + #" WHERE ("book"."authorId" IN (SELECT "id" FROM "author"))"#
        + #" AND (EXISTS (SELECT * FROM "note"))"#)
  }
}
