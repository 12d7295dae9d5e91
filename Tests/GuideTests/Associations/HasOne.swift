import Quarry
import QuarryTestSupport
import Testing

/// 'HasOne': each publisher has one term contract.
struct HasOne {
  struct Publisher: Codable, Equatable, FetchableRecord, TableRecord, EncodableRecord {
    static let terms: HasOneAssociation<Publisher, Terms> =
      hasOne(Terms.self, key: "terms")

    var code: String
    var name: String
  }

  struct Terms: Codable, Equatable, FetchableRecord, TableRecord {
    var id: Int64
    var publisherCode: String
    var days: Int?
    var discount: Double?
  }

  struct PublisherInfo: Decodable, Equatable, FetchableRecord {
    var publisher: Publisher
    var terms: Terms?
  }

  static func makeTrade() throws -> DatabaseQueue {
    try makeDatabase(
      sql: """
        CREATE TABLE publisher (code TEXT PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE terms (
          id INTEGER PRIMARY KEY, publisherCode TEXT NOT NULL UNIQUE REFERENCES publisher(code),
          days INTEGER, discount DOUBLE);
        INSERT INTO publisher VALUES ('ME', 'Meridian'), ('QU', 'Quayside');
        INSERT INTO terms VALUES (1, 'ME', 67, 122.5);
        """)
  }

  static let meridian = Publisher(code: "ME", name: "Meridian")
  static let quayside = Publisher(code: "QU", name: "Quayside")
  static let contract = Terms(id: 1, publisherCode: "ME", days: 67, discount: 122.5)

  @Test func `including fetches publishers with their contract`() throws {
    try Self.makeTrade().read { db in
      let request = Publisher.including(optional: Publisher.terms).order(Column("code"))
      try #expect(
        sql(of: request, in: db)
          == RenderedSQL(
            """
            SELECT "publisher".*, "terms".* FROM "publisher" \
            LEFT JOIN "terms" ON "terms"."publisherCode" = "publisher"."code" \
            ORDER BY "publisher"."code"
            """))
      try #expect(
        PublisherInfo.fetchAll(db, request) == [
          PublisherInfo(publisher: Self.meridian, terms: Self.contract),
          PublisherInfo(publisher: Self.quayside, terms: nil),
        ])
    }
  }

  @Test func `a publisher makes the request of its contract`() throws {
    try Self.makeTrade().read { db in
      try #expect(
        Self.meridian.request(for: Publisher.terms).fetchOne(db) == Self.contract)
      try #expect(Self.quayside.request(for: Publisher.terms).fetchOne(db) == nil)
    }
  }

  /// A to-one association of a plural name has a singular key by default.
  @Test func `the key of a plural table is singular unless given`() throws {
    try Self.makeTrade().read { db in
      let inferred = Publisher.hasOne(Terms.self)
      let scopes = try Row.fetchOne(db, Publisher.including(required: inferred))?.scopes.names
      #expect(scopes == ["term"])
      let given = try Row.fetchOne(db, Publisher.including(required: Publisher.terms))
      #expect(given?.scopes.names == ["terms"])
    }
  }
}
