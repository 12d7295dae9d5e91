import Foundation
import QuarryMacros
import Testing

/// Prices in whole cents.
enum Cents: ColumnCoding {
  static var columnType: Database.ColumnType? { .integer }

  static func databaseValue(of price: Double) -> DatabaseValue {
    Int((price * 100).rounded()).databaseValue
  }

  static func value(in row: Row, atIndex index: Int) throws -> Double {
    try Double(row.decode(Int.self, atIndex: index)) / 100
  }
}

@Record struct Visit: Equatable {
  @PrimaryKey var id: Int64?
  @Column(as: UnixSeconds.self) var start: Date
  @Column(as: UnixMilliseconds.self) var end: Date?
  @Column(as: UnixSeconds.self) var booked: Date?
  var text: Date
  @Column(as: Cents.self) var price: Double
}

/// Values of one type that are stored in two ways are never compared.
@Suite("Codings of typed columns")
struct StoredFormTests {
  private func withVisits<T>(_ body: (Database) throws -> T) throws -> T {
    try DatabaseQueue().inDatabase { db in
      try Visit.createTable(db)
      var visit = Visit(start: day(1), end: day(2), booked: day(0), text: day(3), price: 2.5)
      try visit.insert(db)
      return try body(db)
    }
  }

  static let mixtures: [@Sendable () -> QueryInterfaceRequest<Visit>] = [
    { Visit.filter { $0.start == $0.end } },
    { Visit.filter { $0.end != $0.start } },
    { Visit.filter { $0.start < $0.end } },
    { Visit.filter { $0.end > $0.start } },
    { Visit.filter { $0.text <= $0.start } },
    { Visit.filter { $0.start >= $0.text } },
    { Visit.filter { $0.text.isBetween($0.start, and: $0.start) } },
    { Visit.filter { ($0.end ?? $0.start) > day(0) } },
    { Visit.filter { Visit.select { $0.start }.contains($0.end) } },
    {
      let ends: TypedSelection<Date?> = Visit.select { $0.end }
      return Visit.filter { ends.contains($0.start) }
    },
    { Visit.filter { Visit.select { $0.text }.contains($0.start) } },
  ]

  @Test(arguments: mixtures.indices)
  func `columns with two codings are not compared, and the error says so`(index: Int) throws {
    try withVisits { db in
      let error = #expect(throws: DatabaseError.self) { try Self.mixtures[index]().fetchAll(db) }
      #expect(error?.description.contains("is not comparable with a column") == true)
    }
  }

  @Test func `columns with one coding are compared`() throws {
    try withVisits { db in
      try #expect(Visit.filter { $0.booked < $0.start }.fetchCount(db) == 1)
      try #expect(Visit.filter { ($0.booked ?? $0.start) == day(0) }.fetchCount(db) == 1)
      try #expect(
        Visit.filter { Visit.select { $0.start }.contains($0.booked) }.fetchCount(db) == 0)
      try #expect(
        Visit.filter { $0.start < Column("end").typed(as: Date.self) }.fetchCount(db) == 1)
    }
  }

  @Test func `an assignment from a column with another coding throws`() throws {
    try withVisits { db in
      let error = #expect(throws: DatabaseError.self) {
        try Visit.updateAll(db) { $0.end.set(to: $0.start) }
      }
      #expect(error?.description.contains("is not comparable with a column") == true)
      try Visit.updateAll(db) { $0.booked.set(to: $0.start) }
      try #expect(Visit.find(db, id: 1).booked == day(1))
    }
  }

  static let calculations: [@Sendable () -> QueryInterfaceRequest<Visit>] = [
    { Visit.filter { $0.price + 1.5 > 3 } },
    { Visit.filter { 2 * $0.price > 3 } },
    { Visit.filter { $0.price / $0.price == 1 } },
    { Visit.filter { abs($0.price) > 3 } },
    { Visit.all().group { $0.id }.having { sum($0.price) > 3 } },
    { Visit.all().group { $0.id }.having { average($0.price) > 3 } },
  ]

  @Test(arguments: calculations.indices)
  func `stored forms are not calculated with, and the error says so`(index: Int) throws {
    try withVisits { db in
      let error = #expect(throws: DatabaseError.self) {
        try Self.calculations[index]().fetchAll(db)
      }
      #expect(error?.description.contains("the coding Cents stores something else") == true)
    }
  }

  @Test func `values are compared, selected, and assigned by their coding`() throws {
    try withVisits { db in
      try #expect(Visit.filter { $0.price == 2.5 }.fetchCount(db) == 1)
      try #expect(Visit.filter { (1...3).contains($0.price) }.fetchCount(db) == 1)
      try #expect(Visit.select { max($0.price) }.fetchOne(db) == 2.5)
      try #expect(Visit.select { $0.price }.fetchOne(db) == 2.5)
      try #expect(Visit.select { $0.price }.fetchAll(db) == [2.5])
      try #expect(Visit.select { $0.price }.fetchSet(db) == [2.5])
      try #expect(Visit.select { $0.booked }.fetchSet(db) == [day(0)])
      try #expect(Array(Visit.select { $0.booked }.fetchCursor(db)) == [day(0)])
      try Visit.updateAll(db) { $0.price.set(to: 3.25) }
      try #expect(Int.fetchOne(db, sql: "SELECT price FROM visit") == 325)
      try #expect(Visit.filter { $0.price.untyped * 2 == 650 }.fetchCount(db) == 1)
      #expect(throws: DatabaseError.self) { try Visit.updateAll(db) { $0.price += 1 } }
      #expect(throws: DatabaseError.self) { try Visit.updateAll(db) { $0.price *= $0.price } }
    }
  }

  @Test func `rows have the values of typed columns by their coding`() throws {
    try withVisits { db in
      let row = try #require(try Row.fetchOne(db, Visit.all()))
      let price = row[Visit.Columns.price]
      let (start, end) = (row[Visit.Columns.start], row[Visit.Columns.end])
      let text = row[Visit.Columns.text]
      #expect(price == 2.5 && start == day(1) && end == day(2) && text == day(3))
      let other = try #require(try Row.fetchOne(db, sql: "SELECT NULL AS \"end\""))
      let (null, missing) = (other[Visit.Columns.end], other[Visit.Columns.booked])
      #expect(null == nil && missing == nil)
    }
  }

  @Test func `a column that a coding can't decode is an error of the record`() throws {
    struct Price: FetchableRecord {
      var price: Double
      init(row: Row) { price = row[Visit.Columns.price] }
    }
    try withVisits { db in
      let request = Visit.all().asRequest(of: Price.self)
      let price = try request.fetchOne(db)?.price
      #expect(price == 2.5)
      try db.execute(sql: "UPDATE visit SET price = 'free'")
      let error = #expect(throws: RowDecodingError.self) { try request.fetchOne(db) }
      #expect(error?.description.contains(#"column: "price""#) == true)
    }
  }

  /// A third of all milliseconds from 1938 to 1970 became smaller by each save.
  @Test func `milliseconds that are fetched and saved again stay the same`() throws {
    try withVisits { db in
      var random = RandomValues(seed: TwinTests.seed)
      // From 1900 to 2100.
      let years = -2_208_988_800_000...4_102_444_799_999
      for number in 0..<500 {
        let milliseconds = number == 0 ? 14_194_814_787 : Int.random(in: years, using: &random)
        try db.execute(sql: "UPDATE visit SET \"end\" = ?", arguments: [milliseconds])
        try Visit.find(db, id: 1).update(db)
        let stored = try Int.fetchOne(db, sql: "SELECT \"end\" FROM visit")
        #expect(stored == milliseconds, "seed \(TwinTests.seed)")
      }
      let between = try UnixMilliseconds.databaseValue(of: Date(timeIntervalSince1970: 1.9999))
      #expect(between == 1999.databaseValue)
    }
  }
}
