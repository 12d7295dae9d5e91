import CSQLiteBench
public import Harness

/// The work of the growth by hand.
public struct GrowthByHand: GrowthContender {
  private let byHand: ByHand

  public init(path: String) throws {
    byHand = try ByHand(path: path)
  }

  public func pass(for work: GrowthWork, rows: Int) -> Pass? {
    switch work {
    case .fetch: byHand.records(Loan.self, from: "recentLoan")
    case .join: byHand.loansWithMembers()
    case .prefetch: byHand.membersWithLoans()
    case .insert: inserts(GrowthDataset.loans(rows: rows))
    case .delete: deletions(GrowthDataset.deletedKeys(rows: rows))
    }
  }

  private func inserts(_ loans: [LoanFacts]) -> Pass {
    byHand.inserts(Loan.self, into: "newLoan") { try $0.insert(loans, into: "newLoan") }
  }

  private func deletions(_ keys: [Int64]) -> Pass {
    let connection = byHand.connection
    return Pass(
      prepare: { for sql in GrowthDataset.fullTable { try connection.execute(sql) } },
      run: {
        try connection.inTransaction {
          try connection.withStatement("DELETE FROM newLoan WHERE id = ?") { statement in
            for key in keys {
              sqlite3_bind_int64(statement, 1, key)
              try connection.run(statement)
            }
          }
        }
        return {
          Checksum.of(try connection.rows("SELECT * FROM newLoan") { Loan($0, from: 0) })
        }
      })
  }
}

/// Makes the file of the growth.
public func makeGrowthFile(path: String, rows: Int) throws {
  let connection = try Connection(path: path)
  for sql in Dataset.pragmas + GrowthDataset.schema(rows: rows) { try connection.execute(sql) }
}
