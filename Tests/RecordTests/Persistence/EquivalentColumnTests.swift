import QuarryTestSupport
import Testing

@testable import Quarry

private let composed = Acute.composed
private let decomposed = Acute.decomposed

/// Columns whose names are equal in Swift are two columns.
@Suite(.onQueueAndPool)
struct EquivalentColumnTests {
  private struct Pair: FetchableRecord, MutablePersistableRecord, Equatable {
    static let databaseTableName = "pair"
    var id: Int64?
    var first: String?
    var second: String?

    init(id: Int64?, _ first: String?, _ second: String?) {
      (self.id, self.first, self.second) = (id, first, second)
    }

    init(row: Row) throws {
      self.init(id: row["id"], row[composed], row[decomposed])
    }

    func encode(to container: inout PersistenceContainer) {
      container["id"] = id
      container[composed] = first
      container[decomposed] = second
    }

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }

    static func makeTable(_ db: Database) throws {
      try db.execute(
        sql: "CREATE TABLE pair (id INTEGER PRIMARY KEY, \"\(composed)\", \"\(decomposed)\")")
    }

    static func lines(_ db: Database) throws -> [String] {
      try Row.fetchAll(db, sql: "SELECT * FROM pair").map { row in
        row.map { $0.1.isNull ? "NULL" : String.fromDatabaseValue($0.1) ?? "\($0.1)" }
          .joined(separator: "|")
      }
    }
  }

  private func inPairs(_ body: (Database) throws -> Void) throws {
    try inEmptyDatabase { db throws in
      try Pair.makeTable(db)
      try body(db)
    }
  }

  @Test func `both columns are stored, one by one and at once`() throws {
    try inPairs { db throws in
      for number in 1...3 {
        var pair = Pair(id: nil, "a\(number)", "b\(number)")
        try pair.insert(db)
      }
      var others = (4...5).map { Pair(id: nil, "a\($0)", "b\($0)") }
      try Pair.insert(db, contentsOf: &others)
      var upserted = Pair(id: 5, "c", "d")
      try upserted.upsert(db)
      #expect(try Pair.lines(db) == ["1|a1|b1", "2|a2|b2", "3|a3|b3", "4|a4|b4", "5|c|d"])
      #expect(try Pair.fetchOne(db, key: 2) == Pair(id: 2, "a2", "b2"))
      let columns: Set = [BinaryText(composed), BinaryText(decomposed)]
      let container = try PersistenceContainer(Pair(id: 1, "a", "b"))
      #expect(columns.isSubset(of: container.columns.map { BinaryText($0) }))
      #expect(container["e\u{301}"] as String? == "b" && container["E\u{301}"] as String? == "b")
      #expect(container["\u{c9}"] as String? == nil)
    }
  }

  @Test func `an update of one column updates this one`() throws {
    try inPairs { db throws in
      var pair = Pair(id: 1, "a", "b")
      try pair.insert(db)
      pair = Pair(id: 1, "c", "d")
      try pair.update(db, columns: [composed])
      #expect(try Pair.lines(db) == ["1|c|b"])
      try pair.update(db, columns: [decomposed])
      #expect(try Pair.lines(db) == ["1|c|d"])
      pair = Pair(id: 1, "e", "f")
      try pair.update(db, columns: [Column(decomposed), Column(composed)])
      #expect(try Pair.lines(db) == ["1|e|f"])
      pair = Pair(id: 1, "g", "h")
      try pair.update(db, columns: Set([decomposed]))
      #expect(try Pair.lines(db) == ["1|e|h"])
    }
  }

  @Test func `changes of both columns are saved, and of values that Swift takes for equal`() throws
  {
    try inPairs { db throws in
      var pair = Pair(id: 1, "a", composed)
      try pair.insert(db)
      #expect(try pair.updateChanges(db) { ($0.first, $0.second) = ("c", "d") })
      #expect(try Pair.lines(db) == ["1|c|d"])
      let other = Pair(id: 1, composed, decomposed)
      #expect(try other.updateChanges(db, from: pair))
      #expect(try Int.fetchAll(db, sql: "SELECT length(\"\(decomposed)\") FROM pair") == [2])
      let last = Pair(id: 1, composed, composed)
      #expect(try !last.databaseEquals(other) && last.updateChanges(db, from: other))
      #expect(try Int.fetchAll(db, sql: "SELECT length(\"\(decomposed)\") FROM pair") == [1])
      #expect(try !last.updateChanges(db, from: last))
      var fetched = last
      let result = try fetched.updateChangesAndFetch(db) { ($0.first, $0.second) = ("x", "y") }
      #expect(result == Pair(id: 1, "x", "y"))
    }
  }

  @Test func `one type of records writes to the table that it names`() throws {
    struct Named: PersistableRecord {
      @TaskLocal static var name = ""
      static var databaseTableName: String { name }
      var id: Int
      func encode(to container: inout PersistenceContainer) { container["id"] = id }
    }
    let names = ["a long name: \(composed)", "a long name: \(decomposed)"]
    try inEmptyDatabase { db throws in
      for name in names {
        try db.execute(sql: "CREATE TABLE \"\(name)\" (id INTEGER PRIMARY KEY)")
      }
      for (id, name) in (names + names).enumerated() {
        try Named.$name.withValue(name) { try Named(id: id).insert(db) }
      }
      #expect(try Int.fetchAll(db, sql: "SELECT id FROM \"\(names[0])\"") == [0, 2])
      #expect(try Int.fetchAll(db, sql: "SELECT id FROM \"\(names[1])\"") == [1, 3])
    }
  }

  private final class PairObject: Record {
    var pair = Pair(id: 1, "a", "b")

    override init() { super.init() }
    required init(row: Row) throws { fatalError("not fetched") }
    override class var databaseTableName: String { "pair" }
    override func encode(to container: inout PersistenceContainer) throws {
      pair.encode(to: &container)
    }
  }

  @Test func `a record object knows which column it has saved`() throws {
    try inPairs { db throws in
      let object = PairObject()
      try object.insert(db)
      (object.pair.first, object.pair.second) = ("c", "d")
      try object.update(db, columns: [composed])
      #expect(try Pair.lines(db) == ["1|c|b"])
      #expect(object.hasDatabaseChanges)
      #expect(try object.updateChanges(db))
      #expect(try Pair.lines(db) == ["1|c|d"])
      (object.pair.first, object.pair.second) = ("e", "f")
      #expect(try object.updateChanges(db))
      #expect(try Pair.lines(db) == ["1|e|f"])
    }
  }

  @Test func `a record object that has saved both columns has no changes`() throws {
    try inPairs { db throws in
      let object = PairObject()
      try object.insert(db)
      let saves: [(PairObject) throws -> Void] = [
        { try $0.updateChanges(db) },
        { try $0.update(db) },
        { try $0.save(db) },
        { try $0.update(db, columns: [composed, decomposed]) },
        { object in
          _ = try object.updateAndFetch(
            db, columns: [composed, decomposed], selection: [Column("id")]
          ) { statement in
            try Row.fetchAll(statement)
          }
        },
      ]
      for (number, save) in saves.enumerated() {
        (object.pair.first, object.pair.second) = ("a\(number)", "b\(number)")
        try save(object)
        #expect(!object.hasDatabaseChanges, "\(number)")
        #expect(try Pair.lines(db) == ["1|a\(number)|b\(number)"])
      }
    }
  }

  @Test func `coding keys are columns by their bytes`() throws {
    struct Keys: Decodable, FetchableRecord {
      struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
      }
      var values: [Int]
      var isMissing: Bool
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        #expect(container.allKeys.map(\.stringValue).hasSameTexts(as: [composed, decomposed]))
        values = try [composed, decomposed].map {
          try container.decode(Int.self, forKey: Key(stringValue: $0))
        }
        isMissing = !container.contains(Key(stringValue: "\u{c9}"))
      }
    }
    try inEmptyDatabase { db throws in
      let sql = "SELECT 1 AS \"\(composed)\", 2 AS \"\(decomposed)\" UNION ALL SELECT 3, 4"
      let all = try Keys.fetchAll(db, sql: sql)
      #expect(all.map(\.values) == [[1, 2], [3, 4]])
      #expect(all.allSatisfy { $0.isMissing })
    }
  }
}
