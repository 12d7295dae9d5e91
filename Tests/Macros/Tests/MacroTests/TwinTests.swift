import Foundation
import QuarryMacros
import Testing

/// Each shape of records is compared with a twin that does without the macro: both store the same
/// columns, and each fetches what the other one has stored.
@Suite("Records by macro and their twins")
struct TwinTests {
  static let seed =
    ProcessInfo.processInfo.environment["QUARRY_RANDOM_SEED"].flatMap { UInt64($0) }
    ?? UInt64.random(in: 0...999_999)

  typealias Persistable = FetchableRecord & MutablePersistableRecord & Equatable

  func check<Record: Persistable, Twin: Persistable>(
    _ columns: String, _ make: (inout RandomValues) -> (Record, Twin)
  ) throws {
    try DatabaseQueue().write { db in
      for table in [Record.databaseTableName, Twin.databaseTableName] {
        try db.execute(sql: "CREATE TABLE \"\(table)\" (\(columns))")
      }
      var random = RandomValues(seed: Self.seed)
      var records: [Record] = []
      var twins: [Twin] = []
      for _ in 0..<100 {
        var (record, twin) = make(&random)
        try record.insert(db)
        try twin.insert(db)
        try #expect(record.databaseDictionary == twin.databaseDictionary, "seed \(Self.seed)")
        records.append(record)
        twins.append(twin)
      }
      try compare(records, twins, db)
    }
  }

  private func compare<Record: Persistable, Twin: Persistable>(
    _ records: [Record], _ twins: [Twin], _ db: Database
  ) throws {
    let comment = Comment(rawValue: "seed \(Self.seed)")
    let tables = [Record.databaseTableName, Twin.databaseTableName]
    let rows = try tables.map { try Row.fetchAll(db, sql: "SELECT * FROM \"\($0)\"") }
    #expect(rows[0] == rows[1], comment)
    let names = try #require(rows[0].first).columnNames.reversed().map { "\"\($0)\"" }
    for selection in ["*", names.joined(separator: ", "), "*, 1 AS more"] {
      for table in tables {
        let sql = "SELECT \(selection) FROM \"\(table)\" ORDER BY rowid"
        try #expect(Record.fetchAll(db, sql: sql) == records, comment)
        try #expect(Twin.fetchAll(db, sql: sql) == twins, comment)
        try #expect(Row.fetchAll(db, sql: sql).map { try Record(row: $0) } == records, comment)
      }
    }
    try #expect(Record.fetchAll(db, Record.order(Column.rowID)) == records, comment)
  }

  @Test func `plain values, and a key that insertions set`() throws {
    try check(
      "id INTEGER PRIMARY KEY, name TEXT, count INTEGER, ratio REAL, isOn BOOLEAN"
    ) { random in
      let twin = PlainTwin(
        name: random.text(), count: random.int(), ratio: random.double(), isOn: random.bool())
      return (
        Plain(name: twin.name, count: twin.count, ratio: twin.ratio, isOn: twin.isOn), twin
      )
    }
  }

  @Test func `optional values`() throws {
    try check(
      "id INTEGER PRIMARY KEY, name TEXT, count INTEGER, ratio REAL, isOn BOOLEAN, bytes BLOB"
    ) { random in
      let twin = SparseTwin(
        name: random.maybe { $0.text() }, count: random.maybe { $0.int() },
        ratio: random.maybe { $0.double() }, isOn: random.maybe { $0.bool() },
        bytes: random.maybe { $0.data() })
      return (
        Sparse(
          name: twin.name, count: twin.count, ratio: twin.ratio, isOn: twin.isOn, bytes: twin.bytes),
        twin
      )
    }
  }

  @Test func `numbers of all sizes`() throws {
    try check("a, b, c, d, e, f, g, h") { random in
      let twin = NumbersTwin(
        a: random.integer(), b: random.maybe { $0.integer() }, c: random.integer(),
        d: random.integer(), e: random.integer(), f: Float(random.int() % 1000) / 8,
        g: Decimal(random.int() % 100_000) / 100, h: random.integer())
      return (
        Numbers(
          a: twin.a, b: twin.b, c: twin.c, d: twin.d, e: twin.e, f: twin.f, g: twin.g, h: twin.h),
        twin
      )
    }
  }

  @Test func `enumerations, values as JSON, and names with spaces`() throws {
    var number = 0
    try check("code TEXT PRIMARY KEY, size INTEGER, color TEXT, \"the words\" TEXT, link TEXT") {
      random in
      number += 1
      let twin = ChoicesTwin(
        code: "code \(number)", size: random.element(), color: random.maybe { $0.element() },
        words: Words(words: random.list { $0.text() }),
        link: random.maybe { URL(string: "https://example.com/\($0.int())")! })
      return (
        Choices(
          code: twin.code, size: twin.size, color: twin.color, words: twin.words, link: twin.link),
        twin
      )
    }
  }

  @Test func `dates in all formats`() throws {
    try check("text, optionalText, seconds, milliseconds, optional, iso") { random in
      let twin = TimesTwin(
        text: random.date(), optionalText: random.maybe { $0.date() }, seconds: random.date(),
        milliseconds: random.date(), optional: random.maybe { $0.date() },
        iso: Date(timeIntervalSince1970: random.date().timeIntervalSince1970.rounded()))
      return (
        Times(
          text: twin.text, optionalText: twin.optionalText, seconds: twin.seconds,
          milliseconds: twin.milliseconds, optional: twin.optional, iso: twin.iso), twin
      )
    }
  }

  @Test(arguments: [
    (-0.0006, "1969-12-31T23:59:59Z"), (-0.0004, "1970-01-01T00:00:00Z"),
    (1_709_289_000.5, "2024-03-01T10:30:00Z"), (1_709_289_000.9994, "2024-03-01T10:30:00Z"),
    (1_709_289_000.9996, "2024-03-01T10:30:01Z"),
  ])
  func `texts of ISO 8601 are those of the nearest millisecond`(
    _ seconds: Double, _ text: String
  ) throws {
    struct Due: Codable, EncodableRecord {
      var day: Date

      static func databaseDateEncodingStrategy(
        for column: String
      ) -> DatabaseDateEncodingStrategy { .iso8601 }
    }
    let date = Date(timeIntervalSince1970: seconds)
    #expect(ISO8601.databaseValue(of: date) == text.databaseValue)
    try #expect(Due(day: date).databaseDictionary == ["day": text.databaseValue])
  }

  @Test func `UUIDs in all formats`() throws {
    try check("blob BLOB, upper TEXT, lower TEXT") { random in
      let twin = KeysTwin(
        blob: random.uuid(), upper: random.uuid(), lower: random.maybe { $0.uuid() })
      return (Keys(blob: twin.blob, upper: twin.upper, lower: twin.lower), twin)
    }
  }

  @Test func `JSON`() throws {
    try check("words, counts, nodes, the_set") { random in
      let twin = TreesTwin(
        words: random.list { $0.text() },
        counts: random.maybe { ["a": $0.int(), "b": $0.int()] },
        nodes: random.list { .init(name: $0.text(), date: $0.date(), bytes: $0.data()) },
        set: Set(random.maybe { $0.int() }.map { [$0] } ?? []))
      return (
        Trees(words: twin.words, counts: twin.counts, nodes: twin.nodes, set: twin.set), twin
      )
    }
  }

  @Test func `embedded structures`() throws {
    try check(
      """
      name, home_street, home_town, home_place_latitude, home_place_longitude, home_key, wstreet,
      wtown, wplace_latitude, wplace_longitude, wkey, age
      """
    ) { random in
      func address() -> Address {
        Address(
          street: random.text(), city: random.maybe { $0.text() },
          place: random.maybe { Place(latitude: $0.double(), longitude: $0.double()) },
          key: random.maybe { $0.uuid() })
      }
      let home = address()
      let work = random.bool() ? address() : nil
      let record = Customer(name: random.text(), home: home, work: work, age: random.int())
      return (
        record,
        CustomerTwin(
          name: record.name, home_street: home.street, home_town: home.city,
          home_place_latitude: home.place?.latitude, home_place_longitude: home.place?.longitude,
          home_key: home.key, wstreet: work?.street, wtown: work?.city,
          wplace_latitude: work?.place?.latitude, wplace_longitude: work?.place?.longitude,
          wkey: work?.key, age: record.age)
      )
    }
  }

  @Test func `a class`() throws {
    try check("id INTEGER PRIMARY KEY, name TEXT, items TEXT") { random in
      let twin = BoxTwin(id: nil, name: random.text(), items: random.list { $0.int() })
      return (Box(name: twin.name, items: twin.items), twin)
    }
  }

  @Test func `a generic structure`() throws {
    try check("first TEXT, second TEXT") { random in
      let twin = PairTwin(first: random.text(), second: random.maybe { $0.text() })
      return (Pair(first: twin.first, second: twin.second), twin)
    }
  }
}
