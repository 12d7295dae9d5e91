import QuarryTestSupport
import Testing

@testable import Quarry

private let id = Column("id")
private let n = Column("name")
private let y = Column("year")
private let author = Book.author
private let publisher = Book.publisher

private let joinedAuthor = #"JOIN "author" ON "author"."id" = "book"."authorId""#
private let joinedPublisher = #"JOIN "publisher" ON "publisher"."id" = "book"."publisherId""#

/// Associations with the same key are one join.
struct MergingTests {
  @Test(arguments: [
    // The kind: required wins.
    RequestCase(
      Book.joining(required: author).joining(optional: author),
      "SELECT \"book\".* FROM \"book\" \(joinedAuthor)"),
    RequestCase(
      Book.joining(optional: author).joining(required: author),
      "SELECT \"book\".* FROM \"book\" \(joinedAuthor)"),
    RequestCase(
      Book.joining(optional: author).joining(optional: author),
      "SELECT \"book\".* FROM \"book\" LEFT \(joinedAuthor)"),
    // The selection: the last one wins, and joining selects nothing.
    RequestCase(
      Book.including(required: author).joining(required: author),
      "SELECT \"book\".*, \"author\".* FROM \"book\" \(joinedAuthor)"),
    RequestCase(
      Book.joining(required: author).including(required: author),
      "SELECT \"book\".*, \"author\".* FROM \"book\" \(joinedAuthor)"),
    RequestCase(
      Book.including(required: author.select(id)).including(required: author.select(n)),
      "SELECT \"book\".*, \"author\".\"name\" FROM \"book\" \(joinedAuthor)"),
    // The ordering: the last one wins, unless it is empty.
    RequestCase(
      Book.joining(required: author.order(id)).joining(required: author.order(n.desc)),
      "SELECT \"book\".* FROM \"book\" \(joinedAuthor) ORDER BY \"author\".\"name\" DESC"),
    RequestCase(
      Book.joining(required: author.order(id)).joining(required: author),
      "SELECT \"book\".* FROM \"book\" \(joinedAuthor) ORDER BY \"author\".\"id\""),
    // The place: last among the siblings.
    RequestCase(
      Book.including(required: author).including(optional: publisher).joining(optional: author),
      """
      SELECT "book".*, "publisher".*, "author".* FROM "book" LEFT \(joinedPublisher) \
      \(joinedAuthor)
      """),
  ])
  func `clauses`(_ test: RequestCase) throws {
    try test.check()
  }

  @Test func `filters add up`() throws {
    let request = Book.including(required: author.filter(n == "a"))
      .including(optional: author.filter(id > 1).order(n))
    #expect(
      try sql(of: request)
        == RenderedSQL(
          """
          SELECT "book".*, "author".* FROM "book" JOIN "author" \
          ON ("author"."id" = "book"."authorId") AND ("author"."name" = ?) AND ("author"."id" > ?) \
          ORDER BY "author"."name"
          """, ["a", 1]))
  }

  @Test func `nested associations are merged`() throws {
    let request = Review.joining(required: Review.author)
      .including(optional: Review.book.filter(y > 1))
    #expect(
      try sql(of: request)
        == RenderedSQL(
          """
          SELECT "review".*, "book".* FROM "review" \
          JOIN "book" ON ("book"."id" = "review"."bookId") AND ("book"."year" > ?) \
          JOIN "author" ON "author"."id" = "book"."authorId"
          """, [1]))
    let parallel = Review.including(required: Review.book.including(required: author))
      .including(required: Review.book.including(optional: publisher))
    #expect(
      try sql(of: parallel).sql == """
        SELECT "review".*, "book".*, "author".*, "publisher".* FROM "review" \
        JOIN "book" ON "book"."id" = "review"."bookId" \(joinedAuthor) LEFT \(joinedPublisher)
        """)
  }

  @Test func `aliases of merged associations are synonyms`() throws {
    let a = TableAlias<Author>()
    let b = TableAlias<Author>(name: "b")
    let request = Book.joining(required: author.aliased(a)).joining(required: author.aliased(b))
      .filter(a[n] == b[n])
    #expect(
      try sql(of: request).sql == """
        SELECT "book".* FROM "book" JOIN "author" "b" ON "b"."id" = "book"."authorId" \
        WHERE "b"."name" = "b"."name"
        """)
  }

  @Test func `definitions are united`() throws {
    let old = CommonTableExpression<Void>(named: "c", sql: "SELECT 1")
    let new = CommonTableExpression<Void>(named: "c", sql: "SELECT 2")
    let other = CommonTableExpression<Void>(named: "d", sql: "SELECT 3")
    let request = Book.joining(required: author.with(old).with(other))
      .joining(required: author.with(new))
    #expect(
      try sql(of: request).sql == """
        WITH "c" AS (SELECT 2), "d" AS (SELECT 3) SELECT "book".* FROM "book" \(joinedAuthor)
        """)
  }

  static let conflicts: [(QueryInterfaceRequest<Book>, String)] = [
    (
      Book.joining(required: author).joining(required: publisher.forKey("author")),
      #"One leads to table "author", the other one to table "publisher"."#
    ),
    (
      Book.joining(required: author)
        .joining(
          required: Book.belongsTo(Author.self, using: ForeignKey(["publisherId"], to: ["id"]))),
      """
      One is joined along the foreign key of the schema, from its origin, the other one along the \
      foreign key ["publisherId"] to ["id"] from its origin.
      """
    ),
    (
      Book.joining(required: author).joining(required: Book.hasOne(Author.self)),
      """
      One is joined along the foreign key of the schema, from its origin, the other one along the \
      foreign key of the schema, from its destination.
      """
    ),
    (
      Book.joining(required: author).joining(
        required: Book.association(to: CommonTableExpression<Void>(named: "author", sql: ""))),
      """
      One is joined along the foreign key of the schema, from its origin, the other one along an \
      expression.
      """
    ),
    (
      Book.joining(required: author.aliased(TableAlias(name: "a")))
        .joining(required: author.aliased(TableAlias(name: "b"))),
      #"The alias of table "author" has two names: a, b."#
    ),
  ]

  @Test(arguments: conflicts.indices)
  func `conflicts are reported`(_ index: Int) throws {
    let (request, reason) = Self.conflicts[index]
    #expect(
      try invalidity(of: sql(of: request)) == """
        The association key "author" is ambiguous. \
        Use the Association.forKey(_:) method in order to disambiguate. \(reason)
        """)
  }

  private func published(in city: String) -> JoinAssociation<Book, Publisher> {
    Book.association(to: Publisher.self) { book, publisher in
      publisher[id] == book[Column("publisherId")] && publisher[Column("city")] == city
    }
  }

  @Test func `a condition that is built twice is one condition`() throws {
    let request = Book.joining(required: published(in: "Turin"))
      .including(optional: published(in: "Turin"))
    #expect(
      try sql(of: request)
        == RenderedSQL(
          """
          SELECT "book".*, "publisher".* FROM "book" JOIN "publisher" \
          ON ("publisher"."id" = "book"."publisherId") AND ("publisher"."city" = ?)
          """, ["Turin"]))
  }

  @Test func `different conditions conflict`() throws {
    let message = """
      The association key "publisher" is ambiguous. \
      Use the Association.forKey(_:) method in order to disambiguate. \
      Two associations lead to the table "publisher", along different conditions.
      """
    let turin = Book.joining(required: published(in: "Turin"))
    let others = [
      published(in: "Rome"), Book.association(to: Publisher.self),
      Book.association(to: Publisher.self) { $0[id] == $1[id] },
    ]
    for other in others {
      #expect(try invalidity(of: sql(of: turin.joining(required: other))) == message)
      let three = turin.joining(required: published(in: "Turin")).including(optional: other)
      #expect(try invalidity(of: sql(of: three)) == message)
    }
  }

  @Test func `conditions on different aliases conflict`() throws {
    let (first, second) = (TableAlias<Author>(), TableAlias<Author>())
    let request = Book.joining(required: Book.author.aliased(first))
      .joining(required: Book.author.forKey("other").aliased(second))
    func sameCity(_ alias: TableAlias<Author>) -> JoinAssociation<Book, Publisher> {
      Book.association(to: Publisher.self) { _, publisher in
        publisher[Column("country")] == alias[Column("country")]
      }
    }
    let one = request.joining(required: sameCity(first))
    #expect(try sql(of: one.joining(optional: sameCity(first))) == sql(of: one))
    let error = try invalidity(of: sql(of: one.joining(required: sameCity(second))))
    #expect(error?.hasSuffix("along different conditions.") == true)
  }

  @Test func `prefetches are merged`() throws {
    let request = Author.including(all: Author.books.filter(y > 1).order(y))
      .including(all: Author.books.filter(y < 9))
    let prefetch = try #require(request.relation.prefetches.first)
    #expect(request.relation.prefetches.count == 1)
    #expect(
      try sql(of: QueryInterfaceRequest<Book>(relation: prefetch.steps[0].relation))
        == RenderedSQL(
          #"SELECT * FROM "book" WHERE ("year" > ?) AND ("year" < ?) ORDER BY "year""#, [1, 9]))
  }

  @Test func `prefetches of different paths conflict`() throws {
    let request = Author.including(all: Author.books)
      .including(all: Author.reviews.forKey("books"))
    #expect(
      try invalidity(of: sql(of: request)) == """
        The association key "books" is ambiguous. \
        Use the Association.forKey(_:) method in order to disambiguate. \
        One leads to book, the other one to book → review.
        """)
  }

  @Test func `prefetches along different foreign keys conflict`() throws {
    let published = Author.hasMany(Book.self, using: ForeignKey(["publisherId"]))
    let request = Author.including(all: Author.books).including(all: published)
    #expect(
      try invalidity(of: sql(of: request)) == """
        The association key "books" is ambiguous. \
        Use the Association.forKey(_:) method in order to disambiguate. \
        One is joined along the foreign key of the schema, from its destination, the other one \
        along the foreign key ["publisherId"] from its destination.
        """)
  }
}

/// The merge rules of clauses.
struct ClauseMergingTests {
  private func relation(_ change: (inout Relation) -> Void = { _ in }) -> Relation {
    var relation = Relation(source: .table("book"), selection: [])
    change(&relation)
    return relation
  }

  @Test(arguments: [
    (JoinKind.inner, JoinKind.inner, JoinKind.inner), (.inner, .left, .inner),
    (.left, .inner, .inner), (.left, .left, .left),
  ])
  func `kinds`(_ old: JoinKind, _ new: JoinKind, _ merged: JoinKind) {
    #expect(old.merged(with: new) == merged)
  }

  @Test func `distinct is kept`() {
    let distinct = relation { $0.isDistinct = true }
    #expect(distinct.merged(with: relation(), key: "k").isDistinct)
    #expect(relation().merged(with: distinct, key: "k").isDistinct)
    #expect(!relation().merged(with: relation(), key: "k").isDistinct)
  }

  @Test func `the last limit wins`() {
    let one = relation { $0.limit = Limit(count: 1) }
    let two = relation { $0.limit = Limit(count: 2) }
    #expect(one.merged(with: two, key: "k").limit?.count == 2)
    #expect(one.merged(with: relation(), key: "k").limit?.count == 1)
  }

  @Test func `the last grouping wins and havings add up`() {
    let one = relation {
      $0.grouping = .primaryKey
      $0.havings = [.keys([1.databaseValue])]
    }
    let two = relation {
      $0.grouping = .expressions([])
      $0.havings = [.keys([2.databaseValue])]
    }
    let merged = one.merged(with: two, key: "k")
    #expect(merged.havings.count == 2)
    guard case .expressions? = merged.grouping else {
      Issue.record("the newer grouping wins")
      return
    }
    guard case .primaryKey? = one.merged(with: relation(), key: "k").grouping else {
      Issue.record("no grouping leaves the older one")
      return
    }
  }

  @Test func `the first fault stays`() {
    let one = relation { $0.fail(InvalidRequest("one")) }
    let two = relation { $0.fail(InvalidRequest("two")) }
    #expect(one.merged(with: two, key: "k").fault?.message == "one")
    #expect(relation().merged(with: two, key: "k").fault?.message == "two")
  }
}
