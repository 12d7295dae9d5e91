import Quarry
import QuarryTestSupport
import Testing

/// 'Isolation of Multiple Aggregates': as many association keys as there are populations.
struct IsolationOfMultipleAggregates {
  typealias Member = Desk.Member

  @Test func `aggregates of one association share a join`() throws {
    struct MemberInfo: Decodable, FetchableRecord, Equatable {
      var member: Member
      var minLoanYear: Int?
      var maxLoanYear: Int?
    }
    try Desk.make().read { db in
      let request = Member.annotated(
        with:
          Member.loans.min(Column("year")),  // association key "loans"
        Member.loans.max(Column("year")))  // association key "loans"
      try #expect(
        sql(of: request, in: db).sql == """
          SELECT "member".*, MIN("loan"."year") AS "minLoanYear", \
          MAX("loan"."year") AS "maxLoanYear" FROM "member" \
          \(Desk.joinLoan) GROUP BY "member"."id"
          """)
      let memberInfos: [MemberInfo] = try MemberInfo.fetchAll(db, request)
      #expect(
        memberInfos == [
          MemberInfo(member: Desk.ada, minLoanYear: 1998, maxLoanYear: 2012),
          MemberInfo(member: Desk.bo, minLoanYear: 2009, maxLoanYear: 2009),
          MemberInfo(member: Desk.cy, minLoanYear: nil, maxLoanYear: nil),
          MemberInfo(member: Desk.di, minLoanYear: nil, maxLoanYear: nil),
        ])
    }
  }

  @Test func `counts of two associations are distinct`() throws {
    struct MemberInfo: Decodable, FetchableRecord, Equatable {
      var member: Member
      var total: Int
    }
    try Desk.make().read { db in
      let aggregate =
        Member.loans.count  // association key "loans"
        + Member.reservations.count  // association key "reservations"
      let request = Member.annotated(with: aggregate.forKey("total"))
      try #expect(
        sql(of: request, in: db).sql == """
          SELECT "member".*, \
          COUNT(DISTINCT "loan"."id") + COUNT(DISTINCT "reservation"."id") AS "total" \
          FROM "member" \(Desk.joinLoan) \(Desk.joinReservation) GROUP BY "member"."id"
          """)
      let memberInfos: [MemberInfo] = try MemberInfo.fetchAll(db, request)
      #expect(memberInfos.map(\.member.name) == ["Ada", "Bo", "Cy", "Di"])
      #expect(memberInfos.map(\.total) == [3, 3, 1, 0])
    }
  }

  struct MemberInfo: Decodable, FetchableRecord, Equatable {
    var member: Member
    var mapCount: Int
    var recordCount: Int
  }

  private static func loans(_ kind: String) -> HasManyAssociation<Member, Desk.Loan> {
    Member.loans.filter(Column("kind") == kind)
  }

  @Test func `two keys make two joins of one association`() throws {
    try Desk.make().read { db in
      let request = Member.annotated(
        with: Self.loans("map").forKey("maps").count, Self.loans("record").forKey("records").count)
      try #expect(
        sql(of: request, in: db)
          == RenderedSQL(
            """
            SELECT "member".*, COUNT(DISTINCT "loan1"."id") AS "mapCount", \
            COUNT(DISTINCT "loan2"."id") AS "recordCount" FROM "member" \
            LEFT JOIN "loan" "loan1" \
            ON ("loan1"."memberId" = "member"."id") AND ("loan1"."kind" = ?) \
            LEFT JOIN "loan" "loan2" \
            ON ("loan2"."memberId" = "member"."id") AND ("loan2"."kind" = ?) \
            GROUP BY "member"."id"
            """, ["map", "record"]))
      let memberInfos: [MemberInfo] = try MemberInfo.fetchAll(db, request)
      #expect(
        memberInfos == [
          MemberInfo(member: Desk.ada, mapCount: 2, recordCount: 0),
          MemberInfo(member: Desk.bo, mapCount: 0, recordCount: 1),
          MemberInfo(member: Desk.cy, mapCount: 0, recordCount: 0),
          MemberInfo(member: Desk.di, mapCount: 0, recordCount: 0),
        ])
    }
  }

  static func sharedKey() -> QueryInterfaceRequest<Member> {
    // Names of the columns don't separate the loans: the key of the association is the same.
    Member.annotated(
      with: loans("map").count.forKey("mapCount"), loans("record").count.forKey("recordCount"))
  }

  /// The documented behavior: one join with both conditions.
  @Test func `two filters on one key are both applied to one join`() throws {
    try Desk.make().read { db in
      let request = Self.sharedKey()
      try #expect(
        sql(of: request, in: db)
          == RenderedSQL(
            """
            SELECT "member".*, COUNT(DISTINCT "loan"."id") AS "mapCount", \
            COUNT(DISTINCT "loan"."id") AS "recordCount" FROM "member" \
            LEFT JOIN "loan" ON ("loan"."memberId" = "member"."id") \
            AND ("loan"."kind" = ?) AND ("loan"."kind" = ?) GROUP BY "member"."id"
            """, ["map", "record"]))
      let memberInfos: [MemberInfo] = try MemberInfo.fetchAll(db, request)
      #expect(memberInfos.map(\.mapCount) == [0, 0, 0, 0])
      #expect(memberInfos.map(\.recordCount) == [0, 0, 0, 0])
    }
  }

  /// The configuration can refuse such requests.
  @Test func `a configuration refuses aggregates that share a key but not a filter`() throws {
    var configuration = Configuration()
    configuration.conflictingAggregates = .refused
    let dbQueue = try DatabaseQueue(configuration: configuration)
    try dbQueue.write { db in
      try db.execute(sql: "CREATE TABLE member (id INTEGER PRIMARY KEY, name TEXT)")
      try db.execute(
        sql: """
          CREATE TABLE loan (
            id INTEGER PRIMARY KEY, memberId INTEGER REFERENCES member(id), kind TEXT)
          """)
      let error = errorText { try Self.sharedKey().fetchAll(db) }
      #expect(error?.contains(#"Aggregates share the association key "loan""#) == true)
      let one = Member.annotated(with: Member.loans.count, Member.loans.max(Column("id")))
      try #expect(one.fetchAll(db).isEmpty)
    }
  }
}
