import Harness

#if PEER
  import GRDB
#else
  import Quarry
#endif

extension Toolkit {
  func players<Player: FetchableRecord & TableRecord & PlayerValues>(
    _ type: Player.Type
  ) -> Work<[Player]> {
    Work({ db in try Player.fetchAll(db) }, checksum: { Checksum.of($0) })
  }

  var rows: Work<[Row]> {
    Work(
      { db in try Row.fetchAll(db, sql: "SELECT * FROM player") },
      checksum: { Checksum.of($0.map(IndexedPlayer.init(row:))) })
  }

  var strings: Work<[String]> {
    Work(
      { db in try String.fetchAll(db, sql: "SELECT name FROM player") },
      checksum: { Checksum.of($0) { $0.add($1) } })
  }

  var integers: Work<[Int64]> {
    Work(
      { db in try Int64.fetchAll(db, sql: "SELECT score FROM player") },
      checksum: { Checksum.of($0) { $0.add($1) } })
  }

  var playersByKey: Work<[CodablePlayer]> {
    let keys = Dataset.keys
    return Work(
      { db in
        var players: [CodablePlayer] = []
        for key in keys {
          if let player = try CodablePlayer.fetchOne(db, key: key) { players.append(player) }
        }
        return players
      },
      checksum: { Checksum.of($0) })
  }

  var playersByEmail: Work<[CodablePlayer]> {
    let emails = Dataset.emails
    return Work(
      { db in
        var players: [CodablePlayer] = []
        for email in emails {
          let request = CodablePlayer.filter(Column("email") == email)
          if let player = try request.fetchOne(db) { players.append(player) }
        }
        return players
      },
      checksum: { Checksum.of($0) })
  }
}
