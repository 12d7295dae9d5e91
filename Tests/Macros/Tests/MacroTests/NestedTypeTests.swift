import Foundation
public import QuarryMacros
import QuarryMigrations
import Testing

// Records name the types that stand beside them in the same enclosing type as other code does.

enum Shop {
  enum Genre: String, Codable, DatabaseValueConvertible { case crime, poetry }

  struct Tag: Codable, Equatable { var word: String }

  enum Pence: ColumnCoding {
    static func databaseValue(of price: Price) -> DatabaseValue { price.pence.databaseValue }

    static func value(in row: Row, atIndex index: Int) throws -> Price {
      Price(pence: try row.decode(Int.self, atIndex: index))
    }
  }

  struct Price: Equatable { var pence: Int }

  struct Key: RawRepresentable, Hashable, DatabaseValueConvertible { var rawValue: String }

  @Embeddable struct Shelf: Equatable {
    var room: Room
    @Embedded var mark: Mark?
  }

  @Embeddable enum Mark: Equatable {
    case plain
    case genre(Genre)
  }

  enum Room: Int, DatabaseValueConvertible { case cellar, hall }

  @Record("title") struct Title: Equatable {
    @PrimaryKey var isbn: Key
    var genre: Genre?
    @JSON var tags: [Tag]
    @Column(as: Pence.self) var price: Price?
    @Embedded var shelf: Shelf
    @Embedded(prefix: "old_") var oldShelf: Shelf?
    var `type`: Genre
  }
}

extension Shop {
  @Record("sale") final class Sale {
    @PrimaryKey let number: Key
    @Embedded let mark: Mark?
    private var genre: Genre

    init(number: Key, mark: Mark?, genre: Genre) {
      self.number = number
      self.mark = mark
      self.genre = genre
    }

    var isCrime: Bool { genre == .crime }
  }

  struct Box<Value: DatabaseValueConvertible & Equatable & Sendable> {
    struct Label: RawRepresentable, Equatable, DatabaseValueConvertible { var rawValue: String }

    @Record("item") struct Item: Equatable {
      var label: Label
      var value: Value?
    }
  }
}

public enum Desk {
  fileprivate enum Code: Int, DatabaseValueConvertible { case first = 1 }

  /// A key of a type that applications don't see.
  @Record("ticket") public struct Ticket {
    @PrimaryKey private var code: Code
    public var id: Int { code.rawValue }

    init() { code = .first }
  }

  /// A coding that applications don't see.
  @Record("stamped") public struct Stamped {
    @Column(as: Year.self) public var year: String
  }

  enum Year: ColumnCoding {
    static func databaseValue(of year: String) -> DatabaseValue { (Int(year) ?? 0).databaseValue }

    static func value(in row: Row, atIndex index: Int) throws -> String {
      try String(row.decode(Int.self, atIndex: index))
    }
  }
}

@Suite("Types beside a record in its enclosing type")
struct NestedTypeTests {
  @Test func `a record with values, JSON, codings and embedded types`() throws {
    typealias Title = Shop.Title
    let titles = [
      Title(
        isbn: .init(rawValue: "1"), genre: .crime, tags: [.init(word: "new")],
        price: .init(pence: 250), shelf: .init(room: .hall, mark: .genre(.poetry)),
        oldShelf: .init(room: .cellar, mark: .plain), type: .poetry),
      Title(
        isbn: .init(rawValue: "2"), genre: nil, tags: [], price: nil,
        shelf: .init(room: .cellar, mark: nil), oldShelf: nil, type: .crime),
    ]
    try DatabaseQueue().write { db in
      try Title.createTable(db)
      for title in titles { try title.insert(db) }
      #expect(try Title.order(\.isbn).fetchAll(db) == titles)
      #expect(try Title.filter { $0.shelf.mark.genre == .poetry }.fetchAll(db) == [titles[0]])
      #expect(titles[0].id == titles[0].isbn)
      let stored = try Row.fetchAll(db, sql: "SELECT * FROM title ORDER BY isbn")
      #expect(
        stored == [
          [
            "isbn": "1", "genre": "crime", "tags": #"[{"word":"new"}]"#, "price": 250,
            "shelf_room": 1, "shelf_mark_case": "genre", "shelf_mark_genre": "poetry",
            "old_room": 0, "old_mark_case": "plain", "old_mark_genre": nil, "type": "poetry",
          ],
          [
            "isbn": "2", "genre": nil, "tags": "[]", "price": nil,
            "shelf_room": 0, "shelf_mark_case": nil, "shelf_mark_genre": nil,
            "old_room": nil, "old_mark_case": nil, "old_mark_genre": nil, "type": "crime",
          ],
        ])
      #expect(try Title.filter { $0.oldShelf.room == nil }.fetchAll(db) == [titles[1]])
      #expect(try Title.filter { $0.oldShelf.room == .cellar }.fetchAll(db) == [titles[0]])
      #expect(try Title.filter { $0.oldShelf.mark.case == .plain }.fetchAll(db) == [titles[0]])
      #expect(stored.map { $0[Title.Columns.oldShelf.room] } == [.cellar, nil])
      let order = Title.order(\.isbn)
      #expect(try order.select { $0.oldShelf.room }.fetchAll(db) == [.cellar, nil])
      #expect(try order.select { $0.oldShelf.mark.case }.fetchAll(db) == [.plain, nil])
      try Title.updateAll(db) {
        [$0.oldShelf.room.set(to: nil), $0.oldShelf.mark.case.set(to: nil)]
      }
      #expect(try Title.filter { $0.oldShelf.room != nil }.isEmpty(db))
    }
  }

  @Test func `a class in an extension, and generic types`() throws {
    try DatabaseQueue().write { db in
      try Shop.Sale.createTable(db)
      try Shop.Sale(number: .init(rawValue: "9"), mark: .genre(.crime), genre: .crime).insert(db)
      let sale = try #require(try Shop.Sale.fetchOne(db))
      #expect(sale.isCrime && sale.mark == .genre(.crime) && sale.id.rawValue == "9")

      try Desk.Ticket.createTable(db)
      try Desk.Ticket().insert(db)
      #expect(try Desk.Ticket.fetchAll(db).map(\.id) == [1])

      try Desk.Stamped.createTable(db)
      try Desk.Stamped(year: "1999").insert(db)
      #expect(try Desk.Stamped.fetchAll(db).map(\.year) == ["1999"])

      typealias Item = Shop.Box<Int>.Item
      try Item.createTable(db)
      let items = [Item(label: .init(rawValue: "a"), value: 3), Item(label: .init(rawValue: "b"))]
      for item in items { try item.insert(db) }
      #expect(try Item.order(\.label).fetchAll(db) == items)
    }
  }
}
