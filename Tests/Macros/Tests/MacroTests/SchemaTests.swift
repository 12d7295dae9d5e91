import Foundation
import QuarryMacros
import QuarryMigrations
import Testing

@Suite("Records by macro and the schema")
struct SchemaTests {
  private func columns(_ table: String, _ db: Database) throws -> [String] {
    try db.columns(in: table).map {
      "\($0.name) \($0.type)\($0.isNotNull ? " NOT NULL" : "")"
        + ($0.primaryKeyIndex > 0 ? " PRIMARY KEY" : "")
    }
  }

  @Test func `a table is created with the types of the properties`() throws {
    try DatabaseQueue().write { db in
      try Player.createTable(db)
      try #expect(
        columns("player", db) == [
          "id INTEGER PRIMARY KEY", "teamId INTEGER", "name TEXT NOT NULL", "nickname TEXT",
          "best_score INTEGER NOT NULL", "bonus INTEGER", "ratio DOUBLE NOT NULL",
          "isActive BOOLEAN NOT NULL", "isGuest BOOLEAN", "level TEXT NOT NULL",
          "joined INTEGER NOT NULL", "left INTEGER", "badge TEXT NOT NULL", "tags TEXT NOT NULL",
        ])
      for var player in [anna, bob, cleo] { try player.insert(db) }
      try #expect(Player.order { $0.id }.fetchAll(db) == [anna, bob, cleo])
      try #expect(db.schemaDifferences(of: [Player.self]).isEmpty)
      #expect(throws: DatabaseError.self) { try Player.createTable(db) }
      try Player.createTable(db, options: .ifNotExists)
    }
  }

  @Test func `a strict table has the types of strict tables`() throws {
    try DatabaseQueue().write { db in
      try Player.createTable(db, options: .strict)
      try #expect(
        columns("player", db) == [
          "id INTEGER PRIMARY KEY", "teamId INTEGER", "name TEXT NOT NULL", "nickname TEXT",
          "best_score INTEGER NOT NULL", "bonus INTEGER", "ratio REAL NOT NULL",
          "isActive INTEGER NOT NULL", "isGuest INTEGER", "level TEXT NOT NULL",
          "joined INTEGER NOT NULL", "left INTEGER", "badge TEXT NOT NULL", "tags TEXT NOT NULL",
        ])
      for var player in [anna, bob, cleo] { try player.insert(db) }
      try #expect(Player.order { $0.id }.fetchAll(db) == [anna, bob, cleo])
      try #expect(db.schemaDifferences(of: [Player.self]).isEmpty)
      try Bill.createTable(db, options: .strict)
      try #expect(
        columns("bill", db) == [
          "day ANY NOT NULL", "paid ANY", "due ANY NOT NULL", "total ANY NOT NULL", "scan BLOB",
        ])
      let bill = Bill(day: day(1), paid: day(2), due: day(3), total: 12.5, scan: Data([1]))
      try bill.insert(db)
      try #expect(Bill.fetchAll(db) == [bill])
      try #expect(Bill.filter { $0.due > day(2) }.fetchAll(db) == [bill])
      try #expect(String.fetchAll(db, sql: "SELECT typeof(due) FROM bill") == ["integer"])
    }
  }

  @Record struct Bill: Equatable {
    var day: Date
    @Column(as: ISO8601.self) var paid: Date?
    @Column(as: DayNumber.self) var due: Date
    var total: Decimal
    var scan: Data?
  }

  /// A column of dates that stores numbers.
  enum DayNumber: ColumnCoding {
    static var columnType: Database.ColumnType? { .date }

    static func databaseValue(of day: Date) -> DatabaseValue {
      Int(day.timeIntervalSince1970 / 86400).databaseValue
    }

    static func value(in row: Row, atIndex index: Int) throws -> Date {
      try Date(timeIntervalSince1970: Double(row.decode(Int.self, atIndex: index)) * 86400)
    }
  }

  @Test func `a key of any type, values without a known type, and embedded structures`() throws {
    try DatabaseQueue().write { db in
      try Choices.createTable(db)
      try #expect(
        columns("all choices", db) == [
          "code TEXT NOT NULL PRIMARY KEY", "size INTEGER NOT NULL", "color TEXT",
          "the words  NOT NULL", "link TEXT",
        ])
      try Customer.createTable(db)
      try #expect(
        columns("customer", db) == [
          "name TEXT NOT NULL", "home_street TEXT NOT NULL", "home_town TEXT",
          "home_place_latitude DOUBLE", "home_place_longitude DOUBLE", "home_key TEXT",
          "wstreet TEXT", "wtown TEXT", "wplace_latitude DOUBLE", "wplace_longitude DOUBLE",
          "wkey TEXT", "age INTEGER NOT NULL",
        ])
      try #expect(db.schemaDifferences(of: [Choices.self, Customer.self]).isEmpty)
    }
  }

  @Test func `differences with an existing table are named`() throws {
    try DatabaseQueue().write { db in
      try db.execute(
        sql: """
          CREATE TABLE team (id INTEGER PRIMARY KEY, budget REAL NOT NULL, hue TEXT NOT NULL)
          """)
      let differences = try db.schemaDifferences(of: [Team.self]).map(\.description)
      #expect(
        differences == [
          "Team: table team has no column city",
          "Team: column budget can't be NULL, and property budget can be nil",
          "Team: column hue needs a value, and is no property of Team",
        ])
    }
  }
}
