import QuarryTestSupport
import Testing

@testable import Quarry

private let id = Column("id")
private let year = Column("year")
private let price = Column("price")
private let amount = Column("amount")
private let copies = Column("copies")

private typealias Writer = WriterLibrary.Writer
private typealias Novel = WriterLibrary.Novel
private typealias Prize = WriterLibrary.Prize
private typealias Agency = WriterLibrary.Agency
private typealias Edition = WriterLibrary.Edition

private let joinedPrizes = #"LEFT JOIN "prize" ON "prize"."writerId" = "writer"."id""#

/// Conditions choose among the records that a subquery aggregates.
struct IsolatedAggregateConditionTests {
  @Test func `conditions of the request on the aggregated records`() throws {
    let novel = TableAlias()
    let aggregates = [Writer.novels.sum(price), Writer.prizes.count]
    let joined = Writer.joining(required: Writer.novels.aliased(novel))
    let expected: [[(any DatabaseValueConvertible)?]] = [[20, 3], [30, 0]]
    try WriterLibrary.check(
      joined.filter(novel["year"] > 1995).annotated(with: aggregates), expected)
    try WriterLibrary.check(
      joined.filter(sql: "novel.year > 1995").annotated(with: aggregates), expected)
    try WriterLibrary.check(joined.filter(sql: "price > 15").annotated(with: aggregates), expected)
    try WriterLibrary.check(
      Writer.joining(optional: Writer.prizes).filter(sql: "amount > 30")
        .annotated(with: Writer.novels.sum(price)), [[30]])
    // A condition on the prizes does not choose among the novels.
    try WriterLibrary.check(
      Writer.joining(required: Writer.prizes).filter(sql: "amount > 30")
        .annotated(with: aggregates), [[30, 2]])
  }

  @Test func `a condition compares a column of the request with one of the records`() throws {
    let novel = TableAlias()
    // The price of novel 2 is ten times its own id.
    try WriterLibrary.check(
      Writer.joining(required: Writer.novels.aliased(novel))
        .filter(id * 10 == novel["price"])
        .annotated(with: Writer.novels.sum(price), Writer.prizes.count),
      [[10, 3]])
  }

  @Test func `conditions between associations`() throws {
    let novel = TableAlias()
    try WriterLibrary.check(
      Writer.joining(required: Writer.novels.aliased(novel))
        .joining(required: Writer.prizes.filter(novel["price"] * 5 == amount))
        .annotated(with: Writer.novels.sum(price)),
      [[30]])
    try WriterLibrary.check(
      Writer.joining(required: Writer.novels.aliased(novel))
        .joining(required: Writer.prizes.filter(novel["price"] * 5 < amount))
        .annotated(with: Writer.novels.sum(price)),
      [[10]])
  }

  @Test func `a condition on an optional record chooses among the aggregated ones`() throws {
    let (prize, novel) = (TableAlias(), TableAlias())
    // Of the prizes of writer 1, that of 100 is more than nine times the price of novel 1.
    try WriterLibrary.check(
      Writer.joining(optional: Writer.prizes.aliased(prize))
        .joining(required: Writer.novels.aliased(novel))
        .filter(prize["amount"] > novel["price"] * 9).annotated(with: Writer.novels.sum(price)),
      [[10]],
      sql: """
        SELECT "writer".*, (SELECT SUM("grdb_value") FROM (SELECT DISTINCT "novel"."id", \
        "novel"."price" AS "grdb_value" FROM (SELECT 1) \
        LEFT JOIN "prize" ON "prize"."writerId" = "writer"."id" \
        JOIN "novel" ON "novel"."writerId" = "writer"."id" \
        WHERE "prize"."amount" > ("novel"."price" * ?))) AS "novelPriceSum" FROM "writer" \
        \(joinedPrizes) JOIN "novel" ON "novel"."writerId" = "writer"."id" \
        WHERE "prize"."amount" > ("novel"."price" * ?) GROUP BY "writer"."id"
        """, [9, 9])
  }

  @Test func `an aggregated record stays joined for the condition of another association`() throws {
    let novel = TableAlias()
    try WriterLibrary.check(
      Writer.joining(optional: Writer.novels.aliased(novel))
        .joining(required: Writer.prizes.filter(novel["price"] * 5 < amount))
        .annotated(with: Writer.novels.sum(price)),
      [[10]])
    let earned = Writer.association(to: Prize.self) { writer, prize in
      prize["writerId"] == writer["id"] && novel["price"] * 5 < prize["amount"]
    }
    try WriterLibrary.check(
      Writer.joining(optional: Writer.novels.aliased(novel)).joining(required: earned)
        .annotated(with: Writer.novels.sum(price)),
      [[10]])
    let dear = Prize.select(id).filter(amount > novel["price"] * 5)
    for large in [dear.union(Prize.none().select(id)), Prize.none().select(id).union(dear)] {
      try WriterLibrary.check(
        Writer.joining(optional: Writer.novels.aliased(novel))
          .joining(required: Writer.prizes.filter(large.contains(id)))
          .annotated(with: Writer.novels.sum(price)),
        [[10]])
    }
  }

  @Test func `a record of one row has a condition on the aggregated ones`() throws {
    let novel = TableAlias()
    // The fee of the agency is 3: of the novels of writer 1, the one of 20 costs more than 15.
    let dear = Writer.agency.filter(novel["price"] > Column("fee") * 5)
    let request = Writer.joining(required: Writer.novels.aliased(novel)).joining(required: dear)
    try WriterLibrary.check(request.annotated(with: Writer.novels.sum(price)), [[20]])
    try WriterLibrary.check(
      request.annotated(with: Writer.novels.sum(price), Writer.prizes.count), [[20, 3]],
      sql: """
        SELECT "writer".*, (SELECT SUM("novel"."price") FROM "agency" \
        JOIN "novel" ON "novel"."writerId" = "writer"."id" \
        WHERE ("agency"."id" = "writer"."agencyId") \
        AND ("novel"."price" > ("agency"."fee" * ?))) AS "novelPriceSum", \
        COUNT(DISTINCT "prize"."id") AS "prizeCount" FROM "writer" \
        JOIN "agency" ON ("agency"."id" = "writer"."agencyId") \
        AND ("novel"."price" > ("agency"."fee" * ?)) \
        JOIN "novel" ON "novel"."writerId" = "writer"."id" \(joinedPrizes) GROUP BY "writer"."id"
        """, [5, 5])
    try WriterLibrary.check(
      request.annotated(with: Writer.novels.count).withAggregatesInSubqueries(), [[1]])
  }

  @Test func `a required record has a condition on a child of the aggregated ones`() throws {
    let edition = TableAlias()
    // More than 20 times the amount of a prize, 25, are the 1000 copies of an edition of novel 1.
    try WriterLibrary.check(
      Writer.joining(optional: Writer.novels.joining(optional: Novel.editions.aliased(edition)))
        .joining(required: Writer.prizes.filter(edition["copies"] > amount * 20))
        .annotated(with: Writer.novels.sum(price)),
      [[10]])
  }

  @Test func `the request has a condition on a record that refers to the aggregated ones`() throws {
    let (novel, prize) = (TableAlias(), TableAlias())
    try WriterLibrary.check(
      Writer.annotated(with: Writer.novels.sum(price))
        .joining(optional: Writer.novels.aliased(novel))
        .joining(optional: Writer.prizes.filter(novel["price"] * 5 < amount).aliased(prize))
        .filter(prize["id"] != nil),
      [[10]])
  }

  @Test func `children that refer to each other are refused`() throws {
    let edition = TableAlias<Edition>()
    let smaller = Novel.association(to: Edition.self) { novel, other in
      other["novelId"] == novel["id"] && other[copies] < edition[copies]
    }
    let novels = Writer.novels.joining(required: Novel.editions.aliased(edition))
      .joining(required: smaller.forKey("smaller"))
    try WriterLibrary.make().read { db throws in
      #expect(
        errorText {
          try Writer.joining(optional: novels)
            .annotated(with: Writer.novels.sum(price), Writer.prizes.count)
            .asRequest(of: Row.self).fetchAll(db)
        }?.contains("can't be computed in a request with other associations to many records")
          == true)
    }
  }

  @Test func `conditions by hand between associations`() throws {
    try WriterLibrary.check(
      Writer.joining(required: Writer.novels)
        .joining(required: Writer.prizes.filter(sql: "amount > price * 5"))
        .annotated(with: Writer.novels.sum(price)),
      [[10]])
    try WriterLibrary.check(
      Writer.joining(required: Writer.prizes).joining(required: Writer.novels)
        .filter(sql: "price * 5 = amount").annotated(with: Writer.novels.sum(price)),
      [[30]])
  }

  @Test func `a condition on a record behind another association brings its whole path`() throws {
    let edition = TableAlias<Edition>()
    // 50 and 25 are less than a tenth of the 1000 copies of an edition.
    try WriterLibrary.check(
      Writer
        .joining(required: Writer.novels.joining(required: Novel.editions.aliased(edition)))
        .annotated(with: Writer.prizes.filter(amount * 10 < edition[copies]).sum(amount)),
      [[75]])
  }

  @Test func `a count keeps the join that the condition of another one refers to`() throws {
    let agency = TableAlias<Agency>()
    // Each writer with an agency, and each novel.
    let dearer = Writer.association(to: Novel.self) { _, novel in
      novel[price] > agency[Column("fee")]
    }
    let request = Writer.joining(optional: Writer.agency.aliased(agency))
      .joining(required: dearer).annotated(with: Writer.prizes.count)
    try WriterLibrary.make().read { db throws in
      #expect(try request.fetchCount(db) == 2)
      let rows = try WriterLibrary.values(of: request, db)
      #expect(rows == [[3.databaseValue], [1.databaseValue]])
    }
  }
}
