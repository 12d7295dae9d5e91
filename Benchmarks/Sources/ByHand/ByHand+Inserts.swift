import CSQLiteBench
import Harness

extension ByHand {
  func inserts<R: Record>(
    _ type: R.Type, into table: String, insert: @escaping (Connection) throws -> Void
  ) -> Pass {
    Pass(
      prepare: { try connection.execute("DELETE FROM \(table)") },
      run: {
        try connection.inTransaction { try insert(connection) }
        return {
          Checksum.of(try connection.rows("SELECT * FROM \(table)") { R($0, from: 0) })
        }
      })
  }
}

extension Connection {
  func insert(_ players: [PlayerFacts], into table: String) throws {
    try withStatement("INSERT INTO \(table) VALUES (?, ?, ?, ?, ?, ?)") { statement in
      for player in players {
        try insert(player, with: statement)
      }
    }
  }

  @inline(__always)
  func insert(_ player: PlayerFacts, with statement: OpaquePointer) throws {
    sqlite3_bind_int64(statement, 1, player.id)
    sqlite3_bind_int64(statement, 4, Int64(player.score))
    sqlite3_bind_double(statement, 5, player.rating)
    try withBound(player.name, to: statement, at: 2) {
      try withBound(player.team, to: statement, at: 3) {
        if let email = player.email {
          try withBound(email, to: statement, at: 6) { try run(statement) }
        } else {
          sqlite3_bind_null(statement, 6)
          try run(statement)
        }
      }
    }
  }

  func insert(_ loans: [LoanFacts], into table: String) throws {
    try withStatement("INSERT INTO \(table) VALUES (?, ?, ?, ?)") { statement in
      for loan in loans {
        try insert(loan, with: statement)
      }
    }
  }

  @inline(__always)
  func insert(_ loan: LoanFacts, with statement: OpaquePointer) throws {
    sqlite3_bind_int64(statement, 1, loan.id)
    sqlite3_bind_int64(statement, 2, loan.memberId)
    sqlite3_bind_int64(statement, 4, Int64(loan.days))
    try withBound(loan.shelf, to: statement, at: 3) { try run(statement) }
  }

  func insert(_ members: [MemberFacts], into table: String) throws {
    try withStatement("INSERT INTO \(table) VALUES (?, ?)") { statement in
      for member in members {
        sqlite3_bind_int64(statement, 1, member.id)
        try withBound(member.name, to: statement, at: 2) { try run(statement) }
      }
    }
  }

  @inline(__always)
  func run(_ statement: OpaquePointer) throws {
    _ = try step(statement)
    sqlite3_reset(statement)
  }
}
