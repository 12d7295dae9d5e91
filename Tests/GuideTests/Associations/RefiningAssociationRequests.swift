import Quarry
import QuarryTestSupport
import Testing

/// 'Refining Association Requests': what happens when an association is there several times.
struct RefiningAssociationRequests {
  struct Publisher: Codable, Equatable, FetchableRecord, TableRecord {
    var id: Int64
    var name: String
    var city: String
  }

  struct Edition: Codable, Equatable, FetchableRecord, TableRecord {
    static let publisher = belongsTo(Publisher.self)

    var id: Int64
    var title: String
    var year: Int
    var publisherId: Int64?
  }

  static let meridian = Publisher(id: 1, name: "Meridian", city: "LX")
  static let quayside = Publisher(id: 2, name: "quayside", city: "AN")
  static let folio = Publisher(id: 3, name: "Folio", city: "AN")

  let dbQueue: DatabaseQueue

  init() throws {
    dbQueue = try makeDatabase(
      sql: """
        CREATE TABLE publisher (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT NOT NULL);
        CREATE TABLE edition (
          id INTEGER PRIMARY KEY, title TEXT NOT NULL, year INTEGER NOT NULL,
          publisherId INTEGER REFERENCES publisher(id));
        INSERT INTO publisher VALUES
          (1, 'Meridian', 'LX'), (2, 'quayside', 'AN'), (3, 'Folio', 'AN');
        INSERT INTO edition VALUES
          (1, 'Maps', 1851, 1), (2, 'Ports', 1994, 2), (3, 'Birds', 1000, NULL),
          (4, 'Coasts', 1872, 2), (5, 'Hills', 1929, 3);
        """)
  }

  static let association = Edition.publisher
  static let condition1 = Column("city") == "AN"
  static let condition2 = Column("id") > 2
  static let ordering1 = Column("name")
  static let ordering2 = Column("id").desc

  /// A request that joins an association twice, the request that it is equivalent to, and the
  /// editions of both.
  struct Rule: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let refined: QueryInterfaceRequest<Edition>
    let equivalent: QueryInterfaceRequest<Edition>
    let sql: String
    let ids: [Int64]
  }

  static let joined = #"JOIN "publisher" ON "publisher"."id" = "edition"."publisherId""#
  static let filtered = """
    JOIN "publisher" ON ("publisher"."id" = "edition"."publisherId") AND ("publisher"."city" = ?) \
    AND ("publisher"."id" > ?)
    """

  static let rules = [
    Rule(
      testDescription: "including wins over joining",
      refined:
        Edition
        .including(optional: association)
        .joining(optional: association),
      equivalent: Edition.including(optional: association),
      sql: #"SELECT "edition".*, "publisher".* FROM "edition" LEFT \#(joined)"#,
      ids: [1, 2, 3, 4, 5]),
    Rule(
      testDescription: "required wins over optional",
      refined:
        Edition
        .including(required: association)
        .including(optional: association),
      equivalent: Edition.including(required: association),
      sql: #"SELECT "edition".*, "publisher".* FROM "edition" \#(joined)"#,
      ids: [1, 2, 4, 5]),
    Rule(
      testDescription: "all filters are applied",
      refined:
        Edition
        .including(required: association.filter(condition1))
        .including(optional: association.filter(condition2)),
      equivalent: Edition.including(required: association.filter(condition1 && condition2)),
      sql: #"SELECT "edition".*, "publisher".* FROM "edition" \#(filtered)"#,
      ids: [5]),
    Rule(
      testDescription: "the last ordering wins",
      refined:
        Edition
        .including(required: association.order(ordering1))
        .including(optional: association.order(ordering2)),
      equivalent: Edition.including(required: association.order(ordering2)),
      sql: """
        SELECT "edition".*, "publisher".* FROM "edition" \(joined) \
        ORDER BY "publisher"."id" DESC
        """,
      ids: [1, 2, 4, 5]),
    Rule(
      testDescription: "the last selection wins",
      refined:
        Edition
        .including(required: association.select(Column("id")))
        .including(optional: association.select(Column("name"), Column("city"))),
      equivalent: Edition.including(
        required: association.select(Column("name"), Column("city"))),
      sql:
        #"SELECT "edition".*, "publisher"."name", "publisher"."city" FROM "edition" \#(joined)"#,
      ids: [1, 2, 4, 5]),
  ]

  @Test(arguments: rules) func `an association that is joined twice is merged`(_ rule: Rule) throws
  {
    try dbQueue.read { db in
      let refined = try sql(of: rule.refined, in: db)
      #expect(refined.sql == rule.sql)
      try #expect(sql(of: rule.equivalent, in: db) == refined)
      try #expect(rule.refined.fetchAll(db).map(\.id).sorted() == rule.ids)
    }
  }

  struct EditionInfo: FetchableRecord, Decodable, Equatable {
    var edition: Edition
    var publisher: Publisher
  }

  @Test func `extensions of DerivableRequest join the same association without harm`() throws {
    try dbQueue.read { db in
      let request = Edition.all()
        .filter(publisherCity: "AN")
        .orderedByPublisherNameAndYear()
        .including(required: Edition.publisher)
        .asRequest(of: EditionInfo.self)
      let editionInfos = try request.fetchAll(db)
      #expect(editionInfos.map(\.edition.title) == ["Hills", "Coasts", "Ports"])
      #expect(editionInfos.map(\.publisher) == [Self.folio, Self.quayside, Self.quayside])
      try #expect(
        sql(of: request, in: db)
          == RenderedSQL(
            """
            SELECT "edition".*, "publisher".* FROM "edition" \
            JOIN "publisher" ON ("publisher"."id" = "edition"."publisherId") \
            AND ("publisher"."city" = ?) \
            ORDER BY "publisher"."name" \
            COLLATE swiftLocalizedCaseInsensitiveCompare, "edition"."year"
            """, ["AN"]))
    }
  }

  /// Another key stops the merging.
  @Test func `another key makes another join`() throws {
    try dbQueue.read { db in
      let request =
        Edition
        .including(required: Edition.publisher.filter(Self.condition1))
        .including(optional: Edition.publisher.filter(Self.condition2).forKey("late"))
      try #expect(
        sql(of: request, in: db)
          == RenderedSQL(
            """
            SELECT "edition".*, "publisher1".*, "publisher2".* FROM "edition" \
            JOIN "publisher" "publisher1" \
            ON ("publisher1"."id" = "edition"."publisherId") AND ("publisher1"."city" = ?) \
            LEFT JOIN "publisher" "publisher2" \
            ON ("publisher2"."id" = "edition"."publisherId") AND ("publisher2"."id" > ?)
            """, ["AN", 2]))
      try #expect(request.fetchAll(db).map(\.id).sorted() == [2, 4, 5])
    }
  }
}

// Publisher requests
extension DerivableRequest<RefiningAssociationRequests.Publisher> {
  /// Filters publishers by city
  fileprivate func filter(city: String) -> Self {
    filter(Column("city") == city)
  }
}

// Edition requests
extension DerivableRequest<RefiningAssociationRequests.Edition> {
  /// Filters editions by publisher city
  fileprivate func filter(publisherCity: String) -> Self {
    joining(
      required: RefiningAssociationRequests.Edition.publisher.filter(city: publisherCity))
  }

  /// Order editions by publisher name and then edition title
  fileprivate func orderedByPublisherNameAndYear() -> Self {
    let publisherAlias = TableAlias()
    return
      self
      .joining(optional: RefiningAssociationRequests.Edition.publisher.aliased(publisherAlias))
      .order(
        publisherAlias[Column("name")].collating(.localizedCaseInsensitiveCompare),
        Column("year"))
  }
}
