import Foundation
public import QuarryMacros
import Testing

/// The key is no alias of the rowid, and another column is.
@Record struct Shelfmark: Equatable {
  @PrimaryKey var id: Int64?
  var place: String
  var seq: Int64?
}

/// The column has the alias in another case.
@Record struct Coupon: Equatable {
  @PrimaryKey @Column("Code") var code: Int?
  var percent: Int
}

/// Types of the names that generated code uses.
@Record struct Chair: Equatable {
  @PrimaryKey var id: Int64?
  @Embedded var spot: Spot
  @Embedded var state: State

  struct Row: Equatable {}
  struct PersistenceContainer {}
  struct InsertionSuccess {}

  @Embeddable struct Spot: Equatable {
    var number: Int

    struct Row {}
    struct PersistenceContainer {}
  }

  @Embeddable enum State: Equatable {
    case free
    case taken(by: String)

    struct Row {}
    struct PersistenceContainer {}
  }
}

/// The key is less visible than the record, which so is not `Identifiable`.
@Record public struct Receipt: Equatable {
  @PrimaryKey var id: Int64?
  public var total: Int
}

@Record struct Voucher: Equatable {
  static let id = "voucher"
  @PrimaryKey var code: String
  private var amount: Int

  init(code: String, amount: Int) { (self.code, self.amount) = (code, amount) }
}

@Record struct Stamp: Identifiable, Equatable {
  @PrimaryKey var number: Int
}

/// Members of a condition, labels that are keywords, and a type with the name of a parameter.
@Record struct Crate: Equatable {
  @PrimaryKey var id: Int64?
  @Embedded var content: Content

  #if canImport(Foundation)
    func encode(to container: inout PersistenceContainer) throws {
      container["id"] = id
      container["content_case"] = "by"
      container["content_byIn"] = "hand"
    }
  #endif

  @Embeddable enum Content: Equatable {
    case by(`in`: String)
    case record(Record)
  }

  enum Record: String, DatabaseValueConvertible { case single }
}

@Record(nil) struct Parcels: Equatable {
  @PrimaryKey var `id`: Int64?
  var kind: Self.Kind
  @JSON var others: [Self.Kind]
  @Column(nil, as: Self.Grams.self) var weight: Double
  var count: (Int)
  var floor: (Int)?
  @Ignored @Clamped var shown: Int

  enum Kind: String, Codable, DatabaseValueConvertible { case letter, box }

  enum Grams: ColumnCoding {
    static func databaseValue(of kilograms: Double) -> DatabaseValue {
      Int(kilograms * 1000).databaseValue
    }

    static func value(in row: Row, atIndex index: Int) throws -> Double {
      try Double(row.decode(Int.self, atIndex: index)) / 1000
    }
  }

  @propertyWrapper struct Clamped: Equatable {
    var wrappedValue: Int = 7
  }

  init(kind: Kind, weight: Double) {
    (self.kind, self.weight, others, count) = (kind, weight, [.box], 2)
  }
}

enum Counter {
  @Record struct Card: Equatable {
    @PrimaryKey var id: Int64?
    var `due date`: Day
    @JSON var `old dates`: [Day]
    @Embedded var fee: Fee
  }

  @Embeddable enum Fee: Equatable {
    case `in cash`(Amount)
    case none
  }

  typealias Amount = Int
  typealias Day = String
}

@Suite("Declarations of records") struct DeclarationTests {
  @Test func `a given key stays where another column is the alias of the rowid`() throws {
    try DatabaseQueue().write { db in
      try db.execute(
        sql: """
          CREATE TABLE shelfmark (id INTEGER UNIQUE, place TEXT, seq INTEGER PRIMARY KEY);
          CREATE TABLE coupon (CODE INTEGER PRIMARY KEY, percent INTEGER);
          """)
      var mark = Shelfmark(id: 77, place: "A 1", seq: 5)
      try mark.insert(db)
      #expect(mark == Shelfmark(id: 77, place: "A 1", seq: 5))
      mark.place = "B 2"
      try mark.update(db)
      try #expect(
        Row.fetchAll(db, sql: "SELECT * FROM shelfmark") == [
          ["id": 77, "place": "B 2", "seq": 5]
        ])
      var coupon = Coupon(percent: 10)
      try coupon.insert(db)
      #expect(coupon.code == 1)
      coupon = Coupon(code: 9, percent: 20)
      try coupon.insert(db)
      #expect(coupon.code == 9)
      // Nothing is inserted: `didInsert` gets the rowid of the last insertion.
      try coupon.insert(db, onConflict: .ignore)
      try #expect(Coupon.fetchCount(db) == 2)
    }
  }

  @Test func `types of the record have the names of those that are generated`() throws {
    try DatabaseQueue().write { db in
      try Chair.createTable(db)
      var seat = Chair(spot: Chair.Spot(number: 4), state: .taken(by: "Anna"))
      try seat.insert(db)
      try #expect(Chair.find(db, id: 1) == seat)
    }
  }

  @Test func `members of a condition are left alone`() throws {
    try DatabaseQueue().write { db in
      try Crate.createTable(db)
      var crate = Crate(content: .record(.single))
      try crate.insert(db)
      try #expect(Crate.find(db, id: 1) == Crate(id: 1, content: .by(in: "hand")))
      try #expect(Crate.filter { $0.content.record == .single }.isEmpty(db))
    }
  }

  @Test func `the property id has an access and a place`() throws {
    #expect(!(Receipt.self is any Identifiable.Type))
    #expect(Voucher(code: "A", amount: 1).id == "A")
    #expect(Stamp(number: 3).id == 3)
    try DatabaseQueue().write { db in
      try Receipt.createTable(db)
      try Voucher.createTable(db)
      var receipt = Receipt(total: 12)
      try receipt.insert(db)
      try #expect(Receipt.find(db, key: 1) == Receipt(id: 1, total: 12))
      let voucher = Voucher(code: "B", amount: 5)
      try voucher.insert(db)
      try #expect(Voucher.find(db, id: "B") == voucher)
    }
  }

  @Test func `Self, parentheses, backticks and nil`() throws {
    try DatabaseQueue().write { db in
      try Parcels.createTable(db)
      var parcel = Parcels(kind: .box, weight: 1.5)
      try parcel.insert(db)
      #expect(parcel.id == 1)
      try #expect(
        Row.fetchOne(db, sql: "SELECT * FROM parcels") == [
          "id": 1, "kind": "box", "others": #"["box"]"#, "weight": 1500, "count": 2, "floor": nil,
        ])
      try #expect(Parcels.filter { $0.kind == .box && $0.weight == 1.5 }.fetchAll(db) == [parcel])
    }
  }

  @Test func `names with spaces`() throws {
    try DatabaseQueue().write { db in
      try Counter.Card.createTable(db)
      var card = Counter.Card(`due date`: "today", `old dates`: ["then"], fee: .`in cash`(3))
      try card.insert(db)
      try #expect(Counter.Card.filter { $0.`due date` == "today" }.fetchAll(db) == [card])
      try #expect(Counter.Card.filter { $0.fee.`in cash` == 3 }.fetchCount(db) == 1)
    }
  }
}
