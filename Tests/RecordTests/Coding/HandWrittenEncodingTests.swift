import Quarry
import QuarryTestSupport
import Testing

private enum BoxKey: String, CodingKey { case id, size }
private enum SizeKey: String, CodingKey { case width, height }

/// How the size of a box reads and writes itself.
private enum Way { case keys, list, value }

/// A box whose size is embedded, and coded by hand, with coders of its own.
private struct Box<Style: BoxStyle>: Codable, FetchableRecord, PersistableRecord {
  static var databaseTableName: String { "box" }
  static var databaseEmbeddedKeys: [any CodingKey] { [BoxKey.size] }
  var id: Int
  var width = 0
  var height = 0

  init(id: Int, width: Int, height: Int) {
    (self.id, self.width, self.height) = (id, width, height)
  }

  init(from decoder: any Decoder) throws {
    let box = try decoder.container(keyedBy: BoxKey.self)
    id = try box.decode(Int.self, forKey: .id)
    let size = try box.superDecoder(forKey: .size)
    switch Style.way {
    case .keys:
      let values = try size.container(keyedBy: SizeKey.self)
      width = try values.decode(Int.self, forKey: .width)
      height = try values.decode(Int.self, forKey: .height)
    case .list:
      var values = try size.unkeyedContainer()
      width = try values.decode(Int.self)
    case .value: width = try size.singleValueContainer().decode(Int.self)
    }
  }

  func encode(to encoder: any Encoder) throws {
    var box = encoder.container(keyedBy: BoxKey.self)
    try box.encode(id, forKey: .id)
    let size = box.superEncoder(forKey: .size)
    switch Style.way {
    case .keys:
      var values = size.container(keyedBy: SizeKey.self)
      try values.encode(width, forKey: .width)
      try values.encode(height, forKey: .height)
    case .list:
      var values = size.unkeyedContainer()
      try values.encode(width)
    case .value:
      var value = size.singleValueContainer()
      try value.encode(width)
    }
  }
}

private protocol BoxStyle { static var way: Way { get } }
private enum Keys: BoxStyle { static let way = Way.keys }
private enum List: BoxStyle { static let way = Way.list }
private enum Value: BoxStyle { static let way = Way.value }

/// Records whose `encode(to:)` is written by hand, and asks for what the compiler does not
/// generate.
struct HandWrittenEncodingTests {
  private func write<T>(_ body: (Database) throws -> T) throws -> T {
    try makeDatabase(sql: "CREATE TABLE box (id INTEGER, size_width INTEGER, size_height INTEGER)")
      .write(
        body)
  }

  @Test func `an embedded value has a coder of its own`() throws {
    try write { db throws in
      try Box<Keys>(id: 1, width: 2, height: 3).insert(db)
      let rows = try Row.fetchAll(db, sql: "SELECT * FROM box")
      #expect(rows == [["id": 1, "size_width": 2, "size_height": 3]])
      let box = try Box<Keys>.fetchOne(db)
      #expect(box?.id == 1)
      #expect(box?.width == 2)
      #expect(box?.height == 3)
    }
  }

  @Test func `an embedded value is neither a list nor a single value`() throws {
    try write { db throws in
      let list = databaseError { try Box<List>(id: 1, width: 2, height: 3).insert(db) }
      #expect(
        list?.message == """
          Box<List>.size can't be embedded: its type has no coding keys. Remove it from \
          databaseEmbeddedKeys, or make it a structure
          """)
      let value = databaseError { try Box<Value>(id: 1, width: 2, height: 3).insert(db) }
      #expect(
        value?.message == """
          Box<Value>.size can't be embedded: Int is a database value. Remove it from \
          databaseEmbeddedKeys, or make it a structure
          """)
      let count = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM box")
      #expect(count == 0)
      try db.execute(sql: "INSERT INTO box VALUES (1, 2, 3)")
      #expect(
        errorText { try Box<List>.fetchAll(db) }?.contains("its type has no coding keys") == true)
      #expect(
        errorText { try Box<Value>.fetchAll(db) }?.contains("Int is a database value") == true)
    }
  }

  private struct Tagged: Encodable, PersistableRecord {
    enum CodingKeys: CodingKey { case tags }
    static let databaseTableName = "box"

    func encode(to encoder: any Encoder) throws {
      var box = encoder.container(keyedBy: CodingKeys.self)
      var tags = box.nestedUnkeyedContainer(forKey: .tags)
      try tags.encode("sea")
    }
  }

  @Test func `a list by hand is no column`() throws {
    try write { db throws in
      #expect(
        errorText { try Tagged().insert(db) }?.contains(
          "a nested JSON container for the column 'tags'") == true)
      let count = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM box")
      #expect(count == 0)
    }
  }
}
