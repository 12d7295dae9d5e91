import QuarryRecords
import QuarryTestSupport
import Testing

@testable import Quarry

private let id = Column("id")
private let y = Column("year")
private let p = Column("price")

private let joinedBooks = #"LEFT JOIN "book" ON "book"."authorId" = "author"."id""#

/// Aggregates of associations.
@Suite(.onQueueAndPool)
struct AggregateTests {
  static let annotations: [(AssociationAggregate<Author>, String)] = [
    (Author.books.count, #"COUNT(DISTINCT "book"."id") AS "bookCount""#),
    (Author.books.isEmpty, #"COUNT(DISTINCT "book"."id") = 0 AS "hasNoBook""#),
    (Author.books.average(p), #"AVG("book"."price") AS "averageBookPrice""#),
    (Author.books.max(y), #"MAX("book"."year") AS "maxBookYear""#),
    (Author.books.min(y), #"MIN("book"."year") AS "minBookYear""#),
    (Author.books.sum(p), #"SUM("book"."price") AS "bookPriceSum""#),
    (Author.books.total(p), #"TOTAL("book"."price") AS "bookPriceSum""#),
    (Author.books.max { $0.year }, #"MAX("book"."year") AS "maxBookYear""#),
    (Author.books.average { $0.price }, #"AVG("book"."price") AS "averageBookPrice""#),
    (Author.books.max(y + 1), #"MAX("book"."year" + 1)"#),
    (Author.books.sum(p * 2), #"SUM("book"."price" * 2)"#),
    (Author.books.count.forKey("n"), #"COUNT(DISTINCT "book"."id") AS "n""#),
    (Author.books.count.forKey(Key.number), #"COUNT(DISTINCT "book"."id") AS "number""#),
    (Author.books.forKey("novels").count, #"COUNT(DISTINCT "book"."id") AS "novelCount""#),
    (Author.books.max(y) ?? 0, #"IFNULL(MAX("book"."year"), 0) AS "maxBookYear""#),
    (
      cast(Author.books.count, as: .real),
      #"CAST(COUNT(DISTINCT "book"."id") AS REAL) AS "bookCount""#
    ),
    (Author.books.count * 2, #"COUNT(DISTINCT "book"."id") * 2"#),
    (abs(Author.books.min(y)), #"ABS(MIN("book"."year"))"#),
    (length(Author.books.min(y)), #"LENGTH(MIN("book"."year"))"#),
    (-Author.books.count, #"-COUNT(DISTINCT "book"."id")"#),
    ((Author.books.count + 1).forKey("n"), #"COUNT(DISTINCT "book"."id") + 1 AS "n""#),
  ]

  private enum Key: CodingKey {
    case number
  }

  @Test(arguments: annotations.indices)
  func `annotation`(_ index: Int) throws {
    let (aggregate, expected) = Self.annotations[index]
    let rendered = try sql(of: Author.annotated(with: aggregate))
    #expect(
      withLiterals(rendered)
        == "SELECT \"author\".*, \(expected) FROM \"author\" \(joinedBooks) GROUP BY \"author\".\"id\""
    )
  }

  static let conditions: [(AssociationAggregate<Author>, String)] = {
    let count = Author.books.count
    let year = Author.books.max(y)
    let c = #"COUNT(DISTINCT "book"."id")"#
    let m = #"MAX("book"."year")"#
    return [
      (Author.books.isEmpty, "\(c) = 0"), (!Author.books.isEmpty, "\(c) > 0"),
      (Author.books.isEmpty == false, "\(c) > 0"), (Author.books.isEmpty == true, "\(c) = 0"),
      (true != Author.books.isEmpty, "\(c) > 0"),
      (count > 2, "\(c) > 2"), (count >= 2, "\(c) >= 2"), (count < 2, "\(c) < 2"),
      (count <= 2, "\(c) <= 2"), (2 < count, "2 < \(c)"), (2 <= count, "2 <= \(c)"),
      (2 > count, "2 > \(c)"), (2 >= count, "2 >= \(c)"), (count == 2, "\(c) = 2"),
      (2 == count, "2 = \(c)"), (count != 2, "\(c) <> 2"), (2 != count, "2 <> \(c)"),
      (year == nil, "\(m) IS NULL"), (nil != year, "\(m) IS NOT NULL"),
      (year === 2, "\(m) IS 2"), (2 === year, "2 IS \(m)"), (year !== 2, "\(m) IS NOT 2"),
      (2 !== year, "2 IS NOT \(m)"), (count == true, "\(c) = 1"), (false == count, "\(c) = 0"),
      (count < year, "\(c) < \(m)"), (count <= year, "\(c) <= \(m)"),
      (count > year, "\(c) > \(m)"), (count >= year, "\(c) >= \(m)"),
      (count == year, "\(c) = \(m)"), (count != year, "\(c) <> \(m)"),
      (count === year, "\(c) IS \(m)"), (count !== year, "\(c) IS NOT \(m)"),
      (count + year, "\(c) + \(m)"), (count - year, "\(c) - \(m)"),
      (count * year, "\(c) * \(m)"), (count / year, "\(c) / \(m)"),
      (count + 1, "\(c) + 1"), (1 + count, "1 + \(c)"), (count - 1, "\(c) - 1"),
      (1 - count, "1 - \(c)"), (2 * count, "2 * \(c)"), (count / 2, "\(c) / 2"),
      (2 / count, "2 / \(c)"),
      (count > 1 && year > 2, "(\(c) > 1) AND (\(m) > 2)"),
      (count > 1 || year > 2, "(\(c) > 1) OR (\(m) > 2)"),
      (count > 1 && y > 2, "(\(c) > 1) AND (\"author\".\"year\" > 2)"),
      (y > 2 || count > 1, "(\"author\".\"year\" > 2) OR (\(c) > 1)"),
      (!(count > 1), "NOT (\(c) > 1)"), (!(count == 1), "\(c) <> 1"),
      (!(year == nil) && count > 1, "(\(m) IS NOT NULL) AND (\(c) > 1)"),
      (count > 1 && !(year == nil), "(\(c) > 1) AND (\(m) IS NOT NULL)"),
      ((year == nil) == (count == 1), "(\(m) IS NULL) = (\(c) = 1)"),
    ]
  }()

  @Test(arguments: conditions.indices)
  func `condition`(_ index: Int) throws {
    let (aggregate, expected) = Self.conditions[index]
    let rendered = try sql(of: Author.having(aggregate))
    #expect(
      withLiterals(rendered) == """
        SELECT "author".* FROM "author" \(joinedBooks) GROUP BY "author"."id" HAVING \(expected)
        """)
  }

  /// The SQL, where arguments replace the parameters.
  private func withLiterals(_ rendered: RenderedSQL) -> String {
    var values = rendered.arguments.values.makeIterator()
    return rendered.sql.reduce(into: "") { sql, character in
      sql += character == "?" ? values.next()?.sqlLiteral ?? "?" : String(character)
    }
  }

  @Test func `the zero of is empty is no argument`() throws {
    #expect(try sql(of: Author.having(Author.books.isEmpty)).arguments == [])
    #expect(try sql(of: Author.having(Author.books.count > 2)).arguments == [2])
  }

  @Test func `aggregates of the same key share one join`() throws {
    #expect(
      try sql(of: Author.annotated(with: Author.books.count, Author.books.max(y))).sql == """
        SELECT "author".*, COUNT(DISTINCT "book"."id") AS "bookCount", \
        MAX("book"."year") AS "maxBookYear" FROM "author" \(joinedBooks) GROUP BY "author"."id"
        """)
    #expect(
      try sql(of: Author.annotated(with: [Author.books.count]).having(Author.books.count > 1)).sql
        == """
        SELECT "author".*, COUNT(DISTINCT "book"."id") AS "bookCount" FROM "author" \
        \(joinedBooks) GROUP BY "author"."id" HAVING COUNT(DISTINCT "book"."id") > ?
        """)
  }

  @Test func `other keys are other joins`() throws {
    let recent = Author.books.filter(y > 2000).forKey("recentBook").count
    let old = Author.books.forKey("oldBooks").filter(y <= 2000).count
    #expect(
      try sql(of: Author.annotated(with: recent, old))
        == RenderedSQL(
          """
          SELECT "author".*, COUNT(DISTINCT "book1"."id") AS "recentBookCount", \
          COUNT(DISTINCT "book2"."id") AS "oldBookCount" FROM "author" \
          LEFT JOIN "book" "book1" ON ("book1"."authorId" = "author"."id") AND ("book1"."year" > ?) \
          LEFT JOIN "book" "book2" ON ("book2"."authorId" = "author"."id") AND ("book2"."year" <= ?) \
          GROUP BY "author"."id"
          """, [2000, 2000]))
  }

  @Test func `several associations`() throws {
    #expect(
      try sql(of: Author.having(Author.books.count > 2 && Author.reviews.isEmpty)).sql == """
        SELECT "author".* FROM "author" \(joinedBooks) \
        LEFT JOIN "review" ON "review"."bookId" = "book"."id" GROUP BY "author"."id" \
        HAVING (COUNT(DISTINCT "book"."id") > ?) AND (COUNT(DISTINCT "review"."id") = 0)
        """)
  }

  @Test func `required joins stay required`() throws {
    let request = Author.including(required: Author.books).annotated(with: Author.books.count)
    #expect(
      try sql(of: request).sql == """
        SELECT "author".*, COUNT(DISTINCT "book"."id") AS "bookCount", "book".* FROM "author" \
        JOIN "book" ON "book"."authorId" = "author"."id" GROUP BY "author"."id"
        """)
  }

  @Test func `keys of groups and counts`() throws {
    let countries = Table<Country>("country")
    let notes = Table("note")
    let shelves = Table("shelf")
    #expect(
      try sql(
        of: countries.having(
          countries.hasMany(notes, using: ForeignKey(["text"], to: ["code"])).count > 1)
      ).sql == """
        SELECT "country".* FROM "country" LEFT JOIN "note" ON "note"."text" = "country"."code" \
        GROUP BY "country"."rowid" HAVING COUNT(DISTINCT "note"."rowid") > ?
        """)
    let tags = countries.hasMany(Table("tagName"), using: ForeignKey(["name"], to: ["code"]))
    #expect(
      try sql(of: countries.annotated(with: tags.count)).sql == """
        SELECT "country".*, COUNT(DISTINCT "tagName"."name") AS "tagNameCount" FROM "country" \
        LEFT JOIN "tagName" ON "tagName"."name" = "country"."code" GROUP BY "country"."rowid"
        """)
    let rooms = countries.hasMany(shelves, using: ForeignKey(["room"], to: ["code"]))
    #expect(
      try sql(of: countries.annotated(with: rooms.count)).sql == """
        SELECT "country".*, (SELECT COUNT(*) FROM "shelf" WHERE "shelf"."room" = "country"."code") \
        AS "shelfCount" FROM "country"
        """)
  }

  /// The authors without book would be one row.
  @Test func `right and full joins need groups of their own`() throws {
    let count = Book.reviews.count
    let requests: [QueryInterfaceRequest<Book>] = [
      Book.including(right: Book.author).annotated(with: count),
      Book.including(full: Book.author).annotated(with: Book.reviews.max(Column("score"))),
      Book.including(right: Book.author).annotated(with: count).order(id).limit(1),
      Book.joining(right: Book.author).having(Book.reviews.isEmpty),
    ]
    for request in requests {
      let message = try invalidity(of: sql(of: request))
      #expect(
        message == """
          The aggregate of the association "review" can't be computed together with "author" in a \
          request with a right or full join. To resolve this error, compute it in a request of its \
          own.
          """)
    }
    let author = TableAlias<Author>()
    let grouped = Book.joining(right: Book.author.aliased(author)).select(author[id])
      .annotated(with: count).group(author[id]).order(author[id])
    let rows = try makeBookshopDatabase().read { db in
      try grouped.asRequest(of: Row.self).fetchAll(db)
    }
    #expect(rows.map { $0["id"] as Int } == [1, 2, 3])
    #expect(rows.map { $0["reviewCount"] as Int } == [2, 1, 0])
  }

  @Test func `values`() throws {
    let database = try makeBookshopDatabase()
    try database.read { db in
      let rows = try Author.annotated(
        with: Author.books.count, Author.books.max(y), Author.reviews.count,
        Author.books.isEmpty.forKey("isLazy")
      ).order(id).asRequest(of: Row.self).fetchAll(db)
      #expect(rows.map { $0["bookCount"] as Int } == [2, 1, 0])
      #expect(rows.map { $0["maxBookYear"] as Int? } == [1974, 2002, nil])
      #expect(rows.map { $0["reviewCount"] as Int } == [2, 1, 0])
      #expect(rows.map { $0["isLazy"] as Bool } == [false, false, true])
      #expect(try Author.having(Author.books.count == 2).fetchAll(db).map(\.id) == [1])
      #expect(try Author.having(Author.books.isEmpty).fetchCount(db) == 1)
    }
  }
}
