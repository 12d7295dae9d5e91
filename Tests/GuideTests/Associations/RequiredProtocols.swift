import Quarry
import QuarryTestSupport
import Testing

/// 'Required Protocols': what each protocol grants.
struct RequiredProtocols {
  /// A table of editions for types that are declared in each test.
  static func makeCatalog() throws -> DatabaseQueue {
    try makeDatabase(
      sql: """
        CREATE TABLE publisher (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE edition (
          id INTEGER PRIMARY KEY, publisherId INTEGER REFERENCES publisher(id),
          title TEXT NOT NULL);
        INSERT INTO publisher VALUES (1, 'Meridian'), (2, 'Quayside');
        WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 39)
        INSERT INTO edition
          SELECT n, CASE WHEN n <= 20 THEN 1 ELSE 2 END, 'Edition ' || n FROM number;
        """)
  }

  /// Declares associations, and nothing more: rows are fetched.
  enum DeclaresOnly {
    struct Publisher: TableRecord {
      static let editions = hasMany(Edition.self)
    }

    struct Edition: TableRecord {
      static let publisher = belongsTo(Publisher.self)
    }
  }

  @Test func `a TableRecord declares associations`() throws {
    try Self.makeCatalog().read { db in
      let request = DeclaresOnly.Edition.including(required: DeclaresOnly.Edition.publisher)
        .filter(key: 21)
      let row = try Row.fetchOne(db, request)
      #expect(row?.description == #"[id:21 publisherId:2 title:"Edition 21"]"#)
      #expect(row?.scopes["publisher"]?.description == #"[id:2 name:"Quayside"]"#)
      let editions = try DeclaresOnly.Publisher.joining(required: DeclaresOnly.Publisher.editions)
        .fetchCount(db)
      #expect(editions == 39)
    }
  }

  enum Fetches {
    struct Publisher: Decodable, Equatable, TableRecord, FetchableRecord {
      static let editions = hasMany(Edition.self)

      var id: Int64
      var name: String
    }

    struct Edition: TableRecord {}
  }

  @Test func `a FetchableRecord fetches them`() throws {
    typealias Publisher = Fetches.Publisher
    let dbQueue = try Self.makeCatalog()
    // Who's prolific?
    let publishers = try dbQueue.read { db in
      try Publisher
        .having(Publisher.editions.count >= 20)
        .fetchAll(db)
    }
    #expect(publishers == [Publisher(id: 1, name: "Meridian")])
    try dbQueue.read { db in
      try #expect(
        sql(of: Publisher.having(Publisher.editions.count >= 20), in: db)
          == RenderedSQL(
            """
            SELECT "publisher".* FROM "publisher" \
            LEFT JOIN "edition" ON "edition"."publisherId" = "publisher"."id" \
            GROUP BY "publisher"."id" HAVING COUNT(DISTINCT "edition"."id") >= ?
            """, [20]))
    }
  }

  enum Encodes {
    struct Publisher: Decodable, Equatable, TableRecord, FetchableRecord {
      var id: Int64
      var name: String
    }

    /// Read-only, written by hand: it encodes the columns of its foreign key.
    struct Edition: TableRecord, EncodableRecord {
      static let publisher = belongsTo(Publisher.self)

      var publisherId: Int64?

      /// The request for the publisher of an edition.
      var publisher: QueryInterfaceRequest<Publisher> {
        request(for: Edition.publisher)
      }

      func encode(to container: inout PersistenceContainer) {
        container["publisherId"] = publisherId
      }
    }
  }

  @Test func `an EncodableRecord makes requests of associated records`() throws {
    let dbQueue = try Self.makeCatalog()
    // Which publisher has this edition?
    let edition = Encodes.Edition(publisherId: 2)
    let publisher = try dbQueue.read { db in
      try edition.publisher.fetchOne(db)
    }
    #expect(publisher == Encodes.Publisher(id: 2, name: "Quayside"))
    let anonymous = Encodes.Edition(publisherId: nil)
    try dbQueue.read { db in
      try #expect(anonymous.publisher.fetchOne(db) == nil)
    }
  }

  enum Persists {
    struct Publisher: Codable, TableRecord, FetchableRecord {
      var id: Int64
      var name: String
    }

    struct Edition: Codable, FetchableRecord, PersistableRecord {
      static let publisher = belongsTo(Publisher.self)

      var id: Int64
      var publisherId: Int64?
      var title: String
    }
  }

  @Test func `a PersistableRecord is an EncodableRecord`() throws {
    let publisher = try Self.makeCatalog().write { db in
      let edition = Persists.Edition(id: 100, publisherId: 1, title: "Lakes")
      try edition.insert(db)
      return try edition.request(for: Persists.Edition.publisher).fetchOne(db)
    }
    #expect(publisher?.name == "Meridian")
  }

  final class Publisher: Record {
    static let editions = Publisher.hasMany(Edition.self)

    let name: String

    override class var databaseTableName: String { "publisher" }

    required init(row: Row) throws {
      name = row["name"]
      try super.init(row: row)
    }
  }

  final class Edition: Record {
    static let publisher = Edition.belongsTo(Publisher.self)

    let publisherId: Int64?

    override class var databaseTableName: String { "edition" }

    required init(row: Row) throws {
      publisherId = row["publisherId"]
      try super.init(row: row)
    }

    override func encode(to container: inout PersistenceContainer) {
      container["publisherId"] = publisherId
    }
  }

  @Test func `subclasses of Record need no protocol`() throws {
    try Self.makeCatalog().read { db in
      let publishers = try Publisher.having(Publisher.editions.count >= 20).fetchAll(db)
      #expect(publishers.map(\.name) == ["Meridian"])
      let edition = try #require(try Edition.fetchOne(db, key: 39))
      let publisher = try edition.request(for: Edition.publisher).fetchOne(db)
      #expect(publisher?.name == "Quayside")
    }
  }
}
