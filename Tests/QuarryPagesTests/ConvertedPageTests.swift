import Quarry
import QuarryPages
import QuarryTables
import QuarryTestSupport
import Testing

private struct Offer: TableRecord {
  static let databaseTableName = "offer"
}

private struct Book: TableRecord {
  static let offer = belongsTo(Offer.self, using: ForeignKey(["id"], to: ["bookId"]))
}

private let amount = Column("amount")

/// The order has numbers before texts, and a comparison by the affinity of a column converts texts
/// to numbers.
@Suite(.onQueueAndPool)
struct ConvertedPageTests {
  private func inBookshop(_ body: (Database) throws -> Void) throws {
    try inEmptyDatabase { db throws in
      try db.execute(
        sql: """
          CREATE TABLE "book" ("id" INTEGER PRIMARY KEY);
          CREATE TABLE "net" ("bookId" INTEGER PRIMARY KEY, "amount" INTEGER);
          CREATE TABLE "quoted" ("bookId" INTEGER PRIMARY KEY, "amount" TEXT);
          INSERT INTO "book" VALUES (1), (2), (3), (4), (5), (6);
          INSERT INTO "net" VALUES (1, 7), (2, 30), (3, 100);
          INSERT INTO "quoted" VALUES (4, '5'), (5, '40'), (6, '9');
          """)
      try body(db)
    }
  }

  /// A view of the columns of both tables, or a table of the application with the same rows.
  private func makeOffers(isVirtual: Bool, _ db: Database) throws {
    guard isVirtual else {
      return try db.execute(
        sql: """
          CREATE VIEW "offer" AS
            SELECT "bookId", "amount" FROM "net" UNION ALL SELECT "bookId", "amount" FROM "quoted"
          """)
    }
    let rows: [(Int, DatabaseValue)] = [
      (1, 7.databaseValue), (2, 30.databaseValue), (3, 100.databaseValue),
      (4, "5".databaseValue), (5, "40".databaseValue), (6, "9".databaseValue),
    ]
    try db.register(table: "offer", rows: rows) { t in
      t.column("bookId", type: .integer) { $0.0 }
      t.column("amount", type: .integer) { $0.1 }
    }
  }

  private func ids(_ request: QueryInterfaceRequest<Book>, _ db: Database) throws -> [Int] {
    let rows = request.asRequest(of: Row.self)
    return try walk {
      try rows.page(after: $0, limit: 1).fetch(db)
    } backward: {
      try rows.page(before: $0, limit: 1).fetch(db)
    }.map { $0["id"] }
  }

  private func sqlOfSecondPage(
    _ request: QueryInterfaceRequest<Book>, _ db: Database
  ) throws -> String {
    let first = try request.asRequest(of: Row.self).page(limit: 1).fetch(db)
    return try request.asRequest(of: Row.self).page(after: first.next, limit: 1).request(db).sql(db)
  }

  @Test func `columns of a joined table of the application are compared as they are ordered`()
    throws
  {
    try inBookshop { db throws in
      try makeOffers(isVirtual: true, db)
      let alias = TableAlias<Offer>()
      let joined = Book.joining(required: Book.offer.aliased(alias))
      #expect(try ids(joined.order(alias[amount]), db) == [1, 2, 3, 5, 4, 6])
      #expect(try ids(joined.order(alias[amount].desc), db) == [6, 4, 5, 3, 2, 1])
      let annotated = Book.annotated(withRequired: Book.offer.select(amount))
      #expect(try ids(annotated.order(amount.detached), db) == [1, 2, 3, 5, 4, 6])
      #expect(
        try sqlOfSecondPage(joined.order(alias[amount]), db) == """
          SELECT "book".*, "offer"."amount" AS "page key 1", "book"."id" AS "page key 2", \
          "offer"."rowid" AS "page key 3" \
          FROM "book" JOIN "offer" ON "offer"."bookId" = "book"."id" \
          WHERE (+("offer"."amount"), "book"."id", "offer"."rowid") > (7, 1, 1) \
          ORDER BY "offer"."amount", "book"."id", "offer"."rowid" LIMIT 2
          """)
    }
  }

  @Test(arguments: [false, true])
  func `subqueries are compared as they are ordered`(isVirtual: Bool) throws {
    try inBookshop { db throws in
      try makeOffers(isVirtual: isVirtual, db)
      let book = TableAlias<Book>(name: "b")
      let offer = Offer.select(amount).filter(Column("bookId") == book[Column("id")])
      let request = Book.aliased(book).order(offer.sqlExpression)
      #expect(try ids(request, db) == [1, 2, 3, 5, 4, 6])
      #expect(
        try sqlOfSecondPage(request, db) == """
          SELECT "b".*, (SELECT "amount" FROM "offer" WHERE "bookId" = "b"."id") AS "page key 1", \
          "b"."id" AS "page key 2" FROM "book" "b" \
          WHERE (+((SELECT "amount" FROM "offer" WHERE "bookId" = "b"."id")), "b"."id") > (7, 1) \
          ORDER BY (SELECT "amount" FROM "offer" WHERE "bookId" = "b"."id"), "b"."id" LIMIT 2
          """)
      let sql: SQL = "(SELECT amount FROM offer WHERE bookId = b.id)"
      #expect(try ids(Book.aliased(book).order(sql.sqlExpression), db) == [1, 2, 3, 5, 4, 6])
      let named = Book.aliased(book).annotated(with: offer.forKey("price"))
      #expect(try ids(named.order(Column("price").detached), db) == [1, 2, 3, 5, 4, 6])
    }
  }

  @Test func `columns of a joined ordinary table keep their affinity, and so their index`() throws {
    try inBookshop { db throws in
      let alias = TableAlias()
      let net = Book.belongsTo(Table<Row>("net"), using: ForeignKey(["id"], to: ["bookId"]))
      let request = Book.joining(required: net.aliased(alias)).order(alias[amount])
      #expect(try ids(request, db) == [1, 2, 3])
      #expect(
        try sqlOfSecondPage(request, db) == """
          SELECT "book".*, "net"."amount" AS "page key 1", "book"."id" AS "page key 2" \
          FROM "book" JOIN "net" ON "net"."bookId" = "book"."id" \
          WHERE ("net"."amount", "book"."id") > (7, 1) \
          ORDER BY "net"."amount", "book"."id" LIMIT 2
          """)
    }
  }
}
