import QuarryTestSupport
import Testing

@testable import Quarry

/// Records with embedded values store what a flat twin stores, and each fetches the other's rows.
struct RandomEmbeddedValueTests {
  private struct Spot: Codable, Equatable {
    var latitude: Int
    var label: String?
  }

  private struct House: Codable, Equatable, ColumnEmbedding {
    var street: String
    var number: Int64?
    var tags: [String]
    var spot: Spot?

    static var databaseEmbeddedKeys: [any CodingKey] { [CodingKeys.spot] }
  }

  private struct Visitor: Codable, Equatable, FetchableRecord, PersistableRecord {
    var id: Int64
    var home: House
    var name: String
    var work: House?

    static var databaseEmbeddedKeys: [any CodingKey] { [CodingKeys.home, CodingKeys.work] }
  }

  /// The columns, one by one.
  private struct Flat: Codable, Equatable, FetchableRecord, PersistableRecord {
    var id: Int64
    var home_street: String
    var home_number: Int64?
    var home_tags: [String]
    var home_spot_latitude: Int?
    var home_spot_label: String?
    var name: String
    var work_street: String?
    var work_number: Int64?
    var work_tags: [String]?
    var work_spot_latitude: Int?
    var work_spot_label: String?

    static let databaseTableName = "visitor"

    init(_ visitor: Visitor) {
      (id, name) = (visitor.id, visitor.name)
      (home_street, home_number) = (visitor.home.street, visitor.home.number)
      home_tags = visitor.home.tags
      (home_spot_latitude, home_spot_label) = (
        visitor.home.spot?.latitude, visitor.home.spot?.label
      )
      (work_street, work_number) = (visitor.work?.street, visitor.work?.number)
      work_tags = visitor.work?.tags
      (work_spot_latitude, work_spot_label) = (
        visitor.work?.spot?.latitude, visitor.work?.spot?.label
      )
    }
  }

  private static func house(_ random: inout SplitMix64) -> House {
    House(
      street: random.text(), number: random.chance(2) ? nil : random.int64(),
      tags: (0..<random.below(3)).map { _ in random.text() },
      spot: random.chance(2)
        ? nil : Spot(latitude: random.below(9), label: random.chance(2) ? nil : random.text()))
  }

  private static func visitor(_ id: Int64, _ random: inout SplitMix64) -> Visitor {
    Visitor(
      id: id, home: house(&random), name: random.text(),
      work: random.chance(2) ? nil : house(&random))
  }

  private static let columns = [
    "id", "home_street", "home_number", "home_tags", "home_spot_latitude", "home_spot_label",
    "name",
    "work_street", "work_number", "work_tags", "work_spot_latitude", "work_spot_label",
  ]

  private static func check(_ random: inout SplitMix64, _ comment: Comment) throws {
    let visitors = (1...20).map { visitor(Int64($0), &random) }
    let order = columns.shuffled(using: &random)
    try inEmptyDatabase { db throws in
      try db.execute(sql: "CREATE TABLE visitor (\(order.joined(separator: ", ")))")
      for half in [visitors[..<10], visitors[10...]] {
        if random.chance(2) {
          try Visitor.insert(db, contentsOf: half)
        } else {
          for visitor in half { try visitor.insert(db) }
        }
      }
      let sql = "SELECT \(order.shuffled(using: &random).joined(separator: ", ")) FROM visitor"
      let rows = try Row.fetchAll(db, sql: sql + " ORDER BY id")
      #expect(try Visitor.fetchAll(db, sql: sql + " ORDER BY id") == visitors, comment)
      #expect(try Flat.fetchAll(db, sql: sql + " ORDER BY id") == visitors.map(Flat.init), comment)
      try db.execute(sql: "DELETE FROM visitor")
      try Flat.insert(db, contentsOf: visitors.map(Flat.init))
      #expect(try Row.fetchAll(db, sql: sql + " ORDER BY id") == rows, comment)
      #expect(try Visitor.fetchAll(db, sql: sql + " ORDER BY id") == visitors, comment)
    }
  }

  @Test func `Embedded values and a flat twin store the same rows`() throws {
    let run = RandomRun("embedded values")
    try run.repeated(seconds: 2, atMost: 30) { random in
      try Self.check(&random, "QUARRY_RANDOM_SEED=\(run.seed)")
    }
  }
}
