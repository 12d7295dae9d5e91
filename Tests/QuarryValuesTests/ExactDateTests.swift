import Foundation
import QuarryTestSupport
import QuarryValues
import Testing

@testable import Quarry

/// The precision of dates belongs to the process: each test has its own.
@Suite("Exact dates")
struct ExactDateTests {
  private struct Event: Codable, Equatable, FetchableRecord, PersistableRecord {
    var id: Int64
    var date: Date
    var end: Date?
  }

  private static func makeDatabase() throws -> DatabaseQueue {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(sql: "CREATE TABLE event (id INTEGER PRIMARY KEY, date TEXT, \"end\" TEXT)")
    }
    return queue
  }

  @Test func `texts of dates`() async {
    await #expect(processExitsWith: .success) {
      try Date.storeExactDates()
      let texts: [(TimeInterval, String)] = [
        (0, "2001-01-01 00:00:00.000"),
        (0.1, "2001-01-01 00:00:00.100"),
        (730_990_559.0044, "2024-03-01 12:55:59.0044"),
        (730_990_559.004, "2024-03-01 12:55:59.004"),
        (-0.25, "2000-12-31 23:59:59.750"),
        (-0.0003, "2000-12-31 23:59:59.9997"),
        (1e-7, "2001-01-01 00:00:00.0000001"),
        (-978_307_201.5, "1969-12-31 23:59:58.500"),
        (252_423_993_599.5, "9999-12-31 23:59:59.500"),
      ]
      for (interval, text) in texts {
        let date = Date(timeIntervalSinceReferenceDate: interval)
        #expect(date.databaseValue == text.databaseValue)
        #expect(Date.fromDatabaseValue(text.databaseValue) == date)
      }
    }
  }

  @Test func `random dates come back exactly, and are found and sorted`() async {
    let run = RandomRun("exact dates")
    await #expect(processExitsWith: .success) { [seed = run.seed as UInt64] in
      try Date.storeExactDates()
      var random = SplitMix64(seed: seed)
      var dates: [Date] = []
      try Self.makeDatabase().write { db in
        for id in 0..<500 {
          let date = Self.date(&random)
          dates.append(date)
          let event = Event(id: Int64(id), date: date, end: random.chance(2) ? nil : date)
          try event.insert(db)
          let comment: Comment = "\(date.timeIntervalSinceReferenceDate), seed \(seed)"
          #expect(try Event.fetchOne(db, key: id) == event, comment)
          #expect(try Event.filter { _ in Column("date") == date }.fetchCount(db) > 0, comment)
          #expect(try Date.fetchOne(db, sql: "SELECT ?", arguments: [date]) == date, comment)
          #expect(
            try Row.fetchOne(db, sql: "SELECT ? AS d", arguments: [date])?["d"] == date, comment)
          let stored = try #require(try Event.fetchOne(db, key: id))
          #expect(try event.databaseChanges(from: stored).isEmpty, comment)
        }
        let sorted = try Date.fetchAll(db, sql: "SELECT date FROM event ORDER BY date")
        #expect(sorted == dates.sorted(), "seed \(seed)")
        let limit = random.pick(dates)
        let before = try Event.filter { _ in Column("date") < limit }.fetchCount(db)
        #expect(before == dates.filter { $0 < limit }.count, "seed \(seed)")
      }
    }
  }

  /// A date within the years 0 to 9999.
  private static func date(_ random: inout SplitMix64) -> Date {
    let interval =
      switch random.below(5) {
      case 0: Double.random(in: -1e9...1e9, using: &random)
      case 1: Double.random(in: -6.3e10...2.5e11, using: &random)
      case 2: Double.random(in: -1...1, using: &random)
      case 3: (Double.random(in: -1e9...1e9, using: &random) * 1000).rounded() / 1000
      default: Double.random(in: -1...1, using: &random) * 1e-9
      }
    return Date(timeIntervalSinceReferenceDate: interval)
  }

  @Test func `a date of whole milliseconds has the same text in both precisions`() async {
    let run = RandomRun("dates of milliseconds")
    var random = run.generator
    var dates: [Int64: String] = [:]
    for _ in 0..<300 {
      let milliseconds = Int64.random(in: -60_000_000_000_000...250_000_000_000_000, using: &random)
      let date = Date(millisecondsSince1970: milliseconds)
      dates[milliseconds] = String.fromDatabaseValue(date.databaseValue)
    }
    await #expect(processExitsWith: .success) { [dates = dates as [Int64: String]] in
      try Date.storeExactDates()
      for (milliseconds, text) in dates {
        let date = Date(millisecondsSince1970: milliseconds)
        #expect(date.databaseValue == text.databaseValue)
        #expect(Date.fromDatabaseValue(text.databaseValue) == date)
      }
    }
  }

  @Test func `dates without a text throw`() async {
    await #expect(processExitsWith: .success) {
      try Date.storeExactDates()
      try Self.makeDatabase().write { db throws in
        for interval in [-1e11, 2.6e11, .infinity, .nan, 1e300] {
          let date = Date(timeIntervalSinceReferenceDate: interval)
          let text = errorText { try Event(id: 1, date: date).insert(db) }
          #expect(text?.contains("could not store the date at") == true, "\(text ?? "no error")")
          #expect(throws: DatabaseError.self) {
            try db.execute(sql: "INSERT INTO event (date) VALUES (?)", arguments: [date])
          }
        }
        #expect(try Event.fetchCount(db) == 0)
      }
    }
  }

  @Test func `texts of other programs`() async {
    await #expect(processExitsWith: .success) {
      try Date.storeExactDates()
      let date = Date(timeIntervalSinceReferenceDate: 730_990_559.25)
      for text in [
        "2024-03-01 12:55:59.25", "2024-03-01T12:55:59.2500000000000000000000000000Z",
        "2024-03-01 13:55:59.250000+01:00",
      ] {
        #expect(Date.fromDatabaseValue(text.databaseValue) == date, "\(text)")
      }
      for text in ["2024-03-01 12:55:59.", "2024-03-01 12:55:59.2500x", "13:35:59.25000"] {
        #expect(Date.fromDatabaseValue(text.databaseValue) == nil, "\(text)")
      }
    }
  }

  @Test func `the precision can't change once a date was converted`() async {
    await #expect(processExitsWith: .success) {
      _ = Date().databaseValue
      let text = errorText { try Date.storeExactDates() }
      #expect(
        text?.contains("call it at the start of the program") == true, "\(text ?? "no error")")
    }
    await #expect(processExitsWith: .success) {
      try Date.storeExactDates()
      try Date.storeExactDates()
      let date = Date(timeIntervalSinceReferenceDate: 0.0001)
      #expect(date.databaseValue == "2001-01-01 00:00:00.0001".databaseValue)
    }
  }

  @Test func `by default, dates are rounded`() throws {
    let date = Date(timeIntervalSinceReferenceDate: 730_990_559.0044)
    #expect(date.databaseValue == "2024-03-01 12:55:59.004".databaseValue)
    let text = "2024-03-01 12:55:59.0049".databaseValue
    #expect(Date.fromDatabaseValue(text) == Date(timeIntervalSinceReferenceDate: 730_990_559.004))
  }
}
