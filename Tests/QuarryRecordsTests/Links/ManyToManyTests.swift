import Quarry
import QuarryRecords
import QuarryTestSupport
import Testing

private struct Team: Codable, FetchableRecord, PersistableRecord {
  static let roles = hasMany(Role.self).order(Column("position"))
  static let players = hasMany(Player.self, through: roles, using: Role.player)
  static let captains = hasMany(
    Player.self, through: roles.filter(Column("kind") == "captain"), using: Role.player,
    key: "captains")
  static let countries = hasMany(Country.self, through: players, using: Player.country)
  var id: Int64?
}

private struct Role: Codable, FetchableRecord, PersistableRecord {
  static let player = belongsTo(Player.self)
}

private struct Player: Codable, FetchableRecord, PersistableRecord {
  static let country = belongsTo(Country.self, using: ForeignKey(["country"]))
  var id: Int64?
  var name: String?
}

/// Links of a has-many-through association, from a record.
@Suite(.onQueueAndPool)
struct ManyToManyTests {
  private let recorder = SQLRecorder()
  private let team = Team(id: 1)

  private func player(_ id: Int64) -> Player { Player(id: id) }

  private func inDatabase(_ body: (Database) throws -> Void) throws {
    try DatabaseQueue(configuration: recorder.recording()).write { db in
      try db.execute(
        sql: """
          CREATE TABLE country (code TEXT PRIMARY KEY);
          CREATE TABLE team (id INTEGER PRIMARY KEY);
          CREATE TABLE player (
            id INTEGER PRIMARY KEY, name TEXT, score INTEGER, country TEXT REFERENCES country);
          CREATE TABLE role (
            id INTEGER PRIMARY KEY, teamId INTEGER NOT NULL REFERENCES team,
            playerId INTEGER NOT NULL REFERENCES player, position INTEGER, kind TEXT);
          INSERT INTO team VALUES (1), (2);
          INSERT INTO player (id, name) VALUES (1, 'a'), (2, 'b'), (3, 'c'), (4, 'd');
          INSERT INTO role VALUES (1, 1, 1, 7, NULL), (2, 1, 2, 5, 'captain'), (3, 2, 1, 1, NULL);
          """)
      _ = recorder.take()
      try body(db)
    }
  }

  private func links(_ db: Database) throws -> [String] {
    try String.fetchAll(
      db, sql: "SELECT format('%d-%d-%s', teamId, playerId, position) FROM role ORDER BY id")
  }

  @Test func `links are added once`() throws {
    try inDatabase { db throws in
      #expect(try team.add(db, player(3), to: Team.players, with: ["position": 2]))
      #expect(
        recorder.take().contains(
          #"INSERT INTO "role" ("teamId", "playerId", "position") VALUES (?,?,?)"#))
      #expect(try !team.add(db, player(3), to: Team.players, with: ["position": 9]))
      #expect(try !team.add(db, player(1), to: Team.players))
      #expect(try links(db) == ["1-1-7", "1-2-5", "2-1-1", "1-3-2"])
      #expect(try team.request(for: Team.players).fetchAll(db).map(\.id) == [3, 2, 1])
    }
  }

  @Test func `many links are added`() throws {
    try inDatabase { db throws in
      let count = try team.add(db, [1, 3, 4, 3].map(player), to: Team.players)
      #expect(count == 2)
      #expect(try links(db) == ["1-1-7", "1-2-5", "2-1-1", "1-3-", "1-4-"])
    }
  }

  @Test func `links are removed`() throws {
    try inDatabase { db throws in
      #expect(try team.remove(db, player(1), from: Team.players))
      #expect(
        recorder.take().contains(
          #"DELETE FROM "role" WHERE ("teamId" = ?) AND ("playerId" = ?)"#))
      #expect(try !team.remove(db, player(1), from: Team.players))
      #expect(try !team.remove(db, player(4), from: Team.players))
      #expect(try links(db) == ["1-2-5", "2-1-1"])
      #expect(try Player.fetchCount(db) == 4)
      let count = try Team(id: 2).remove(db, [1, 2, 3].map(player), from: Team.players)
      #expect(count == 1)
      #expect(try links(db) == ["1-2-5"])
    }
  }

  @Test func `all links are removed`() throws {
    try inDatabase { db throws in
      #expect(try team.removeAll(db, from: Team.players.filter(Column("name") == "b")) == 1)
      #expect(try links(db) == ["1-1-7", "2-1-1"])
      #expect(try team.removeAll(db, from: Team.captains) == 0)
      #expect(try team.removeAll(db, from: Team.players) == 1)
      #expect(try links(db) == ["2-1-1"])
    }
  }

  @Test func `the links of limited and grouped records can't be changed`() throws {
    try inDatabase { db throws in
      let first = Team.players.order(Column("name")).limit(1)
      let message = try invalidity(of: team.removeAll(db, from: first))
      #expect(
        message == """
          The links of association "players" can't be changed: its limit or groups leave out \
          records, but not their links. To fix this error, fetch the records, and change their \
          links in the association without limit and groups.
          """)
      #expect(try invalidity(of: team.replaceAll(db, in: first, with: [player(3)])) == message)
      #expect(try invalidity(of: team.add(db, player(3), to: first)) == message)
      let grouped = Team.players.groupByPrimaryKey().having(count(Column("id")) > 1)
      #expect(try invalidity(of: team.removeAll(db, from: grouped)) == message)
      #expect(try links(db) == ["1-1-7", "1-2-5", "2-1-1"])
      #expect(try team.removeAll(db, from: Team.players.distinct()) == 2)
    }
  }

  @Test func `links are replaced`() throws {
    try inDatabase { db throws in
      let counts = try team.replaceAll(
        db, in: Team.players, with: [2, 3, 3].map(player), columns: ["position": 1])
      #expect(counts == (added: 1, removed: 1))
      #expect(try links(db) == ["1-2-5", "2-1-1", "1-3-1"])
      #expect(try team.replaceAll(db, in: Team.players, with: []) == (added: 0, removed: 2))
      #expect(try links(db) == ["2-1-1"])
    }
  }

  @Test func `a replacement reads the keys of the links once`() throws {
    try inDatabase { db throws in
      let counts = try team.replaceAll(db, in: Team.players, with: [1, 2, 4].map(player))
      #expect(counts == (added: 1, removed: 0))
      let reads = recorder.take().filter { $0.hasPrefix(#"SELECT "playerId" FROM "role""#) }
      #expect(reads.count == 1)
      #expect(try links(db) == ["1-1-7", "1-2-5", "2-1-1", "1-4-"])
    }
  }

  @Test func `the conditions of the links apply`() throws {
    try inDatabase { db throws in
      let message = try invalidity(of: team.add(db, player(3), to: Team.captains))
      #expect(
        message == """
          The new link is not part of the association: a condition on table "role" leaves it out. \
          To fix this error, give the values of the columns of the link.
          """)
      #expect(try links(db).count == 3)
      #expect(try team.add(db, player(3), to: Team.captains, with: ["kind": "captain"]))
      #expect(try !team.remove(db, player(1), from: Team.captains))
      #expect(
        try team.replaceAll(
          db, in: Team.captains, with: [player(4)], columns: ["kind": "captain"])
          == (added: 1, removed: 2))
      #expect(try links(db) == ["1-1-7", "2-1-1", "1-4-"])
    }
  }

  @Test func `a link that the conditions leave out is no link of a replacement`() throws {
    try inDatabase { db throws in
      let message = try invalidity(
        of: team.replaceAll(
          db, in: Team.captains, with: [player(1)], columns: ["kind": "captain"]))
      #expect(
        message == """
          An existing link to a given record is not part of the association: a condition on table \
          "role" leaves it out. To fix this error, change the columns of the link.
          """)
      #expect(try links(db) == ["1-1-7", "1-2-5", "2-1-1"])
      let counts = try team.replaceAll(
        db, in: Team.captains, with: [2, 3].map(player), columns: ["kind": "captain"])
      #expect(counts == (added: 1, removed: 0))
      #expect(try links(db) == ["1-1-7", "1-2-5", "2-1-1", "1-3-"])
    }
  }

  @Test func `all happens or nothing`() throws {
    try inDatabase { db throws in
      #expect(throws: DatabaseError.self) {
        try team.add(db, [3, 99].map(player), to: Team.players)
      }
      #expect(throws: DatabaseError.self) {
        try team.replaceAll(db, in: Team.players, with: [3, 99].map(player))
      }
      #expect(throws: DatabaseError.self) {
        try team.add(db, player(3), to: Team.players, with: ["nope": 1])
      }
      #expect(try links(db) == ["1-1-7", "1-2-5", "2-1-1"])
    }
  }

  @Test func `records need their key`() throws {
    try inDatabase { db throws in
      let message = #"can't be linked: its column "id" is null. "#
      let unknown = Player(id: nil)
      #expect(
        try invalidity(of: team.add(db, unknown, to: Team.players))?.contains(message) == true)
      #expect(
        try invalidity(of: Team(id: nil).removeAll(db, from: Team.players))?.contains(message)
          == true)
    }
  }

  @Test func `associations without pivot are refused`() throws {
    try inDatabase { db throws in
      #expect(
        try invalidity(of: team.add(db, Country(code: "FR"), to: Team.countries)) == """
          The links of association "countries" can't be changed: it leads to \
          role → player → country, and not through one table that has foreign keys to both sides.
          """)
    }
    let database = try makeBookshopDatabase()
    typealias Author = QuarryTestSupport.Author
    try database.write { db throws in
      #expect(
        try invalidity(of: Author(id: 1).removeAll(db, from: Author.reviews))?
          .hasPrefix(#"The links of association "reviews" can't be changed"#) == true)
    }
  }

  @Test func `compound keys`() throws {
    typealias Book = QuarryTestSupport.Book
    struct Shelving: Codable, FetchableRecord, PersistableRecord {
      static let databaseTableName = "shelf"
      static let books = hasMany(
        Book.self, through: hasMany(Table<Row>("place")),
        using: Table<Row>("place").belongsTo(Book.self))
      var room: String
      var num: Int
    }
    let database = try makeBookshopDatabase()
    try database.write { db throws in
      try db.execute(
        sql: """
          CREATE TABLE place (
            room TEXT, num INTEGER, bookId INTEGER REFERENCES book,
            FOREIGN KEY (room, num) REFERENCES shelf(room, num))
          """)
      let shelf = Shelving(room: "attic", num: 2)
      #expect(try shelf.add(db, Book(id: 1), to: Shelving.books))
      #expect(try !shelf.add(db, Book(id: 1), to: Shelving.books))
      #expect(try Shelving(room: "attic", num: 1).add(db, Book(id: 1), to: Shelving.books))
      #expect(try shelf.removeAll(db, from: Shelving.books) == 1)
      #expect(try Int.fetchOne(db, sql: "SELECT num FROM place") == 1)
    }
  }
}
