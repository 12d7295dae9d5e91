import Foundation
import QuarryMacros
import Testing

@Record struct Item: Equatable {
  @PrimaryKey @Column(as: LowercaseText.self) var id: UUID
  var stock: Int

  static let parts = hasMany(Part.self)
}

/// A record whose key has no coding, and other columns have.
@Record struct Part: Equatable {
  @PrimaryKey var id: Int64?
  @Column(as: LowercaseText.self) var itemId: UUID
  @Column(as: UnixMilliseconds.self) var made: Date

  static let item = belongsTo(Item.self)
}

/// The key has no attribute: the table knows it.
@Record struct Parcel: Equatable {
  @Column(as: UnixMilliseconds.self) var sent: Date
  @Column(as: UppercaseText.self) var code: UUID
}

@Record struct Tariff: Equatable {
  @PrimaryKey @Column(as: Cents.self) var price: Double
  var name: String
}

/// A key without coding, beside a strategy that rules no column.
@Record struct Leaflet: LowercaseIdentifiers, Equatable {
  @PrimaryKey var id: UUID
  var printed: Date
}

protocol LowercaseIdentifiers: EncodableRecord {}

extension LowercaseIdentifiers {
  static func databaseUUIDEncodingStrategy(for column: String) -> DatabaseUUIDEncodingStrategy {
    .lowercaseString
  }
}

/// Dates as numbers that no date is read from without the coding.
@Record struct Issue: Equatable {
  @PrimaryKey @Column(as: UnixMilliseconds.self) var day: Date
  @Column(as: UnixMilliseconds.self) var sold: Date?
  var pages: Int
}

@Record struct Discount: Equatable {
  @PrimaryKey @Column(as: Cents.self) var price: Double?
}

/// Keys are compared with what the coding of their column stores.
@Suite("Keys that are stored by codings")
struct CodedKeyTests {
  private func withItems<T>(_ body: (Database) throws -> T) throws -> T {
    try DatabaseQueue().inDatabase { db in
      try db.execute(
        sql: """
          CREATE TABLE item (id TEXT PRIMARY KEY NOT NULL, stock INTEGER NOT NULL);
          CREATE TABLE part (
            id INTEGER PRIMARY KEY, itemId TEXT NOT NULL REFERENCES item(id),
            made INTEGER NOT NULL);
          CREATE TABLE parcel (sent INTEGER NOT NULL UNIQUE, code TEXT PRIMARY KEY NOT NULL);
          CREATE TABLE tariff (price INTEGER PRIMARY KEY, name TEXT NOT NULL);
          """)
      for number in 1...3 { try Item(id: badge(UInt8(number)), stock: number).insert(db) }
      return try body(db)
    }
  }

  @Test func `records are found by key`() throws {
    try withItems { db in
      let stored = "ab000000-0000-0000-0000-000000000002"
      try #expect(String.fetchAll(db, sql: "SELECT id FROM item ORDER BY id")[1] == stored)
      let two = Item(id: badge(2), stock: 2)
      // The requests are compiled, remembered, and known.
      for _ in 1...3 {
        try #expect(Item.find(db, id: badge(2)) == two)
        try #expect(Item.find(db, key: badge(2)) == two)
        try #expect(Item.fetchOne(db, id: badge(9)) == nil)
        try #expect(Item.fetchAll(db, ids: [badge(2), badge(9)]) == [two])
        try #expect(Item.filter(id: badge(2)).fetchAll(db) == [two])
        try #expect(Item.filter(ids: [badge(2), badge(3)]).fetchCount(db) == 2)
        try #expect(Item.exists(db, id: badge(2)))
        try #expect(!Item.exists(db, key: badge(9)))
        try #expect(Item.fetchOne(db, key: ["id": badge(2)]) == two)
        try #expect(Item.exists(db, key: ["ID": badge(2)]))
        // What is stored is a key, too.
        try #expect(Item.find(db, key: stored) == two)
        try #expect(Item.find(db, key: stored.databaseValue) == two)
      }
      let sql = try Item.filter(id: badge(2)).sql(db)
      #expect(sql == #"SELECT * FROM "item" WHERE "id" = ?"#)
      let error = #expect(throws: RecordError.self) { try Item.find(db, id: badge(9)) }
      let key = #"[id:"ab000000-0000-0000-0000-000000000009"]"#
      #expect(error?.description == "Key not found in table item: \(key)")
    }
  }

  @Test func `records are saved and deleted by key`() throws {
    try withItems { db in
      var item = Item(id: badge(1), stock: 4)
      try item.update(db)
      try item.updateChanges(db) { $0.stock = 5 }
      try item.save(db)
      try item.upsert(db)
      try #expect(item.exists(db))
      try #expect(Item.order { $0.id }.fetchAll(db).map(\.stock) == [5, 2, 3])
      try #expect(item.delete(db))
      try #expect(!item.delete(db))
      try #expect(Item.deleteOne(db, id: badge(2)))
      try #expect(!Item.deleteOne(db, id: badge(2)))
      try #expect(Item.deleteAll(db, ids: [badge(2), badge(3)]) == 1)
      try #expect(Item.fetchCount(db) == 0)
    }
  }

  @Test func `associations compare what is stored`() throws {
    try withItems { db in
      var part = Part(itemId: badge(2), made: day(1))
      try part.insert(db)
      let item = Item(id: badge(2), stock: 2)
      try #expect(Part.find(db, id: 1) == part)
      try #expect(item.request(for: Item.parts).fetchAll(db) == [part])
      try #expect(part.request(for: Part.item).fetchAll(db) == [item])
      try #expect(Item.joining(required: Item.parts).fetchAll(db) == [item])
      let ofItem = Part.joining(required: Part.item.filter(key: badge(2)))
      try #expect(ofItem.fetchAll(db) == [part])
    }
  }

  @Test func `keys that only the table knows`() throws {
    try withItems { db in
      let parcel = Parcel(sent: day(1), code: badge(7))
      try parcel.insert(db)
      for _ in 1...3 {
        try #expect(Parcel.find(db, key: badge(7)) == parcel)
        try #expect(Parcel.find(db, key: ["sent": day(1)]) == parcel)
        try #expect(Parcel.find(db, key: ["sent": day(1), "code": badge(7)]) == parcel)
        try #expect(Parcel.fetchOne(db, key: ["sent": day(2)]) == nil)
      }
      try #expect(Parcel.deleteOne(db, key: ["sent": day(1)]))
      let never = Date.distantFuture + 1e30
      let error = #expect(throws: DatabaseError.self) {
        try Parcel.fetchOne(db, key: ["sent": never])
      }
      #expect(error?.description.contains(#"could not encode Date for column "sent""#) == true)
    }
  }

  @Test func `strategies concern neither columns nor keys`() throws {
    try DatabaseQueue().write { db in
      try Leaflet.createTable(db)
      let leaflet = Leaflet(id: badge(4), printed: day(3))
      try leaflet.insert(db)
      try #expect(Leaflet.fetchOne(db, key: badge(4)) == leaflet)
      try #expect(Leaflet.filter(keys: [badge(4), badge(5)]).fetchCount(db) == 1)
      try #expect(Leaflet.filter(key: ["id": badge(4)]).fetchCount(db) == 1)
      try #expect(Leaflet.deleteOne(db, key: badge(4)))
    }
  }

  @Test func `keys that are selected are read by their coding`() throws {
    try withItems { db in
      for price in [2.5, 4, 7] { try Tariff(price: price, name: "\(price)").insert(db) }
      try #expect(Tariff.selectID().fetchAll(db) == [2.5, 4, 7])
      try #expect(Tariff.filter { $0.price > 3 }.selectID().fetchSet(db) == [4, 7])
      try #expect(Tariff.selectPrimaryKey().fetchOne(db) == 2.5)
      try #expect(Tariff.all().selectPrimaryKey(as: Double.self).fetchAll(db) == [2.5, 4, 7])
      try #expect(Tariff.selectPrimaryKey(as: Int.self).fetchAll(db) == [250, 400, 700])
      try #expect(Tariff.filter(ids: Tariff.selectID().fetchAll(db)).fetchCount(db) == 3)
      try #expect(Tariff.filter { Tariff.selectID().contains($0.price) }.fetchCount(db) == 3)
      try #expect(Tariff.filter(Tariff.selectID().contains(Column("price"))).fetchCount(db) == 3)
      try #expect(Tariff.filter { $0.price > 3 }.deleteAndFetchIds(db) == [4, 7])
      try #expect(Tariff.selectID().fetchAll(db) == [2.5])
      try #expect(Item.selectID().fetchSet(db) == [badge(1), badge(2), badge(3)])
      let parts: QueryInterfaceRequest<Int64?> = Part.selectID()
      try #expect(parts.fetchAll(db).isEmpty)
    }
  }

  @Test func `keys that may be null are read by their coding`() throws {
    try DatabaseQueue().write { db in
      try db.execute(sql: "CREATE TABLE discount (price NUMERIC PRIMARY KEY)")
      for price in [2.5, nil] { try Discount(price: price).insert(db) }
      try #expect(Discount.selectID().fetchSet(db) == [2.5, nil])
      try #expect(Discount.all().deleteAndFetchIds(db) == [2.5, nil])
    }
  }

  @Test func `selected columns are read by their coding, as their type`() throws {
    try DatabaseQueue().write { db in
      try Issue.createTable(db)
      try Issue(day: day(1), sold: day(2), pages: 8).insert(db)
      let all = Issue.all()
      try #expect(Issue.selectID().fetchAll(db) == [day(1)])
      try #expect(Issue.select(Issue.Columns.day, as: Date.self).fetchAll(db) == [day(1)])
      try #expect(all.select(Issue.Columns.sold, as: Date.self).fetchAll(db) == [day(2)])
      try #expect(Issue.select({ $0.sold }, as: Date?.self).fetchAll(db) == [day(2)])
      try #expect(all.select({ $0.day }, as: Date?.self).fetchAll(db) == [day(1)])
      try #expect(Issue.select({ max($0.day) }, as: Date.self).fetchOne(db) == day(1))
      try #expect(Issue.select(\.pages, as: Int.self).fetchAll(db) == [8])
      // Another type reads what is stored.
      let milliseconds = Int(day(1).timeIntervalSince1970) * 1000
      try #expect(Issue.select({ $0.day }, as: Int.self).fetchAll(db) == [milliseconds])
      try #expect(Issue.select(Issue.Columns.day, as: Row.self).fetchAll(db).count == 1)
      try Issue(day: day(2), pages: 9).insert(db)
      try #expect(Issue.select({ $0.sold }, as: Date?.self).fetchAll(db) == [day(2), nil])
      #expect(throws: RowDecodingError.self) {
        try Issue.select({ $0.sold }, as: Date.self).fetchAll(db)
      }
    }
  }

  @Test func `a key of any type`() throws {
    try withItems { db in
      let tariff = Tariff(price: 2.5, name: "child")
      try tariff.insert(db)
      try #expect(Int.fetchOne(db, sql: "SELECT price FROM tariff") == 250)
      for _ in 1...3 {
        try #expect(Tariff.find(db, id: 2.5) == tariff)
        try #expect(Tariff.fetchOne(db, id: 250) == nil)
        try #expect(Tariff.find(db, key: 250.databaseValue) == tariff)
      }
      try #expect(Tariff.deleteOne(db, id: 2.5))
    }
  }
}
