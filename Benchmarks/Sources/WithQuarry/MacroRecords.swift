#if Macros && !PEER
  import Harness
  import QuarryMacros

  // The records of Players.swift, Library+ByHand.swift and Loans+ByHand.swift, by macro.

  @Record("player", readOnly: true) struct MacroPlayer: PlayerValues {
    var id: Int64
    var name: String
    var team: String
    var score: Int
    var rating: Double
    var email: String?
  }

  @Record("newcomer") struct MacroNewcomer {
    var id: Int64
    var name: String
    var team: String
    var score: Int
    var rating: Double
    var email: String?

    init(_ facts: PlayerFacts) {
      id = facts.id
      name = facts.name
      team = facts.team
      score = facts.score
      rating = facts.rating
      email = facts.email
    }
  }

  @Record("author", readOnly: true) struct MacroAuthor: AuthorValues {
    static let books = hasMany(MacroBook.self, key: "children")

    var id: Int64
    var name: String
    var country: String
    var birthYear: Int
  }

  @Record("book", readOnly: true) struct MacroBook: BookValues {
    static let author = belongsTo(MacroAuthor.self, key: "parent")

    var id: Int64
    var title: String
    var authorId: Int64
    var publisherId: Int64?
    var year: Int
  }

  @Record("member", readOnly: true) struct MacroMember: MemberValues {
    static let loans = hasMany(MacroLoan.self, key: "children")

    var id: Int64
    var name: String
  }

  @Record("recentLoan", readOnly: true) struct MacroLoan: LoanValues {
    static let member = belongsTo(MacroMember.self, key: "parent")

    var id: Int64
    var memberId: Int64
    var shelf: String
    var days: Int
  }

  @Record("newLoan") struct MacroNewLoan {
    var id: Int64
    var memberId: Int64
    var shelf: String
    var days: Int

    init(_ facts: LoanFacts) {
      id = facts.id
      memberId = facts.memberId
      shelf = facts.shelf
      days = facts.days
    }
  }

  /// A record with the one that it belongs to.
  struct MacroPair<Record: FetchableRecord & RowValues, Parent: FetchableRecord & RowValues>:
    FetchableRecord, RowValues
  {
    var record: Record
    var parent: Parent

    init(row: Row) throws {
      record = try Record(row: row)
      parent = row["parent"]
    }

    func add(to checksum: inout Checksum) {
      record.add(to: &checksum)
      parent.add(to: &checksum)
    }
  }

  /// A record with those that belong to it.
  struct MacroFamily<Record: FetchableRecord & RowValues, Child: FetchableRecord & RowValues>:
    FetchableRecord, RowValues
  {
    var record: Record
    var children: [Child]

    init(row: Row) throws {
      record = try Record(row: row)
      children = row["children"]
    }

    func add(to checksum: inout Checksum) {
      record.add(to: &checksum)
      for child in children { child.add(to: &checksum) }
    }
  }
#endif
