import Quarry
import QuarryTestSupport
import Testing

/// 'HasManyThrough': cities and readers know each other through cards, and volumes have the plates
/// of their chapters.
struct HasManyThrough {
  struct City: Codable, Hashable, FetchableRecord, TableRecord, EncodableRecord {
    static let cards = hasMany(Card.self)
    static let readers: HasManyThroughAssociation<City, Reader> =
      hasMany(Reader.self, through: cards, using: Card.reader)

    var code: String
  }

  struct Card: TableRecord {
    static let city = belongsTo(City.self)
    static let reader = belongsTo(Reader.self)
  }

  struct Reader: Codable, Hashable, FetchableRecord, TableRecord, EncodableRecord {
    static let cards = hasMany(Card.self)
    static let cities = hasMany(City.self, through: cards, using: Card.city)

    var id: Int64
    var name: String
  }

  static let ada = Reader(id: 1, name: "Ada")
  static let bo = Reader(id: 2, name: "Bo")

  static func makeTowns() throws -> DatabaseQueue {
    try makeDatabase(
      sql: """
        CREATE TABLE city (code TEXT PRIMARY KEY);
        CREATE TABLE reader (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE card (
          readerId INTEGER NOT NULL REFERENCES reader(id),
          cityCode TEXT NOT NULL REFERENCES city(code),
          PRIMARY KEY (readerId, cityCode));
        INSERT INTO city VALUES ('AN'), ('GE'), ('LX');
        INSERT INTO reader VALUES (1, 'Ada'), (2, 'Bo'), (3, 'Cy');
        INSERT INTO card VALUES (1, 'AN'), (2, 'AN'), (2, 'LX');
        """)
  }

  @Test func `a join table associates both of its sides`() throws {
    struct CityInfo: Decodable, Equatable, FetchableRecord {
      var city: City
      var readers: Set<Reader>
    }
    struct ReaderInfo: Decodable, Equatable, FetchableRecord {
      var reader: Reader
      var cities: Set<City>
    }
    try Self.makeTowns().read { db in
      let cities = try City.order(Column("code")).including(all: City.readers)
        .asRequest(of: CityInfo.self).fetchAll(db)
      #expect(
        cities == [
          CityInfo(city: City(code: "AN"), readers: [Self.ada, Self.bo]),
          CityInfo(city: City(code: "GE"), readers: []),
          CityInfo(city: City(code: "LX"), readers: [Self.bo]),
        ])
      let readers = try Reader.order(Column("id")).including(all: Reader.cities)
        .asRequest(of: ReaderInfo.self).fetchAll(db)
      #expect(readers.map(\.reader.name) == ["Ada", "Bo", "Cy"])
      #expect(
        readers.map(\.cities) == [
          [City(code: "AN")], [City(code: "AN"), City(code: "LX")], [],
        ])
    }
  }

  @Test func `the request of one record joins the join table`() throws {
    try Self.makeTowns().read { db in
      let request = Self.bo.request(for: Reader.cities)
      try #expect(
        sql(of: request, in: db)
          == RenderedSQL(
            """
            SELECT "city".* FROM "city" JOIN "card" \
            ON ("card"."cityCode" = "city"."code") AND ("card"."readerId" = ?)
            """, [2]))
      try #expect(request.fetchSet(db) == [City(code: "AN"), City(code: "LX")])
    }
  }

  struct Volume: Codable, Equatable, FetchableRecord, TableRecord, EncodableRecord {
    static let chapters = hasMany(Chapter.self)
    static let plates = hasMany(
      Plate.self, through: chapters, using: Chapter.plates)
    static let explicitPlates = hasMany(
      Plate.self,
      through: Volume.hasMany(Chapter.self),
      using: Chapter.hasMany(Plate.self))

    var id: Int64
  }

  struct Chapter: TableRecord {
    static let plates = hasMany(Plate.self)
  }

  struct Plate: Codable, Equatable, FetchableRecord, TableRecord {
    var id: Int64
    var chapterId: Int64
    var caption: String
  }

  @Test(arguments: [Volume.plates, Volume.explicitPlates])
  func `a has-many of a has-many is a shortcut to the grandchildren`(
    _ plates: HasManyThroughAssociation<Volume, Plate>
  ) throws {
    struct VolumeInfo: Decodable, FetchableRecord {
      var volume: Volume
      var plates: [Plate]
    }
    let dbQueue = try makeDatabase(
      sql: """
        CREATE TABLE volume (id INTEGER PRIMARY KEY);
        CREATE TABLE chapter (
          id INTEGER PRIMARY KEY, volumeId INTEGER NOT NULL REFERENCES volume(id));
        CREATE TABLE plate (
          id INTEGER PRIMARY KEY, chapterId INTEGER NOT NULL REFERENCES chapter(id),
          caption TEXT NOT NULL);
        INSERT INTO volume VALUES (1), (2);
        INSERT INTO chapter VALUES (1, 1), (2, 1), (3, 2), (4, 2);
        INSERT INTO plate VALUES (1, 1, 'a'), (2, 2, 'b'), (3, 2, 'c'), (4, 4, 'd');
        """)
    try dbQueue.read { db in
      let request = Volume.orderByPrimaryKey()
        .including(all: plates.order(Column("id")))
      let infos = try VolumeInfo.fetchAll(db, request)
      #expect(infos.map(\.volume.id) == [1, 2])
      #expect(infos.map { $0.plates.map(\.caption) } == [["a", "b", "c"], ["d"]])
      let joined = Volume.including(optional: plates)
      try #expect(
        sql(of: joined, in: db)
          == RenderedSQL(
            """
            SELECT "volume".*, "plate".* FROM "volume" \
            LEFT JOIN "chapter" ON "chapter"."volumeId" = "volume"."id" \
            LEFT JOIN "plate" ON "plate"."chapterId" = "chapter"."id"
            """))
      let first = try Volume(id: 1).request(for: plates).order(Column("id")).fetchAll(db)
      #expect(first.map(\.caption) == ["a", "b", "c"])
    }
  }
}
