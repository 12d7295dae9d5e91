import Foundation
import QuarryMacros
import Testing

@Suite("Requests by typed columns")
struct RequestTests {
  @Test func `tuples of columns are selected`() throws {
    try withPlayers { db in
      let request = Player.order { $0.id }.select { ($0.name, $0.bonus, $0.joined) }
      let sql = try request.sql(db)
      #expect(
        sql == #"SELECT "name", "bonus", "joined" FROM "player" ORDER BY "id""#)
      let rows: [(String, Int?, Date)] = try request.fetchAll(db)
      #expect(rows.map(\.0) == ["Anna", "Bob", "Cleo"])
      #expect(rows.map(\.1) == [5, nil, 30])
      #expect(rows.map(\.2) == [day(0), day(10), day(20)])
      try #expect(request.fetchCount(db) == 3)
      let first = try #require(try request.fetchOne(db))
      #expect(first == ("Anna", 5, day(0)))
    }
  }

  @Test func `a single column is selected as values`() throws {
    try withPlayers { db in
      let names: [String] = try Player.order { $0.name.desc }.select { $0.name }.fetchAll(db)
      #expect(names == ["Cleo", "Bob", "Anna"])
      let tags: [[String]] = try Player.order { $0.id }.select { $0.tags }.fetchAll(db)
      #expect(tags == [["x"], [], ["x", "y"]])
      let left: [Date?] = try Player.order { $0.id }.select { $0.left }.fetchAll(db)
      #expect(left == [nil, day(20), day(20)])
      try #expect(Player.filter { $0.score > 99 }.select { $0.name }.fetchOne(db) == nil)
    }
  }

  @Test func `aggregates have types: those that may be null are optional`() throws {
    try withPlayers { db in
      let request = Player.all().select {
        (
          count($0.bonus), count(distinct: $0.level), sum($0.score), max($0.bonus),
          min($0.joined), average($0.score), total($0.ratio)
        )
      }
      let sql = try request.sql(db)
      #expect(
        sql == """
          SELECT COUNT("bonus"), COUNT(DISTINCT "level"), SUM("best_score"), MAX("bonus"), \
          MIN("joined"), AVG("best_score"), TOTAL("ratio") FROM "player"
          """)
      let row: (Int, Int, Int?, Int?, Date?, Double?, Double)? = try request.fetchOne(db)
      let values = try #require(row)
      #expect((values.0, values.1, values.2) == (2, 2, 60))
      #expect((values.3, values.4, values.5, values.6) == (30, day(0), 20, 4.5))
      try Player.deleteAll(db)
      let empty = try #require(try request.fetchOne(db))
      #expect(empty.2 == nil && empty.3 == nil && empty.4 == nil && empty.5 == nil)
    }
  }

  @Test func `aggregates of the rows that satisfy a condition`() throws {
    try withPlayers { db in
      let request = Player.select { count($0.name, filter: $0.score > 10) }
      let sql = try request.sql(db)
      #expect(
        sql == #"SELECT COUNT("name") FILTER (WHERE "best_score" > ?) FROM "player""#)
      try #expect(request.fetchOne(db) == 2)
    }
  }

  @Test func `groups are selected with their aggregates`() throws {
    try withPlayers { db in
      let request = Player.all()
        .group { $0.level }
        .having { max($0.score) > 10 }
        .order { $0.level }
        .select { ($0.level, max($0.score)) }
      let sql = try request.sql(db)
      #expect(
        sql == """
          SELECT "level", MAX("best_score") FROM "player" GROUP BY "level" \
          HAVING MAX("best_score") > ? ORDER BY "level"
          """)
      let rows = try request.fetchAll(db)
      #expect(rows.map(\.0) == [.high, .low])
      #expect(rows.map(\.1) == [20, 30])
    }
  }

  @Test func `orders`() throws {
    try withPlayers { db in
      let request = Player.order {
        [$0.level, $0.nickname.ascNullsLast, $0.bonus.descNullsFirst, $0.score.asc]
      }
      let sql = try request.sql(db)
      #expect(
        sql == """
          SELECT * FROM "player" ORDER BY "level", "nickname" ASC NULLS LAST, \
          "bonus" DESC NULLS FIRST, "best_score" ASC
          """)
      try #expect(request.fetchAll(db).map(\.id) == [2, 3, 1])
    }
  }

  @Test func `assignments`() throws {
    try withPlayers { db in
      try Player.filter { $0.id == 1 }.updateAll(db) {
        [
          $0.score += 1, $0.bonus *= 2, $0.nickname.set(to: "A"), $0.left.set(to: $0.joined),
          $0.tags.set(to: ["z"]), $0.badge.set(to: badge(9)), $0.ratio /= 2,
        ]
      }
      let player = try Player.find(db, id: 1)
      #expect(player.score == 11 && player.bonus == 10 && player.nickname == "A")
      #expect(player.left == day(0) && player.tags == ["z"] && player.badge == badge(9))
      #expect(player.ratio == 0.25)
      try Player.updateAll(db) { [$0.bonus.set(to: nil), $0.score -= $0.score] }
      try #expect(Player.filter { $0.bonus == nil && $0.score == 0 }.fetchCount(db) == 3)
    }
  }

  @Test func `expressions are selected under a name`() throws {
    try withPlayers { db in
      let request = Player.annotated { ($0.score + $0.bonus).forKey("total") }
      let sql = try request.sql(db)
      #expect(
        sql == #"SELECT *, "best_score" + "bonus" AS "total" FROM "player""#)
      let rows = try Row.fetchAll(db, request)
      #expect(rows.map { $0["total"] as Int? } == [15, nil, 60])
      // The record is decoded from the first columns.
      try #expect(request.fetchAll(db) == [anna, bob, cleo])
    }
  }

  @Test func `filters of associations, and columns of another table by an alias`() throws {
    try withPlayers { db in
      let team = TableAlias<Team>()
      let request =
        Player
        .joining(required: Player.team.aliased(team).filter { $0.city == "Paris" })
        .filter { $0.bonus < team[Team.Columns.id.untyped].typed(as: Int.self) * 10 }
      let sql = try request.sql(db)
      #expect(
        sql == """
          SELECT "player".* FROM "player" \
          JOIN "team" ON ("team"."id" = "player"."teamId") AND ("team"."city" = ?) \
          WHERE "player"."bonus" < ("team"."id" * ?)
          """)
      try #expect(request.fetchAll(db) == [anna])
    }
  }

  @Test func `a subquery contains the values of a column`() throws {
    try withPlayers { db in
      let paris = Team.filter { $0.city == "Paris" }.select { $0.id }
      let request = Player.filter { paris.contains($0.teamId) && $0.score < 20 }
      let sql = try request.sql(db)
      #expect(
        sql == """
          SELECT * FROM "player" WHERE ("teamId" IN (SELECT "id" FROM "team" WHERE "city" = ?)) \
          AND ("best_score" < ?)
          """)
      try #expect(request.fetchAll(db) == [anna])
    }
  }

  @Test func `associations are fetched into records`() throws {
    struct Pair: Decodable, FetchableRecord, Equatable {
      var name: String
      var team: City?
      struct City: Decodable, Equatable { var city: String }
    }
    struct Squad: FetchableRecord, Equatable {
      var team: Team
      var players: [Player]
      init(team: Team, players: [Player]) {
        self.team = team
        self.players = players
      }
      init(row: Row) throws {
        team = try Team(row: row)
        players = row["players"]
      }
    }
    try withPlayers { db in
      let pairs = try Player.order { $0.id }.including(optional: Player.team)
        .asRequest(of: Pair.self).fetchAll(db)
      #expect(pairs.map(\.team?.city) == ["Paris", "Rome", nil])
      let squads = try Team.order { $0.id }.including(all: Team.players)
        .asRequest(of: Squad.self).fetchAll(db)
      #expect(squads[0] == Squad(team: Team(id: 1, city: "Paris", budget: 10), players: [anna]))
      #expect(squads[1] == Squad(team: Team(id: 2, city: "Rome", budget: nil), players: [bob]))
    }
  }

  @Test func `a value that can't be encoded is an error of the statement`() throws {
    try withPlayers { db in
      let error = #expect(throws: DatabaseError.self) {
        try Player.filter { $0.joined == Date.distantFuture + 1e30 }.fetchAll(db)
      }
      #expect(error?.description.contains("could not encode Date") == true)
    }
  }

  @Test func `rows and containers have typed columns`() throws {
    try withPlayers { db in
      let row = try #require(try Row.fetchOne(db, Player.all()))
      let score = row[Player.Columns.score]
      #expect(score == 10)
      try #expect(row.decode(Player.Columns.joined) == day(0))
      try #expect(row.decode(Player.Columns.left) == nil)
      #expect(throws: RowDecodingError.self) { try row.decode(Team.Columns.city) }
    }
  }
}
