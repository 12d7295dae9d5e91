public import Harness

#if PEER
  import GRDB
#else
  import Quarry
#endif

/// The work as a program on a toolkit does it. The same source is compiled twice: against Quarry,
/// and, as the target WithGRDB, against GRDB.
public struct Toolkit: Contender {
  let queue: DatabaseQueue
  let path: String

  public init(path: String) throws {
    self.path = path
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      for pragma in Dataset.pragmas {
        try db.execute(sql: pragma)
      }
    }
    queue = try DatabaseQueue(path: path, configuration: configuration)
  }

  public func pass(for line: Line) -> Pass? {
    switch line {
    case .index: reading(all(IndexedPlayer.self))
    case .name: reading(all(NamedPlayer.self))
    case .codable: reading(all(CodablePlayer.self))
    case .rows: reading(rows("player") { IndexedPlayer(row: $0) })
    case .strings: reading(strings)
    case .integers: reading(integers)
    case .key: reading(records(CodablePlayer.self, keys: Dataset.keys))
    case .filter: reading(records(CodablePlayer.self, where: "email", Dataset.emails))
    case .prepare: reading(preparations)
    case .pairs: reading(all(Book.including(required: Book.author), of: BookInfo.self))
    case .pairsByHand:
      reading(
        all(IndexedBook.including(required: IndexedBook.author), of: IndexedBookInfo.self))
    case .children: reading(all(Author.including(all: Author.books), of: AuthorInfo.self))
    case .childrenByHand:
      reading(all(IndexedAuthor.including(all: IndexedAuthor.books), of: IndexedAuthorInfo.self))
    case .insertStatement: writing("newcomer", IndexedPlayer.self, insertByStatement)
    case .insertEncode:
      writing(
        "newcomer", IndexedPlayer.self, insert(Dataset.newcomers.map(EncodingNewcomer.init)))
    case .insertCodable:
      writing("newcomer", IndexedPlayer.self, insert(Dataset.newcomers.map(CodableNewcomer.init)))
    case .insertMany:
      insertMany(Dataset.newcomers.map(EncodingNewcomer.init)).map {
        writing("newcomer", IndexedPlayer.self, $0)
      }
    default: narrowPass(for: line)
    }
  }

  private func narrowPass(for line: Line) -> Pass? {
    switch line {
    case .narrowIndex: reading(all(IndexedLoan.self, from: "loan"))
    case .narrowName: reading(all(NamedLoan.self))
    case .narrowCodable: reading(all(CodableLoan.self))
    case .narrowRows: reading(rows("loan") { IndexedLoan(row: $0) })
    case .narrowKey: reading(records(Member.self, keys: Dataset.memberKeys))
    case .narrowFilter: reading(records(Member.self, where: "name", Dataset.memberNames))
    case .narrowPairs:
      reading(all(Loan.including(required: Loan.member), of: LoanInfo.self))
    case .narrowPairsByHand:
      reading(
        all(IndexedLoan.including(required: IndexedLoan.member), of: IndexedLoanInfo.self))
    case .narrowChildren: reading(all(Member.including(all: Member.loans), of: MemberInfo.self))
    case .narrowChildrenByHand:
      reading(all(IndexedMember.including(all: IndexedMember.loans), of: IndexedMemberInfo.self))
    case .narrowInsertStatement: writing("newLoan", IndexedLoan.self, insertLoansByStatement)
    case .narrowInsertEncode:
      writing("newLoan", IndexedLoan.self, insert(Dataset.newLoans.map(EncodingLoan.init)))
    case .narrowInsertCodable:
      writing("newLoan", IndexedLoan.self, insert(Dataset.newLoans.map(CodableNewLoan.init)))
    case .narrowInsertMany:
      insertMany(Dataset.newLoans.map(EncodingLoan.init)).map {
        writing("newLoan", IndexedLoan.self, $0)
      }
    case .textIndex: indexedInserts
    case .textSearch: reading(searches)
    default: dayPass(for: line)
    }
  }

  func reading<Product>(_ work: Work<Product>) -> Pass {
    Pass {
      let product = try queue.read(work.run)
      return { try work.checksum(product) }
    }
  }

  func writing<Record: FetchableRecord & RowValues>(
    _ table: String, _ type: Record.Type, _ insert: @escaping (Database) throws -> Void
  ) -> Pass {
    Pass(
      prepare: { try queue.write { db in try db.execute(sql: "DELETE FROM \(table)") } },
      run: {
        try queue.write(insert)
        return {
          try queue.read { db in
            Checksum.of(try Record.fetchAll(db, sql: "SELECT * FROM \(table)"))
          }
        }
      })
  }
}

/// What is timed, and what its product sums up to.
struct Work<Product> {
  let run: (Database) throws -> Product
  let checksum: (Product) throws -> UInt64

  init(
    _ run: @escaping (Database) throws -> Product,
    checksum: @escaping (Product) throws -> UInt64
  ) {
    self.run = run
    self.checksum = checksum
  }
}
