import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

private let y = Column("year")
private let noKeys: [Int] = []
private let noKey: Int? = nil

private let someIDs: [Int64] = [1, 2, 3]
private let optionalIDs: [Int64?] = [nil, 2]

/// A record whose identifier is optional.
private struct Visitor: Codable, Hashable, Identifiable, FetchableRecord, TableRecord {
  static let databaseTableName = "author"
  var id: Int64?
}

@Suite(.onQueueAndPool)
struct KeyFilterTests {
  @Test func `identifiers that are not optional, of records whose identifiers are`() throws {
    let authors = Table<Visitor>("author")
    try makeBookshopDatabase().write { db throws in
      let all = try Visitor.fetchAll(db).compactMap(\.id).sorted()
      let found = try [
        Visitor.fetchAll(db, ids: all), Visitor.fetchAll(db, ids: Set(all)),
        Array(Visitor.fetchCursor(db, ids: all[0...])), Array(Visitor.fetchSet(db, ids: all)),
        Visitor.all().filter(ids: all).fetchAll(db), authors.filter(ids: all).fetchAll(db),
      ]
      #expect(found.allSatisfy { $0.compactMap(\.id).sorted() == all })
      #expect(try Visitor.fetchAll(db, ids: [Int64]()) == [])
      try db.execute(sql: "DELETE FROM review; DELETE FROM book")
      #expect(try Visitor.deleteAll(db, ids: all.prefix(1)) == 1)
      #expect(try authors.deleteAll(db, ids: Set(all)) == all.count - 1)
    }
  }

  @Test(arguments: [
    RequestCase(Book.filter(key: 1), #"SELECT * FROM "book" WHERE "id" = ?"#, [1]),
    RequestCase(Book.filter(key: noKey), #"SELECT * FROM "book" WHERE ?"#, [0]),
    RequestCase(Book.filter(keys: noKeys), #"SELECT * FROM "book" WHERE ?"#, [0]),
    RequestCase(Book.filter(keys: [1]), #"SELECT * FROM "book" WHERE "id" = ?"#, [1]),
    RequestCase(Book.filter(keys: [1, 2]), #"SELECT * FROM "book" WHERE "id" IN (?, ?)"#, [1, 2]),
    RequestCase(
      Book.filter(keys: [nil, 2]), #"SELECT * FROM "book" WHERE "id" IN (NULL, ?)"#, [2]),
    RequestCase(Country.filter(key: "FR"), #"SELECT * FROM "country" WHERE "code" = ?"#, ["FR"]),
    RequestCase(Note.filter(key: 1), #"SELECT * FROM "note" WHERE "rowid" = ?"#, [1]),
    RequestCase(Book.filter(id: 1), #"SELECT * FROM "book" WHERE "id" = ?"#, [1]),
    RequestCase(Book.filter(ids: [1, 2]), #"SELECT * FROM "book" WHERE "id" IN (?, ?)"#, [1, 2]),
    RequestCase(
      Visitor.filter(ids: someIDs.dropFirst()), #"SELECT * FROM "author" WHERE "id" IN (?, ?)"#,
      [2, 3]),
    RequestCase(
      Visitor.filter(ids: optionalIDs), #"SELECT * FROM "author" WHERE "id" IN (NULL, ?)"#, [2]),
    RequestCase(
      Book.filter(y > 1).filter(key: 2),
      #"SELECT * FROM "book" WHERE ("year" > ?) AND ("id" = ?)"#, [1, 2]),
    RequestCase(Table("book").filter(key: 1), #"SELECT * FROM "book" WHERE "id" = ?"#, [1]),
  ])
  func `primary keys`(_ test: RequestCase) throws {
    try test.check()
  }

  @Test(arguments: [
    RequestCase(Book.filter(key: nil), #"SELECT * FROM "book" WHERE ?"#, [0]),
    RequestCase(Book.filter(key: ["id": 1]), #"SELECT * FROM "book" WHERE "id" = ?"#, [1]),
    RequestCase(Book.filter(key: ["ID": 1]), #"SELECT * FROM "book" WHERE "ID" = ?"#, [1]),
    RequestCase(Book.filter(key: ["rowid": 1]), #"SELECT * FROM "book" WHERE "rowid" = ?"#, [1]),
    RequestCase(
      Stock.filter(key: ["isbn": "b", "shop": "a", "qty": 3]),
      #"SELECT * FROM "stock" WHERE ("shop" = ?) AND ("isbn" = ?) AND ("qty" = ?)"#,
      ["a", "b", 3]),
    RequestCase(
      Stock.filter(key: ["shop": "a", "isbn": nil]),
      #"SELECT * FROM "stock" WHERE ("shop" = ?) AND ("isbn" IS NULL)"#, ["a"]),
    RequestCase(
      Member.filter(key: ["email": "e"]), #"SELECT * FROM "member" WHERE "email" = ?"#, ["e"]),
    RequestCase(Book.filter(keys: [] as [Int]), #"SELECT * FROM "book" WHERE ?"#, [0]),
    RequestCase(Stock.filter(keys: []), #"SELECT * FROM "stock" WHERE ?"#, [0]),
    RequestCase(
      Stock.filter(keys: [["shop": "a", "isbn": "b"], ["isbn": "d", "shop": "c"]]),
      #"SELECT * FROM "stock" WHERE (("shop" = ?) AND ("isbn" = ?)) OR (("shop" = ?) AND ("isbn" = ?))"#,
      ["a", "b", "c", "d"]),
  ])
  func `unique keys`(_ test: RequestCase) throws {
    try test.check()
  }

  @Test func `invalid keys`() throws {
    #expect(
      try invalidity(of: sql(of: Stock.filter(key: 1)))
        == "Filtering by primary key requires a single-column primary key in the table 'stock'")
    #expect(
      try invalidity(of: sql(of: EncodedStock.filter(key: Self.uuid)))
        == "Filtering by primary key requires a single-column primary key in the table 'stock'")
    #expect(
      try invalidity(of: sql(of: Book.filter(key: ["year": 1, "title": "a"])))
        == "table book has no unique key on column(s) title, year")
    #expect(
      try invalidity(of: sql(of: Bestseller.filter(key: ["id": 1])))
        == "database view bestseller has no unique key on column(s) id")
    let error = #expect(throws: DatabaseError.self) { try sql(of: Bestseller.filter(key: 1)) }
    #expect(error?.message == "database view bestseller has no primary key")
  }

  @Test(arguments: [
    RequestCase(
      Encoded.filter(key: uuid), #"SELECT * FROM "country" WHERE "code" = ?"#,
      [uuid.uuidString.lowercased()]),
    RequestCase(
      Encoded.filter(keys: [uuid, nil]), #"SELECT * FROM "country" WHERE "code" = ?"#,
      [uuid.uuidString.lowercased()]),
    RequestCase(
      Encoded.filter(keys: [UUID?.none]), #"SELECT * FROM "country" WHERE ?"#, [0]),
    RequestCase(
      Encoded.filter(key: Date(timeIntervalSince1970: 2)),
      #"SELECT * FROM "country" WHERE "code" = ?"#, [2]),
    RequestCase(
      Encoded.filter(key: Data("FR".utf8)), #"SELECT * FROM "country" WHERE "code" = ?"#, ["FR"]),
    RequestCase(
      Table("country").filter(key: uuid), #"SELECT * FROM "country" WHERE "code" = ?"#, [uuid]),
    RequestCase(
      Encoded.filter(key: ["code": uuid]), #"SELECT * FROM "country" WHERE "code" = ?"#,
      [uuid.uuidString.lowercased()]),
    RequestCase(
      Encoded.filter(keys: [["code": Date(timeIntervalSince1970: 2)], ["code": nil]]),
      #"SELECT * FROM "country" WHERE ("code" = ?) OR ("code" IS NULL)"#, [2]),
    RequestCase(
      Table("country").filter(key: ["code": uuid]), #"SELECT * FROM "country" WHERE "code" = ?"#,
      [uuid]),
  ])
  func `dates data and UUI ds are encoded as the record does`(_ test: RequestCase) throws {
    try test.check()
  }

  @Test(arguments: [
    RequestCase(
      Coded.filter(key: 7), #"SELECT * FROM "country" WHERE "code" = ?"#, ["number 7"]),
    RequestCase(
      Coded.filter(keys: [7, nil, 8]), #"SELECT * FROM "country" WHERE "code" IN (?, ?)"#,
      ["number 7", "number 8"]),
    RequestCase(
      Coded.filter(key: ["CODE": 7]), #"SELECT * FROM "country" WHERE "CODE" = ?"#, ["number 7"]),
    RequestCase(
      Coded.filter(key: "FR"), #"SELECT * FROM "country" WHERE "code" = ?"#, ["FR"]),
    // The strategies of a type concern no declared column.
    RequestCase(
      Coded.filter(keys: [uuid]), #"SELECT * FROM "country" WHERE "code" = ?"#, [uuid]),
    RequestCase(
      Coded.filter(key: ["code": uuid]), #"SELECT * FROM "country" WHERE "code" = ?"#, [uuid]),
    RequestCase(
      Table("country").filter(key: 7), #"SELECT * FROM "country" WHERE "code" = ?"#, [7]),
  ])
  func `keys are encoded by the coding of their column`(_ test: RequestCase) throws {
    try test.check()
  }

  @Test func `records are found by a key with a coding`() throws {
    try makeBookshopDatabase().write { db throws in
      try db.execute(sql: "INSERT INTO country VALUES ('number 7', 'Seven')")
      // The request is compiled, remembered, and known.
      for _ in 1...3 {
        #expect(try Coded.fetchOne(db, key: 7)?.name == "Seven")
        #expect(try Coded.fetchOne(db, key: 8) == nil)
        #expect(try Coded.exists(db, key: 7))
        #expect(try !Coded.exists(db, key: 8))
      }
      let missing = #expect(throws: RecordError.self) { try Coded.find(db, key: 8) }
      #expect(missing?.description == #"Key not found in table country: [code:"number 8"]"#)
      #expect(try Coded.deleteOne(db, key: 7))
      #expect(try !Coded.deleteOne(db, key: 7))
      try db.execute(sql: "INSERT INTO country VALUES ('number 12', 'Twelve')")
      #expect(try Coded.filter(key: 12).deleteAndFetchIds(db) == [12])
      // An identifier of another type than the key is what is stored.
      try db.execute(sql: "INSERT INTO country VALUES ('number 13', 'Thirteen')")
      #expect(try Stored.filter(key: 13).deleteAndFetchIds(db) == ["number 13"])
    }
  }

  @Test func `a key that no coding stores needs no request`() throws {
    #expect(RowByKey(1, of: Dated.self) == nil)
    #expect(RowByKey(7.databaseValue, of: Coded.self) != nil)
    #expect(RowByKey(Self.uuid, of: Encoded.self) == nil)
    #expect(RowByKey(Self.uuid, of: Visitor.self) != nil)
    #expect(RowByKey(7, of: Coded.self) == nil)
  }

  @Test func `keys that can't be encoded are errors, also among many`() throws {
    try makeBookshopDatabase().read { db throws in
      let never: [[String: (any DatabaseValueConvertible)?]] = [["code": -1]]
      let many: [[String: (any DatabaseValueConvertible)?]] = (1...101).map { ["code": $0] }
      for keys in [never, many + never] {
        let error = #expect(throws: DatabaseError.self) { try Coded.fetchAll(db, keys: keys) }
        #expect(error?.description.contains(#"could not encode Int for column "code""#) == true)
      }
      let byKey = #expect(throws: DatabaseError.self) { try Coded.fetchOne(db, key: -1) }
      #expect(byKey?.description.contains(#"could not encode Int for column "code""#) == true)
    }
  }

  @Test func `records are found by key`() throws {
    try makeBookshopDatabase().read { db throws in
      #expect(try Book.find(db, key: 2).title == "Left Hand")
      #expect(try Book.find(db, id: 2).title == "Left Hand")
      #expect(try Book.fetchOne(db, key: noKey) == nil)
      #expect(try Book.fetchOne(db, id: 9) == nil)
      #expect(try Book.fetchAll(db, keys: [1, 3]).map(\.id) == [1, 3])
      #expect(try Book.fetchAll(db, ids: [1, 9]).map(\.id) == [1])
      #expect(try Book.fetchSet(db, ids: [1, 3]).count == 2)
      #expect(try Book.fetchAll(db, keys: noKeys).isEmpty)
      #expect(try Array(Book.fetchCursor(db, keys: [1, 3])).map(\.id) == [1, 3])
      let key = ["shop": "south", "isbn": "a"]
      #expect(try Stock.find(db, key: key).qty == 7)
      #expect(try Stock.fetchOne(db, key: ["shop": "south", "isbn": "b"]) == nil)
      #expect(try Stock.fetchAll(db, keys: [key]).count == 1)
    }
  }

  @Test func `missing records are errors`() throws {
    try makeBookshopDatabase().read { db throws in
      let byKey = #expect(throws: RecordError.self) { try Book.find(db, key: 9) }
      #expect(byKey?.description == "Key not found in table book: [id:9]")
      let byID = #expect(throws: RecordError.self) { try Book.find(db, id: 9) }
      #expect(byID?.description == "Key not found in table book: [id:9]")
      #expect(throws: RecordError.self) {
        try Stock.find(db, key: ["shop": "south", "isbn": "b"])
      }
      #expect(
        Encoded.recordNotFound(key: ["code": Self.uuid]).description
          == #"""
          Key not found in table country: [code:"01020304-0506-0708-090a-0b0c0d0e0f10"]
          """#)
    }
  }

  @Test func `nil keys run as little as possible`() throws {
    let recorder = SQLRecorder()
    try makeBookshopDatabase(configuration: recorder.recording()).write { db throws in
      _ = try Draft.fetchOne(db, id: nil)  // reads the schema
      _ = recorder.take()
      #expect(try Draft.fetchOne(db, key: noKey) == nil)
      #expect(try !Draft.exists(db, id: nil))
      #expect(try Draft.fetchAll(db, ids: []).isEmpty)
      #expect(try !Draft.deleteOne(db, key: noKey))
      #expect(try !Draft.deleteOne(db, id: nil))
      #expect(try !Table<Draft>("book").deleteOne(db, id: nil))
      #expect(recorder.take().isEmpty)
      #expect(try Draft.fetchOne(db, id: nil) == nil)
      #expect(recorder.take() == [#"SELECT * FROM "book" WHERE ? LIMIT 1"#])
    }
  }

  @Test func `nothing to delete is no error of read only accesses`() throws {
    try makeBookshopDatabase().read { db throws in
      #expect(try !Draft.deleteOne(db, id: nil))
      #expect(try !Draft.deleteOne(db, key: noKey))
    }
  }

  struct Draft: Codable, Identifiable, FetchableRecord, TableRecord {
    static let databaseTableName = "book"
    var id: Int64?
  }

  private static let uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

  /// A record as `@Record` writes it, whose key is a number, and stored as a text.
  struct Coded: Codable, Identifiable, FetchableRecord, EncodableRecord, _GeneratedRecord {
    static let databaseTableName = "country"
    var name: String
    var id: Int { 0 }

    static func databaseUUIDEncodingStrategy(for column: String) -> DatabaseUUIDEncodingStrategy {
      .lowercaseString
    }

    static var _columns: [_DeclaredColumn] {
      [
        _DeclaredColumn("code", isOptional: false, type: .text, isPrimaryKey: true) { value in
          guard let number = value as? Int else { return nil }
          guard number >= 0 else {
            throw EncodingError.invalidValue(
              number, .init(codingPath: [], debugDescription: "A code is positive"))
          }
          return "number \(number)".databaseValue
        } decode: { row, index in
          try Int(row.decode(String.self, atIndex: index).dropFirst(7)) ?? 0
        },
        _DeclaredColumn("name", isOptional: false, type: .text, isPrimaryKey: false),
      ]
    }
  }

  struct Stored: Identifiable, _GeneratedRecord {
    static let databaseTableName = "country"
    static var _columns: [_DeclaredColumn] { Coded._columns }
    var id: String
  }

  /// A record without a declared key, as `@Record` writes it. Prices are stored in cents.
  struct Dated: Decodable, FetchableRecord, _GeneratedRecord {
    static let databaseTableName = "book"
    var id: Int64

    static var _columns: [_DeclaredColumn] {
      [
        _DeclaredColumn("id", isOptional: false, type: .integer, isPrimaryKey: false),
        _DeclaredColumn(
          "price", isOptional: false, type: .integer, isPrimaryKey: false
        ) { value in
          (value as? Double).map { Int($0 * 100).databaseValue }
        },
      ]
    }
  }

  struct EncodedStock: TableRecord, EncodableRecord, Encodable {
    static let databaseTableName = "stock"
  }

  struct Encoded: TableRecord, EncodableRecord, Encodable {
    static let databaseTableName = "country"

    static func databaseUUIDEncodingStrategy(for column: String) -> DatabaseUUIDEncodingStrategy {
      column == "code" ? .lowercaseString : .deferredToUUID
    }

    static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
      .secondsSince1970
    }

    static func databaseDataEncodingStrategy(for column: String) -> DatabaseDataEncodingStrategy {
      .text
    }
  }
}
