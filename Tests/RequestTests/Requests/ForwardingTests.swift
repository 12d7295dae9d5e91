import Foundation
import Quarry
import QuarryTestSupport
import Testing

private let id = Column("id")
private let title = Column("title")
private let pages = Column("pages")
private let books = Table<Volume>("volume")

private struct Volume: Codable, Hashable, Identifiable, FetchableRecord, PersistableRecord {
  enum Columns {
    static let id = Column("id")
    static let title = Column("title")
    static let pages = Column("pages")
    static let shelfId = Column("shelfId")
  }
  var id: Int64?
  var title: String
  var pages: Int
  var shelfId: Int64?
}

private enum VolumeKey: CodingKey { case title }

private struct Shelf: Codable, FetchableRecord, PersistableRecord {
  static let volumes = hasMany(Volume.self)
  var id: Int64
}

/// A value that is no column of its own: it is converted.
private enum Length: String, DatabaseValueConvertible { case short, long }

private let emma = Volume(id: 1, title: "Emma", pages: 500, shelfId: 1)
private let walden = Volume(id: 2, title: "Walden", pages: 300, shelfId: 1)
private let ulysses = Volume(id: 3, title: "Ulysses", pages: 700, shelfId: nil)

/// What tables and record types forward to their requests.
struct ForwardingTests {
  private func write<T>(_ body: (Database) throws -> T) throws -> T {
    let queue = try makeDatabase(
      sql: """
        CREATE TABLE shelf (id INTEGER PRIMARY KEY);
        CREATE TABLE volume (
          id INTEGER PRIMARY KEY, title TEXT, pages INTEGER, shelfId INTEGER REFERENCES shelf);
        CREATE TABLE length (name TEXT);
        CREATE TABLE size (value INTEGER);
        INSERT INTO shelf VALUES (1), (2);
        INSERT INTO volume VALUES
          (1, 'Emma', 500, 1), (2, 'Walden', 300, 1), (3, 'Ulysses', 700, NULL);
        INSERT INTO length VALUES ('long'), ('short'), ('long');
        INSERT INTO size VALUES (7), (8), (7);
        """)
    return try queue.write(body)
  }

  @Test func `tables of records are fetched`() throws {
    try write { db throws in
      #expect(try Array(books.fetchCursor(db)) == [emma, walden, ulysses])
      #expect(try books.fetchOne(db) == emma)
      #expect(try books.fetchSet(db) == [emma, walden, ulysses])
    }
  }

  @Test func `tables of values are fetched`() throws {
    try write { db throws in
      let lengths = Table<Length>("length")
      #expect(try Array(lengths.fetchCursor(db)) == [.long, .short, .long])
      #expect(try lengths.fetchAll(db) == [.long, .short, .long])
      #expect(try lengths.fetchOne(db) == .long)
      #expect(try lengths.fetchSet(db) == [.short, .long])
      let sizes = Table<Int>("size")
      #expect(try Array(sizes.fetchCursor(db)) == [7, 8, 7])
      #expect(try sizes.fetchOne(db) == 7)
    }
  }

  @Test func `requests of values are fetched`() throws {
    try write { db throws in
      let lengths = Table<Length>("length").all()
      #expect(try Array(lengths.fetchCursor(db)) == [.long, .short, .long])
      #expect(try lengths.fetchSet(db) == [.short, .long])
      #expect(try Row.fetchSet(db, Table("size").all()) == [["value": 7], ["value": 8]])
    }
  }

  @Test func `tables know their keys`() throws {
    try write { db throws in
      #expect(try books.exists(db, key: ["title": "Emma", "id": 1]))
      #expect(try !books.exists(db, key: ["title": "Emma", "id": 2]))
      #expect(try books.exists(db, id: 1))
      #expect(try !books.exists(db, id: 4))
      #expect(try !books.exists(db, id: nil))
      #expect(try books.selectPrimaryKey(as: Int64.self).fetchAll(db) == [1, 2, 3])
      #expect(try Volume.fetchAll(db, ids: [1, 3] as [Int64]) == [emma, ulysses])
      #expect(try Volume.fetchSet(db, ids: [1, 3] as [Int64]) == [emma, ulysses])
    }
  }

  @Test func `tables delete by keys`() throws {
    try write { db throws in
      #expect(try books.deleteAll(db, keys: [[String: Int]]()) == 0)
      #expect(try books.deleteAll(db, keys: [["id": 1], ["id": 9]]) == 1)
      #expect(try books.deleteOne(db, key: ["id": 2]))
      #expect(try !books.deleteOne(db, key: ["id": 2]))
      #expect(try books.deleteAll(db, ids: [3, 4] as [Int64]) == 1)
      #expect(try books.fetchCount(db) == 0)
    }
  }

  @Test func `tables and record types update all rows`() throws {
    try write { db throws in
      #expect(try books.updateAll(db, [pages.set(to: 1)]) == 3)
      #expect(try books.updateAll(db) { $0.pages += 1 } == 3)
      #expect(try books.updateAll(db) { [$0.pages += 1, $0.shelfId.set(to: 2)] } == 3)
      #expect(try books.select(pages, as: Int.self).fetchAll(db) == [3, 3, 3])
      #expect(try Volume.updateAll(db) { [$0.pages += 4, $0.shelfId.set(to: nil)] } == 3)
      #expect(
        try Row.fetchAll(db, sql: "SELECT DISTINCT pages, shelfId FROM volume") == [
          ["pages": 7, "shelfId": nil]
        ])
    }
  }

  @Test func `selections change the type of rows`() throws {
    try write { db throws in
      #expect(try books.select([pages], as: Int.self).fetchAll(db) == [500, 300, 700])
      #expect(try books.select(sql: "pages + ?", arguments: [1], as: Int.self).fetchOne(db) == 501)
      #expect(try books.select(literal: "pages + \(2)", as: Int.self).fetchOne(db) == 502)
      #expect(try Volume.select([pages], as: Int.self).fetchAll(db) == [500, 300, 700])
      #expect(try Volume.select(sql: "pages + ?", arguments: [1], as: Int.self).fetchOne(db) == 501)
      #expect(try Volume.select(literal: "pages + \(2)", as: Int.self).fetchOne(db) == 502)
      let long = Volume.filter(pages > 400)
      #expect(
        try long.select(sql: "pages + ?", arguments: [1], as: Int.self).fetchAll(db) == [501, 701])
      #expect(try long.select(literal: "pages + \(2)", as: Int.self).fetchAll(db) == [502, 702])
    }
  }

  @Test func `aggregates of associations by closures`() throws {
    try write { db throws in
      let request = Shelf.annotated(
        with: Shelf.volumes.min { $0.pages }, Shelf.volumes.sum { $0.pages },
        Shelf.volumes.total { $0.pages })
      #expect(
        try Row.fetchAll(db, request.order(id)).map { Array($0.databaseValues) } == [
          [1.databaseValue, 300.databaseValue, 800.databaseValue, 800.0.databaseValue],
          [2.databaseValue, .null, .null, 0.0.databaseValue],
        ])
    }
  }

  @Test func `associations of tables`() throws {
    try write { db throws in
      let shelves = Table<Shelf>("shelf")
      let request = shelves.including(optional: shelves.hasOne(Volume.self)).order(id)
      let rows = try request.asRequest(of: Row.self).filter(id == 2).fetchAll(db)
      #expect(rows.count == 1)
      #expect(rows.first?.scopes["volume"]?.containsNonNullValue == false)
    }
  }

  @Test func `rows that are updated or deleted are fetched by closures`() throws {
    try write { db throws in
      let long = Volume.filter(pages > 400)
      // Outside of `#expect`: Swift 6.3 gives closures in macros and beside them the same symbol.
      let named = try long.updateAndFetchAll(db) { [$0.title.set(to: "?")] }
      #expect(named.map(\.id) == [1, 3])
      let longer = try long.updateAndFetchSet(db) { [$0.pages += 1] }
      #expect(longer.map(\.pages).sorted() == [501, 701])
      let update = try Volume.filter(id == 1).updateAndFetchStatement(db) {
        [$0.pages.set(to: 9)]
      } select: {
        [$0.pages, $0.title]
      }
      let updated = try Row.fetchAll(update)
      #expect(updated == [["pages": 9, "title": "?"]])
      let deletion = try Volume.filter(id == 1).deleteAndFetchStatement(db) { [$0.pages] }
      let deleted = try Int.fetchAll(deletion)
      #expect(deleted == [9])
      #expect(try Volume.fetchCount(db) == 2)
    }
  }

  @Test func `interpolations of types, records, orders and keys that are not known before`() throws
  {
    try write { db throws in
      let type: any TableRecord.Type = Volume.self
      let record: any TableRecord = emma
      let order: any SQLOrderingTerm = pages.desc
      let key: any CodingKey = VolumeKey.title
      let request: SQLRequest<String> = "SELECT \(key) FROM \(type) ORDER BY \(order)"
      #expect(try request.fetchAll(db) == ["Ulysses", "Emma", "Walden"])
      let count: SQLRequest<Int> = "SELECT COUNT(*) FROM \(tableOf: record)"
      #expect(try count.fetchOne(db) == 3)
      let conditions: [SQL] = ["pages > \(400)", "pages < \(600)"]
      let found: SQLRequest<String> =
        "SELECT title FROM volume WHERE \(conditions.joined(separator: " AND "))"
      #expect(try found.fetchAll(db) == ["Emma"])
    }
  }

  @Test func `the schema is dumped by a reader`() throws {
    let stream = Text()
    let queue = try makeDatabase(sql: "CREATE TABLE shelf (id INTEGER PRIMARY KEY)")
    try queue.dumpSchema(to: stream)
    #expect(
      stream.text == """
        sqlite_master
        CREATE TABLE shelf (id INTEGER PRIMARY KEY);

        """)
  }
}

private final class Text: TextOutputStream {
  private(set) var text = ""
  func write(_ string: String) { text += string }
}
