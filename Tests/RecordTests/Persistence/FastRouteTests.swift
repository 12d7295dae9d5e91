import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

// Fast routes beside the general one, which they must agree with: see "Fast routes" in
// ARCHITECTURE.md. The other routes have their comparisons in the tests that the page names.
struct FastRouteTests {
  private static func element(_ random: inout SplitMix64) -> (any DatabaseValueConvertible)? {
    let text = random.text(upTo: 40)
    switch random.below(11) {
    case 0: return Int(random.int64())
    case 1: return random.int64()
    case 2: return random.chance(5) ? Double.infinity : Double(random.below(1_000)) / 8
    case 3: return text
    case 4: return String?.some(text)
    case 5: return String?.none
    case 6: return Int?.some(7)
    case 7: return Data(random.bytes(20))
    case 8: return random.chance(2)
    case 9: return UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF")
    default: return nil
    }
  }

  @Test func `a literal of arguments is bound as other arguments are`() throws {
    let run = RandomRun("literals of arguments")
    try DatabaseQueue().inDatabase { db throws in
      func rows(_ execute: () throws -> Void) rethrows -> Row? {
        try execute()
        return try? Row.fetchOne(db, sql: "SELECT * FROM bound")
      }
      try db.execute(sql: "CREATE TABLE bound (a, b, c)")
      let insert = try db.makeStatement(
        sql: "REPLACE INTO bound (rowid, a, b, c) VALUES (1, ?, ?, ?)")
      run.repeated(seconds: 0.5, atMost: 500) { random in
        let (a, b, c) = (
          Self.element(&random), Self.element(&random), Self.element(&random)
        )
        let literal = rows { try? insert.execute(arguments: [a, b, c]) }
        let others: [(any DatabaseValueConvertible)?] = [a, b, c]
        let general = rows { try? insert.execute(arguments: StatementArguments(others)) }
        #expect(literal != nil && literal == general, "seed \(run.seed)")
      }
    }
  }

  private struct Item: Codable, Equatable, FetchableRecord, PersistableRecord {
    var id: DatabaseValueKey
    var name: String
  }

  /// A key of any type.
  private struct DatabaseValueKey: Codable, Hashable, DatabaseValueConvertible {
    let value: DatabaseValue

    init(_ value: DatabaseValue) { self.value = value }

    init(from decoder: any Decoder) throws { value = .null }

    func encode(to encoder: any Encoder) throws {}

    var databaseValue: DatabaseValue { value }

    static func fromDatabaseValue(_ value: DatabaseValue) -> DatabaseValueKey? {
      DatabaseValueKey(value)
    }
  }

  private static func key(_ random: inout SplitMix64) -> DatabaseValue {
    switch random.below(4) {
    case 0: .null
    case 1: "\(random.below(30))".databaseValue
    default: random.below(30).databaseValue
    }
  }

  @Test(arguments: ["id INTEGER PRIMARY KEY", "id TEXT PRIMARY KEY", "id PRIMARY KEY"])
  func `the record with a key is the one that a filter selects`(definition: String) throws {
    let run = RandomRun("keys")
    try DatabaseQueue().inDatabase { db throws in
      try db.execute(sql: "CREATE TABLE item (\(definition), name)")
      try run.repeated(seconds: 0.5, atMost: 300) { random in
        let key = DatabaseValueKey(Self.key(&random))
        if random.chance(3), !key.value.isNull {
          try db.execute(
            sql: "INSERT OR IGNORE INTO item VALUES (?, ?)", arguments: [key, "\(key.value)"])
        }
        let expected = try Item.filter(key: key).fetchOne(db)
        #expect(try Item.fetchOne(db, key: key) == expected, "seed \(run.seed)")
        #expect(try Item.exists(db, key: key) == (expected != nil), "seed \(run.seed)")
        guard random.chance(9) else { return }
        #expect(try Item.deleteOne(db, key: key) == (expected != nil), "seed \(run.seed)")
        #expect(try Item.filter(key: key).isEmpty(db), "seed \(run.seed)")
      }
    }
  }

  /// Writes some of its columns, in any order.
  private struct Shuffled: Encodable, PersistableRecord {
    enum Key: String, CodingKey, CaseIterable { case id, a, b, c }
    static let databaseTableName = "shuffled"
    var values: [(key: Key, value: Int?)]

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      for (key, value) in values { try container.encodeIfPresent(value, forKey: key) }
    }
  }

  @Test func `columns that records write in any order are those that they write`() throws {
    let run = RandomRun("columns in any order")
    try DatabaseQueue().inDatabase { db throws in
      try db.execute(sql: "CREATE TABLE shuffled (id INTEGER PRIMARY KEY, a, b, c)")
      try run.repeated(seconds: 0.5, atMost: 60) { random in
        try db.execute(sql: "DELETE FROM shuffled")
        var keys = Shuffled.Key.allCases
        let records = (1...40).map { id in
          if random.chance(4) { keys.shuffle(using: &random) }
          let written = keys.filter { $0 == .id || !random.chance(9) }
          return Shuffled(
            values: written.map { key in
              (key, key == .id ? id : random.chance(5) ? nil : random.below(100))
            })
        }
        if random.chance(2) {
          try Shuffled.insert(db, contentsOf: records)
        } else {
          for record in records { try record.insert(db) }
        }
        let rows = try Row.fetchAll(db, sql: "SELECT id, a, b, c FROM shuffled ORDER BY id")
        let expected = records.map { record in
          Shuffled.Key.allCases.map { key in record.values.first { $0.key == key }?.value }
        }
        #expect(
          rows.map { row in row.databaseValues.map { Int.fromDatabaseValue($0) } } == expected,
          "seed \(run.seed)")
      }
    }
  }

  private struct Parent: Codable, FetchableRecord, TableRecord {
    struct Child: Codable { var name: String }
    var children: [Child]

    static let children = hasMany(
      Table("child"), key: "children", using: ForeignKey(["parentKey"], to: ["key"]))
  }

  /// Keys that are all integers are looked up by other code than keys with texts.
  @Test(arguments: [true, false])
  func `the children of parents with any keys are those of a loop`(isInteger: Bool) throws {
    let run = RandomRun("keys of prefetches")
    try DatabaseQueue().inDatabase { db throws in
      try db.execute(
        sql: """
          CREATE TABLE parent (id INTEGER PRIMARY KEY, key);
          CREATE TABLE child (id INTEGER PRIMARY KEY, parentKey, name);
          """)
      try run.repeated(seconds: 1, atMost: 60) { random in
        try db.execute(sql: "DELETE FROM parent; DELETE FROM child")
        func key() -> DatabaseValue {
          var key = Self.key(&random)
          while isInteger, case .string = key.storage { key = Self.key(&random) }
          return key
        }
        let parents = (0..<random.below(50)).map { _ in key() }
        let children = (0..<random.below(150)).map { _ in key() }
        for key in parents {
          try db.execute(sql: "INSERT INTO parent (key) VALUES (?)", arguments: [key])
        }
        for (number, key) in children.enumerated() {
          try db.execute(
            sql: "INSERT INTO child VALUES (?, ?, ?)", arguments: [number, key, "\(number)"])
        }
        let request = Parent.including(all: Parent.children.order(Column("id")))
          .order(Column("id"))
        let names = try request.fetchAll(db).map { $0.children.map(\.name) }
        let expected = parents.map { key in
          children.indices.filter { !key.isNull && children[$0] == key }.map { "\($0)" }
        }
        #expect(names == expected, "seed \(run.seed)")
      }
    }
  }
}
