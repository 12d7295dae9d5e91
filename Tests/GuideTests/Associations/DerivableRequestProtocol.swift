import Quarry
import QuarryTestSupport
import Testing

/// 'DerivableRequest Protocol': methods for both requests and associations.
struct DerivableRequestProtocol {
  struct Publisher: Codable, Equatable, FetchableRecord, TableRecord {
    var id: Int64
    var name: String
    var city: String
  }

  struct Edition: Codable, Equatable, FetchableRecord, TableRecord {
    static let publisher = belongsTo(Publisher.self)

    var id: Int64
    var publisherId: Int64
  }

  let dbQueue: DatabaseQueue

  init() throws {
    dbQueue = try makeDatabase(
      sql: """
        CREATE TABLE publisher (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT NOT NULL);
        CREATE TABLE edition (
          id INTEGER PRIMARY KEY, publisherId INTEGER NOT NULL REFERENCES publisher(id));
        INSERT INTO publisher VALUES
          (1, 'quayside', 'Antwerp'), (2, 'Atlas', 'Lisbon'), (3, 'Folio', 'Antwerp'),
          (4, 'Zenith', 'Antwerp');
        INSERT INTO edition VALUES (1, 2), (2, 1), (3, 4), (4, 2);
        """)
  }

  @Test func `methods of DerivableRequest refine requests`() throws {
    try dbQueue.read { db in
      // Publishers sorted by name
      let sorted = Publisher.all().orderedByName()
      try #expect(
        sorted.fetchAll(db).map(\.name) == ["Atlas", "Folio", "quayside", "Zenith"])

      // Antwerpian publishers ordered by name
      let antwerpian = Publisher.all().filter(city: "Antwerp").orderedByName()
      try #expect(antwerpian.fetchAll(db).map(\.name) == ["Folio", "quayside", "Zenith"])
      try #expect(
        sql(of: antwerpian, in: db)
          == RenderedSQL(
            """
            SELECT * FROM "publisher" WHERE "city" = ? \
            ORDER BY "name" COLLATE swiftLocalizedCaseInsensitiveCompare
            """, ["Antwerp"]))

      // Lisboan editions
      let lisboan = Edition.all().filter(city: "Lisbon")
      try #expect(lisboan.fetchAll(db).map(\.id).sorted() == [1, 4])
      try #expect(
        sql(of: lisboan, in: db)
          == RenderedSQL(
            """
            SELECT "edition".* FROM "edition" JOIN "publisher" \
            ON ("publisher"."id" = "edition"."publisherId") AND ("publisher"."city" = ?)
            """, ["Lisbon"]))
    }
  }

  @Test func `the same methods refine associations`() throws {
    try dbQueue.read { db in
      let request = Edition.including(
        required: Edition.publisher.filter(city: "Antwerp").orderedByName())
      let rows = try Row.fetchAll(db, request)
      #expect(rows.map { $0.scopes["publisher"]?["name"] } == ["quayside", "Zenith"])
      try #expect(
        sql(of: request, in: db).sql == """
          SELECT "edition".*, "publisher".* FROM "edition" JOIN "publisher" \
          ON ("publisher"."id" = "edition"."publisherId") AND ("publisher"."city" = ?) \
          ORDER BY "publisher"."name" COLLATE swiftLocalizedCaseInsensitiveCompare
          """)
    }
  }
}

extension DerivableRequest<DerivableRequestProtocol.Publisher> {
  fileprivate func filter(city: String) -> Self {
    filter(Column("city") == city)
  }

  fileprivate func orderedByName() -> Self {
    order(Column("name").collating(.localizedCaseInsensitiveCompare))
  }
}

extension DerivableRequest<DerivableRequestProtocol.Edition> {
  fileprivate func filter(city: String) -> Self {
    joining(required: DerivableRequestProtocol.Edition.publisher.filter(city: city))
  }
}
