import Quarry
import QuarryTestSupport
import Testing

/// 'Known Issues': requests that other toolkits refuse.
struct KnownIssues {
  typealias Edition = Catalog.Edition
  typealias Company = Catalog.Company

  /// A required association on an optional association.
  @Test func `a required association of an optional one keeps the parents`() throws {
    struct EditionInfo: FetchableRecord, Decodable, Equatable {
      var edition: Edition
      var city: Catalog.City?
    }
    try Catalog.make().read { db in
      let request =
        Edition
        .joining(
          optional: Edition.publisher
            .including(required: Company.city))
      try #expect(
        EditionInfo.fetchAll(db, request.orderByPrimaryKey()) == [
          EditionInfo(edition: Catalog.maps, city: Catalog.lisbon),
          EditionInfo(edition: Catalog.towns, city: Catalog.lisbon),
          EditionInfo(edition: Catalog.ports, city: Catalog.antwerp),
          EditionInfo(edition: Catalog.birds, city: nil),
          EditionInfo(edition: Catalog.lakes, city: nil),
        ])
    }
  }

  /// The rows are those of a left join to the inner join of the two, with filters and aliases in
  /// the nested condition.
  @Test func `its rows are those of a left join to an inner join`() throws {
    try Catalog.make().read { db in
      let edition = TableAlias(name: "b")
      let city = Company.city.filter(Column("name") > "G")
      let publisher = Edition.publisher.filter(Column("closingYear") > 0).including(required: city)
      let request = Edition.aliased(edition)
        .including(
          optional: publisher.filter(edition[Column("year")] < Column("closingYear"))
        )
        .order(Column("id"))
      let rows = try Row.fetchAll(db, request)
      let expected = try Row.fetchAll(
        db,
        sql: """
          SELECT b.*, a.*, c.* FROM edition b
          LEFT JOIN (company a JOIN city c ON c.code = a.cityCode AND c.name > 'G')
            ON a.id = b.publisherId AND a.closingYear > 0 AND b.year < a.closingYear
          ORDER BY b.id
          """)
      #expect(
        rows.map { Array($0.unadapted.databaseValues) }
          == expected.map { Array($0.databaseValues) })
      #expect(
        rows.map { $0.scopes["publisher"]?["name"] } == ["Meridian", nil, nil, nil, nil])
    }
  }

  /// `including(all:)` and a table alias of the parent: all publishers along with their posthumous
  /// editions.
  @Test func `a prefetch is filtered by an alias of the parent`() throws {
    struct CompanyInfo: FetchableRecord, Decodable, Equatable {
      var company: Company
      var editions: [Edition]
    }
    try Catalog.make().read { db in
      let publisherAlias = TableAlias()
      let request =
        Company
        .aliased(publisherAlias)
        .including(
          all: Company.editions
            .filter(Column("year") >= publisherAlias[Column("closingYear")]))
      try #expect(
        CompanyInfo.fetchAll(db, request.orderByPrimaryKey()) == [
          CompanyInfo(company: Catalog.meridian, editions: [Catalog.towns]),
          CompanyInfo(company: Catalog.quayside, editions: [Catalog.ports]),
          CompanyInfo(company: Catalog.folio, editions: []),
          CompanyInfo(company: Catalog.atlas, editions: []),
        ])
    }
  }

  /// The order of the prefetched records may refer to the parent too.
  @Test func `a prefetch is ordered by an alias of the parent`() throws {
    try Catalog.make().read { db in
      let alias = TableAlias()
      let request = Company.aliased(alias).filter(key: 1)
        .including(
          all: Company.editions.order(abs(Column("year") - alias[Column("closingYear")])))
      let row = try #require(try Row.fetchOne(db, request))
      #expect(row.prefetchedRows["editions"]?.map { $0["title"] } == ["Towns", "Maps"])
    }
  }

  struct City: Codable, Hashable, FetchableRecord, TableRecord {
    static let cards = hasMany(Card.self)
    static let readers = hasMany(
      HasManyThrough.Reader.self, through: cards, using: Card.reader)

    var code: String
  }

  struct Card: Codable, Hashable, FetchableRecord, TableRecord {
    static let reader = belongsTo(HasManyThrough.Reader.self)

    var readerId: Int64
    var cityCode: String
  }

  /// A has-many and a has-many-through association that share their base.
  @Test func `a has-many and a has-many-through share their base`() throws {
    struct CityInfo: FetchableRecord, Decodable, Equatable {
      var city: City
      var cards: Set<Card>
      var readers: Set<HasManyThrough.Reader>
    }
    try HasManyThrough.makeTowns().read { db in
      let request =
        City
        .including(all: City.cards)
        .including(all: City.readers)
      try #expect(
        CityInfo.fetchAll(db, request.order(Column("code"))) == [
          CityInfo(
            city: City(code: "AN"),
            cards: [
              Card(readerId: 1, cityCode: "AN"), Card(readerId: 2, cityCode: "AN"),
            ],
            readers: [HasManyThrough.ada, HasManyThrough.bo]),
          CityInfo(city: City(code: "GE"), cards: [], readers: []),
          CityInfo(
            city: City(code: "LX"), cards: [Card(readerId: 2, cityCode: "LX")],
            readers: [HasManyThrough.bo]),
        ])
    }
  }

  /// The same records, with an association of the association.
  @Test func `a has-many includes the records that the has-many-through leads to`() throws {
    struct CityInfo: FetchableRecord, Decodable, Equatable {
      struct CardInfo: Decodable, Hashable {
        var card: Card
        var reader: HasManyThrough.Reader
      }
      var city: City
      var cards: Set<CardInfo>
    }
    try HasManyThrough.makeTowns().read { db in
      let request =
        City
        .including(
          all: City.cards
            .including(required: Card.reader))
      let infos = try CityInfo.fetchAll(db, request.order(Column("code")))
      #expect(infos.map(\.city.code) == ["AN", "GE", "LX"])
      #expect(
        infos.map { Set($0.cards.map(\.reader.name)) } == [
          ["Ada", "Bo"], [], ["Bo"],
        ])
    }
  }
}
