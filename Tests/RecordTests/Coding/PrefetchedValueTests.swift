import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

private enum Color: String, Codable { case red, blue }

private struct Author: TableRecord {
  static let books = hasMany(Book.self)
}

private struct Book: TableRecord {}

/// A wrapper that decodes itself from a single value.
private struct ISBN: Decodable, Hashable {
  var text: String
  init(_ text: String) { self.text = text }
  init(from decoder: any Decoder) throws {
    text = try decoder.singleValueContainer().decode(String.self)
  }
}

private struct Shelf<Books: Decodable>: Decodable, FetchableRecord {
  var books: Books
}

/// A collection that is none of the standard library.
private struct Pile<Element: Decodable>: Decodable {
  var elements: [Element?] = []
  init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    while !container.isAtEnd {
      elements.append(try container.decodeIfPresent(Element.self))
    }
  }
}

private struct DatedShelf: Decodable, FetchableRecord {
  var books: [Date]

  static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
    column == "day" ? .millisecondsSince1970 : .deferredToDate
  }
}

private struct OptionalDatedShelf: Decodable, FetchableRecord {
  var books: [Date?]

  static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
    DatedShelf.databaseDateDecodingStrategy(for: column)
  }
}

private struct NestedDatedShelf: Decodable, FetchableRecord {
  var author: Nested
  struct Nested: Decodable { var books: [Date] }

  static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
    .timeIntervalSinceReferenceDate
  }
}

private struct CustomDataShelf: Decodable, FetchableRecord {
  var books: [Data]

  static func databaseDataDecodingStrategy(for column: String) -> DatabaseDataDecodingStrategy {
    .custom { dbValue in Data("\(dbValue)".utf8) }
  }
}

@Suite("Plain values from prefetched rows", .onQueueAndPool)
struct PrefetchedValueTests {
  private func fetch<Record: FetchableRecord>(
    _ type: Record.Type, _ column: String, with values: String = "(1, 'a'), (2, 'b'), (3, 'a')"
  ) throws -> Record {
    try DatabaseQueue().write { db in
      try db.execute(
        sql: """
          CREATE TABLE author (id INTEGER PRIMARY KEY);
          CREATE TABLE book (
            number INTEGER, \(column), authorId INTEGER REFERENCES author(id));
          INSERT INTO author VALUES (1);
          INSERT INTO book SELECT column1, column2, 1 FROM (VALUES \(values));
          """)
      let books = Author.books.select(Column(column)).order(Column("number"))
      return try #require(try Record.fetchOne(db, Author.including(all: books)))
    }
  }

  @Test func `numbers and texts are the first selected column`() throws {
    #expect(try fetch(Shelf<[Int64]>.self, "n", with: "(1, 7), (2, '8')").books == [7, 8])
    #expect(try fetch(Shelf<[String]>.self, "title").books == ["a", "b", "a"])
    #expect(try fetch(Shelf<Set<String>>.self, "title").books == ["a", "b"])
    #expect(try fetch(Shelf<[Bool]>.self, "n", with: "(1, 0), (2, 1)").books == [false, true])
    #expect(try fetch(Shelf<ContiguousArray<String>>.self, "title").books == ["a", "b", "a"])
  }

  @Test func `NULL is an element of collections of optionals, and an error elsewhere`() throws {
    let values = "(1, 'a'), (2, NULL)"
    #expect(try fetch(Shelf<[String?]>.self, "t", with: values).books == ["a", nil])
    #expect(try fetch(Shelf<Set<String?>>.self, "t", with: values).books == ["a", nil])
    #expect(try fetch(Shelf<[ISBN?]>.self, "t", with: values).books == [ISBN("a"), nil])
    #expect(try fetch(Shelf<Pile<String>>.self, "t", with: values).books.elements == ["a", nil])
    #expect(
      try fetch(Shelf<ContiguousArray<ISBN?>>.self, "t", with: values).books == [ISBN("a"), nil])
    let text = errorText { try fetch(Shelf<[String]>.self, "t", with: values) }
    #expect(
      text?.hasPrefix(
        """
        could not decode String from database value NULL - column: "t", column index: 0, \
        row: [t:NULL grdb_authorId:1], sql: `SELECT "t", "authorId" AS "grdb_authorId" FROM "book" \
        WHERE "authorId" = ? ORDER BY "number"`, arguments: [1], record: Shelf<Array<String>>
        """) == true, "\(text ?? "")")
    #expect(errorText { try fetch(Shelf<[ISBN]>.self, "t", with: values) } != nil)
    #expect(errorText { try fetch(Shelf<[Int?]>.self, "t", with: values) } != nil)
    #expect(errorText { try fetch(Shelf<[Color?]>.self, "t", with: values) } != nil)
  }

  @Test func `a row of nulls is nil in a collection of optional records`() throws {
    struct Titled: Decodable, Hashable, FetchableRecord {
      var t: String
    }
    let values = "(1, 'a'), (2, NULL)"
    #expect(
      try fetch(Shelf<[Titled?]>.self, "t", with: values).books == [Titled(t: "a"), nil])
    #expect(
      try fetch(Shelf<Set<Titled?>>.self, "t", with: values).books == [Titled(t: "a"), nil])
    #expect(
      try fetch(Shelf<Pile<Titled>>.self, "t", with: values).books.elements
        == [Titled(t: "a"), nil])
  }

  @Test func `enumerations and types that decode one value`() throws {
    let values = "(1, 'red'), (2, 'blue'), (3, 'red')"
    #expect(try fetch(Shelf<[Color]>.self, "c", with: values).books == [.red, .blue, .red])
    #expect(try fetch(Shelf<Set<Color>>.self, "c", with: values).books == [.red, .blue])
    #expect(
      try fetch(Shelf<[Color?]>.self, "c", with: values + ", (4, NULL)").books
        == [.red, .blue, .red, nil])
    #expect(try fetch(Shelf<[ISBN]>.self, "i").books.map(\.text) == ["a", "b", "a"])
    #expect(try fetch(Shelf<Pile<Color>>.self, "c", with: values).books.elements.count == 3)
    let text = errorText { try fetch(Shelf<[Color]>.self, "c") }
    #expect(text?.contains(#"column: "c""#) == true)
  }

  @Test func `dates and data follow the strategies of the record`() throws {
    let date = Date(timeIntervalSince1970: 1.5)
    #expect(try fetch(Shelf<[Date]>.self, "day", with: "(1, 1.5)").books == [date])
    #expect(try fetch(DatedShelf.self, "day", with: "(1, 1500)").books == [date])
    #expect(
      try fetch(DatedShelf.self, "other", with: "(1, '1970-01-01 00:00:01.500')").books == [date])
    #expect(
      try fetch(OptionalDatedShelf.self, "day", with: "(1, 1500), (2, NULL)").books == [date, nil])
    #expect(
      try fetch(NestedDatedShelf.self, "day", with: "(1, 1.5)").author.books
        == [Date(timeIntervalSinceReferenceDate: 1.5)])
    #expect(try fetch(CustomDataShelf.self, "d", with: "(1, 7)").books == [Data("7".utf8)])
  }

  @Test func `a type may try the properties of several ones`() throws {
    struct Film: Decodable, Equatable { var director: String }
    struct Print: Decodable, Equatable { var title: String }
    enum Medium: Decodable, Equatable {
      case film(Film)
      case print(Print)
      init(from decoder: any Decoder) throws {
        if let film = try? Film(from: decoder) {
          self = .film(film)
        } else if let print = try? Print(from: decoder) {
          self = .print(print)
        } else {
          throw DecodingError.dataCorrupted(
            .init(codingPath: decoder.codingPath, debugDescription: "neither film nor print"))
        }
      }
    }
    let values = "(1, 'a'), (2, 'b')"
    let prints: [Medium?] = [.print(Print(title: "a")), .print(Print(title: "b")), nil]
    #expect(
      try fetch(Shelf<[Medium?]>.self, "title", with: values + ", (3, NULL)").books == prints)
    #expect(
      try fetch(Shelf<[Medium]>.self, "title", with: values).books == prints.compactMap { $0 })
    #expect(
      try fetch(Shelf<[Medium]>.self, "director", with: "(1, 'c')").books
        == [.film(Film(director: "c"))])
    let text = errorText { try fetch(Shelf<[Medium]>.self, "isbn") }
    #expect(text?.contains("neither film nor print") == true, "\(text ?? "no error")")
  }

  @Test func `types with properties are decoded from their row`() throws {
    struct Title: Decodable, Hashable { var title: String }
    #expect(try fetch(Shelf<[Title]>.self, "title").books.map(\.title) == ["a", "b", "a"])
    #expect(try fetch(Shelf<Set<Title>>.self, "title").books.count == 2)
    #expect(try fetch(Shelf<[Title?]>.self, "title").books.map { $0?.title } == ["a", "b", "a"])
    #expect(
      try fetch(Shelf<Pile<Title>>.self, "title").books.elements.map { $0?.title }
        == ["a", "b", "a"])
  }
}

@Suite("Records of one plain value", .onQueueAndPool)
struct SingleValueRecordTests {
  private struct Name: Decodable, FetchableRecord, Equatable {
    var text: String
    init(from decoder: any Decoder) throws {
      text = try decoder.singleValueContainer().decode(String.self)
    }
  }

  private enum Country: String, Decodable, FetchableRecord { case fr, it }

  private struct Day: Decodable, FetchableRecord, Equatable {
    var date: Date?
    init(from decoder: any Decoder) throws {
      date = try decoder.singleValueContainer().decode(Date?.self)
    }
    static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
      column == "day" ? .timeIntervalSinceReferenceDate : .deferredToDate
    }
  }

  private struct Cover: Decodable, FetchableRecord {
    var image: Data?
    init(from decoder: any Decoder) throws {
      image = try decoder.singleValueContainer().decode(Data?.self)
    }
    static func databaseDataDecodingStrategy(for column: String) -> DatabaseDataDecodingStrategy {
      column == "image" ? .custom { Data($0.isNull ? [] : [1, 2]) } : .deferredToData
    }
  }

  private struct Shelf: Decodable, FetchableRecord {
    var title: String
    var author: Name?
  }

  @Test func `a plain value is the first column`() throws {
    try inBookshop { db, _ throws in
      let sql = "SELECT name, country FROM author ORDER BY id"
      #expect(try Name.fetchAll(db, sql: sql).map(\.text).first == "Ursula Vernet")
      #expect(try Row.fetchAll(db, sql: sql).map(Name.init(row:)).count == 3)
      #expect(
        try Country.fetchAll(db, sql: "SELECT 'fr', 1 UNION ALL VALUES ('it', 2)") == [.fr, .it])
      #expect(
        try Day.fetchAll(db, sql: "SELECT 1.5 AS day UNION ALL SELECT NULL").map(\.date)
          == [Date(timeIntervalSinceReferenceDate: 1.5), nil])
      #expect(
        try Cover.fetchAll(db, sql: "SELECT 7 AS image UNION ALL SELECT NULL").map(\.image)
          == [Data([1, 2]), nil])
    }
  }

  @Test func `a wrong value throws with its column, value, record and SQL`() throws {
    try inEmptyDatabase { db throws in
      let sql = "SELECT x'FF' AS name"
      let text = """
        could not decode String from database value Data(1 bytes) - column: "name", \
        column index: 0, row: [name:Data(1 bytes)], sql: `\(sql)`
        """
      #expect(
        errorText { try Name.fetchAll(db, sql: sql) } == text + ", arguments: [], record: Name")
      #expect(
        errorText { try Row.fetchAll(db, sql: sql).map(Name.init(row:)) } == text + ", record: Name"
      )
      #expect(errorText { try Name(row: Row()) } != nil)
      #expect(errorText { try Country.fetchAll(db, sql: "SELECT 'de'") } != nil)
    }
  }

  @Test func `a scope may be such a record`() throws {
    try inBookshop { db, _ throws in
      let request = BookTable.including(optional: BookTable.author.select(Column("name")))
        .order(Column("id"))
      #expect(
        try Shelf.fetchAll(db, request).map(\.author?.text)
          == ["Ursula Vernet", "Ursula Vernet", "Italo Bassi", nil])
    }
  }

  private struct BookTable: TableRecord {
    static let databaseTableName = "book"
    static let author = belongsTo(AuthorTable.self).forKey("author")
  }

  private struct AuthorTable: TableRecord { static let databaseTableName = "author" }
}
