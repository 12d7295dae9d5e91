import Quarry
import QuarryTestSupport
import Testing

/// 'Filtering a Request with Aggregates'.
struct FilteringARequestWithAggregates {
  typealias Member = Desk.Member

  /// A question, its request and its SQL, and the names of the members who answer.
  struct Question: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let request: QueryInterfaceRequest<Member>
    let sql: String
    var arguments: StatementArguments = []
    let names: [String]
  }

  static let maps = Member.loans.filter(Column("kind") == "map")

  static let from = #"SELECT "member".* FROM "member""#
  static let group = #"GROUP BY "member"."id" HAVING"#
  static let loans = #"COUNT(DISTINCT "loan"."id")"#
  static let reservations = #"COUNT(DISTINCT "reservation"."id")"#

  static let questions = [
    Question(
      testDescription: "Members who did not write any loan",
      request: Member.having(Member.loans.isEmpty),
      sql: "\(from) \(Desk.joinLoan) \(group) \(loans) = 0",
      names: ["Cy", "Di"]),
    Question(
      testDescription: "Members who has at least one loan",
      request: Member.having(Member.loans.isEmpty == false),
      sql: "\(from) \(Desk.joinLoan) \(group) \(loans) > 0",
      names: ["Ada", "Bo"]),
    Question(
      testDescription: "Members who has at least two loans",
      request: Member.having(Member.loans.count >= 2),
      sql: "\(from) \(Desk.joinLoan) \(group) \(loans) >= ?",
      arguments: [2],
      names: ["Ada"]),
    Question(
      testDescription: "Members who has at least one loan after 2010",
      request: Member.having(Member.loans.max(Column("year")) >= 2010),
      sql: #"\#(from) \#(Desk.joinLoan) \#(group) MAX("loan"."year") >= ?"#,
      arguments: [2010],
      names: ["Ada"]),
    Question(
      testDescription: "Members who has at least one loan of kind \"map\"",
      request: Member.having(maps.isEmpty == false),
      sql: """
        \(from) LEFT JOIN "loan" \
        ON ("loan"."memberId" = "member"."id") AND ("loan"."kind" = ?) \(group) \(loans) > 0
        """,
      arguments: ["map"],
      names: ["Ada"]),
    Question(
      testDescription: "Members who has more loans than they made reservations",
      request: Member.having(Member.loans.count > Member.reservations.count),
      sql: "\(from) \(Desk.joinLoan) \(Desk.joinReservation) \(group) \(loans) > \(reservations)",
      names: ["Ada"]),
    Question(
      testDescription: "Members who has no loan, but made at least one reservation",
      request: Member.having(Member.loans.isEmpty && !Member.reservations.isEmpty),
      sql: """
        \(from) \(Desk.joinLoan) \(Desk.joinReservation) \
        \(group) (\(loans) = 0) AND (\(reservations) > 0)
        """,
      names: ["Cy"]),
  ]

  @Test(arguments: questions) func `a condition on aggregates selects the members that satisfy it`(
    _ question: Question
  ) throws {
    try Desk.make().read { db in
      try #expect(
        sql(of: question.request, in: db)
          == RenderedSQL(question.sql, question.arguments))
      try #expect(question.request.fetchAll(db).map(\.name) == question.names)
    }
  }

  @Test func `several having conditions are all applied`() throws {
    try Desk.make().read { db in
      let request = Member.having(Member.loans.count >= 1).having(Member.reservations.isEmpty)
      try #expect(request.fetchAll(db).map(\.name) == ["Ada"])
      try #expect(
        sql(of: request, in: db).sql == """
          \(Self.from) \(Desk.joinLoan) \(Desk.joinReservation) \
          \(Self.group) (\(Self.loans) >= ?) AND (\(Self.reservations) = 0)
          """)
    }
  }
}
