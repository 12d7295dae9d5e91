import Quarry
import QuarryTestSupport
import Testing

/// 'Choosing Between BelongsTo and HasOne': the record that points to the other one belongs to it.
struct ChoosingBetweenBelongsToAndHasOne {
  struct Country: Codable, Equatable, FetchableRecord, TableRecord {
    static let demographics = hasOne(Demographics.self)

    var code: String
    var name: String
  }

  struct Demographics: Codable, Equatable, FetchableRecord, TableRecord {
    static let country = belongsTo(Country.self)

    var id: Int64
    var countryCode: String
    var population: Int
  }

  @Test func bothSides() throws {
    try HasOne.makeWorld().read { db throws in
      let country = Country.including(required: Country.demographics)
      #expect(
        try sql(of: country, in: db).sql == """
          SELECT "country".*, "demographics".* FROM "country" \
          JOIN "demographics" ON "demographics"."countryCode" = "country"."code"
          """)
      let demographics = Demographics.including(required: Demographics.country)
      #expect(
        try sql(of: demographics, in: db).sql == """
          SELECT "demographics".*, "country".* FROM "demographics" \
          JOIN "country" ON "country"."code" = "demographics"."countryCode"
          """)
      let countryRow = try #require(try Row.fetchOne(db, country))
      #expect(countryRow["name"] == "France")
      #expect(countryRow.scopes["demographic"]?["population"] == 67)
      let demographicsRow = try #require(try Row.fetchOne(db, demographics))
      #expect(demographicsRow["population"] == 67)
      #expect(demographicsRow.scopes["country"]?["name"] == "France")
    }
  }

  /// The other way round, the schema has no such foreign key.
  @Test func theWrongChoiceIsTold() throws {
    try HasOne.makeWorld().read { db throws in
      let wrong = Country.including(required: Country.belongsTo(Demographics.self))
      let error = errorText { try wrong.fetchAll(db) }
      #expect(
        error?.contains("Could not infer foreign key from 'country' to 'demographics'") == true)
    }
  }
}
