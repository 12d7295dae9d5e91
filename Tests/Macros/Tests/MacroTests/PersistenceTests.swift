import Foundation
import QuarryMacros
import Testing

/// The same operations on records by macro and on their twins have the same outcome, and leave the
/// same rows.
@Suite("Persistence of records by macro and of their twins")
struct PersistenceTests {
  enum Operation: CaseIterable {
    case insert, insertAndFetch, insertMany, update, updateChanges, save, upsert, delete
  }

  typealias Persistable = FetchableRecord & MutablePersistableRecord & Equatable

  /// Stores records with the keys 1 to 20, and then applies the operation to keys up to 30.
  func check<Record: Persistable, Twin: Persistable>(
    _ operation: Operation, _ columns: String,
    _ make: @escaping (Int, inout RandomValues) -> (Record, Twin)
  ) throws {
    let seed = TwinTests.seed
    var random = RandomValues(seed: seed)
    let stored = (1...20).map { make($0, &random) }
    let changed = (0..<40).map { _ in make(Int.random(in: 1...30, using: &random), &random) }
    let (records, twins) = try DatabaseQueue().write { db in
      try (
        outcomes(operation, columns, stored.map(\.0), changed.map(\.0), db),
        outcomes(operation, columns, stored.map(\.1), changed.map(\.1), db)
      )
    }
    #expect(records.texts == twins.texts, "seed \(seed)")
    #expect(records.rows == twins.rows, "seed \(seed)")
    #expect(!records.rows.isEmpty)
    #expect(records.texts.contains("done"))
  }

  private func outcomes<Record: Persistable>(
    _ operation: Operation, _ columns: String, _ stored: [Record], _ changed: [Record],
    _ db: Database
  ) throws -> (texts: [String], rows: [Row]) {
    let table = Record.databaseTableName
    try db.execute(sql: "CREATE TABLE \"\(table)\" (\(columns))")
    for record in stored { _ = try record.inserted(db) }
    let texts = try changed.indices.map { index in
      do {
        try apply(operation, to: changed[index], from: stored[index % stored.count], db)
        return "done"
      } catch let error as DatabaseError {
        return "\(error.extendedResultCode)"
      } catch let error as RecordError {
        guard case .recordNotFound(_, let key) = error else { throw error }
        return "no record: \(key.sorted { $0.key < $1.key })"
      }
    }
    return try (texts, Row.fetchAll(db, sql: "SELECT * FROM \"\(table)\""))
  }

  private func apply<Record: Persistable>(
    _ operation: Operation, to record: Record, from old: Record, _ db: Database
  ) throws {
    var record = record
    switch operation {
    case .insert: try record.insert(db)
    case .insertAndFetch: try #expect(record.insertAndFetch(db) == record)
    case .insertMany: _ = try Record.inserted(db, contentsOf: [record])
    case .update: try record.update(db)
    case .updateChanges: try record.updateChanges(db, from: old)
    case .save: try record.save(db)
    case .upsert: try record.upsert(db)
    case .delete:
      guard try record.delete(db) else {
        throw RecordError.recordNotFound(databaseTableName: Record.databaseTableName, key: [:])
      }
    }
  }

  @Test(arguments: Operation.allCases) func `an automatic key`(_ operation: Operation) throws {
    try check(
      operation, "id INTEGER PRIMARY KEY, name TEXT, count INTEGER, ratio REAL, isOn BOOLEAN"
    ) { key, random in
      let twin = PlainTwin(
        id: Int64(key), name: random.text(), count: random.int(), ratio: random.double(),
        isOn: random.bool())
      return (
        Plain(
          id: twin.id, name: twin.name, count: twin.count, ratio: twin.ratio, isOn: twin.isOn),
        twin
      )
    }
  }

  @Test(arguments: Operation.allCases) func `a text as key`(_ operation: Operation) throws {
    try check(
      operation,
      "code TEXT PRIMARY KEY, size INTEGER, color TEXT, \"the words\" TEXT UNIQUE, link TEXT"
    ) { key, random in
      let twin = ChoicesTwin(
        code: "code \(key)", size: random.element(), color: random.maybe { $0.element() },
        words: Words(words: ["\(key)"]), link: nil)
      return (
        Choices(
          code: twin.code, size: twin.size, color: twin.color, words: twin.words, link: twin.link),
        twin
      )
    }
  }

  @Test(arguments: Operation.allCases) func `a UUID as key`(_ operation: Operation) throws {
    try check(operation, "id BLOB PRIMARY KEY, price INTEGER CHECK (price > 100)") { key, random in
      var keys = RandomValues(seed: UInt64(key))
      let twin = TicketTwin(id: keys.uuid(), price: Int.random(in: 1...100, using: &random) + 100)
      return (Ticket(id: twin.id, price: twin.price), twin)
    }
  }

  @Test(arguments: Operation.allCases)
  func `a key of two columns, without rowid`(_ operation: Operation) throws {
    try check(
      operation,
      "line INTEGER, number INTEGER, guest TEXT, PRIMARY KEY (line, number)) WITHOUT ROWID -- "
    ) { key, random in
      let twin = SeatTwin(line: key / 5, number: key % 5, guest: random.maybe { $0.text() })
      return (Seat(line: twin.line, number: twin.number, guest: twin.guest), twin)
    }
  }

  @Test(arguments: Operation.allCases) func `a class`(_ operation: Operation) throws {
    try check(operation, "id INTEGER PRIMARY KEY, name TEXT, items TEXT") { key, random in
      let twin = BoxTwin(id: Int64(key), name: random.text(), items: random.list { $0.int() })
      return (Box(id: twin.id, name: twin.name, items: twin.items), twin)
    }
  }

  @Test(arguments: Operation.allCases) func `embedded values`(_ operation: Operation) throws {
    try check(
      operation,
      """
      id INTEGER PRIMARY KEY, place_latitude, place_longitude, payment_case TEXT,
      payment_cardNumber TEXT, payment_voucher INTEGER
      """
    ) { key, random in
      let place = random.maybe { Place(latitude: $0.double(), longitude: $0.double()) }
      let payment: Ordered.Payment =
        switch Int.random(in: 0...2, using: &random) {
        case 0: .cash
        case 1: .card(number: random.text())
        default: .voucher(random.int())
        }
      var twin = OrderedTwin(
        id: Int64(key), place_latitude: place?.latitude, place_longitude: place?.longitude,
        payment_case: "cash", payment_cardNumber: nil, payment_voucher: nil)
      switch payment {
      case .cash: break
      case .card(let number): (twin.payment_case, twin.payment_cardNumber) = ("card", number)
      case .voucher(let value): (twin.payment_case, twin.payment_voucher) = ("voucher", value)
      }
      return (Ordered(id: Int64(key), place: place, payment: payment), twin)
    }
  }

  @Test(arguments: [
    "id BIGINT PRIMARY KEY)", "id INTEGER PRIMARY KEY DESC)",
    "id INTEGER PRIMARY KEY) WITHOUT ROWID",
  ])
  func `a key that is no alias of the rowid stays as it is given`(_ key: String) throws {
    func plain(_ id: Int64) -> Plain { Plain(id: id, name: "", count: 1, ratio: 1, isOn: true) }
    try DatabaseQueue().write { db in
      try db.execute(
        sql: "CREATE TABLE plain (name TEXT, count INTEGER, ratio REAL, isOn BOOLEAN, \(key)")
      var first = plain(500)
      try first.insert(db)
      #expect(first.id == 500)
      var others = [plain(501), plain(502)]
      try Plain.insert(db, contentsOf: &others)
      #expect(others.map(\.id) == [501, 502])
      first.count = 2
      try first.upsert(db)
      #expect(first.id == 500)
      try first.update(db)
      let ids = try Int64.fetchAll(db, sql: "SELECT id FROM plain ORDER BY id")
      #expect(ids == [500, 501, 502])
    }
  }
}

@Record struct Ticket: Equatable {
  @PrimaryKey var id: UUID
  var price: Int
}

struct TicketTwin: Codable, Equatable, FetchableRecord, PersistableRecord {
  var id: UUID
  var price: Int
}

@Record struct Seat: Equatable {
  var line: Int
  var number: Int
  var guest: String?
}

struct SeatTwin: Codable, Equatable, FetchableRecord, PersistableRecord {
  var line: Int
  var number: Int
  var guest: String?
}

@Record struct Ordered: Equatable {
  @Embeddable enum Payment: Equatable {
    case cash
    case card(number: String)
    case voucher(Int)
  }

  @PrimaryKey var id: Int64?
  @Embedded var place: Place?
  @Embedded var payment: Payment
}

/// The columns of `Ordered`, one by one.
struct OrderedTwin: Codable, Equatable, FetchableRecord, MutablePersistableRecord {
  var id: Int64?
  var place_latitude: Double?
  var place_longitude: Double?
  var payment_case: String
  var payment_cardNumber: String?
  var payment_voucher: Int?

  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}
