import CSQLiteBench
import Harness

extension ByHand {
  func players() -> Pass {
    reading(
      { try $0.rows("SELECT * FROM player") { Player($0) } },
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

  func playersByKey() -> Pass {
    let keys = Dataset.keys
    return reading(
      { connection in
        try connection.withStatement("SELECT * FROM player WHERE id = ?") { statement in
          var players: [Player] = []
          for key in keys {
            sqlite3_bind_int64(statement, 1, key)
            if try connection.step(statement) { players.append(Player(statement)) }
            sqlite3_reset(statement)
          }
          return players
        }
      },
      checksum: { Checksum.of($0) })
  }

  func playersByEmail() -> Pass {
    let emails = Dataset.emails
    return reading(
      { connection in
        try connection.withStatement("SELECT * FROM player WHERE email = ?") { statement in
          var players: [Player] = []
          for email in emails {
            try withBound(email, to: statement, at: 1) {
              if try connection.step(statement) { players.append(Player(statement)) }
              sqlite3_reset(statement)
            }
          }
          return players
        }
      },
      checksum: { Checksum.of($0) })
  }
}
