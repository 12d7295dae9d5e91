import Quarry
import QuarryTestSupport
import Testing

/// 'Ordered Associations': an order that belongs to the definition of an association, and the escape from it.
struct OrderedAssociations {
  enum Direct {
    struct Team: Codable, FetchableRecord, TableRecord, EncodableRecord {
      static let players = hasMany(Player.self).order(Column("position"))

      var id: Int64
      var name: String

      var players: QueryInterfaceRequest<Player> {
        request(for: Team.players)
      }
    }

    struct Player: Codable, FetchableRecord, TableRecord {
      var id: Int64
      var teamId: Int64
      var name: String
      var position: Int
    }

    struct TeamInfo: Decodable, FetchableRecord {
      var team: Team
      var players: [Player]
    }
  }

  @Test func hasMany() throws {
    typealias Team = Direct.Team
    let dbQueue = try makeDatabase(
      sql: """
        CREATE TABLE team (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE player (
          id INTEGER PRIMARY KEY, teamId INTEGER NOT NULL REFERENCES team(id), name TEXT NOT NULL,
          position INTEGER NOT NULL);
        INSERT INTO team VALUES (1, 'Reds'), (2, 'Blues');
        INSERT INTO player VALUES
          (1, 1, 'Ann', 11), (2, 1, 'Bob', 2), (3, 2, 'Cat', 1), (4, 1, 'Abe', 7);
        """)
    let team = Team(id: 1, name: "Reds")
    try dbQueue.read { db throws in
      // Default ordering by position
      let players = try team.players.fetchAll(db)
      let teamInfos =
        try Team
        .including(all: Team.players)
        .asRequest(of: Direct.TeamInfo.self)
        .fetchAll(db)
      #expect(players.map(\.name) == ["Bob", "Abe", "Ann"])
      #expect(teamInfos.map { $0.players.map(\.name) } == [["Bob", "Abe", "Ann"], ["Cat"]])
      #expect(
        try sql(of: team.players, in: db).sql
          == #"SELECT * FROM "player" WHERE "teamId" = ? ORDER BY "position""#)

      // Custom ordering
      let custom = try team.players.order(Column("name")).fetchAll(db)
      let customInfos =
        try Team
        .including(all: Team.players.order(Column("name")))
        .asRequest(of: Direct.TeamInfo.self)
        .fetchAll(db)
      #expect(custom.map(\.name) == ["Abe", "Ann", "Bob"])
      #expect(customInfos.map { $0.players.map(\.name) } == [["Abe", "Ann", "Bob"], ["Cat"]])
      #expect(
        try sql(of: team.players.order(Column("name")), in: db).sql
          == #"SELECT * FROM "player" WHERE "teamId" = ? ORDER BY "name""#)
    }
  }

  enum Through {
    struct Team: Codable, FetchableRecord, TableRecord, EncodableRecord {
      static let playerRoles = hasMany(PlayerRole.self).order(Column("position"))

      static let players = hasMany(Player.self, through: playerRoles, using: PlayerRole.player)

      var id: Int64
      var name: String

      var players: QueryInterfaceRequest<Player> {
        request(for: Team.players)
      }
    }

    struct PlayerRole: Codable, FetchableRecord, TableRecord {
      static let player = belongsTo(Player.self)

      var teamId: Int64
      var playerId: Int64
      var position: Int
    }

    struct Player: Codable, FetchableRecord, TableRecord {
      var id: Int64
      var name: String
    }

    struct TeamInfo: Decodable, FetchableRecord {
      var team: Team
      var players: [Player]
    }
  }

  @Test func hasManyThrough() throws {
    typealias Team = Through.Team
    let dbQueue = try makeDatabase(
      sql: """
        CREATE TABLE team (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE playerRole (
          teamId INTEGER NOT NULL REFERENCES team(id),
          playerId INTEGER NOT NULL REFERENCES player(id), position INTEGER NOT NULL,
          PRIMARY KEY (teamId, playerId));
        INSERT INTO team VALUES (1, 'Reds'), (2, 'Blues');
        INSERT INTO player VALUES (1, 'Ann'), (2, 'Bob'), (3, 'Cat'), (4, 'Abe');
        INSERT INTO playerRole VALUES (1, 1, 11), (1, 2, 2), (1, 4, 7), (2, 3, 9), (2, 2, 10);
        """)
    let team = Team(id: 1, name: "Reds")
    try dbQueue.read { db throws in
      // Default ordering by position
      let players = try team.players.fetchAll(db)
      let teamInfos =
        try Team
        .including(all: Team.players)
        .asRequest(of: Through.TeamInfo.self)
        .fetchAll(db)
      #expect(players.map(\.name) == ["Bob", "Abe", "Ann"])
      #expect(
        teamInfos.map { $0.players.map(\.name) } == [["Bob", "Abe", "Ann"], ["Cat", "Bob"]])
      #expect(
        try sql(of: team.players, in: db).sql == """
          SELECT "player".* FROM "player" JOIN "playerRole" \
          ON ("playerRole"."playerId" = "player"."id") AND ("playerRole"."teamId" = ?) \
          ORDER BY "playerRole"."position"
          """)

      // Custom ordering
      let custom = try team.players.order(Column("name")).fetchAll(db)
      let customInfos =
        try Team
        .including(all: Team.players.order(Column("name")))
        .asRequest(of: Through.TeamInfo.self)
        .fetchAll(db)
      #expect(custom.map(\.name) == ["Abe", "Ann", "Bob"])
      #expect(
        customInfos.map { $0.players.map(\.name) } == [["Abe", "Ann", "Bob"], ["Bob", "Cat"]])
      #expect(
        try sql(of: team.players.order(Column("name")), in: db).sql == """
          SELECT "player".* FROM "player" JOIN "playerRole" \
          ON ("playerRole"."playerId" = "player"."id") AND ("playerRole"."teamId" = ?) \
          ORDER BY "player"."name", "playerRole"."position"
          """)
    }
  }
}
