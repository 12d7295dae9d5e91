import CSQLiteBench
import Harness

extension ByHand {
  func commits() -> Pass {
    Pass(
      prepare: { try connection.execute("DELETE FROM newLoan") },
      run: {
        let begin = try connection.kept("BEGIN IMMEDIATE")
        let commit = try connection.kept("COMMIT")
        try connection.withStatement("INSERT INTO newLoan VALUES (?, ?, ?, ?)") { insert in
          for loan in Dataset.newLoans.prefix(Dataset.transactionCount) {
            try connection.run(begin.pointer)
            try connection.insert(loan, with: insert)
            try connection.run(commit.pointer)
          }
        }
        return { try newLoans() }
      })
  }

  func updates() -> Pass {
    Pass(
      prepare: { for sql in Dataset.updatableLoans { try connection.execute(sql) } },
      run: {
        try connection.inTransaction {
          try connection.withStatement("UPDATE newLoan SET days = ? WHERE id = ?") { statement in
            for loan in Dataset.updatedLoans {
              sqlite3_bind_int64(statement, 1, Int64(loan.days))
              sqlite3_bind_int64(statement, 2, loan.id)
              try connection.run(statement)
            }
          }
        }
        return { try newLoans() }
      })
  }

  private func newLoans() throws -> UInt64 {
    Checksum.of(try connection.rows("SELECT * FROM newLoan") { Loan($0, from: 0) })
  }

  /// What `save` means: an update, and an insert where there was no row to update.
  func saves() -> Pass {
    Pass(
      prepare: { for sql in Dataset.savedNewcomers { try connection.execute(sql) } },
      run: {
        try connection.inTransaction { try connection.save(Dataset.savedPlayers) }
        return {
          Checksum.of(try connection.rows("SELECT * FROM newcomer") { Player($0, from: 0) })
        }
      })
  }
}

extension Connection {
  /// The parameters have the order of the columns in both statements.
  fileprivate func save(_ players: [PlayerFacts]) throws {
    let update = try kept(
      "UPDATE newcomer SET name = ?2, team = ?3, score = ?4, rating = ?5, email = ?6 WHERE id = ?1")
    let insert = try kept("INSERT INTO newcomer VALUES (?1, ?2, ?3, ?4, ?5, ?6)")
    for player in players {
      try self.insert(player, with: update.pointer)
      if sqlite3_changes(handle) == 0 { try self.insert(player, with: insert.pointer) }
    }
  }
}
