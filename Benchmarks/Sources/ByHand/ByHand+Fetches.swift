import CSQLiteBench
import Harness

extension ByHand {
  func records<R: Record>(_ type: R.Type, from table: String) -> Pass {
    reading(
      { try $0.rows("SELECT * FROM \(table)") { R($0, from: 0) } },
      checksum: { Checksum.of($0) })
  }

  func strings() -> Pass {
    reading(
      { try $0.rows("SELECT name FROM player") { text($0, 0) } },
      checksum: { Checksum.of($0) { $0.add($1) } })
  }

  func integers() -> Pass {
    reading(
      { try $0.rows("SELECT score FROM player") { integer($0, 0) } },
      checksum: { Checksum.of($0) { $0.add($1) } })
  }

  func records<R: Record>(_ type: R.Type, from table: String, keys: [Int64]) -> Pass {
    reading(
      { connection in
        try connection.withStatement("SELECT * FROM \(table) WHERE id = ?") { statement in
          var records: [R] = []
          for key in keys {
            sqlite3_bind_int64(statement, 1, key)
            if try connection.step(statement) { records.append(R(statement, from: 0)) }
            sqlite3_reset(statement)
          }
          return records
        }
      },
      checksum: { Checksum.of($0) })
  }

  func records<R: Record>(
    _ type: R.Type, from table: String, where column: String, texts: [String]
  ) -> Pass {
    reading(
      { connection in
        let sql = "SELECT * FROM \(table) WHERE \(column) = ?"
        return try connection.withStatement(sql) { statement in
          var records: [R] = []
          for text in texts {
            try withBound(text, to: statement, at: 1) {
              if try connection.step(statement) { records.append(R(statement, from: 0)) }
              sqlite3_reset(statement)
            }
          }
          return records
        }
      },
      checksum: { Checksum.of($0) })
  }
}
