import Quarry
import QuarryTestSupport
import Testing

/// 'Requesting Associated Records': from one record to the records of its associations.
struct RequestingAssociatedRecords {
  struct Edition: Codable, Equatable, FetchableRecord, TableRecord, EncodableRecord {
    static let publisher = belongsTo(Publisher.self)
    static let jacket = hasOne(Jacket.self)
    static let artist = hasOne(Artist.self, through: jacket, using: Jacket.artist)

    var id: Int64
    var publisherId: Int64?
    var binding: EditionBinding
    var printedIn: String

    var publisher: QueryInterfaceRequest<Publisher> {
      request(for: Edition.publisher)
    }
  }

  enum EditionBinding: String, Codable, DatabaseValueConvertible {
    case cloth, paper
  }

  struct Publisher: Codable, Equatable, FetchableRecord, TableRecord, EncodableRecord {
    static let editions = hasMany(Edition.self)
    static let jackets = hasMany(Jacket.self, through: editions, using: Edition.jacket)

    var id: Int64

    var editions: QueryInterfaceRequest<Edition> {
      request(for: Publisher.editions)
    }
  }

  struct Jacket: Codable, Equatable, FetchableRecord, TableRecord {
    static let artist = belongsTo(Artist.self)

    var editionId: Int64
    var artistId: Int64
  }

  struct Artist: Codable, Equatable, FetchableRecord, TableRecord {
    var id: Int64
  }

  static let edition = Edition(id: 1, publisherId: 1, binding: .cloth, printedIn: "1851")
  static let publisher = Publisher(id: 1)

  let dbQueue: DatabaseQueue

  init() throws {
    dbQueue = try makeDatabase(
      sql: """
        CREATE TABLE publisher (id INTEGER PRIMARY KEY);
        CREATE TABLE artist (id INTEGER PRIMARY KEY);
        CREATE TABLE edition (
          id INTEGER PRIMARY KEY, publisherId INTEGER REFERENCES publisher(id),
          binding TEXT NOT NULL, printedIn TEXT NOT NULL);
        CREATE TABLE jacket (
          editionId INTEGER NOT NULL UNIQUE REFERENCES edition(id),
          artistId INTEGER NOT NULL REFERENCES artist(id));
        INSERT INTO publisher VALUES (1), (2);
        INSERT INTO artist VALUES (10), (20);
        INSERT INTO edition VALUES
          (1, 1, 'cloth', '1851'), (2, 1, 'paper', '1891'), (3, 1, 'cloth', '1924'),
          (4, 2, 'cloth', '1994'), (5, NULL, 'paper', '1000');
        INSERT INTO jacket VALUES (1, 20), (3, 10), (4, 10);
        """)
  }

  @Test func `the request of a belongs-to filters by the primary key`() throws {
    try dbQueue.read { db in
      let publisher = try Self.edition.publisher.fetchOne(db)
      #expect(publisher == Self.publisher)
      try #expect(
        sql(of: Self.edition.publisher, in: db)
          == RenderedSQL(#"SELECT * FROM "publisher" WHERE "id" = ?"#, [1]))
      let anonymous = Edition(id: 5, publisherId: nil, binding: .paper, printedIn: "1000")
      try #expect(
        sql(of: anonymous.publisher, in: db)
          == RenderedSQL(#"SELECT * FROM "publisher" WHERE ?"#, [0]))
      try #expect(anonymous.publisher.fetchOne(db) == nil)
    }
  }

  @Test func `the request of a has-many filters by the foreign key`() throws {
    try dbQueue.read { db in
      let editions = try Self.publisher.editions.fetchAll(db)
      #expect(editions.map(\.id) == [1, 2, 3])
      try #expect(
        sql(of: Self.publisher.editions, in: db)
          == RenderedSQL(#"SELECT * FROM "edition" WHERE "publisherId" = ?"#, [1]))
    }
  }

  @Test func `the request of a has-one filters by the foreign key`() throws {
    try dbQueue.read { db in
      let request = Self.edition.request(for: Edition.jacket)
      try #expect(
        sql(of: request, in: db)
          == RenderedSQL(#"SELECT * FROM "jacket" WHERE "editionId" = ?"#, [1]))
      try #expect(request.fetchOne(db) == Jacket(editionId: 1, artistId: 20))
    }
  }

  @Test func `the request of a has-one-through joins the table in the middle`() throws {
    try dbQueue.read { db in
      let request = Self.edition.request(for: Edition.artist)
      try #expect(
        sql(of: request, in: db)
          == RenderedSQL(
            """
            SELECT "artist".* FROM "artist" JOIN "jacket" \
            ON ("jacket"."artistId" = "artist"."id") AND ("jacket"."editionId" = ?)
            """, [1]))
      try #expect(request.fetchOne(db) == Artist(id: 20))
    }
  }

  @Test func `the request of a has-many-through joins the table in the middle`() throws {
    try dbQueue.read { db in
      let request = Self.publisher.request(for: Publisher.jackets)
      try #expect(
        sql(of: request, in: db)
          == RenderedSQL(
            """
            SELECT "jacket".* FROM "jacket" JOIN "edition" \
            ON ("edition"."id" = "jacket"."editionId") AND ("edition"."publisherId" = ?)
            """, [1]))
      try #expect(request.fetchAll(db).map(\.artistId).sorted() == [10, 20])
    }
  }

  @Test func `the request of an association is filtered and ordered`() throws {
    let publisher = Self.publisher
    try dbQueue.read { db in
      let request =
        publisher
        .editions
        .filter(Column("binding") == EditionBinding.cloth)
        .order(Column("printedIn").desc)
      let cloths = try request.fetchAll(db)
      #expect(cloths.map(\.id) == [3, 1])
      try #expect(
        sql(of: request, in: db)
          == RenderedSQL(
            """
            SELECT * FROM "edition" WHERE ("publisherId" = ?) AND ("binding" = ?) \
            ORDER BY "printedIn" DESC
            """, [1, "cloth"]))
    }
  }
}
