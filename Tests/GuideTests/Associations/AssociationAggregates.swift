import Quarry
import QuarryTestSupport
import Testing

/// 'Association Aggregates': from a single record, and from several records.
struct AssociationAggregates {
  typealias Member = Desk.Member
  typealias Loan = Desk.Loan

  @Test func `the request of one record is counted and reduced`() throws {
    let member = Desk.ada
    let yearColumn = Column("year")
    try Desk.make().read { db in
      // The number of loans by this member
      let loanCount = try member.loans.fetchCount(db)
      #expect(loanCount == 3)

      // The year of the most recent loan by this member
      let request = member.loans.select(max(yearColumn))
      let maxLoanYear = try Int.fetchOne(db, request)
      #expect(maxLoanYear == 2012)
      try #expect(
        sql(of: request, in: db)
          == RenderedSQL(#"SELECT MAX("year") FROM "loan" WHERE "memberId" = ?"#, [1]))
      try #expect(Int.fetchOne(db, Desk.di.loans.select(max(yearColumn))) == nil)
    }
  }

  @Test func `isEmpty selects members with and without loans`() throws {
    try Desk.make().read { db in
      let idleMembers =
        try Member
        .having(Member.loans.isEmpty)
        .fetchAll(db)
      #expect(idleMembers == [Desk.cy, Desk.di])

      let busyMembers: [Member] =
        try Member
        .having(Member.loans.isEmpty == false)
        .fetchAll(db)
      #expect(busyMembers == [Desk.ada, Desk.bo])
    }
  }

  @Test func `count annotates members with the number of their loans`() throws {
    struct MemberInfo: Decodable, FetchableRecord, Equatable {
      var member: Member
      var loanCount: Int
    }
    try Desk.make().read { db in
      let request = Member.annotated(with: Member.loans.count)
      let memberInfos: [MemberInfo] = try MemberInfo.fetchAll(db, request)
      let lines = memberInfos.map { info in
        "\(info.member.name) has \(info.loanCount) loan(s)."
      }
      #expect(
        lines == [
          "Ada has 3 loan(s).", "Bo has 1 loan(s).", "Cy has 0 loan(s).",
          "Di has 0 loan(s).",
        ])
      try #expect(
        sql(of: request, in: db).sql == """
          SELECT "member".*, COUNT(DISTINCT "loan"."id") AS "loanCount" FROM "member" \
          \(Desk.joinLoan) GROUP BY "member"."id"
          """)
    }
  }

  /// 'Available Association Aggregates', of has-many and of has-many-through associations.
  @Test func `all aggregates exist for has-many and has-many-through associations`() throws {
    try Desk.make().read { db in
      let year = Column("year")
      let loans = Member.loans
      let direct = Member.annotated(
        with: loans.count, loans.isEmpty, loans.min(year), loans.max(year), loans.average(year),
        loans.sum(year), loans.total(year).forKey("total"))
      let row = try Row.fetchOne(db, direct.filter(key: 1))
      #expect(
        row?.description == """
          [id:1 name:"Ada" loanCount:3 hasNoLoan:0 minLoanYear:1998 maxLoanYear:2012 \
          averageLoanYear:2005.0 loanYearSum:6015 total:6015.0]
          """)
      let colleagues = Desk.Reservation.hasMany(
        Loan.self, through: Desk.Reservation.belongsTo(Member.self), using: loans)
      let through = Desk.Reservation.annotated(
        with: colleagues.count, colleagues.isEmpty, colleagues.min(year), colleagues.max(year),
        colleagues.average(year), colleagues.sum(year))
      let rows = try Row.fetchAll(db, through)
      #expect(
        rows.map(\.description) == [
          """
          [id:1 memberId:2 loanCount:1 hasNoLoan:0 minLoanYear:2009 maxLoanYear:2009 \
          averageLoanYear:2009.0 loanYearSum:2009]
          """,
          """
          [id:2 memberId:2 loanCount:1 hasNoLoan:0 minLoanYear:2009 maxLoanYear:2009 \
          averageLoanYear:2009.0 loanYearSum:2009]
          """,
          """
          [id:3 memberId:3 loanCount:0 hasNoLoan:1 minLoanYear:NULL maxLoanYear:NULL \
          averageLoanYear:NULL loanYearSum:NULL]
          """,
        ])
    }
  }
}
