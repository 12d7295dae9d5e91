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
    static let books = hasMany(MacroBook.self, key: "books")

    var id: Int64
    var name: String
    var country: String
    var birthYear: Int
  }

  @Record("book", readOnly: true) struct MacroBook: BookValues {
    static let author = belongsTo(MacroAuthor.self, key: "author")

    var id: Int64
    var title: String
    var authorId: Int64
    var publisherId: Int64?
    var year: Int
  }

  struct MacroBookInfo: FetchableRecord, RowValues {
    var book: MacroBook
    var author: MacroAuthor

    init(row: Row) throws {
      book = try MacroBook(row: row)
      author = row["author"]
    }

    func add(to checksum: inout Checksum) {
      book.add(to: &checksum)
      author.add(to: &checksum)
    }
  }

  struct MacroAuthorInfo: FetchableRecord, RowValues {
    var author: MacroAuthor
    var books: [MacroBook]

    init(row: Row) throws {
      author = try MacroAuthor(row: row)
      books = row["books"]
    }

    func add(to checksum: inout Checksum) {
      author.add(to: &checksum)
      for book in books { book.add(to: &checksum) }
    }
  }

  @Record("member", readOnly: true) struct MacroMember: MemberValues {
    static let loans = hasMany(MacroLoan.self, key: "loans")

    var id: Int64
    var name: String
  }

  @Record("recentLoan", readOnly: true) struct MacroLoan: LoanValues {
    static let member = belongsTo(MacroMember.self, key: "member")

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

  struct MacroLoanInfo: FetchableRecord, RowValues {
    var loan: MacroLoan
    var member: MacroMember

    init(row: Row) throws {
      loan = try MacroLoan(row: row)
      member = row["member"]
    }

    func add(to checksum: inout Checksum) {
      loan.add(to: &checksum)
      member.add(to: &checksum)
    }
  }

  struct MacroMemberInfo: FetchableRecord, RowValues {
    var member: MacroMember
    var loans: [MacroLoan]

    init(row: Row) throws {
      member = try MacroMember(row: row)
      loans = row["loans"]
    }

    func add(to checksum: inout Checksum) {
      member.add(to: &checksum)
      for loan in loans { loan.add(to: &checksum) }
    }
  }
#endif
