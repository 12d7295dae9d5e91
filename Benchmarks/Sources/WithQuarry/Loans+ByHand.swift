import Harness

#if PEER
  import GRDB
#else
  import Quarry
#endif

// Narrow records, decoded by hand.

struct IndexedMember: FetchableRecord, TableRecord, MemberValues {
  static let databaseTableName = "member"
  static let loans = hasMany(IndexedLoan.self, key: "loans")

  var id: Int64
  var name: String

  init(row: Row) {
    id = row[0]
    name = row[1]
  }
}

struct IndexedLoan: FetchableRecord, TableRecord, LoanValues {
  static let databaseTableName = "recentLoan"
  static let member = belongsTo(IndexedMember.self, key: "member")

  var id: Int64
  var memberId: Int64
  var shelf: String
  var days: Int

  init(row: Row) {
    id = row[0]
    memberId = row[1]
    shelf = row[2]
    days = row[3]
  }
}

struct IndexedLoanInfo: FetchableRecord, RowValues {
  var loan: IndexedLoan
  var member: IndexedMember

  init(row: Row) {
    loan = IndexedLoan(row: row)
    member = row["member"]
  }

  func add(to checksum: inout Checksum) {
    loan.add(to: &checksum)
    member.add(to: &checksum)
  }
}

struct IndexedMemberInfo: FetchableRecord, RowValues {
  var member: IndexedMember
  var loans: [IndexedLoan]

  init(row: Row) {
    member = IndexedMember(row: row)
    loans = row["loans"]
  }

  func add(to checksum: inout Checksum) {
    member.add(to: &checksum)
    for loan in loans { loan.add(to: &checksum) }
  }
}

/// Decoded by column name.
struct NamedLoan: FetchableRecord, TableRecord, LoanValues {
  static let databaseTableName = "loan"

  var id: Int64
  var memberId: Int64
  var shelf: String
  var days: Int

  init(row: Row) {
    id = row["id"]
    memberId = row["memberId"]
    shelf = row["shelf"]
    days = row["days"]
  }
}
