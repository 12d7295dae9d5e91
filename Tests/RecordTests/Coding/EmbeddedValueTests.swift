import Foundation
import QuarryMigrations
import QuarryTestSupport
import Testing

@testable import Quarry

/// Values whose properties are columns of the record.
@Suite(.onQueueAndPool)
struct EmbeddedValueTests {
  struct Place: Codable, Equatable {
    var latitude: Double
    var longitude: Double
  }

  struct Address: Codable, Equatable, ColumnEmbedding {
    var street: String
    var zipCode: Int?
    var tags: [String] = []
    var since: Date?
    var place: Place?

    static var databaseEmbeddedKeys: [any CodingKey] { [CodingKeys.place] }
  }

  struct Reader: Codable, Equatable, FetchableRecord, MutablePersistableRecord {
    var id: Int64?
    var home: Address
    var name: String
    var secondHome: Address?

    static var databaseEmbeddedKeys: [any CodingKey] { [CodingKeys.home, CodingKeys.secondHome] }

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
  }

  static let columns = [
    "home_street", "home_zipCode", "home_tags", "home_since", "home_place_latitude",
    "home_place_longitude", "name", "secondHome_street", "secondHome_zipCode", "secondHome_tags",
    "secondHome_since", "secondHome_place_latitude", "secondHome_place_longitude",
  ]

  static func create(_ db: Database, _ columns: [String] = columns) throws {
    try db.execute(
      sql: "CREATE TABLE reader (id INTEGER PRIMARY KEY, \(columns.joined(separator: ", ")))")
  }

  static let paris = Address(
    street: "Rue Bleue", zipCode: 75009, tags: ["old"], since: Date(timeIntervalSince1970: 86400),
    place: Place(latitude: 48.5, longitude: 2.25))
  static let anywhere = Address(street: "")

  static let readers = [
    Reader(home: paris, name: "Anna"),
    Reader(home: anywhere, name: "Bob", secondHome: paris),
    Reader(home: paris, name: "Cleo", secondHome: anywhere),
    Reader(home: anywhere, name: "Dan"),
  ]

  @Test func `The properties of embedded values are columns`() throws {
    try inEmptyDatabase { db throws in
      try Self.create(db)
      var reader = Self.readers[1]
      try reader.insert(db)
      #expect(
        try Row.fetchOne(db, sql: "SELECT * FROM reader") == [
          "id": 1, "home_street": "", "home_zipCode": nil, "home_tags": "[]", "home_since": nil,
          "home_place_latitude": nil, "home_place_longitude": nil, "name": "Bob",
          "secondHome_street": "Rue Bleue", "secondHome_zipCode": 75009,
          "secondHome_tags": "[\"old\"]", "secondHome_since": "1970-01-02 00:00:00.000",
          "secondHome_place_latitude": 48.5, "secondHome_place_longitude": 2.25,
        ])
      #expect(try Reader.fetchAll(db) == [reader])
      #expect(try Reader.filter(Column("secondHome_street") == "Rue Bleue").fetchCount(db) == 1)
    }
  }

  @Test func `All ways to store records store embedded values`() throws {
    try inEmptyDatabase { db throws in
      try Self.create(db)
      var readers = Self.readers
      for index in readers.indices { try readers[index].insert(db) }
      #expect(try Reader.order(Column("id")).fetchAll(db) == readers)
      try Reader.deleteAll(db)
      try Reader.insert(db, contentsOf: &readers)
      #expect(try Reader.order(Column("id")).fetchAll(db) == readers)
      for index in readers.indices {
        readers[index].home = Self.paris
        readers[index].secondHome = index == 0 ? Self.anywhere : nil
        try readers[index].update(db)
      }
      #expect(try Reader.order(Column("id")).fetchAll(db) == readers)
      for index in readers.indices {
        readers[index].home = Self.anywhere
        try readers[index].upsert(db)
      }
      #expect(try Reader.order(Column("id")).fetchAll(db) == readers)
      #expect(try Reader.fetchAll(db, keys: readers.compactMap(\.id)).count == 4)
    }
  }

  @Test func `Changes of embedded values are changes of their columns`() throws {
    try inEmptyDatabase { db throws in
      try Self.create(db)
      var reader = Self.readers[0]
      try reader.insert(db)
      let statements = try db.statements {
        try reader.updateChanges(db) { $0.home.place?.latitude = 1 }
      }
      #expect(statements == [#"UPDATE "reader" SET "home_place_latitude"=? WHERE "id"=?"#])
      try reader.updateChanges(db) { $0.home.place = nil }
      #expect(
        try Row.fetchOne(db, sql: "SELECT home_place_latitude, home_place_longitude FROM reader")
          == ["home_place_latitude": nil, "home_place_longitude": nil])
      #expect(try Reader.fetchOne(db) == reader)
    }
  }

  @Test func `Columns are found by name, in any order and of any case`() throws {
    try inEmptyDatabase { db throws in
      try Self.create(db, Self.columns.reversed().map { $0.uppercased() })
      var readers = Self.readers
      for index in readers.indices { try readers[index].insert(db) }
      #expect(try Reader.order(Column("id")).fetchAll(db) == readers)
      #expect(try Row.fetchAll(db, Reader.order(Column("id"))).map(Reader.init(row:)) == readers)
    }
  }

  @Test func `An optional value is nil if all of its columns are NULL, or missing`() throws {
    let sql = "SELECT 1 AS id, 'Anna' AS name, '' AS home_street, '[]' AS home_tags"
    try inEmptyDatabase { db throws in
      let anna = Reader(id: 1, home: Self.anywhere, name: "Anna")
      #expect(try Reader.fetchAll(db, sql: sql) == [anna])
      #expect(try Reader.fetchAll(db, sql: sql + ", NULL AS secondHome_zipCode") == [anna])
      // A column of another name that begins with the prefix.
      #expect(try Reader.fetchAll(db, sql: sql + ", 'x' AS secondHome_note") == [anna])
      let text = errorText { try Reader.fetchAll(db, sql: sql + ", 1 AS secondHome_zipCode") }
      #expect(text?.contains(#"column not found: "secondHome_street""#) == true)
      #expect(text?.contains("record: Reader") == true)
    }
  }

  @Test func `A NULL in a required property names its column`() throws {
    let sql = "SELECT 1 AS id, 'Anna' AS name, NULL AS home_street, '[]' AS home_tags"
    try inEmptyDatabase { db throws in
      let text = errorText { try Reader.fetchAll(db, sql: sql) }
      #expect(text?.contains("could not decode String from database value NULL") == true)
      #expect(text?.contains("home_street") == true)
    }
  }

  struct SnakeReader: Codable, Equatable, FetchableRecord, PersistableRecord {
    var firstName: String
    var mainHome: SnakeAddress?

    static let databaseTableName = "reader"
    static var databaseColumnEncodingStrategy: DatabaseColumnEncodingStrategy {
      .convertToSnakeCase
    }
    static var databaseColumnDecodingStrategy: DatabaseColumnDecodingStrategy {
      .convertFromSnakeCase
    }
    static var databaseEmbeddedKeys: [any CodingKey] { [CodingKeys.mainHome] }

    static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
      column == "main_home_first_day" ? .millisecondsSince1970 : .iso8601
    }

    static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
      column == "main_home_first_day" ? .millisecondsSince1970 : .iso8601
    }
  }

  struct SnakeAddress: Codable, Equatable, ColumnEmbedding {
    var zipCode: String
    var firstDay: Date
    var exactPlace: Place?

    static var databaseEmbeddedKeys: [any CodingKey] { [CodingKeys.exactPlace] }
  }

  @Test func `Strategies convert each key, and know dates by their columns`() throws {
    try inEmptyDatabase { db throws in
      try Self.create(
        db,
        [
          "first_name NOT NULL", "main_home_zip_code", "main_home_first_day",
          "main_home_exact_place_latitude", "main_home_exact_place_longitude",
        ])
      let readers = [
        SnakeReader(
          firstName: "Anna",
          mainHome: SnakeAddress(
            zipCode: "1", firstDay: Date(timeIntervalSince1970: 1.5),
            exactPlace: Place(latitude: 1, longitude: 2))),
        SnakeReader(firstName: "Bob", mainHome: nil),
      ]
      for reader in readers { try reader.insert(db) }
      #expect(try SnakeReader.order(Column.rowID).fetchAll(db) == readers)
      #expect(try Int.fetchOne(db, sql: "SELECT main_home_first_day FROM reader") == 1500)
      #expect(try db.schemaDifferences(of: [SnakeReader.self]).isEmpty)
      let text = errorText {
        try SnakeReader.fetchAll(db, sql: "SELECT 'a' AS first_name, 1 AS main_home_first_day")
      }
      #expect(text?.contains(#"column not found: "main_home_zip_code""#) == true)
    }
  }

  @Test func `The comparison with a schema knows the columns`() throws {
    try inEmptyDatabase { db throws in
      try db.execute(
        sql: """
          CREATE TABLE reader (id INTEGER PRIMARY KEY, name TEXT NOT NULL,
            home_street TEXT NOT NULL, home_zipCode INTEGER, home_tags TEXT NOT NULL, home_since TEXT,
            home_place_latitude REAL NOT NULL, home_place_longitude REAL,
            secondHome_street TEXT, secondHome_zipCode INTEGER, secondHome_tags TEXT,
            secondHome_since TEXT, secondHome_place_latitude REAL)
          """)
      let differences = try db.schemaDifferences(of: [Reader.self])
      #expect(
        differences.map { "\($0.kind) \($0.columns)" } == [
          #"missingColumn ["secondHome_place_longitude"]"#,
          #"requiredColumn ["home_place_latitude"]"#,
        ])
    }
  }

  @Test func `Records of associations embed values, too`() throws {
    struct Loan: Codable, FetchableRecord, TableRecord {
      static let reader = belongsTo(Reader.self, using: ForeignKey(["readerId"]))
      var title: String
      var readerId: Int64
    }
    struct Info: Decodable, FetchableRecord {
      var loan: Loan
      var reader: Reader?
    }
    struct Loans: Decodable, FetchableRecord {
      var reader: Reader
      var loans: [Loan]
    }
    try inEmptyDatabase { db throws in
      try Self.create(db)
      try db.execute(sql: "CREATE TABLE loan (title, readerId)")
      var readers = Self.readers
      for index in readers.indices { try readers[index].insert(db) }
      for id in [2, 3, nil] {
        try db.execute(sql: "INSERT INTO loan VALUES ('a', ?)", arguments: [id ?? 9])
      }
      let infos = try Info.fetchAll(
        db, Loan.including(optional: Loan.reader).order(Column.rowID))
      #expect(infos.map(\.reader) == [readers[1], readers[2], nil])
      let loans = Reader.hasMany(Loan.self, using: ForeignKey(["readerId"])).forKey("loans")
      let all = try Loans.fetchAll(db, Reader.including(all: loans).order(Column("id")))
      #expect(all.map(\.reader) == readers)
      #expect(all.map(\.loans.count) == [0, 1, 1, 0])
    }
  }

  @Test func `Containers by hand are embedded, too`() throws {
    struct Flat: Codable, Equatable, FetchableRecord, PersistableRecord {
      var latitude: Double
      var longitude: Double?
      var hasPlace = true

      static let databaseTableName = "flat"
      static var databaseEmbeddedKeys: [any CodingKey] { [Keys.place] }
      enum Keys: CodingKey { case place }
      enum PlaceKeys: CodingKey { case latitude, longitude }

      init(_ latitude: Double, _ longitude: Double?) {
        (self.latitude, self.longitude) = (latitude, longitude)
      }

      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        hasPlace = try container.contains(.place) && !container.decodeNil(forKey: .place)
        let place = try container.nestedContainer(keyedBy: PlaceKeys.self, forKey: .place)
        latitude = try place.decode(Double.self, forKey: .latitude)
        longitude = try place.decodeIfPresent(Double.self, forKey: .longitude)
        #expect(Set(place.allKeys) == [.latitude, .longitude])
        #expect(container.allKeys == [.place])
      }

      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        var place = container.nestedContainer(keyedBy: PlaceKeys.self, forKey: .place)
        try place.encode(latitude, forKey: .latitude)
        try place.encodeIfPresent(longitude, forKey: .longitude)
      }
    }
    try inEmptyDatabase { db throws in
      try db.execute(sql: "CREATE TABLE flat (place_longitude, place_latitude)")
      let records = [Flat(1, 2), Flat(3, nil)]
      for record in records { try record.insert(db) }
      #expect(try Flat.fetchAll(db) == records)
    }
  }

  @Test func `A value may be decoded from another one`() throws {
    struct Spot: Decodable, Equatable {
      var place: Place?
      init(_ place: Place?) { self.place = place }
      init(from decoder: any Decoder) throws {
        _ = try decoder.container(keyedBy: Key.self)
        let whole = try decoder.singleValueContainer()
        place = whole.decodeNil() ? nil : try whole.decode(Place.self)
      }
      enum Key: CodingKey { case latitude, longitude }
    }
    struct Trip: Decodable, FetchableRecord {
      var spot: Spot
      static var databaseEmbeddedKeys: [any CodingKey] { [CodingKeys.spot] }
      enum CodingKeys: CodingKey { case spot }
    }
    try inEmptyDatabase { db throws in
      let sql = """
        SELECT 1.5 AS spot_latitude, 2.5 AS spot_longitude
        UNION ALL SELECT NULL, NULL UNION ALL SELECT 3, 4
        """
      #expect(
        try Trip.fetchAll(db, sql: sql).map(\.spot) == [
          Spot(Place(latitude: 1.5, longitude: 2.5)), Spot(nil),
          Spot(Place(latitude: 3, longitude: 4)),
        ])
    }
  }

  @Test func `An optional value may be decoded as such`() throws {
    struct Trip: Decodable, FetchableRecord {
      var place: Place?
      static var databaseEmbeddedKeys: [any CodingKey] { [CodingKeys.place] }
      enum CodingKeys: CodingKey { case place }
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func value<T: Decodable>() throws -> T { try container.decode(T.self, forKey: .place) }
        place = try value()
      }
    }
    try inEmptyDatabase { db throws in
      let sql = """
        SELECT 1.5 AS place_latitude, 2.5 AS place_longitude UNION ALL SELECT NULL, NULL
        """
      #expect(
        try Trip.fetchAll(db, sql: sql).map(\.place) == [
          Place(latitude: 1.5, longitude: 2.5), nil,
        ])
    }
  }

  @Test func `A property of an embedded value whose column is missing is named`() throws {
    struct Details: Codable {
      var tags: [String]
      var notes: [String]?
    }
    struct Volume: Codable, FetchableRecord {
      var details: Details
      static var databaseEmbeddedKeys: [any CodingKey] { [CodingKeys.details] }
    }
    try inEmptyDatabase { db throws in
      let volume = try Volume.fetchOne(db, sql: "SELECT '[\"new\"]' AS details_tags")
      #expect(volume?.details.tags == ["new"])
      #expect(volume?.details.notes == nil)
      let error = errorText { try Volume.fetchOne(db, sql: "SELECT '[]' AS details_notes") }
      #expect(error?.hasPrefix(#"column not found: "details_tags""#) == true, "\(error ?? "none")")
    }
  }

  @Test func `Threads that embed a value for the first time share what they know of it`() throws {
    struct Visitor: Codable, FetchableRecord {
      var home: Address
      static var databaseEmbeddedKeys: [any CodingKey] { [CodingKeys.home] }
    }
    let visitor = try #require(Embedding.of(Visitor.self))
    for number in 0..<200 {
      let key = EmbeddedKey(stringValue: "home\(number)")
      let found = Locked<[Embedding]>([])
      DispatchQueue.concurrentPerform(iterations: 4) { _ in
        guard let value = try? visitor.value(of: Address.self, key) else { return }
        found.withLock { $0.append(value) }
      }
      let values = found.withLock { $0 }
      let areSame = values.allSatisfy { $0 === values.first }
      #expect(areSame && values.count == 4)
    }
  }

  @Test func `Classes that inherit are embedded with all of their properties`() throws {
    class Shape: Codable {
      var color: String
      init(color: String) { self.color = color }
    }
    final class Circle: Shape {
      var radius: Int
      enum CodingKeys: CodingKey { case radius }

      init(color: String, radius: Int) {
        self.radius = radius
        super.init(color: color)
      }

      required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        radius = try container.decode(Int.self, forKey: .radius)
        try super.init(from: container.superDecoder())
      }

      override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(radius, forKey: .radius)
        try super.encode(to: container.superEncoder())
      }
    }
    struct Drawing: Codable, FetchableRecord, PersistableRecord {
      var circle: Circle?
      static var databaseEmbeddedKeys: [any CodingKey] { [CodingKeys.circle] }
    }
    try inEmptyDatabase { db throws in
      try db.execute(sql: "CREATE TABLE drawing (circle_color, circle_radius)")
      try Drawing(circle: Circle(color: "red", radius: 3)).insert(db)
      try Drawing(circle: nil).insert(db)
      let drawings = try Drawing.order(Column.rowID).fetchAll(db)
      #expect(drawings.map(\.circle?.color) == ["red", nil])
      #expect(drawings.map(\.circle?.radius) == [3, nil])
    }
  }
}
