import QuarryTestSupport
import Testing

@testable import Quarry

private let price = Column("price")

private struct Reader: TableRecord {
  static let cards = hasMany(Card.self, key: "cards", using: ForeignKey(["email"], to: ["email"]))
  static let plans = hasMany(Plan.self, through: cards, using: Card.plan, key: "plans")
}

private struct Card: TableRecord {
  static let plan = belongsTo(Plan.self, key: "plan", using: ForeignKey(["code"], to: ["code"]))
}

private struct Plan: TableRecord {}

private struct Sale: TableRecord {
  static let voucher = belongsTo(
    Voucher.self, key: "voucher", using: ForeignKey(["code"], to: ["code"]))
  static let items = hasMany(Item.self, key: "items", using: ForeignKey(["saleId"], to: ["id"]))
}

private struct Voucher: TableRecord {}
private struct Item: TableRecord {}

/// A unique index admits one row for each value, as it compares them. A join may compare otherwise.
@Suite(.onQueueAndPool)
struct ConvertedKeyTests {
  @Test func `the card of another reader with the same plan for a collation is none of the reader`()
    throws
  {
    let database = try makeEmptyDatabase()
    try database.write { db throws in
      try db.execute(
        sql: """
          CREATE TABLE reader (id INTEGER PRIMARY KEY, email TEXT);
          CREATE TABLE card (id INTEGER PRIMARY KEY, email TEXT, code TEXT UNIQUE);
          CREATE TABLE plan (
            id INTEGER PRIMARY KEY, code TEXT COLLATE NOCASE UNIQUE, price INTEGER);
          INSERT INTO reader VALUES (1, 'ann@example.com');
          INSERT INTO card VALUES (1, 'ann@example.com', 'PRO'), (2, 'bob@example.com', 'pro');
          INSERT INTO plan VALUES (7, 'Pro', 10);
          """)
      for plans in [Reader.plans.order(price), Reader.plans.order(price).limit(1)] {
        let row = try Reader.including(all: plans).asRequest(of: Row.self).fetchOne(db)
        let ids = row?.prefetchedRows["plans"]?.map { $0["id"] as Int }
        #expect(ids == [7])
      }
    }
  }

  /// The join might find several rows, but the schema means one.
  @Test(arguments: [("", "TEXT"), ("TEXT", "UUID"), ("TEXT", "TEXT COLLATE NOCASE")])
  func `a unique key is joined to one row, also where the other column is declared otherwise`(
    key: String, reference: String
  ) throws {
    let database = try makeEmptyDatabase()
    try database.write { db throws in
      try db.execute(
        sql: """
          CREATE TABLE sale (id INTEGER PRIMARY KEY, code \(reference));
          CREATE TABLE voucher (code \(key) PRIMARY KEY, price INTEGER);
          CREATE TABLE item (id INTEGER PRIMARY KEY, saleId INTEGER, price INTEGER);
          INSERT INTO sale VALUES (1, 'spring');
          INSERT INTO voucher VALUES ('spring', 7);
          INSERT INTO item VALUES (1, 1, 10), (2, 1, 5), (3, 1, 12);
          CREATE TABLE reader (id INTEGER PRIMARY KEY, email TEXT);
          CREATE TABLE card (id INTEGER PRIMARY KEY, email TEXT, code \(reference));
          CREATE TABLE plan (code \(key) PRIMARY KEY, price INTEGER);
          INSERT INTO reader VALUES (1, 'ann@example.com');
          INSERT INTO card VALUES (1, 'ann@example.com', 'pro'), (2, 'ann@example.com', 'pro');
          INSERT INTO plan VALUES ('pro', 10);
          """)
      let voucher = TableAlias<Voucher>()
      let sales = Sale.joining(required: Sale.voucher.aliased(voucher))
        .including(all: Sale.items.filter(price > voucher[price]).order(price))
      let sale = try sales.asRequest(of: Row.self).fetchOne(db)
      let items = sale?.prefetchedRows["items"]?.map { $0["id"] as Int }
      #expect(items == [1, 3])
      let cards = Reader.cards.joining(optional: Card.plan).order(Column("id")).limit(1)
      let reader = try Reader.including(all: cards).asRequest(of: Row.self).fetchOne(db)
      let ids = reader?.prefetchedRows["cards"]?.map { $0["id"] as Int }
      #expect(ids == [1])
    }
  }

  /// The text `'01'` equals the integer 1 in a join.
  @Test(arguments: [
    ("TEXT", "'1', '01'", 2), ("", "1, '1'", 2), ("TEXT COLLATE NOCASE", "'1', '01'", 2),
    ("INTEGER", "1, '2'", 1),
  ])
  func `a sum counts no row twice that is joined to several keys`(
    type: String, codes: String, count: Int
  ) throws {
    let values = codes.split(separator: ", ").map { "(\($0))" }.joined(separator: ", ")
    let database = try makeEmptyDatabase()
    try database.write { db throws in
      try db.execute(
        sql: """
          CREATE TABLE sale (id INTEGER PRIMARY KEY, code INTEGER);
          CREATE TABLE voucher (code \(type) UNIQUE);
          CREATE TABLE item (id INTEGER PRIMARY KEY, saleId INTEGER, price INTEGER);
          INSERT INTO sale VALUES (1, 1);
          INSERT INTO voucher VALUES \(values);
          INSERT INTO item VALUES (1, 1, 10), (2, 1, 5);
          """)
      let joined = Sale.joining(optional: Sale.voucher)
      #expect(try joined.asRequest(of: Row.self).fetchAll(db).count == count)
      let request = joined.annotated(with: Sale.items.sum(price))
      let sum = try request.asRequest(of: Row.self).fetchOne(db).map { $0["itemPriceSum"] as Int }
      #expect(sum == 15)
      #expect(
        try sql(of: request, in: db).sql
          == (count == 1
            ? """
            SELECT "sale".*, SUM("item"."price") AS "itemPriceSum" FROM "sale" \
            LEFT JOIN "voucher" ON "voucher"."code" = "sale"."code" \
            LEFT JOIN "item" ON "item"."saleId" = "sale"."id" GROUP BY "sale"."id"
            """
            : """
            SELECT "sale".*, (SELECT SUM("item"."price") FROM "item" \
            WHERE "item"."saleId" = "sale"."id") AS "itemPriceSum" FROM "sale"
            """))
    }
  }
}
