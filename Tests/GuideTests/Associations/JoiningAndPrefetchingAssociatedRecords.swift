import Quarry
import QuarryTestSupport
import Testing

/// 'Joining And Prefetching Associated Records': the five joining methods.
struct JoiningAndPrefetchingAssociatedRecords {
  struct Publisher: Codable, Equatable, FetchableRecord, TableRecord {
    static let editions = hasMany(Edition.self)

    var id: Int64
    var cityCode: String
  }

  struct Edition: Codable, Equatable, FetchableRecord, TableRecord {
    static let publisher = belongsTo(Publisher.self)

    var id: Int64
    var title: String
    var publisherId: Int64?
  }

  static let meridian = Publisher(id: 1, cityCode: "LX")
  static let quayside = Publisher(id: 2, cityCode: "AN")
  static let maps = Edition(id: 1, title: "Maps", publisherId: 1)
  static let ports = Edition(id: 2, title: "Ports", publisherId: 2)
  static let birds = Edition(id: 3, title: "Birds", publisherId: nil)
  static let coasts = Edition(id: 4, title: "Coasts", publisherId: 2)

  let dbQueue: DatabaseQueue

  init() throws {
    dbQueue = try makeDatabase(
      sql: """
        CREATE TABLE publisher (id INTEGER PRIMARY KEY, cityCode TEXT NOT NULL);
        CREATE TABLE edition (
          id INTEGER PRIMARY KEY, title TEXT NOT NULL,
          publisherId INTEGER REFERENCES publisher(id));
        INSERT INTO publisher VALUES (1, 'LX'), (2, 'AN');
        INSERT INTO edition VALUES
          (1, 'Maps', 1), (2, 'Ports', 2), (3, 'Birds', NULL), (4, 'Coasts', 2);
        """)
  }

  /// All publishers with their respective editions.
  @Test func `including all fetches each publisher with its editions`() throws {
    struct PublisherInfo: FetchableRecord, Decodable, Equatable {
      var publisher: Publisher
      var editions: [Edition]  // all associated editions
    }
    try dbQueue.read { db in
      let request =
        Publisher
        .including(all: Publisher.editions)
      try #expect(sql(of: request, in: db).sql == #"SELECT * FROM "publisher""#)
      let publisherInfos: [PublisherInfo] = try PublisherInfo.fetchAll(db, request)
      #expect(
        publisherInfos == [
          PublisherInfo(publisher: Self.meridian, editions: [Self.maps]),
          PublisherInfo(publisher: Self.quayside, editions: [Self.ports, Self.coasts]),
        ])
    }
  }

  struct EditionInfo: FetchableRecord, Decodable, Equatable {
    var edition: Edition
    var publisher: Publisher  // the required associated publisher
  }

  /// All editions with their respective publisher.
  @Test func `including required fetches only editions that have a publisher`() throws {
    try dbQueue.read { db in
      let request =
        Edition
        .including(required: Edition.publisher)
      try #expect(
        sql(of: request, in: db).sql == """
          SELECT "edition".*, "publisher".* FROM "edition" \
          JOIN "publisher" ON "publisher"."id" = "edition"."publisherId"
          """)
      let editionInfos: [EditionInfo] = try EditionInfo.fetchAll(db, request.orderByPrimaryKey())
      #expect(
        editionInfos == [
          EditionInfo(edition: Self.maps, publisher: Self.meridian),
          EditionInfo(edition: Self.ports, publisher: Self.quayside),
          EditionInfo(edition: Self.coasts, publisher: Self.quayside),
        ])
    }
  }

  /// All editions with their respective publisher, sorted by title.
  @Test func `an order before including sorts by a column of the base record`() throws {
    try dbQueue.read { db in
      let request =
        Edition
        .order(Column("title"))
        .including(required: Edition.publisher)
      try #expect(
        sql(of: request, in: db).sql == """
          SELECT "edition".*, "publisher".* FROM "edition" \
          JOIN "publisher" ON "publisher"."id" = "edition"."publisherId" ORDER BY "edition"."title"
          """)
      let editionInfos = try EditionInfo.fetchAll(db, request)
      #expect(editionInfos.map(\.edition.title) == ["Coasts", "Maps", "Ports"])
      #expect(editionInfos.map(\.publisher.cityCode) == ["AN", "LX", "AN"])
    }
  }

  /// All editions of a publisher in Antwerp.
  @Test func `joining required filters, and selects nothing of the publisher`() throws {
    try dbQueue.read { db in
      let request =
        Edition
        .joining(required: Edition.publisher.filter(Column("cityCode") == "AN"))
      try #expect(
        sql(of: request, in: db)
          == RenderedSQL(
            """
            SELECT "edition".* FROM "edition" JOIN "publisher" \
            ON ("publisher"."id" = "edition"."publisherId") AND ("publisher"."cityCode" = ?)
            """, ["AN"]))
      // This request feeds the Edition record:
      let editions: [Edition] = try request.orderByPrimaryKey().fetchAll(db)
      #expect(editions == [Self.ports, Self.coasts])
    }
  }

  /// All editions with their respective (eventual) publishers.
  @Test func `including optional keeps editions without publisher`() throws {
    struct EditionInfo: FetchableRecord, Decodable, Equatable {
      var edition: Edition
      var publisher: Publisher?  // the optional associated publisher
    }
    try dbQueue.read { db in
      let request =
        Edition
        .including(optional: Edition.publisher)
      try #expect(
        sql(of: request, in: db).sql == """
          SELECT "edition".*, "publisher".* FROM "edition" \
          LEFT JOIN "publisher" ON "publisher"."id" = "edition"."publisherId"
          """)
      let editionInfos: [EditionInfo] = try EditionInfo.fetchAll(db, request.orderByPrimaryKey())
      #expect(
        editionInfos == [
          EditionInfo(edition: Self.maps, publisher: Self.meridian),
          EditionInfo(edition: Self.ports, publisher: Self.quayside),
          EditionInfo(edition: Self.birds, publisher: nil),
          EditionInfo(edition: Self.coasts, publisher: Self.quayside),
        ])
    }
  }

  /// Joining an optional association filters nothing.
  @Test func `joining optional filters nothing`() throws {
    try dbQueue.read { db in
      let request = Edition.joining(optional: Edition.publisher.filter(Column("cityCode") == "AN"))
      try #expect(request.fetchCount(db) == 4)
    }
  }

  struct Stock: Codable, FetchableRecord, TableRecord {
    static let moves = hasMany(Move.self)

    var shop: Int
    var isbn: Int
  }

  struct Move: Codable, Equatable, FetchableRecord, TableRecord {
    var delta: Int
  }

  /// A condition for each parent would pass the depth of expressions in SQLite, which is 1000.
  @Test(arguments: [1, 999, 1000, 1001, 5000])
  func `compound foreign keys of thousands of parents are prefetched`(_ count: Int) throws {
    struct StockInfo: Decodable, FetchableRecord {
      var stock: Stock
      var moves: [Move]
    }
    let dbQueue = try makeDatabase(
      sql: """
        CREATE TABLE stock (
          shop INTEGER NOT NULL, isbn INTEGER NOT NULL, PRIMARY KEY (shop, isbn));
        CREATE TABLE move (
          delta INTEGER NOT NULL, shop INTEGER, isbn INTEGER,
          FOREIGN KEY (shop, isbn) REFERENCES stock(shop, isbn));
        WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < \(count))
        INSERT INTO stock SELECT n, n % 7 FROM number;
        INSERT INTO move SELECT 10 * shop, shop, isbn FROM stock;
        INSERT INTO move SELECT 10 * shop + 1, shop, isbn FROM stock WHERE isbn = 1;
        INSERT INTO move VALUES (-1, NULL, 1), (-1, 1, NULL), (-1, NULL, NULL);
        """)
    let infos = try dbQueue.read { db in
      let moves = Stock.moves.order(Column("delta"))
      return try StockInfo.fetchAll(db, Stock.including(all: moves).order(Column("shop")))
    }
    #expect(infos.map(\.stock.shop) == Array(1...count))
    #expect(
      infos.map { $0.moves.map(\.delta) }
        == (1...count).map { $0 % 7 == 1 ? [10 * $0, 10 * $0 + 1] : [10 * $0] })
  }
}
