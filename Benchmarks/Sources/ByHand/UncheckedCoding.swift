public import Harness

/// The least that Codable records cost: the loops by hand, with the `init(from:)` and `encode(to:)`
/// of the compiler, and coders that check nothing.
public struct UncheckedCoding: Contender {
  private let byHand: ByHand

  static let refusal = SQLiteFailure(description: "the unchecked coders know no such value")

  public init(path: String) throws {
    byHand = try ByHand(path: path)
  }

  public func pass(for line: Line) -> Pass? {
    switch line {
    case .codable: records(Player.self, "SELECT * FROM player")
    case .narrowCodable: records(Loan.self, "SELECT * FROM loan")
    case .values: records(Receipt.self, "SELECT * FROM receipt")
    case .dates: records(Dates.self, "SELECT paidAt, refundedAt FROM receipt")
    case .uuids: records(Code.self, "SELECT code FROM receipt")
    case .decimals: records(Price.self, "SELECT price FROM receipt")
    case .insertCodable:
      insertions(
        Dataset.newcomers.map(Player.init), into: "newcomer", "VALUES (?, ?, ?, ?, ?, ?)")
    case .narrowInsertCodable:
      insertions(Dataset.newLoans.map(Loan.init), into: "newLoan", "VALUES (?, ?, ?, ?)")
    default: nil
    }
  }

  private func records<R: Decodable & RowValues>(_ type: R.Type, _ sql: String) -> Pass {
    byHand.reading(
      { connection in
        try connection.withStatement(sql) { statement in
          let decoder = UncheckedDecoder(statement)
          var records: [R] = []
          while try connection.step(statement) { records.append(try R(from: decoder)) }
          return records
        }
      },
      checksum: { Checksum.of($0) })
  }

  private func insertions<R: Record & Encodable>(
    _ records: [R], into table: String, _ values: String
  ) -> Pass {
    byHand.inserts(R.self, into: table) { connection in
      try connection.withStatement("INSERT INTO \(table) \(values)") { statement in
        let encoder = UncheckedEncoder(statement)
        for record in records {
          try record.encode(to: encoder)
          try connection.run(statement)
        }
      }
    }
  }
}

extension Player {
  fileprivate init(_ facts: PlayerFacts) {
    id = facts.id
    name = facts.name
    team = facts.team
    score = facts.score
    rating = facts.rating
    email = facts.email
  }
}

extension Loan {
  fileprivate init(_ facts: LoanFacts) {
    id = facts.id
    memberId = facts.memberId
    shelf = facts.shelf
    days = facts.days
  }
}

extension CodingKey {
  /// The number of the key among those that the compiler makes: that of the property.
  @inline(__always) var number: CInt {
    MemoryLayout<Self>.size == 0 ? 0 : CInt(unsafeBitCast(self, to: UInt8.self))
  }
}
