import Quarry
import QuarryTestSupport
import Testing

/// Reads one column, without `try`.
private struct Named<Value: DatabaseValueConvertible>: FetchableRecord {
  var value: Value

  init(row: Row) { value = row["v"] }
}

/// One of the cases of a type with references inside, which zeroed memory can't stand for.
private enum Shape: CaseIterable, DatabaseValueConvertible, Equatable {
  case named(String)

  static var allCases: [Shape] { [.named("circle"), .named("square")] }

  var databaseValue: DatabaseValue {
    switch self {
    case .named(let name): name.databaseValue
    }
  }

  static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Shape? {
    String.fromDatabaseValue(dbValue).map(Shape.named)
  }
}

private struct Tag: RawRepresentable, DatabaseValueConvertible, Equatable {
  var rawValue: String
}

/// A single value, or none.
private struct Remark: Codable, DatabaseValueConvertible, Equatable {
  var text: String?

  init(_ text: String?) { self.text = text }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    text = container.decodeNil() ? nil : try container.decode(String.self)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

/// One text, or a list of texts.
private struct Texts: Codable, DatabaseValueConvertible, Equatable {
  var texts: [String]

  init(_ texts: [String]) { self.texts = texts }

  init(from decoder: any Decoder) throws {
    guard let list = try? decoder.unkeyedContainer() else {
      texts = [try decoder.singleValueContainer().decode(String.self)]
      return
    }
    texts = try Self.read(list)
  }

  static func read(_ list: any UnkeyedDecodingContainer) throws -> [String] {
    var list = list
    var texts: [String] = []
    while !list.isAtEnd { texts.append(try list.decode(String.self)) }
    return texts
  }

  func encode(to encoder: any Encoder) throws { try texts.encode(to: encoder) }
}

/// Decodes itself by the parts of containers that few types use.
private struct Folder: Codable, DatabaseValueConvertible, Equatable {
  enum Key: String, CodingKey { case title, labels, sizes, owner, lines, parent }

  var path: String
  var title: String?
  var labels: Set<String>
  var sizes: [String: Int]
  var owner: String
  var lines: [String]
  var parent: String
  var base: String

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    path = "\(decoder.codingPath.count) \(decoder.userInfo.count) \(container.codingPath.count)"
    let hasTitle = try container.contains(.title) && !container.decodeNil(forKey: .title)
    title = hasTitle ? try container.decode(String.self, forKey: .title) : nil
    labels = try container.decode(Set<String>.self, forKey: .labels)
    sizes = try container.decode([String: Int].self, forKey: .sizes)
    owner = try container.nestedContainer(keyedBy: Key.self, forKey: .owner)
      .decode(String.self, forKey: .title)
    lines = try (try? container.nestedUnkeyedContainer(forKey: .lines)).map(Texts.read) ?? []
    parent = try String(from: container.superDecoder(forKey: .parent))
    base = try String(from: container.superDecoder())
  }
}

/// A subscript that can't decode gives the initialiser of a record some value, and the fetch
/// throws.
@Suite("Columns that can't be decoded, of types without a value of their own")
struct PlaceholderTests {
  private func value<Value: DatabaseValueConvertible>(
    _ type: Value.Type, _ sql: String
  ) throws -> Value? {
    try DatabaseQueue().read { db in
      try Named<Value>.fetchOne(db, sql: "SELECT \(sql) AS v")?.value
    }
  }

  private func error<Value: DatabaseValueConvertible>(
    _ type: Value.Type, _ sql: String
  ) -> String? {
    errorText { try value(type, sql) }
  }

  private func expected(_ type: String, _ value: String) -> String {
    """
    could not decode \(type) from database value \(value) - column: "v", column index: 0, \
    row: [v:\(value)], sql: `SELECT \(value) AS v`, arguments: [], record: Named<\(type)>
    """
  }

  @Test func `Enumerations whose cases have values`() throws {
    #expect(try value(Shape.self, "'line'") == .named("line"))
    #expect(error(Shape.self, "1") == expected("Shape", "1"))
    #expect(error(Shape.self, "NULL") == expected("Shape", "NULL"))
  }

  @Test func `Texts in a type of their own`() throws {
    #expect(try value(Tag.self, "'new'") == Tag(rawValue: "new"))
    #expect(try value(Tag.self, "1") == Tag(rawValue: "1"))
    #expect(error(Tag.self, "NULL") == expected("Tag", "NULL"))
  }

  @Test func `Codable types of a single value`() throws {
    #expect(try value(Remark.self, "'a'") == Remark("a"))
    #expect(try value(Remark.self, "NULL") == Remark(nil))
    #expect(try value(Remark.self, "1") == Remark("1"))
    #expect(try value(Texts.self, "'a'") == Texts(["a"]))
    #expect(try value(Texts.self, "1") == Texts(["1"]))
    #expect(error(Texts.self, "NULL") == expected("Texts", "NULL"))
  }

  @Test func `Codable types of nested containers`() throws {
    let json = #"""
      {"title":"t","labels":["l"],"sizes":{"s":1},"owner":{"title":"o"},"lines":["x","y"],\#
      "parent":"p","super":"b"}
      """#
    let folder = try #require(try value(Folder.self, "'\(json)'"))
    #expect(folder.title == "t")
    #expect(folder.labels == ["l"])
    #expect(folder.sizes == ["s": 1])
    #expect(folder.owner == "o")
    #expect(folder.lines == ["x", "y"])
    #expect(folder.parent == "p")
    #expect(folder.base == "b")
    #expect(error(Folder.self, "NULL") == expected("Folder", "NULL"))
    #expect(error(Folder.self, "12") == expected("Folder", "12"))
  }

  @Test func `An optional record of a scope whose initialiser throws`() throws {
    struct Strict: FetchableRecord {
      init(row: Row) throws { _ = try row.decode(Int.self, forColumn: "b") }
    }
    struct Outer: FetchableRecord {
      var inner: Strict?
      init(row: Row) { inner = row["inner"] }
    }
    try DatabaseQueue().read { db in
      let adapter = ScopeAdapter(["inner": SuffixRowAdapter(fromIndex: 1)])
      let sql = "SELECT 0 AS z, 'a' AS a, NULL AS b"
      #expect(
        errorText { try Outer.fetchAll(db, sql: sql, adapter: adapter) }?.hasPrefix(
          """
          could not decode Int from database value NULL - column: "b", column index: 1, \
          row: [a:"a" b:NULL], sql: `\(sql)`
          """) == true)
      let absent = "SELECT 0 AS z, NULL AS a, NULL AS b"
      let outer = try #require(try Outer.fetchOne(db, sql: absent, adapter: adapter))
      #expect(outer.inner == nil)
    }
  }
}
