import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

/// Decoders of superclasses, and those of keys, which stand for a superclass or for the JSON of a
/// column.
@Suite(.onQueueAndPool)
struct SuperclassDecodingTests {
  @Test func `A superclass is decoded from the same row`() throws {
    class Parent: Decodable {
      var id: Int
    }
    final class Child: Parent, FetchableRecord {
      var name: String
      private enum CodingKeys: CodingKey { case name }
      required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(String.self, forKey: .name)
        try super.init(from: container.superDecoder())
      }
    }
    try inEmptyDatabase { db in
      let child = try #require(try Child.fetchOne(db, sql: "SELECT 1 AS id, 'a' AS name"))
      #expect(child.id == 1 && child.name == "a")
    }
  }

  @Test
  func `A superclass with a key is decoded from the same row, also with a column of its name`()
    throws
  {
    class Parent: Codable {
      var id = 7
    }
    final class Child: Parent, FetchableRecord, PersistableRecord {
      var name = "a"
      static let databaseTableName = "child"
      private enum CodingKeys: CodingKey { case name, base }
      override init() { super.init() }
      required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(String.self, forKey: .name)
        try super.init(from: container.superDecoder(forKey: .base))
      }
      override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try super.encode(to: container.superEncoder(forKey: .base))
      }
    }
    for columns in ["id, name", "id, name, base", "id, name, base DEFAULT 1"] {
      try inEmptyDatabase { db in
        try db.execute(sql: "CREATE TABLE child (\(columns))")
        try Child().insert(db)
        let child = try #require(try Child.fetchOne(db))
        #expect(child.id == 7 && child.name == "a", "\(columns)")
      }
    }
  }

  @Test(arguments: ["plain", "[todo] call", "{x", "[1]", #"{"id":9,"body":"y","title":"z"}"#])
  func `A superclass is decoded as it was encoded, whatever its texts`(
    text: String
  ) throws {
    class Note: Codable {
      var id: Int64
      var body: String
      init(id: Int64, body: String) {
        self.id = id
        self.body = body
      }
    }
    final class Draft: Note, FetchableRecord, PersistableRecord {
      enum CodingKeys: CodingKey { case title, body }
      var title = ""
      override init(id: Int64, body: String) { super.init(id: id, body: body) }
      required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        title = try container.decode(String.self, forKey: .title)
        try super.init(from: container.superDecoder(forKey: .body))
      }
      override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(title, forKey: .title)
        try super.encode(to: container.superEncoder(forKey: .body))
      }
    }
    try inEmptyDatabase { db in
      try db.execute(sql: "CREATE TABLE draft (id INTEGER PRIMARY KEY, body TEXT, title TEXT)")
      let draft = Draft(id: 4, body: text)
      try draft.insert(db)
      let fetched = try Draft.find(db, key: 4)
      #expect(fetched.id == 4 && fetched.body == text)
    }
  }

  @Test func `A property is decoded from the JSON of its column, also by the decoder of its key`()
    throws
  {
    struct Shape: Decodable, Equatable { var id: Int }
    struct Holder: Decodable, FetchableRecord {
      var shape: Shape
      var same: Shape
      var sizes: [Int]
      var counts: [String: Int]
      enum CodingKeys: CodingKey { case shape, sizes, counts }
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        shape = try Shape(from: container.superDecoder(forKey: .shape))
        same = try container.superDecoder(forKey: .shape).singleValueContainer()
          .decode(Shape.self)
        sizes = try [Int](from: container.superDecoder(forKey: .sizes))
        counts = try [String: Int](from: container.superDecoder(forKey: .counts))
      }
    }
    try inEmptyDatabase { db in
      let sql = """
        SELECT 1 AS id, ? AS shape, '[2, 3]' AS sizes, '{"counts": 4, "b": 5}' AS counts
        """
      let holder = try #require(try Holder.fetchOne(db, sql: sql, arguments: [#"{"id": 7}"#]))
      #expect(holder.shape == Shape(id: 7) && holder.same == Shape(id: 7))
      #expect(holder.sizes == [2, 3] && holder.counts == ["counts": 4, "b": 5])
      for json in ["{", "[7]"] {
        let error = #expect(throws: DecodingError.self) {
          try Holder.fetchOne(db, sql: sql, arguments: [json])
        }
        #expect("\(try #require(error))".contains(#"column: "shape""#))
      }
      #expect(throws: DecodingError.self) { try Holder.fetchOne(db, sql: sql, arguments: ["{}"]) }
    }
  }
}
