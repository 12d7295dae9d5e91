import QuarryTestSupport
import Testing

@testable import Quarry

private enum Invalid: Error { case emptyName }

/// A record that refuses the placeholder of a text.
private struct Named: Decodable, Equatable, FetchableRecord {
  var name: String

  init(name: String) { self.name = name }

  init(row: Row) throws {
    name = row["name"]
    guard !name.isEmpty else { throw Invalid.emptyName }
  }
}

/// A record that takes the placeholder.
private struct Plain: FetchableRecord {
  var name: String
  init(row: Row) throws { name = row["name"] }
}

/// Decoded by the compiler's code, with a record that is not.
private struct Pair: Decodable, FetchableRecord {
  var author: Named
}

private struct HandWrittenPair: FetchableRecord {
  var author: Named
  init(row: Row) throws { author = try row.decode(forKey: "author") }
}

/// Keeps on when a record inside throws.
private struct Lenient: FetchableRecord {
  var name: String
  var author: Named?

  init(row: Row) throws {
    name = row["name"]
    author = try? row.decode(Named.self, forKey: "author")
  }
}

private struct Shelf: TableRecord {
  static let volumes = hasMany(Volume.self)
}

private struct Volume: TableRecord {}

private struct NamedShelf: FetchableRecord {
  var volumes: [Named]
  init(row: Row) throws { volumes = try row.decode([Named].self, forKey: "volumes") }
}

private struct SubscriptShelf: FetchableRecord {
  var volumes: [Named]
  init(row: Row) throws { volumes = row["volumes"] }
}

private struct CodedShelf: Decodable, FetchableRecord {
  var volumes: [Named]
}

/// What a record throws after a failure of its row is a consequence of the failure.
@Suite("Records that refuse placeholders")
struct RefusedPlaceholderTests {
  /// The columns z and c; author: id and name; other: id and name.
  private static let adapter = ScopeAdapter(
    base: RangeRowAdapter(0..<2),
    scopes: ["author": RangeRowAdapter(2..<4), "other": RangeRowAdapter(4..<6)])

  private static func sql(_ author: String, _ other: String = "'Bob'") -> String {
    "SELECT 0 AS z, 1 AS c, 1 AS id, \(author) AS name, 2 AS id, \(other) AS name"
  }

  /// The beginning and the end of the error of a name.
  private func expectFailure<T>(
    of record: String, index: Int, row: String, _ body: () throws -> T,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let text = errorText(body) ?? "no error"
    let start = """
      could not decode String from database value NULL - column: "name", column index: \(index), \
      row: \(row)
      """
    #expect(text.hasPrefix(start), "\(text)", sourceLocation: sourceLocation)
    #expect(text.hasSuffix("record: \(record)"), "\(text)", sourceLocation: sourceLocation)
  }

  @Test func `a cursor throws the failure of its row`() throws {
    try DatabaseQueue().read { db throws in
      let sql = "SELECT NULL AS name UNION ALL SELECT '' UNION ALL SELECT 'Ann'"
      expectFailure(of: "Named", index: 0, row: "[name:NULL]") {
        try Named.fetchAll(db, sql: sql)
      }
      let cursor = try Named.fetchCursor(db, sql: sql)
      expectFailure(of: "Named", index: 0, row: "[name:NULL]") { try cursor.next() }
      // No placeholder: the error is the one of the record.
      #expect(throws: Invalid.emptyName) { try cursor.next() }
      let last = try cursor.next()
      #expect(last == Named(name: "Ann"))
    }
  }

  @Test func `a record inside of another one throws the failure, with its own name`() throws {
    try DatabaseQueue().read { db throws in
      let sql = Self.sql("NULL")
      expectFailure(of: "Named", index: 1, row: "[id:1 name:NULL]") {
        try Pair.fetchAll(db, sql: sql, adapter: Self.adapter)
      }
      expectFailure(of: "Named", index: 1, row: "[id:1 name:NULL]") {
        try HandWrittenPair.fetchAll(db, sql: sql, adapter: Self.adapter)
      }
      #expect(throws: Invalid.emptyName) {
        try Pair.fetchAll(db, sql: Self.sql("''"), adapter: Self.adapter)
      }
    }
  }

  @Test func `a failure is not swallowed with the error of a record inside`() throws {
    try DatabaseQueue().read { db throws in
      let sql = "SELECT NULL AS name, 1 AS id, '' AS name"
      let adapter = ScopeAdapter(
        base: RangeRowAdapter(0..<1), scopes: ["author": RangeRowAdapter(1..<3)])
      #expect(throws: RowDecodingError.self) {
        try Lenient.fetchAll(db, sql: sql, adapter: adapter)
      }
    }
  }

  @Test func `a row that is kept throws the failure, and forgets it`() throws {
    try DatabaseQueue().read { db throws in
      let row = try #require(
        try Row.fetchOne(db, sql: Self.sql("NULL"), adapter: Self.adapter))
      for _ in 1...2 {
        expectFailure(of: "Named", index: 1, row: "[id:1 name:NULL]") {
          try row.decode(Named.self, forKey: "author")
        }
        expectFailure(of: "Named", index: 1, row: "[id:1 name:NULL]") {
          try row.decodeIfPresent(Named.self, forKey: "author")
        }
        expectFailure(of: "Named", index: 1, row: "[id:1 name:NULL]") { try Pair(row: row) }
        let other = try row.decode(Named.self, forKey: "other")
        #expect(other == Named(name: "Bob"))
      }
      #expect(!row.hasFailed)
    }
  }

  @Test func `prefetched rows, and those that have them, throw the failure`() throws {
    let queue = try makeDatabase(
      sql: """
        CREATE TABLE shelf (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE volume (
          id INTEGER PRIMARY KEY, name TEXT, shelfId INTEGER REFERENCES shelf);
        INSERT INTO shelf VALUES (1, NULL);
        INSERT INTO volume VALUES (1, 'Emma', 1), (2, NULL, 1);
        """)
    try queue.read { db in
      let request = Shelf.including(all: Shelf.volumes.order(Column("id")))
      let volume = "[id:2 name:NULL shelfId:1"
      expectFailure(of: "Named", index: 1, row: volume) {
        try request.asRequest(of: NamedShelf.self).fetchAll(db)
      }
      expectFailure(of: "Named", index: 1, row: volume) {
        try request.asRequest(of: SubscriptShelf.self).fetchAll(db)
      }
      expectFailure(of: "Named", index: 1, row: volume) {
        try request.asRequest(of: CodedShelf.self).fetchAll(db)
      }
      expectFailure(of: "Named", index: 1, row: "[id:1 name:NULL]") {
        try request.asRequest(of: Named.self).fetchAll(db)
      }
    }
  }

  @Test func `the scope of a scope throws the failure of a record`() throws {
    let adapter = ScopeAdapter(
      base: RangeRowAdapter(0..<1),
      scopes: [
        "book": ScopeAdapter(
          base: RangeRowAdapter(1..<2),
          scopes: ["author": RangeRowAdapter(2..<4), "other": RangeRowAdapter(4..<6)])
      ])
    try DatabaseQueue().read { db throws in
      let row = try #require(try Row.fetchOne(db, sql: Self.sql("NULL"), adapter: adapter))
      let book = try #require(row.scopes["book"])
      for _ in 1...2 {
        expectFailure(of: "Plain", index: 1, row: "[id:1 name:NULL]") {
          try book.decode(Plain.self, forKey: "author")
        }
        expectFailure(of: "Plain", index: 1, row: "[id:1 name:NULL]") {
          try book.decodeIfPresent(Plain.self, forKey: "author")
        }
        let other = try book.decode(Plain.self, forKey: "other")
        #expect(other.name == "Bob")
      }
      #expect(!row.hasFailed)
    }
  }
}
