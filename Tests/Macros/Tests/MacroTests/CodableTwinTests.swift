import Foundation
import QuarryMacros
import QuarryMigrations
import Testing

/// Embedded values of Codable records have the columns of the same structures by macro.
extension TwinTests {
  @Record struct Visitor: Equatable {
    @PrimaryKey var id: Int64?
    @Embedded var home: TwinTests.House
    var name: String
    @Embedded var work: TwinTests.House?
  }

  @Embeddable struct House: Equatable {
    var street: String
    var number: Int?
    @JSON var tags: [String]
    var since: Date?
    @Embedded var spot: TwinTests.Spot?
    var key: UUID
  }

  @Embeddable struct Spot: Equatable {
    var latitude: Double
    var isExact: Bool
  }

  struct CodableVisitor: Codable, Equatable, FetchableRecord, MutablePersistableRecord {
    var id: Int64?
    var home: House
    var name: String
    var work: House?

    static var databaseEmbeddedKeys: [any CodingKey] { [CodingKeys.home, CodingKeys.work] }

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }

    struct House: Codable, Equatable, ColumnEmbedding {
      var street: String
      var number: Int?
      var tags: [String]
      var since: Date?
      var spot: Spot?
      var key: UUID

      static var databaseEmbeddedKeys: [any CodingKey] { [CodingKeys.spot] }

      init(_ house: TwinTests.House) {
        (street, number, tags) = (house.street, house.number, house.tags)
        (since, key) = (house.since, house.key)
        spot = house.spot.map { Spot(latitude: $0.latitude, isExact: $0.isExact) }
      }
    }

    struct Spot: Codable, Equatable {
      var latitude: Double
      var isExact: Bool
    }

    init(_ visitor: Visitor) {
      (home, name) = (House(visitor.home), visitor.name)
      work = visitor.work.map { House($0) }
    }
  }

  private func house(_ random: inout RandomValues) -> House {
    House(
      street: random.text(), number: random.maybe { $0.int() }, tags: random.list { $0.text() },
      since: random.maybe { $0.date() },
      spot: random.maybe { Spot(latitude: $0.double(), isExact: $0.bool()) }, key: random.uuid())
  }

  @Test func `embedded values, and those of Codable records`() throws {
    let columns = Visitor._columns.map { "\"\($0.name)\"" }.dropFirst().joined(separator: ", ")
    try check("id INTEGER PRIMARY KEY, \(columns)") { random in
      let visitor = Visitor(
        home: house(&random), name: random.text(), work: random.maybe { house(&$0) })
      return (visitor, CodableVisitor(visitor))
    }
  }

  @Test func `the columns of a Codable record are those of the macro`() throws {
    let visitor = Visitor(home: House(street: "", tags: [], key: UUID()), name: "")
    #expect(
      try Set(CodableVisitor(visitor).databaseDictionary.keys) == Set(Visitor._columns.map(\.name)))
    try DatabaseQueue().write { db in
      try Visitor.createTable(db)
      try db.execute(sql: "CREATE VIEW codableVisitor AS SELECT * FROM visitor")
      #expect(try db.schemaDifferences(of: [CodableVisitor.self]).isEmpty)
    }
  }
}
