import Harness

#if PEER
  import GRDB
#else
  import Quarry
#endif

// Narrow records, of two and four short columns.

struct Member: Codable, FetchableRecord, TableRecord, MemberValues {
  static let loans = hasMany(Loan.self, key: "loans")

  var id: Int64
  var name: String
}

struct Loan: Codable, FetchableRecord, TableRecord, LoanValues {
  static let databaseTableName = "recentLoan"
  static let member = belongsTo(Member.self)

  var id: Int64
  var memberId: Int64
  var shelf: String
  var days: Int
}

/// A loan with its member.
struct LoanInfo: Decodable, FetchableRecord, RowValues {
  var loan: Loan
  var member: Member

  func add(to checksum: inout Checksum) {
    loan.add(to: &checksum)
    member.add(to: &checksum)
  }
}

/// A member with all loans.
struct MemberInfo: Decodable, FetchableRecord, RowValues {
  var member: Member
  var loans: [Loan]

  func add(to checksum: inout Checksum) {
    member.add(to: &checksum)
    for loan in loans { loan.add(to: &checksum) }
  }
}

/// All loans, by Codable.
struct CodableLoan: Codable, FetchableRecord, TableRecord, LoanValues {
  static let databaseTableName = "loan"

  var id: Int64
  var memberId: Int64
  var shelf: String
  var days: Int
}
