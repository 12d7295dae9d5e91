import Quarry
import QuarryTestSupport
import Testing

/// 'Associations Benefits': the same questions with and without associations.
struct AssociationsBenefits {
  struct Publisher: Codable, Hashable, FetchableRecord, TableRecord, EncodableRecord {
    static let editions = hasMany(Edition.self)

    var id: Int64
    var name: String

    var editions: QueryInterfaceRequest<Edition> {
      request(for: Publisher.editions)
    }
  }

  struct Edition: Codable, Hashable, FetchableRecord, TableRecord, EncodableRecord {
    static let publisher = belongsTo(Publisher.self)

    var id: Int64
    var publisherId: Int64?
    var title: String

    var publisher: QueryInterfaceRequest<Publisher> {
      request(for: Edition.publisher)
    }
  }

  static let meridian = Publisher(id: 1, name: "Meridian")
  static let quayside = Publisher(id: 2, name: "Quayside")
  static let maps = Edition(id: 1, publisherId: 1, title: "Maps")
  static let towns = Edition(id: 2, publisherId: 2, title: "Towns")
  static let birds = Edition(id: 3, publisherId: nil, title: "Birds")
  static let ports = Edition(id: 4, publisherId: 2, title: "Ports")

  let dbQueue: DatabaseQueue

  init() throws {
    dbQueue = try makeDatabase(
      sql: """
        CREATE TABLE publisher (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE edition (
          id INTEGER PRIMARY KEY, publisherId INTEGER REFERENCES publisher(id),
          title TEXT NOT NULL);
        INSERT INTO publisher VALUES (1, 'Meridian'), (2, 'Quayside');
        INSERT INTO edition VALUES
          (1, 1, 'Maps'), (2, 2, 'Towns'), (3, NULL, 'Birds'),
          (4, 2, 'Ports');
        """)
  }

  @Test func `without association, the editions of a publisher take a filter`() throws {
    let publisher = Self.quayside
    try dbQueue.read { db in
      let editions =
        try Edition
        .filter(Column("publisherId") == publisher.id)
        .fetchAll(db)
      #expect(editions == [Self.towns, Self.ports])
    }
  }

  @Test func `without association, pairs take a query for each edition`() throws {
    struct EditionInfo: Equatable {
      var edition: Edition
      var publisher: Publisher?
    }
    try dbQueue.read { db in
      let editions = try Edition.fetchAll(db)
      let editionInfos = try editions.map { edition -> EditionInfo in
        let publisher = try Publisher.fetchOne(db, key: edition.publisherId)
        return EditionInfo(edition: edition, publisher: publisher)
      }
      #expect(
        editionInfos == [
          EditionInfo(edition: Self.maps, publisher: Self.meridian),
          EditionInfo(edition: Self.towns, publisher: Self.quayside),
          EditionInfo(edition: Self.birds, publisher: nil),
          EditionInfo(edition: Self.ports, publisher: Self.quayside),
        ])
    }
  }

  @Test func `an association makes the request of all editions of a publisher`() throws {
    let publisher = Self.quayside
    try dbQueue.read { db in
      let editions = try publisher.editions.fetchAll(db)
      #expect(editions == [Self.towns, Self.ports])
      try #expect(
        sql(of: publisher.editions, in: db)
          == RenderedSQL(#"SELECT * FROM "edition" WHERE "publisherId" = ?"#, [2]))
    }
  }

  @Test func `an association makes the request of the publisher of an edition`() throws {
    try dbQueue.read { db in
      try #expect(Self.maps.publisher.fetchOne(db) == Self.meridian)
      try #expect(Self.birds.publisher.fetchOne(db) == nil)
    }
  }

  @Test func `an association fetches pairs in one query`() throws {
    struct EditionInfo: FetchableRecord, Decodable, Equatable {
      let edition: Edition
      let publisher: Publisher?
    }
    try dbQueue.read { db in
      let request = Edition.including(optional: Edition.publisher)
      let editionInfos = try EditionInfo.fetchAll(db, request)
      try #expect(
        sql(of: request, in: db)
          == RenderedSQL(
            """
            SELECT "edition".*, "publisher".* FROM "edition" \
            LEFT JOIN "publisher" ON "publisher"."id" = "edition"."publisherId"
            """))
      #expect(
        editionInfos == [
          EditionInfo(edition: Self.maps, publisher: Self.meridian),
          EditionInfo(edition: Self.towns, publisher: Self.quayside),
          EditionInfo(edition: Self.birds, publisher: nil),
          EditionInfo(edition: Self.ports, publisher: Self.quayside),
        ])
    }
  }
}
