import Quarry
import QuarryTestSupport
import Testing

/// 'Convention for the HasOne Association': the recommended migration, and schemas without foreign keys.
struct ConventionForTheHasOneAssociation {
  struct Demographics: Codable, Equatable, FetchableRecord, MutablePersistableRecord {
    var countryCode: String?
    var population: Int?
    var density: Double?
  }

  struct Country: Codable, Equatable, FetchableRecord, PersistableRecord {
    static let demographics = hasOne(Demographics.self)

    var code: String
    var name: String?
  }

  struct CountryInfo: Decodable, Equatable, FetchableRecord {
    var country: Country
    var demographic: Demographics?
  }

  static let france = Country(code: "FR", name: "France")
  static let italy = Country(code: "IT", name: "Italy")
  static let french = Demographics(countryCode: "FR", population: 67, density: 122.5)

  static func makeWorld() throws -> DatabaseQueue {
    let dbQueue = try DatabaseQueue()
    var migrator = DatabaseMigrator()
    migrator.registerMigration("Countries") { db in
      try db.create(table: "country") { t in
        t.column("code", .text).primaryKey()  // (1)
        t.column("name", .text)
      }
      try db.create(table: "demographics") { t in
        t.autoIncrementedPrimaryKey("id")
        t.column("countryCode", .text)  // (2)
          .notNull()  // (3)
          .unique()  // (4)
          .references("country", onDelete: .cascade)  // (5)
        t.column("population", .integer)
        t.column("density", .double)
      }
    }
    try migrator.migrate(dbQueue)
    try dbQueue.write { db throws in
      try france.insert(db)
      try italy.insert(db)
      var demographics = french
      try demographics.insert(db)
    }
    return dbQueue
  }

  @Test func theRecommendedMigration() throws {
    try Self.makeWorld().write { db throws in
      #expect(try db.primaryKey("country").columns == ["code"])
      #expect(try db.columns(in: "demographics").map(\.isNotNull) == [false, true, false, false])
      #expect(try db.table("demographics", hasUniqueKey: ["countryCode"]))
      var second = Self.french
      #expect(
        databaseError { try second.insert(db) }?.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE)
      var stray = Demographics(countryCode: "XX")
      #expect(
        databaseError { try stray.insert(db) }?.extendedResultCode
          == .SQLITE_CONSTRAINT_FOREIGNKEY)
      try Self.france.delete(db)
      #expect(try Demographics.fetchCount(db) == 0)
    }
  }

  @Test func theAssociation() throws {
    try Self.makeWorld().read { db throws in
      let request = Country.including(optional: Country.demographics).order(Column("code"))
      #expect(
        try CountryInfo.fetchAll(db, request) == [
          CountryInfo(country: Self.france, demographic: Self.french),
          CountryInfo(country: Self.italy, demographic: nil),
        ])
    }
  }

  @Test func aMissingForeignKeyIsDefinedInTheAssociation() throws {
    let demographics = Country.hasOne(
      Demographics.self, key: "demographic", using: ForeignKey(["countryCode"]))
    let dbQueue = try makeDatabase(
      sql: """
        CREATE TABLE country (code TEXT PRIMARY KEY, name TEXT);
        CREATE TABLE demographics (countryCode TEXT, population INTEGER, density DOUBLE);
        INSERT INTO country VALUES ('FR', 'France'), ('IT', 'Italy');
        INSERT INTO demographics VALUES (NULL, 1, 1), ('FR', 67, 122.5);
        """)
    try dbQueue.read { db throws in
      let request = Country.including(optional: demographics).order(Column("code"))
      #expect(
        try sql(of: request, in: db).sql == """
          SELECT "country".*, "demographics".* FROM "country" \
          LEFT JOIN "demographics" ON "demographics"."countryCode" = "country"."code" \
          ORDER BY "country"."code"
          """)
      #expect(
        try CountryInfo.fetchAll(db, request) == [
          CountryInfo(country: Self.france, demographic: Self.french),
          CountryInfo(country: Self.italy, demographic: nil),
        ])
      let inferred = Country.including(optional: Country.demographics)
      let error = errorText { try inferred.fetchAll(db) }
      #expect(
        error?.contains("Could not infer foreign key from 'demographics' to 'country'") == true)
    }
  }
}
