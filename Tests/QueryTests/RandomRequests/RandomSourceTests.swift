import QuarryRecords
import QuarryTestSupport
import Testing

@testable import Quarry

/// A record with a JSON array.
private struct Item: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "item"
  var id: Int
  var size: Int
  var list: String
}

/// Random requests on table functions and subqueries, compared with nested loops.
struct RandomSourceTests {
  private static let id = Column("id")
  private static let size = Column("size")
  private static let key = Column("key")
  private static let value = Column("value")

  /// An item of a random world.
  private struct Row {
    let id: Int
    let size: Int
    let list: [Int?]

    var json: String { "[\(list.map { $0.map(String.init) ?? "null" }.joined(separator: ","))]" }
  }

  private struct World {
    let rows: [Row]

    init(using random: inout SplitMix64) {
      var rows: [Row] = []
      for id in 1...(1 + random.below(7)) {
        let list = (0..<random.below(5)).map { _ in
          random.chance(5) ? nil : random.below(4)
        }
        rows.append(Row(id: id, size: random.below(5), list: list))
      }
      self.rows = rows
    }

    func makeDatabase() throws -> AnyDatabaseWriter {
      let database = try makeEmptyDatabase()
      try database.write { db throws in
        try db.execute(
          sql: """
            CREATE TABLE item (id INTEGER PRIMARY KEY, size INTEGER, list TEXT);
            CREATE TABLE copy (id INTEGER, k INTEGER, v INTEGER);
            """)
        for row in rows { try Item(id: row.id, size: row.size, list: row.json).insert(db) }
      }
      return database
    }
  }

  /// The items that a request begins with.
  private enum Root: CaseIterable { case table, limited, union, nested }

  private enum Join: CaseIterable { case none, required, optional }

  /// The value of a subquery on the elements of an item.
  private enum Condition: CaseIterable { case none, exists, contains, count }

  private struct Request {
    let root: Root
    let join: Join
    let condition: Condition
    /// Values, of few kinds.
    let numbers: [Int]

    init(using random: inout SplitMix64) {
      root = random.pick(Root.allCases)
      join = random.pick(Join.allCases)
      condition = random.pick(Condition.allCases)
      numbers = (0..<5).map { _ in random.below(5) }
    }
  }

  @Test func `rows are those of nested loops`() throws {
    var random = RandomRun("Random sources").generator
    var rowCount = 0
    for _ in 0..<40 {
      let world = World(using: &random)
      let database = try world.makeDatabase()
      try database.write { db throws in
        for _ in 0..<40 {
          let request = Request(using: &random)
          let expected = evaluate(request, world)
          rowCount += expected.count
          try check(request, expected, db)
        }
        try checkUpdates(world, db, &random)
      }
    }
    #expect(rowCount > 1000)
  }

  private func check(_ request: Request, _ expected: [String], _ db: Database) throws {
    let query = makeQuery(request)
    let rows = try query.fetchAll(db).map { row in
      (0..<row.count).map { row[$0] as Int? }.map { $0.map(String.init) ?? "-" }
        .joined(separator: " ")
    }
    #expect(rows.sorted() == expected, "\(request)")
    #expect(try query.fetchCount(db) == expected.count, "\(request)")
    #expect(try query.isEmpty(db) == expected.isEmpty, "\(request)")
    let columns = request.join == .none ? ["id"] : ["id", "k", "v"]
    #expect(
      try query.insertAll(db, into: "copy", columns: columns) == expected.count, "\(request)")
    #expect(try Table("copy").fetchCount(db) == expected.count, "\(request)")
    try Table("copy").deleteAll(db)
  }

  private func makeRoot(_ request: Request) -> QueryInterfaceRequest<Item> {
    let first = Item.filter(Self.size >= request.numbers[0])
    switch request.root {
    case .table:
      return first
    case .limited:
      return first.order(Self.id).limit(1 + request.numbers[1]).asTable()
    case .union:
      return first.union(Item.filter(Self.id == request.numbers[1])).asTable(named: "both")
    case .nested:
      return first.asTable().order(Self.id.desc).limit(1 + request.numbers[1]).asTable()
    }
  }

  private func makeQuery(_ request: Request) -> QueryInterfaceRequest<Quarry.Row> {
    let alias = TableAlias<Item>()
    var query = makeRoot(request).aliased(alias).select(Self.id)
    let elements = TableFunction("json_each", alias["list"])
    switch request.condition {
    case .none: break
    case .exists: query = query.filter(elements.filter(Self.value == request.numbers[2]).exists())
    case .contains:
      query = query.filter(elements.select(Self.value).contains(request.numbers[2].databaseValue))
    case .count: query = query.filter(elements.select(count(Self.value)) > request.numbers[2])
    }
    let join = Item.association(to: TableFunction("json_each", Column("list")))
      .filter(Self.value < request.numbers[3])
      .select(Self.key, Self.value)
    switch request.join {
    case .none: break
    case .required: query = query.annotated(withRequired: join)
    case .optional: query = query.annotated(withOptional: join)
    }
    return query.asRequest(of: Quarry.Row.self)
  }

  private func evaluateRoot(_ request: Request, _ world: World) -> [Row] {
    let first = world.rows.filter { $0.size >= request.numbers[0] }
    switch request.root {
    case .table: return first
    case .limited: return Array(first.prefix(1 + request.numbers[1]))
    case .union:
      return world.rows.filter { $0.size >= request.numbers[0] || $0.id == request.numbers[1] }
    case .nested: return Array(first.suffix(1 + request.numbers[1]))
    }
  }

  private func evaluate(_ request: Request, _ world: World) -> [String] {
    var result: [String] = []
    for row in evaluateRoot(request, world) {
      let values = row.list.compactMap(\.self)
      switch request.condition {
      case .none: break
      case .exists: if !values.contains(request.numbers[2]) { continue }
      case .contains: if !values.contains(request.numbers[2]) { continue }
      case .count: if values.count <= request.numbers[2] { continue }
      }
      if request.join == .none {
        result.append("\(row.id)")
        continue
      }
      let elements = row.list.enumerated().filter { _, value in
        value.map { $0 < request.numbers[3] } ?? false
      }
      result += elements.map { "\(row.id) \($0) \($1!)" }
      if elements.isEmpty, request.join == .optional { result.append("\(row.id) - -") }
    }
    return result.sorted()
  }

  /// Sizes become an element each, at a random place, plus a number.
  private func checkUpdates(
    _ world: World, _ db: Database, _ random: inout SplitMix64
  ) throws {
    var sizes = Dictionary(uniqueKeysWithValues: world.rows.map { ($0.id, Optional($0.size)) })
    for _ in 0..<10 {
      let place = random.below(4)
      let bound = random.below(5)
      let number = random.below(10)
      let element = TableAlias<Quarry.Row>()
      let join = Item.association(to: TableFunction("json_each", Column("list")))
        .filter(Self.key == place).aliased(element)
      let count = try Item.joining(required: join).filter(Self.id > bound)
        .updateAll(db, [Self.size.set(to: element["value"] + number)])
      let updated = world.rows.filter { $0.id > bound && $0.list.count > place }
      for row in updated {
        sizes.updateValue(row.list[place].map { $0 + number }, forKey: row.id)
      }
      #expect(count == updated.count)
      for row in try Quarry.Row.fetchAll(db, Table("item").select(Self.id, Self.size)) {
        #expect(row[1] as Int? == sizes[row[0]]!, "item \(row[0] as Int)")
      }
    }
  }
}
