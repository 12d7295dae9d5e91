import Quarry
import QuarryTestSupport
import Testing

/// 'Annotating a Request with Aggregates': values, and their names.
struct AnnotatingARequestWithAggregates {
  typealias Member = Desk.Member

  @Test func `a request is annotated with several aggregates`() throws {
    struct MemberInfo: Decodable, FetchableRecord, Equatable {
      var member: Member
      var loanCount: Int
      var maxLoanYear: Int?
    }
    try Desk.make().read { db in
      let request = Member.annotated(
        with:
          Member.loans.count,
        Member.loans.max(Column("year")))
      try #expect(
        sql(of: request, in: db).sql == """
          SELECT "member".*, COUNT(DISTINCT "loan"."id") AS "loanCount", \
          MAX("loan"."year") AS "maxLoanYear" FROM "member" \(Desk.joinLoan) \
          GROUP BY "member"."id"
          """)
      let memberInfos: [MemberInfo] = try MemberInfo.fetchAll(db, request)
      #expect(
        memberInfos == [
          MemberInfo(member: Desk.ada, loanCount: 3, maxLoanYear: 2012),
          MemberInfo(member: Desk.bo, loanCount: 1, maxLoanYear: 2009),
          MemberInfo(member: Desk.cy, loanCount: 0, maxLoanYear: nil),
          MemberInfo(member: Desk.di, loanCount: 0, maxLoanYear: nil),
        ])
    }
  }

  /// The table of default names.
  static let defaultNames: [(AssociationAggregate<Member>, String)] = [
    (Member.loans.isEmpty, "hasNoLoan"),
    (Member.loans.count, "loanCount"),
    (Member.loans.min(Column("year")), "minLoanYear"),
    (Member.loans.max(Column("year")), "maxLoanYear"),
    (Member.loans.average(Column("fine")), "averageLoanFine"),
    (Member.loans.sum(Column("renewals")), "loanRenewalsSum"),
  ]

  @Test(arguments: defaultNames.indices) func `an aggregate has a default name`(_ index: Int) throws
  {
    let (aggregate, name) = Self.defaultNames[index]
    try Desk.make().read { db in
      let row = try Row.fetchOne(db, Member.annotated(with: aggregate))
      #expect(row.map { Array($0.columnNames) } == ["id", "name", name])
    }
  }

  @Test func `a modified aggregate has no name`() throws {
    try Desk.make().read { db in
      let modified = [
        !Member.loans.isEmpty, Member.loans.count + 1, Member.loans.count * 2, -Member.loans.count,
      ]
      for aggregate in modified {
        let request = Member.annotated(with: aggregate)
        try #expect(!sql(of: request, in: db).sql.contains(" AS "))
      }
    }
  }

  @Test func `forKey names an aggregate`() throws {
    struct MemberInfo: Decodable, FetchableRecord, Equatable {
      var member: Member
      var numberOfLoans: Int
    }
    try Desk.make().read { db in
      let numberOfLoans = Member.loans.count.forKey("numberOfLoans")  // <--
      let request = Member.annotated(with: numberOfLoans)
      let memberInfos: [MemberInfo] = try MemberInfo.fetchAll(db, request)
      #expect(memberInfos.map(\.numberOfLoans) == [3, 1, 0, 0])
    }
  }

  @Test func `forKey names a comparison of aggregates`() throws {
    struct MemberInfo: Decodable, FetchableRecord, Equatable {
      var member: Member
      var hasLoans: Bool
    }
    try Desk.make().read { db in
      let hasLoans = (Member.loans.isEmpty == false).forKey("hasLoans")  // <--
      let request = Member.annotated(with: hasLoans)
      let memberInfos: [MemberInfo] = try MemberInfo.fetchAll(db, request)
      #expect(memberInfos.map(\.hasLoans) == [true, true, false, false])
      try #expect(
        sql(of: request, in: db).sql == """
          SELECT "member".*, COUNT(DISTINCT "loan"."id") > 0 AS "hasLoans" FROM "member" \
          \(Desk.joinLoan) GROUP BY "member"."id"
          """)
    }
  }

  @Test func `forKey names a sum of aggregates`() throws {
    struct MemberInfo: Decodable, FetchableRecord, Equatable {
      var member: Member
      var total: Int
    }
    try Desk.make().read { db in
      let total = (Member.loans.count + Member.reservations.count).forKey("total")  // <--
      let request = Member.annotated(with: total)
      let memberInfos: [MemberInfo] = try MemberInfo.fetchAll(db, request)
      #expect(memberInfos.map(\.total) == [3, 3, 1, 0])
    }
  }

  struct MemberInfo: Decodable, FetchableRecord, Equatable {
    var member: Member
    var numberOfLoans: Int

    static func all() -> QueryInterfaceRequest<MemberInfo> {
      let numberOfLoans = Member.loans.count.forKey(CodingKeys.numberOfLoans)  // <--
      return
        Member
        .annotated(with: numberOfLoans)
        .asRequest(of: MemberInfo.self)
    }
  }

  @Test func `forKey takes a coding key`() throws {
    try Desk.make().read { db in
      let memberInfos: [MemberInfo] = try MemberInfo.all().fetchAll(db)
      #expect(
        memberInfos == [
          MemberInfo(member: Desk.ada, numberOfLoans: 3),
          MemberInfo(member: Desk.bo, numberOfLoans: 1),
          MemberInfo(member: Desk.cy, numberOfLoans: 0),
          MemberInfo(member: Desk.di, numberOfLoans: 0),
        ])
    }
  }
}
