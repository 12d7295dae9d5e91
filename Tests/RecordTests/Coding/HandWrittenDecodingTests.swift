import Foundation
import Quarry
import QuarryTestSupport
import Testing

/// Records whose `init(from:)` is written by hand, and asks for what the compiler does not
/// generate.
struct HandWrittenDecodingTests {
  private struct Numbers: Decodable, FetchableRecord, Equatable {
    enum CodingKeys: CodingKey { case value }
    var description: String

    init(from decoder: any Decoder) throws {
      let row = try decoder.container(keyedBy: CodingKeys.self)
      let values: [(any Numeric)?] = [
        try row.decodeIfPresent(Int.self, forKey: .value),
        try row.decodeIfPresent(Int8.self, forKey: .value),
        try row.decodeIfPresent(Int16.self, forKey: .value),
        try row.decodeIfPresent(Int32.self, forKey: .value),
        try row.decodeIfPresent(Int64.self, forKey: .value),
        try row.decodeIfPresent(UInt.self, forKey: .value),
        try row.decodeIfPresent(UInt8.self, forKey: .value),
        try row.decodeIfPresent(UInt16.self, forKey: .value),
        try row.decodeIfPresent(UInt32.self, forKey: .value),
        try row.decodeIfPresent(UInt64.self, forKey: .value),
        try row.decodeIfPresent(Float.self, forKey: .value),
        try row.decodeIfPresent(Double.self, forKey: .value),
      ]
      description = values.map { value in value.map { "\($0)" } ?? "nil" }.joined(separator: " ")
    }
  }

  @Test func `numbers of all types that may be absent`() throws {
    try DatabaseQueue().read { db throws in
      #expect(
        try Numbers.fetchOne(db, sql: "SELECT 100 AS value")?.description
          == "100 100 100 100 100 100 100 100 100 100 100.0 100.0")
      let none = Array(repeating: "nil", count: 12).joined(separator: " ")
      #expect(try Numbers.fetchOne(db, sql: "SELECT NULL AS value")?.description == none)
      #expect(try Numbers.fetchOne(db, sql: "SELECT 1 AS other")?.description == none)
      let error = errorText { try Numbers.fetchOne(db, sql: "SELECT 128 AS value") }
      #expect(
        error?.hasPrefix("could not decode Optional<Int8> from database value 128 - ") == true)
    }
  }

  /// Properties that may be absent, in the way of generic code.
  private struct Generic: Decodable, FetchableRecord, Equatable {
    enum CodingKeys: CodingKey { case count, date, names }
    var count: Int?
    var date: Date?
    var names: [String]?

    init(from decoder: any Decoder) throws {
      let row = try decoder.container(keyedBy: CodingKeys.self)
      func value<T: Decodable>(_ key: CodingKeys) throws -> T {
        try row.decode(T.self, forKey: key)
      }
      count = try value(.count)
      date = try value(.date)
      names = try value(.names)
    }

    init(_ count: Int?, _ date: Date?, _ names: [String]?) {
      (self.count, self.date, self.names) = (count, date, names)
    }
  }

  @Test func `optional values are nil for NULL and for missing columns`() throws {
    try DatabaseQueue().read { db throws in
      let all = "SELECT 1 AS count, 2 AS date, '[\"Emma\"]' AS names"
      let first = Date(timeIntervalSince1970: 2)
      #expect(
        try Generic.fetchAll(db, sql: all + " UNION ALL SELECT NULL, NULL, NULL")
          == [Generic(1, first, ["Emma"]), Generic(nil, nil, nil)])
      #expect(
        try Generic.fetchAll(db, sql: "SELECT NULL AS names UNION ALL SELECT '[]'")
          == [Generic(nil, nil, nil), Generic(nil, nil, [])])
      #expect(
        try Generic.fetchAll(db, sql: "SELECT 1 AS count") == [Generic(1, nil, nil)])
    }
  }

  private struct List: Decodable, FetchableRecord {
    init(from decoder: any Decoder) throws { _ = try decoder.unkeyedContainer() }
  }

  /// The title of a row, or none for a row of nulls.
  private struct Heading: Decodable, FetchableRecord {
    var title: String?
    enum CodingKeys: CodingKey { case title }

    init(from decoder: any Decoder) throws {
      if try decoder.singleValueContainer().decodeNil() { return }
      title = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .title)
    }
  }

  @Test func `a row is no list, and may be tested for nulls`() throws {
    try DatabaseQueue().read { db throws in
      let error = errorText { try List.fetchOne(db, sql: "SELECT 'Emma' AS title") }
      #expect(error?.contains("unkeyed decoding from database row is not supported") == true)
      let sql = "SELECT 'Emma' AS title UNION ALL SELECT NULL"
      #expect(try Heading.fetchAll(db, sql: sql).map(\.title) == ["Emma", nil])
    }
  }

  private struct Shelf: Codable, FetchableRecord, TableRecord {
    static let volumes = hasMany(Volume.self)
    var id: Int64
  }

  private struct Volume: Codable, Hashable, FetchableRecord, TableRecord {
    var title: String
  }

  private enum VolumeKey: CodingKey { case title }

  /// A shelf with what `Volumes` makes of its prefetched volumes.
  private struct Filled<Volumes: Decodable>: Decodable, FetchableRecord {
    var shelf: Shelf
    var volumes: Volumes
  }

  private func fetch<Volumes: Decodable>(_ type: Volumes.Type) throws -> Volumes? {
    let queue = try makeDatabase(
      sql: """
        CREATE TABLE shelf (id INTEGER PRIMARY KEY);
        CREATE TABLE volume (
          id INTEGER PRIMARY KEY, title TEXT, shelfId INTEGER REFERENCES shelf);
        INSERT INTO shelf VALUES (1);
        INSERT INTO volume VALUES (1, 'Emma', 1), (2, 'Walden', 1);
        """)
    return try queue.read { db in
      let request = Shelf.including(all: Shelf.volumes.order(Column("id")))
      return try Filled<Volumes>.fetchOne(db, request.asRequest(of: Filled<Volumes>.self))?.volumes
    }
  }

  private struct Titles: Decodable {
    var titles: [String] = []
    var count: Int?

    init(from decoder: any Decoder) throws {
      var volumes = try decoder.unkeyedContainer()
      count = volumes.count
      let first = try volumes.nestedContainer(keyedBy: VolumeKey.self)
      titles.append(try first.decode(String.self, forKey: .title))
      titles.append(try Volume(from: volumes.superDecoder()).title)
    }
  }

  /// A list that is decoded as one value, as by a property wrapper.
  private struct Wrapper: Decodable {
    var volumes: [Volume]

    init(from decoder: any Decoder) throws {
      volumes = try decoder.singleValueContainer().decode([Volume].self)
    }
  }

  @Test func `prefetched rows are one value, which may be optional`() throws {
    let volumes = [Volume(title: "Emma"), Volume(title: "Walden")]
    #expect(try fetch([Volume]?.self) == .some(volumes))
    #expect(try fetch(Set<Volume>?.self) == .some(Set(volumes)))
    #expect(try fetch(Wrapper.self)?.volumes == volumes)
    #expect(try fetch(Wrapper?.self).flatMap(\.self)?.volumes == volumes)
  }

  @Test func `an optional list or record is nil without its association`() throws {
    try makeDatabase(sql: "CREATE TABLE shelf (id INTEGER PRIMARY KEY, title TEXT)").write {
      db throws in
      try db.execute(sql: "INSERT INTO shelf VALUES (1, 'Emma')")
      let lists = Shelf.all().asRequest(of: Filled<[Volume]?>.self)
      #expect(try lists.fetchAll(db).map(\.volumes) == [nil])
      let records = Shelf.all().asRequest(of: Filled<Volume?>.self)
      #expect(try records.fetchAll(db).map(\.volumes) == [nil])
      let required = Shelf.all().asRequest(of: Filled<[Volume]>.self)
      let error = errorText { try required.fetchAll(db) }
      #expect(error?.contains("Key 'volumes' not found") == true, "\(error ?? "no error")")
    }
  }

  @Test func `prefetched rows are read one after the other`() throws {
    let titles = try fetch(Titles.self)
    #expect(titles?.titles == ["Emma", "Walden"])
    #expect(titles?.count == 2)
  }

  /// Whether the container has what a key may be: prefetched volumes, or nothing.
  private struct Probe: Decodable, FetchableRecord {
    enum CodingKeys: CodingKey { case volumes, readers }
    var areNil: [Bool]

    init(from decoder: any Decoder) throws {
      let row = try decoder.container(keyedBy: CodingKeys.self)
      areNil = try [row.decodeNil(forKey: .volumes), row.decodeNil(forKey: .readers)]
    }
  }

  @Test func `prefetched rows are not nil`() throws {
    let queue = try makeDatabase(
      sql: """
        CREATE TABLE shelf (id INTEGER PRIMARY KEY);
        CREATE TABLE volume (id INTEGER PRIMARY KEY, title, shelfId INTEGER REFERENCES shelf);
        INSERT INTO shelf VALUES (1);
        """)
    try queue.read { db throws in
      let request = Shelf.including(all: Shelf.volumes)
      #expect(
        try Probe.fetchOne(db, request.asRequest(of: Probe.self))?.areNil == [false, true])
      #expect(
        try Probe.fetchOne(db, Shelf.all().asRequest(of: Probe.self))?.areNil == [true, true])
    }
  }

  private struct Single: Decodable {
    init(from decoder: any Decoder) throws {
      _ = try decoder.singleValueContainer().decode(String.self)
    }
  }

  private struct Keyed: Decodable {
    init(from decoder: any Decoder) throws {
      _ = try decoder.container(keyedBy: VolumeKey.self)
    }
  }

  private struct Nested: Decodable {
    init(from decoder: any Decoder) throws {
      var volumes = try decoder.unkeyedContainer()
      _ = try volumes.nestedUnkeyedContainer()
    }
  }

  private struct Greedy: Decodable {
    init(from decoder: any Decoder) throws {
      var volumes = try decoder.unkeyedContainer()
      for _ in 1...3 { _ = try volumes.decode(Volume.self) }
    }
  }

  @Test func `prefetched rows are no other container`() throws {
    func text<T: Decodable>(_ type: T.Type) -> String { errorText { try fetch(type) } ?? "" }
    #expect(
      text(Single.self).contains("single value decoding from prefetched rows is not supported"))
    #expect(text(Keyed.self).contains("keyed decoding from prefetched rows is not supported"))
    #expect(text(Nested.self).contains("unkeyed decoding is not supported"))
    #expect(text(Greedy.self).contains("There are no more prefetched rows"))
  }
}
