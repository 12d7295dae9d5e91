import QuarryFunctions
import QuarryTestSupport
import Testing

@testable import Quarry

private let t = Column("title")
private let y = Column("year")
private let p = Column("price")

/// `ORDER BY` inside of aggregates, which SQLite has since 3.44.
@Suite(.onQueueAndPool, .needs(.orderedAggregates))
struct OrderedAggregateTests {
  @Test func `values come in their order`() throws {
    try makeBookshopDatabase().read { db throws in
      func fetch(_ expression: SQLExpression) throws -> String? {
        try Book.select(expression, as: String.self).fetchOne(db)
      }
      #expect(
        try fetch(.aggregate("GROUP_CONCAT", t, orderBy: y))
          == "Anonymous,Left Hand,Dispossession,Invisible Towns")
      #expect(
        try fetch(.aggregate("GROUP_CONCAT", t, ", ", orderBy: y.desc))
          == "Invisible Towns, Dispossession, Left Hand, Anonymous")
      #expect(
        try fetch(.aggregate("GROUP_CONCAT", t, orderBy: y.descNullsFirst, t, filter: p > 9))
          == "Invisible Towns,Dispossession")
      #expect(
        try fetch(Database.jsonGroupArray(t, orderBy: t, filter: y > 1970))
          == #"["Dispossession","Invisible Towns"]"#)
    }
  }

  @Test func `remembered requests are those that are compiled anew`() throws {
    // A function of two arguments, and one of an argument and an ordering, have the same parts.
    let calls: [SQLExpression] = [
      .aggregate("GROUP_CONCAT", t), .aggregate("GROUP_CONCAT", t, t),
      .aggregate("GROUP_CONCAT", t, y), .aggregate("GROUP_CONCAT", t, "-"),
      .aggregate("GROUP_CONCAT", t, orderBy: t), .aggregate("GROUP_CONCAT", t, orderBy: t.desc),
      .aggregate("GROUP_CONCAT", t, orderBy: y), .aggregate("GROUP_CONCAT", t, orderBy: y, t),
      .aggregate("GROUP_CONCAT", t, y, orderBy: t), .aggregate("GROUP_CONCAT", t, "-", orderBy: y),
      .aggregate("GROUP_CONCAT", t, orderBy: y, filter: t > "B"),
      .aggregate("GROUP_CONCAT", t, orderBy: y, t, filter: t > "B"),
      .aggregate("GROUP_CONCAT", t, orderBy: y, t > "B"),
      .aggregate("GROUP_CONCAT", t, orderBy: y.desc, t > "B"),
      .aggregate("GROUP_CONCAT", t, orderBy: y * 2, t), .aggregate("COUNT", t, orderBy: y),
      .aggregate("GROUP_CONCAT", t, orderBy: y.collating(.nocase), t.descNullsFirst),
    ]
    try makeBookshopDatabase().read { db throws in
      // Each is compiled, remembered, and taken from the memory, between others.
      for _ in 0..<4 {
        let requests = calls.shuffled().map {
          Book.select($0.forKey("a"), y).asRequest(of: Row.self)
        }
        let grouped = calls.map {
          Book.select($0).group(Column("authorId")).asRequest(of: Row.self)
        }
        #expect(db.differences(requests + grouped) == [])
      }
    }
  }
}
