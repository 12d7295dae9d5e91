import Foundation
import Quarry
import QuarryTestSupport
import QuarryValues
import Testing

@Suite("Durations")
struct DurationTests {
  @Test func `a duration is an integer number of nanoseconds`() throws {
    try DatabaseQueue().inDatabase { db in
      let forms: [(Duration, Int64)] = [
        (.zero, 0), (.nanoseconds(1), 1), (.milliseconds(-1500), -1_500_000_000),
        (.seconds(180), 180_000_000_000), (.nanoseconds(Int64.min), .min),
        (.nanoseconds(Int64.max), .max),
      ]
      for (duration, nanoseconds) in forms {
        let row = try Row.fetchOne(
          db, sql: "SELECT typeof(?1) AS type, ?1 AS value", arguments: [duration])
        #expect(row == ["type": "integer", "value": nanoseconds])
        #expect(try Duration.fetchOne(db, sql: "SELECT ?", arguments: [nanoseconds]) == duration)
      }
    }
  }

  @Test func `what is no whole number of nanoseconds is not stored`() throws {
    let half = Duration(secondsComponent: 1, attosecondsComponent: 500_000_000)
    let long = Duration.nanoseconds(Int64.max) + .nanoseconds(1)
    let short = Duration.nanoseconds(Int64.min) - .nanoseconds(1)
    try DatabaseQueue().inDatabase { db throws in
      for (duration, reason) in [
        (half, "it has a part of a nanosecond. `roundedToNanoseconds()` rounds it, and its"),
        (long, "it is too long. Its"), (short, "it is too long. Its"),
        (Duration.seconds(Int64.max) * 10, "it is too long. Its"),
      ] {
        let text =
          errorText { try db.execute(sql: "SELECT ?", arguments: [duration]) } ?? "no error"
        #expect(
          text.contains(reason + " `attoseconds` are an `Int128`, which is stored exactly"),
          "\(text)")
      }
    }
  }

  @Test func `rounding to nanoseconds`() {
    func duration(_ attoseconds: Int64) -> Duration {
      Duration(secondsComponent: 0, attosecondsComponent: attoseconds)
    }
    #expect(duration(499_999_999).roundedToNanoseconds() == .zero)
    #expect(duration(500_000_000).roundedToNanoseconds() == .nanoseconds(1))
    #expect(duration(-500_000_000).roundedToNanoseconds() == .nanoseconds(-1))
    #expect(duration(-499_999_999).roundedToNanoseconds() == .zero)
    #expect((Duration.seconds(10) / 3).roundedToNanoseconds() == .nanoseconds(3_333_333_333))
    let long = Duration.seconds(Int64.max) * 10
    #expect(long.roundedToNanoseconds() == long)
  }

  @Test(arguments: ["1.5", "'Chai'", "x'00'", "NULL", "1e30", "'[1]'", "'[0,1,2]'"])
  func `other values are refused`(sql: String) throws {
    try DatabaseQueue().inDatabase { db throws in
      let text =
        errorText { try Duration.fetchAll(db, sql: "SELECT \(sql) AS length") } ?? "no error"
      #expect(text.contains("could not decode Duration from database value"))
      #expect(text.contains(#"column: "length""#))
    }
  }

  @Test func `sums and means`() throws {
    try DatabaseQueue().inDatabase { db in
      try db.execute(sql: "CREATE TABLE track (length INTEGER)")
      for length in [Duration.milliseconds(1500), .milliseconds(500), .seconds(1)] {
        try db.execute(sql: "INSERT INTO track VALUES (?)", arguments: [length])
      }
      #expect(try Duration.fetchOne(db, sql: "SELECT SUM(length) FROM track") == .seconds(3))
      // The mean is 1000000000.0.
      #expect(try Duration.fetchOne(db, sql: "SELECT AVG(length) FROM track") == .seconds(1))
      let long = try Table("track").filter(Column("length") > Duration.milliseconds(900))
        .fetchCount(db)
      #expect(long == 2)
    }
  }

  private struct Track: Codable, Equatable, FetchableRecord, PersistableRecord {
    var id: Int64
    var length: Duration
    var pause: Duration?
  }

  @Test func `the JSON arrays of records without the library are read`() throws {
    try DatabaseQueue().inDatabase { db in
      try db.execute(sql: "CREATE TABLE track (id INTEGER PRIMARY KEY, length, pause)")
      // What JSONEncoder writes: the high and the low 64 bits of the attoseconds.
      try db.execute(sql: "INSERT INTO track VALUES (1, '[9,13979303336614035456]', NULL)")
      let track = try #require(try Track.fetchOne(db))
      #expect(track == Track(id: 1, length: .seconds(180), pause: nil))
      try track.update(db)
      #expect(try Int64.fetchOne(db, sql: "SELECT length FROM track") == 180_000_000_000)
    }
  }

  @Test func `exact conversions read integers only`() throws {
    var configuration = Configuration()
    configuration.conversions = .exact
    try DatabaseQueue(configuration: configuration).inDatabase { db throws in
      #expect(try Duration.fetchOne(db, sql: "SELECT 7") == .nanoseconds(7))
      for sql in ["'7'", "7.0", "'[9,13979303336614035456]'"] {
        let text = errorText { try Duration.fetchAll(db, sql: "SELECT \(sql)") } ?? "no error"
        #expect(text.contains("`.exact`"), "\(text)")
      }
    }
  }

  @Test func `SQL compares, sorts and adds random durations as Swift does`() throws {
    let run = RandomRun("durations")
    var random = run.generator
    try DatabaseQueue().inDatabase { db in
      try db.execute(
        sql: "CREATE TABLE track (id INTEGER PRIMARY KEY, length INTEGER, pause INTEGER)")
      let lengths = (0..<300).map { _ in Duration.nanoseconds(random.int64() / 1000) }
      for (id, length) in lengths.enumerated() {
        let track = Track(id: Int64(id), length: length, pause: random.chance(2) ? nil : length)
        try track.insert(db)
        #expect(try Track.fetchOne(db, key: id) == track, "seed \(run.seed)")
      }
      let sorted = try Duration.fetchAll(db, sql: "SELECT length FROM track ORDER BY length")
      #expect(sorted == lengths.sorted(), "seed \(run.seed)")
      let limit = random.pick(lengths)
      let few = try Track.filter { _ in Column("length") < limit }.fetchCount(db)
      #expect(few == lengths.filter { $0 < limit }.count, "seed \(run.seed)")
      let sum = try Duration.fetchOne(db, sql: "SELECT SUM(length) FROM track WHERE id < 100")
      #expect(sum == lengths.prefix(100).reduce(.zero, +), "seed \(run.seed)")
    }
  }
}
