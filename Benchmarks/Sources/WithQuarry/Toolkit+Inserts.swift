import Harness

#if PEER
  import GRDB
#else
  import Quarry
#endif

extension Toolkit {
  var insertByStatement: (Database) throws -> Void {
    let newcomers = Dataset.newcomers
    return { db in
      let statement = try db.cachedStatement(sql: "INSERT INTO newcomer VALUES (?, ?, ?, ?, ?, ?)")
      for newcomer in newcomers {
        try statement.execute(arguments: [
          newcomer.id, newcomer.name, newcomer.team,
          newcomer.score, newcomer.rating, newcomer.email,
        ])
      }
    }
  }

  var insertLoansByStatement: (Database) throws -> Void {
    let loans = Dataset.newLoans
    return { db in
      let statement = try db.cachedStatement(sql: "INSERT INTO newLoan VALUES (?, ?, ?, ?)")
      for loan in loans {
        try statement.execute(arguments: [loan.id, loan.memberId, loan.shelf, loan.days])
      }
    }
  }

  func insert(_ records: [some PersistableRecord]) -> (Database) throws -> Void {
    { db in
      for record in records {
        try record.insert(db)
      }
    }
  }

  /// The peer has no such method.
  func insertMany<Record: PersistableRecord>(
    _ records: [Record]
  ) -> ((Database) throws -> Void)? {
    #if PEER
      return nil
    #else
      return { db in try Record.insert(db, contentsOf: records) }
    #endif
  }
}
