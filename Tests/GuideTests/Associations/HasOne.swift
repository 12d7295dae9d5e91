import Quarry
import QuarryTestSupport
import Testing

/// 'HasOne': each country has one demographic profile.
struct HasOne {
  struct Country: Codable, Equatable, FetchableRecord, TableRecord, EncodableRecord {
    static let demographics: HasOneAssociation<Country, Demographics> =
      hasOne(Demographics.self, key: "demographics")

    var code: String
    var name: String
  }

  struct Demographics: Codable, Equatable, FetchableRecord, TableRecord {
    var id: Int64
    var countryCode: String
    var population: Int?
    var density: Double?
  }

  struct CountryInfo: Decodable, Equatable, FetchableRecord {
    var country: Country
    var demographics: Demographics?
  }

  static func makeWorld() throws -> DatabaseQueue {
    try makeDatabase(
      sql: """
        CREATE TABLE country (code TEXT PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE demographics (
          id INTEGER PRIMARY KEY, countryCode TEXT NOT NULL UNIQUE REFERENCES country(code),
          population INTEGER, density DOUBLE);
        INSERT INTO country VALUES ('FR', 'France'), ('IT', 'Italy');
        INSERT INTO demographics VALUES (1, 'FR', 67, 122.5);
        """)
  }

  static let france = Country(code: "FR", name: "France")
  static let italy = Country(code: "IT", name: "Italy")
  static let french = Demographics(id: 1, countryCode: "FR", population: 67, density: 122.5)

  @Test func countriesWithTheirProfile() throws {
    try Self.makeWorld().read { db throws in
      let request = Country.including(optional: Country.demographics).order(Column("code"))
      #expect(
        try sql(of: request, in: db)
          == RenderedSQL(
            """
            SELECT "country".*, "demographics".* FROM "country" \
            LEFT JOIN "demographics" ON "demographics"."countryCode" = "country"."code" \
            ORDER BY "country"."code"
            """))
      #expect(
        try CountryInfo.fetchAll(db, request) == [
          CountryInfo(country: Self.france, demographics: Self.french),
          CountryInfo(country: Self.italy, demographics: nil),
        ])
    }
  }

  @Test func theProfileOfACountry() throws {
    try Self.makeWorld().read { db throws in
      #expect(
        try Self.france.request(for: Country.demographics).fetchOne(db) == Self.french)
      #expect(try Self.italy.request(for: Country.demographics).fetchOne(db) == nil)
    }
  }

  /// A to-one association of a plural name has a singular key, unless told otherwise.
  @Test func theKeyIsSingularUnlessGiven() throws {
    try Self.makeWorld().read { db throws in
      let inferred = Country.hasOne(Demographics.self)
      let scopes = try Row.fetchOne(db, Country.including(required: inferred))?.scopes.names
      #expect(scopes == ["demographic"])
      let given = try Row.fetchOne(db, Country.including(required: Country.demographics))
      #expect(given?.scopes.names == ["demographics"])
    }
  }
}
