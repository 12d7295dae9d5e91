import Quarry
import QuarryTestSupport
import Testing

/// 'Choosing Between BelongsTo and HasOne': the record that points to the other one belongs to it.
struct ChoosingBetweenBelongsToAndHasOne {
  struct Publisher: Codable, Equatable, FetchableRecord, TableRecord {
    static let terms = hasOne(Terms.self)

    var code: String
    var name: String
  }

  struct Terms: Codable, Equatable, FetchableRecord, TableRecord {
    static let publisher = belongsTo(Publisher.self)

    var id: Int64
    var publisherCode: String
    var days: Int
  }

  @Test func `the table with the foreign key belongs to the other one`() throws {
    try HasOne.makeTrade().read { db in
      let publisher = Publisher.including(required: Publisher.terms)
      try #expect(
        sql(of: publisher, in: db).sql == """
          SELECT "publisher".*, "terms".* FROM "publisher" \
          JOIN "terms" ON "terms"."publisherCode" = "publisher"."code"
          """)
      let terms = Terms.including(required: Terms.publisher)
      try #expect(
        sql(of: terms, in: db).sql == """
          SELECT "terms".*, "publisher".* FROM "terms" \
          JOIN "publisher" ON "publisher"."code" = "terms"."publisherCode"
          """)
      let publisherRow = try #require(try Row.fetchOne(db, publisher))
      #expect(publisherRow["name"] == "Meridian")
      #expect(publisherRow.scopes["term"]?["days"] == 67)
      let termsRow = try #require(try Row.fetchOne(db, terms))
      #expect(termsRow["days"] == 67)
      #expect(termsRow.scopes["publisher"]?["name"] == "Meridian")
    }
  }

  /// The other way round, the schema has no such foreign key.
  @Test func `belongsTo on the wrong side throws an error that names both tables`() throws {
    try HasOne.makeTrade().read { db in
      let wrong = Publisher.including(required: Publisher.belongsTo(Terms.self))
      let error = errorText { try wrong.fetchAll(db) }
      #expect(
        error?.contains("Could not infer foreign key from 'publisher' to 'terms'") == true)
    }
  }
}
