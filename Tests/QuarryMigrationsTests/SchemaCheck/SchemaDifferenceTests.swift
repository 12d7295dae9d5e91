import Foundation
import Quarry
import QuarryMigrations
import QuarryTestSupport
import Testing

@Suite(.onQueueAndPool)
struct SchemaDifferenceTests {
  private struct Team: Codable, FetchableRecord, PersistableRecord {
    static let players = hasMany(Player.self)
    var id: Int64
    var name: String
    var players: [Player]?
  }

  private struct Player: Codable, FetchableRecord, PersistableRecord {
    enum Color: String, Codable { case red, blue }
    struct Address: Codable { var street: String }
    static let team = belongsTo(Team.self)
    static let undeclared = belongsTo(Team.self, using: ForeignKey(["clubId"]))
    static let unknown = hasMany(Award.self)
    var id: Int64?
    var name: String
    var color: Color
    var address: Address?
    var birthDate: Date
    var nick: String?
    var teamId: Int64?
    var clubId: Int64?
    var missing: Int?
  }

  private struct Award: TableRecord {}

  private struct Custom: FetchableRecord, PersistableRecord {
    static let databaseTableName = "team"
    init(row: Row) throws {}
    func encode(to container: inout PersistenceContainer) {
      container["id"] = 1
      container["label"] = "x"
    }
  }

  private struct Snake: Codable, FetchableRecord, TableRecord {
    static let databaseTableName = "snake"
    static let databaseColumnDecodingStrategy = DatabaseColumnDecodingStrategy.convertFromSnakeCase
    var firstName: String
    var lastName: String
  }

  private struct Selecting: TableRecord {
    static let databaseTableName = "team"
    static var databaseSelection: [any SQLSelectable] { [Column("nope")] }
  }

  private func withDatabase<T>(_ body: (Database) throws -> T) throws -> T {
    try DatabaseQueue().inDatabase { db in
      try db.execute(
        sql: """
          CREATE TABLE team (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
          CREATE TABLE player (
            id INTEGER PRIMARY KEY, name TEXT NOT NULL, color TEXT, address TEXT NOT NULL,
            birthDate DATETIME NOT NULL, nick TEXT, teamId INTEGER REFERENCES team(id),
            clubId INTEGER, rank INTEGER NOT NULL, level INTEGER NOT NULL DEFAULT 1);
          CREATE TABLE snake (first_name TEXT NOT NULL, name TEXT);
          CREATE TABLE award (id INTEGER PRIMARY KEY);
          """)
      return try body(db)
    }
  }

  @Test func `Properties are compared with columns`() throws {
    try withDatabase { db in
      try #expect(db.schemaDifferences(of: [Team.self]).isEmpty)
      let differences = try db.schemaDifferences(of: [Player.self])
      #expect(
        differences.map(\.description) == [
          "Player: table player has no column missing",
          "Player: column color may be NULL, and property color can't be nil",
          "Player: column address can't be NULL, and property address can be nil",
          "Player: column rank needs a value, and is no property of Player",
        ])
      #expect(
        differences.map(\.kind) == [
          .missingColumn, .nullableColumn, .requiredColumn, .unwrittenColumn,
        ])
      #expect(differences.map(\.columns) == [["missing"], ["color"], ["address"], ["rank"]])
      #expect(differences.allSatisfy { $0.recordType == "Player" && $0.table == "player" })
    }
  }

  @Test func `Records without coding keys are compared by the columns that they encode`() throws {
    try withDatabase { db in
      try #expect(
        db.schemaDifferences(of: [Custom.self]).map(\.description) == [
          "Custom: table team has no column label",
          "Custom: column name needs a value, and is no property of Custom",
        ])
    }
  }

  @Test func `A default that is NULL is no value`() throws {
    struct Item: Codable, FetchableRecord, PersistableRecord { var id: Int64 }
    try withDatabase { db in
      try db.execute(
        sql: """
          CREATE TABLE item (
            id INTEGER PRIMARY KEY, a NOT NULL DEFAULT NULL, b NOT NULL DEFAULT ((NULL)),
            c NOT NULL DEFAULT (1))
          """)
      try #expect(
        db.schemaDifferences(of: [Item.self]).map(\.description) == [
          "Item: column a needs a value, and is no property of Item",
          "Item: column b needs a value, and is no property of Item",
        ])
    }
  }

  @Test func `Coding keys are those of the strategy`() throws {
    try withDatabase { db in
      try #expect(
        db.schemaDifferences(of: [Snake.self]).map(\.description) == [
          "Snake: table snake has no column lastName"
        ])
    }
  }

  @Test func `Missing tables and invalid selections are reported`() throws {
    struct Nobody: TableRecord {}
    try withDatabase { db in
      try #expect(
        db.schemaDifferences(of: [Nobody.self, Selecting.self]).map(\.description) == [
          "Nobody: table nobody does not exist",
          "Selecting: the selection is not valid: \(SQLiteBuild.noSuchColumn("nope"))",
        ])
    }
  }

  @Test func `What two associations lack is reported once`() throws {
    try makeBookshopDatabase().read { db in
      let differences = try db.schemaDifferences(
        of: [], associations: [Employee.manager, Employee.subordinates])
      #expect(
        differences.map(\.description) == ["Employee: no index of employee begins with managerId"])
    }
  }

  @Test func `Associations are compared with foreign keys and indexes`() throws {
    try withDatabase { db in
      let differences = try db.schemaDifferences(
        of: [], associations: [Player.team, Player.undeclared, Player.unknown, Team.players])
      #expect(
        differences.map(\.description) == [
          "Player: no index of player begins with teamId",
          "Player: the foreign key from player(clubId) to team is not declared",
          """
          Player: Could not infer foreign key from 'award' to 'player'. To fix this error, provide \
          an explicit `ForeignKey` in the association definition. 'award' has no foreign key.
          """,
          "Team: no index of player begins with teamId",
        ])
      #expect(
        differences.map(\.kind) == [
          .missingIndex, .undeclaredForeignKey, .missingForeignKey, .missingIndex,
        ])
      try db.create(indexOn: "player", columns: ["teamId", "name"])
      try #expect(db.schemaDifferences(of: [], associations: [Player.team]).isEmpty)
      try db.drop(table: "award")
      try #expect(
        db.schemaDifferences(of: [], associations: [Player.unknown]).map(\.kind)
          == [.missingTable])
    }
  }

  @Test func `The bookshop fits its records`() throws {
    try makeBookshopDatabase().read { db in
      let differences = try db.schemaDifferences(
        of: [Author.self, Book.self, Bestseller.self, Stock.self],
        associations: [Book.author, Author.books, Author.reviews])
      #expect(differences.allSatisfy { $0.kind == .missingIndex })
      #expect(Set(differences.map(\.columns)) == [["authorId"], ["bookId"]])
    }
  }
}
