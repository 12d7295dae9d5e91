import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

/// Keys that can't be those of embedded values: records are neither stored nor fetched, again and
/// again.
@Suite(.onQueueAndPool)
struct EmbeddedValueMistakeTests {
  typealias Persistable = Codable & FetchableRecord & PersistableRecord

  /// The messages of two insertions, of a batch, and of two fetches.
  private func messages<Record: Persistable>(
    _ record: Record, _ columns: [String: any DatabaseValueConvertible]
  ) throws -> [String?] {
    var messages: [String?] = []
    try inEmptyDatabase { db throws in
      let names = columns.keys.sorted()
      let table = Record.databaseTableName
      try db.execute(sql: "CREATE TABLE \"\(table)\" (\(names.joined(separator: ", ")))")
      for _ in 0..<2 { messages.append(databaseError { try record.insert(db) }?.message) }
      messages.append(
        databaseError { try Record.insert(db, contentsOf: [record, record]) }?.message)
      #expect(try Record.fetchCount(db) == 0)
      let marks = names.map { _ in "?" }.joined(separator: ", ")
      try db.execute(
        sql: "INSERT INTO \"\(table)\" VALUES (\(marks))",
        arguments: StatementArguments(names.map { columns[$0] }))
      for _ in 0..<2 { messages.append(databaseError { try Record.fetchAll(db) }?.message) }
    }
    return messages
  }

  private func expectMessage<Record: Persistable>(
    _ message: String, _ record: Record, _ columns: [String: any DatabaseValueConvertible],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let messages = try messages(record, columns)
    #expect(
      messages == Array(repeating: message, count: 5), sourceLocation: sourceLocation)
  }

  private static let wayOut =
    "Remove it from databaseEmbeddedKeys, or make it a structure"

  @Test func `A value is no structure`() throws {
    struct Text: Persistable {
      var name: String
      static var databaseEmbeddedKeys: [any CodingKey] { [CodingKeys.name] }
    }
    struct Moment: Persistable {
      var date: Date
      static var databaseEmbeddedKeys: [any CodingKey] { [CodingKeys.date] }
    }
    struct Size: Codable {
      enum Unit: String, Codable { case meter }
      var unit: Unit
    }
    struct Measure: Persistable {
      var unit: Size.Unit
      static var databaseEmbeddedKeys: [any CodingKey] { [CodingKeys.unit] }
    }
    struct List: Persistable {
      var items: [Int]?
      static var databaseEmbeddedKeys: [any CodingKey] { [CodingKeys.items] }
    }
    try expectMessage(
      "Text.name can't be embedded: it is coded as one value. \(Self.wayOut)",
      Text(name: "a"), ["name": "a"])
    try expectMessage(
      "Moment.date can't be embedded: Date is a database value. \(Self.wayOut)",
      Moment(date: Date()), ["date": 1])
    try expectMessage(
      "Measure.unit can't be embedded: Unit has no coding keys of its own. \(Self.wayOut)",
      Measure(unit: .meter), ["unit": "meter"])
    for items in [[1], nil] {
      try expectMessage(
        "List.items can't be embedded: Array<Int> has no coding keys of its own. \(Self.wayOut)",
        List(items: items), ["items": "[]"])
    }
  }

  @Test func `An optional value is no structure, nor is nil`() throws {
    struct Text: Persistable {
      var name: String?
      static var databaseEmbeddedKeys: [any CodingKey] { [CodingKeys.name] }
    }
    for name in ["a", nil] {
      try expectMessage(
        "Text.name can't be embedded: it is coded as one value. \(Self.wayOut)",
        Text(name: name), ["name": "a"])
    }
  }

  @Test func `Keys that depend on the value are no columns`() throws {
    enum Delivery: Codable {
      case pickup
      case mail(street: String)
    }
    struct Shipment: Persistable {
      var delivery: Delivery?
      static var databaseEmbeddedKeys: [any CodingKey] { [CodingKeys.delivery] }
    }
    struct Meta: Persistable {
      var facts: [String: Int]
      static var databaseEmbeddedKeys: [any CodingKey] { [CodingKeys.facts] }
    }
    let reason =
      "depend on its value, as those of dictionaries and of enumerations with associated values do"
    for delivery in [Delivery.pickup, .mail(street: "a"), nil] {
      try expectMessage(
        "Shipment.delivery can't be embedded: the keys of Delivery \(reason). \(Self.wayOut)",
        Shipment(delivery: delivery), ["delivery_pickup": "{}"])
    }
    try expectMessage(
      "Meta.facts can't be embedded: the keys of Dictionary<String, Int> \(reason). \(Self.wayOut)",
      Meta(facts: ["a": 1]), ["facts_a": 1])
  }

  @Test func `A type without properties has no columns`() throws {
    struct Nothing: Codable {}
    struct Holder: Persistable {
      var empty: Nothing?
      static var databaseEmbeddedKeys: [any CodingKey] { [CodingKeys.empty] }
    }
    try expectMessage(
      "Holder.empty can't be embedded: Nothing has no coding keys of its own. \(Self.wayOut)",
      Holder(empty: Nothing()), ["empty": 1])
    struct Bare: Codable {
      enum CodingKeys: CodingKey { case none }
      init() {}
      init(from decoder: any Decoder) throws { _ = try decoder.container(keyedBy: CodingKeys.self) }
      func encode(to encoder: any Encoder) throws {
        _ = encoder.container(keyedBy: CodingKeys.self)
      }
    }
    struct Owner: Persistable {
      var bare: Bare
      static var databaseEmbeddedKeys: [any CodingKey] { [CodingKeys.bare] }
    }
    try expectMessage(
      "Owner.bare can't be embedded: Bare has no properties. \(Self.wayOut)",
      Owner(bare: Bare()), ["bare": 1])
  }

  @Test func `A type that embeds itself has no end`() throws {
    final class Node: Codable, ColumnEmbedding {
      var number = 1
      var next: Node?
      static var databaseEmbeddedKeys: [any CodingKey] { [CodingKeys.next] }
    }
    struct Chain: Persistable {
      var first: Node
      static var databaseEmbeddedKeys: [any CodingKey] { [CodingKeys.first] }
    }
    try expectMessage(
      "Chain.first.next can't be embedded: Node embeds itself. \(Self.wayOut)",
      Chain(first: Node()), ["first_number": 1])
  }

  struct Address: Codable, Equatable {
    var street: String
    var city: String?
  }

  @Test func `Two properties can't have the same column`() throws {
    struct Before: Persistable {
      var address_street: String
      var address: Address
      static var databaseEmbeddedKeys: [any CodingKey] { [CodingKeys.address] }
    }
    struct Behind: Persistable {
      var address: Address?
      var address_Street: String
      static var databaseEmbeddedKeys: [any CodingKey] { [CodingKeys.address] }
    }
    let wayOut = "give one of them another name in its CodingKeys"
    let columns: [String: any DatabaseValueConvertible] = [
      "address_street": "a", "address_city": "b",
    ]
    func message(_ type: String, _ column: String) -> String {
      "two properties of \(type) have the column \"\(column)\": \(wayOut)"
    }
    try expectMessage(
      message("Before", "address_street"),
      Before(address_street: "a", address: Address(street: "b")), columns)
    for address in [Address(street: "b"), nil] {
      try expectMessage(
        message("Behind", "address_Street"), Behind(address: address, address_Street: "a"), columns)
    }
  }

  @Test func `An association with the key of an embedded value is refused`() throws {
    struct City: Codable, FetchableRecord, TableRecord { var name: String }
    struct House: Persistable, Equatable {
      static let city = belongsTo(City.self, key: "Address", using: ForeignKey(["cityId"]))
      var cityId: Int64
      var address: Address
      static var databaseEmbeddedKeys: [any CodingKey] { [CodingKeys.address] }
    }
    try inEmptyDatabase { db throws in
      try db.execute(
        sql: """
          CREATE TABLE city (id INTEGER PRIMARY KEY, name, street);
          CREATE TABLE house (cityId, address_street, address_city);
          INSERT INTO city VALUES (1, 'Turin', 'another one');
          """)
      let house = House(cityId: 1, address: Address(street: "Via Roma"))
      try house.insert(db)
      let error = databaseError {
        try House.fetchAll(db, House.including(required: House.city))
      }
      #expect(
        error?.message == """
          House.address is embedded, and the request has an association with the same key: give \
          the association another one with forKey(_:)
          """)
      #expect(error?.sql?.contains(#"JOIN "city""#) == true)
      let renamed = House.including(required: House.city.forKey("town"))
      #expect(try House.fetchAll(db, renamed) == [house])
    }
  }

  @Test func `Nil needs a type whose columns are known`() throws {
    struct Choosy: Codable, Equatable {
      var level: Int
      var note: String?
      init(level: Int) { self.level = level }

      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        level = try container.decode(Int.self, forKey: .level)
        guard level > 0 else {
          throw DecodingError.dataCorruptedError(
            forKey: .level, in: container, debugDescription: "no level")
        }
        note = try container.decodeIfPresent(String.self, forKey: .note)
      }
    }
    struct Holder: Persistable, Equatable {
      var choosy: Choosy?
      static var databaseEmbeddedKeys: [any CodingKey] { [CodingKeys.choosy] }
    }
    struct WriteOnly: Encodable { var level: Int }
    struct Writer: Encodable, PersistableRecord {
      var value: WriteOnly?
      static let databaseTableName = "holder"
      static var databaseEmbeddedKeys: [any CodingKey] { [CodingKeys.value] }
      enum CodingKeys: String, CodingKey { case value = "choosy" }
    }
    try inEmptyDatabase { db throws in
      try db.execute(sql: "CREATE TABLE holder (choosy_level, choosy_note)")
      for record in [Holder(choosy: nil) as any PersistableRecord, Writer(value: nil)] {
        for _ in 0..<2 {
          let message = databaseError { try record.insert(db) }?.message
          #expect(
            message?.contains(".choosy can't be stored as nil, since its columns are not known")
              == true)
        }
      }
      try Holder(choosy: Choosy(level: 3)).insert(db)
      try Writer(value: WriteOnly(level: 4)).insert(db)
      try db.execute(sql: "INSERT INTO holder DEFAULT VALUES")
      let holders = try Holder.order(Column.rowID).fetchAll(db)
      #expect(holders.map(\.choosy?.level) == [3, 4, nil])
    }
  }

  @Test func `A nested type of an association that embeds values must be a record`() throws {
    struct Plain: Decodable, ColumnEmbedding {
      var address: Address?
      static var databaseEmbeddedKeys: [any CodingKey] { [CodingKeys.address] }
      enum CodingKeys: CodingKey { case address }
    }
    struct One: Decodable, FetchableRecord { var author: Plain? }
    struct Main: Decodable, FetchableRecord { var book: Plain }
    struct Many: Decodable, FetchableRecord { var books: [Plain] }
    try inBookshop { db, _ throws in
      let message = """
        Plain has databaseEmbeddedKeys, and is decoded from an association of the request: make it \
        a FetchableRecord
        """
      let book = Book.including(required: Book.author)
      #expect(databaseError { try One.fetchAll(db, book) }?.message == message)
      #expect(databaseError { try Main.fetchAll(db, book) }?.message == message)
      let books = Author.including(all: Author.books)
      #expect(databaseError { try Many.fetchAll(db, books) }?.message == message)
    }
  }

  /// Keeps its coder, and uses those that others have kept.
  private struct Keeping: Codable {
    var number: Int
    nonisolated(unsafe) static var writings: [() throws -> Void] = []
    nonisolated(unsafe) static var readings: [() throws -> Int] = []

    enum CodingKeys: CodingKey { case number }

    init(number: Int) { self.number = number }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      number = try container.decode(Int.self, forKey: .number)
      // A placeholder: the type is examined.
      if number == 0 { return }
      Self.readings += [
        { try container.decode(Int.self, forKey: .number) },
        { try Keeping(from: decoder).number },
      ]
    }

    func encode(to encoder: any Encoder) throws {
      for write in Self.writings { try? write() }
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(number, forKey: .number)
      for write in Self.writings { try? write() }
      var copy = container
      Self.writings += [
        { try copy.encode(-1, forKey: .number) },
        {
          var container = encoder.container(keyedBy: CodingKeys.self)
          try container.encode(-1, forKey: .number)
        },
      ]
    }
  }

  @Test func `A coder that an embedded value keeps is not used again`() throws {
    struct Holder: Persistable {
      var value: Keeping
      static var databaseEmbeddedKeys: [any CodingKey] { [CodingKeys.value] }
    }
    try inEmptyDatabase { db throws in
      try db.execute(sql: "CREATE TABLE holder (value_number)")
      for number in 1...3 { try Holder(value: Keeping(number: number)).insert(db) }
      try Holder.insert(db, contentsOf: (4...6).map { Holder(value: Keeping(number: $0)) })
      for write in Keeping.writings { try? write() }
      #expect(try Int.fetchAll(db, sql: "SELECT value_number FROM holder") == [1, 2, 3, 4, 5, 6])
      let holders = try Holder.order(Column.rowID).fetchAll(db)
      #expect(holders.map(\.value.number) == [1, 2, 3, 4, 5, 6])
      let readings = Keeping.readings
      #expect(readings.count == 12)
      for read in readings { #expect(throws: (any Error).self) { try read() } }
      Keeping.writings = []
      Keeping.readings = []
    }
  }
}
