import Foundation
import QuarryMacros
import Testing

// The code of the page "Records by macro" of the manual.

// snippet.record
@Record struct Reader: Equatable {
  @PrimaryKey var id: Int64?
  var name: String
  @Column("card_number") var card: Int
  @Column(as: UnixSeconds.self) var joined: Date
  @JSON var interests: [String]
  @Embedded var address: Address
  @Ignored var isSelected = false

  static let loans = hasMany(Loan.self)

  @Embeddable struct Address: Equatable {
    var street: String
    var city: String
  }
}
// snippet.end

@Record struct Loan: Equatable {
  @PrimaryKey var id: Int64?
  var readerId: Int64
  var title: String
  var days: Int
  var fine: Int?

  static let reader = belongsTo(Reader.self)
}

// snippet.enumeration
@Embeddable enum Delivery: Equatable {
  case pickup
  case mail(street: String, city: String)
  case locker(Int)
}

@Record struct Shipment: Equatable {
  @PrimaryKey var id: Int64?
  // delivery_case, delivery_mailStreet, delivery_mailCity, delivery_locker
  @Embedded var delivery: Delivery
}
// snippet.end

// snippet.coding
/// A list of words in one text.
enum SpacedWords: ColumnCoding {
  static func databaseValue(of words: [String]) -> DatabaseValue {
    words.joined(separator: " ").databaseValue
  }

  static func value(in row: Row, atIndex index: Int) throws -> [String] {
    try row.decode(String.self, atIndex: index).split(separator: " ").map(String.init)
  }
}

@Record struct Book: Equatable {
  var title: String
  @Column(as: SpacedWords.self) var keywords: [String]
}
// snippet.end

@Suite("The page Records by macro")
struct ManualTests {
  @Test func `the examples of the page have the results that it shows`() throws {
    let database = try DatabaseQueue()
    try database.write { db in
      // snippet.table
      // CREATE TABLE "loan" ("id" INTEGER PRIMARY KEY, "readerId" INTEGER NOT NULL,
      // "title" TEXT NOT NULL, "days" INTEGER NOT NULL, "fine" INTEGER)
      try Loan.createTable(db)
      // snippet.end
      try Shipment.createTable(db)
      try Reader.createTable(db)
      try Book.createTable(db)
      let today = Date(timeIntervalSince1970: 1_700_000_000)
      // snippet.insert
      var reader = Reader(
        name: "Anna", card: 12, joined: today, interests: ["sailing"],
        address: Reader.Address(street: "Via Roma", city: "Turin"))
      try reader.insert(db)  // sets the id
      // snippet.end
      #expect(reader.id == 1)
      try #expect(Reader.fetchAll(db) == [reader])
      for var loan in [
        Loan(readerId: 1, title: "Emma", days: 30, fine: 2),
        Loan(readerId: 1, title: "Ulysses", days: 90, fine: nil),
      ] { try loan.insert(db) }

      // snippet.filters
      let late = Loan.filter { $0.days > 60 && $0.fine == nil }
      let fines = Loan.filter { [1, 2, 3].contains($0.fine) || ($0.fine ?? 0) + 1 > $0.days }
      let nearby = Reader.filter { $0.address.city == "Turin" && $0.joined < today + 1 }
      // snippet.end
      try #expect(late.fetchAll(db).map(\.title) == ["Ulysses"])
      try #expect(fines.fetchAll(db).map(\.title) == ["Emma"])
      try #expect(nearby.fetchAll(db) == [reader])

      // snippet.selections
      // SELECT "title", "fine" FROM "loan" ORDER BY "title"
      let titles = try Loan.order { $0.title }.select { ($0.title, $0.fine) }.fetchAll(db)

      // SELECT MAX("days") FROM "loan"
      let longest = try Loan.select { max($0.days) }.fetchOne(db)
      // snippet.end
      let pairs: [(String, Int?)] = titles
      #expect(pairs.map(\.0) == ["Emma", "Ulysses"] && pairs.map(\.1) == [2, nil])
      #expect(longest == 90)

      // snippet.updates
      try Loan.updateAll(db) { [$0.days += 7, $0.fine.set(to: nil)] }
      // snippet.end
      try #expect(Loan.select { $0.days }.fetchAll(db) == [37, 97])

      // snippet.untyped
      let odd = Loan.filter { ($0.days.untyped & 1) == 1 && $0.days > 40 }
      let raw = Loan.filter { SQL("days % 2 = 1").sqlExpression && $0.days > 40 }
      // snippet.end
      try #expect(odd.fetchAll(db).map(\.title) == ["Ulysses"])
      try #expect(raw.fetchAll(db).map(\.title) == ["Ulysses"])

      // snippet.cases
      let mailed = Shipment.filter { $0.delivery.case == .mail && $0.delivery.mailCity == "Turin" }
      // snippet.end
      let deliveries: [Delivery] = [.pickup, .locker(7), .mail(street: "Via Po", city: "Turin")]
      for delivery in deliveries {
        var shipment = Shipment(delivery: delivery)
        try shipment.insert(db)
      }
      try #expect(mailed.fetchAll(db) == [Shipment(id: 3, delivery: deliveries[2])])
      try #expect(Shipment.fetchAll(db).map(\.delivery) == deliveries)

      let book = Book(title: "Emma", keywords: ["love", "village"])
      try book.insert(db)
      try #expect(Book.fetchAll(db) == [book])
      try #expect(String.fetchOne(db, sql: "SELECT keywords FROM book") == "love village")
    }
  }

  @Test func `columns of a joined table come from its alias`() throws {
    try DatabaseQueue().write { db in
      try db.execute(
        sql: """
          CREATE TABLE reader (
            id INTEGER PRIMARY KEY, name TEXT, card_number INTEGER, joined REAL, interests TEXT,
            address_street TEXT, address_city TEXT);
          CREATE TABLE loan (
            id INTEGER PRIMARY KEY, readerId INTEGER REFERENCES reader, title TEXT, days INTEGER,
            fine INTEGER);
          INSERT INTO reader VALUES (1, 'Emma', 1, 0, '[]', 'a', 'b');
          INSERT INTO loan VALUES (1, 1, 'Emma', 3, NULL), (2, 1, 'Ulysses', 3, NULL);
          """)
      // snippet.alias
      let reader = TableAlias<Reader>()
      let own = Loan.joining(required: Loan.reader.aliased(reader))
        .filter { $0.title == reader.name }
      // snippet.end
      let sql = try own.sql(db)
      #expect(
        sql == """
          SELECT "loan".* FROM "loan" JOIN "reader" ON "reader"."id" = "loan"."readerId" \
          WHERE "loan"."title" = "reader"."name"
          """)
      try #expect(own.fetchAll(db).map(\.id) == [1])
      let longest = Loan.joining(required: Loan.reader.aliased(reader))
        .select { [$0.title, reader.name.forKey("name"), max(reader.card).forKey("card")] }
      try #expect(Row.fetchOne(db, longest.asRequest(of: Row.self))?["card"] == 1)
    }
  }
}
