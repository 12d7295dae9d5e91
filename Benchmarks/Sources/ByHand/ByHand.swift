public import Harness

/// The work as one writes it with nothing but the C API of SQLite: what the others are measured by.
public struct ByHand: Contender {
  let connection: Connection
  let path: String

  public init(path: String) throws {
    self.path = path
    connection = try Connection(path: path)
    for pragma in Dataset.pragmas {
      try connection.execute(pragma)
    }
  }

  public func pass(for line: Line) -> Pass? {
    switch line {
    case .index, .name, .codable, .rows, .macro: records(Player.self, from: "player")
    case .strings: strings()
    case .integers: integers()
    case .key: records(Player.self, from: "player", keys: Dataset.keys)
    case .filter: records(Player.self, from: "player", where: "email", texts: Dataset.emails)
    case .prepare: preparations()
    case .pairs, .pairsByHand, .pairsByMacro: booksWithAuthors()
    case .children, .childrenByHand, .childrenByMacro: authorsWithBooks()
    case .insertStatement, .insertEncode, .insertCodable, .insertMany, .insertMacro:
      inserts(Player.self, into: "newcomer") { try $0.insert(Dataset.newcomers, into: "newcomer") }
    case .narrowIndex, .narrowName, .narrowCodable, .narrowRows, .narrowMacro:
      records(Loan.self, from: "loan")
    case .narrowKey: records(Member.self, from: "member", keys: Dataset.memberKeys)
    case .narrowFilter:
      records(Member.self, from: "member", where: "name", texts: Dataset.memberNames)
    case .narrowPairs, .narrowPairsByHand, .narrowPairsByMacro: loansWithMembers()
    case .narrowChildren, .narrowChildrenByHand, .narrowChildrenByMacro: membersWithLoans()
    case .textIndex: indexedInserts()
    case .textSearch: searches()
    case .narrowInsertStatement, .narrowInsertEncode, .narrowInsertCodable, .narrowInsertMany,
      .narrowInsertMacro:
      inserts(Loan.self, into: "newLoan") { try $0.insert(Dataset.newLoans, into: "newLoan") }
    default: dayPass(for: line)
    }
  }

  /// Work inside a transaction, and what its product sums up to.
  func reading<Product>(
    _ body: @escaping (Connection) throws -> Product,
    checksum: @escaping (Product) -> UInt64
  ) -> Pass {
    Pass {
      let product = try connection.inTransaction { try body(connection) }
      return { checksum(product) }
    }
  }
}
