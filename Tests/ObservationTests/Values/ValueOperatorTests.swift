import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

/// `map`, `removeDuplicates`, and the option to write.
@Suite struct ValueOperatorTests {
  private let report = Report<Int>()

  @Test func `each comparison is called as directly as the first ones`() throws {
    let positions = Log<Int>()
    var reducer = ValueReducers.RemoveDuplicates(
      base: ValueReducers.Fetch { _ in 0 },
      areEqual: { last, new in
        positions.append(stackPosition())
        return last == new
      })
    var reported: [Int] = []
    for number in 0...999 {
      if let value = try reducer._value(number / 2) { reported.append(value) }
    }
    #expect(reported == Array(0...499))
    #expect(positions.elements.count == 999)
    #expect(stackGrowth(positions.elements) < 4096)
  }

  @Test func `each value is compared with the last one that passed`() async throws {
    try await ConnectionKind.queue.withShop { writer async throws in
      try writer.run("INSERT INTO author (id) VALUES (1), (2), (3), (4), (5)")
      let compared = ValueRecorder<String>()
      let cancellable =
        authorCount
        .removeDuplicates { last, new in
          compared.append("\(last) \(new)")
          return abs(last - new) < 2
        }
        .record(in: writer, into: report)
      try await report.values.first(1)
      for _ in 6...9 { try writer.run("INSERT INTO author DEFAULT VALUES") }
      try await compared.first(4)
      #expect(compared.elements == ["5 6", "5 7", "7 8", "7 9"])
      #expect(try await report.values.first(3) == [5, 7, 9])
      cancellable.cancel()
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `each start has a memory of its own`(kind: ConnectionKind) async throws {
    try await kind.withShop { writer async throws in
      let observation = authorCount.map { $0 * 10 }.removeDuplicates()
      let other = Report<Int>()
      let first = observation.record(in: writer, into: report)
      try await report.values.first(1)
      let second = observation.record(in: writer, into: other)
      try await other.values.first(1)
      try writer.run("UPDATE author SET name = 'a'")
      try writer.run("INSERT INTO author DEFAULT VALUES")
      #expect(try await report.values.first(2) == [0, 10])
      #expect(try await other.values.first(2) == [0, 10])
      first.cancel()
      second.cancel()
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `operators can use the database`(kind: ConnectionKind) async throws {
    try await kind.withShop { writer async throws in
      let cancellable = authorCount.map { count in try writer.read { try $0.count("note") } + count
      }
      .record(in: writer, into: report)
      try await report.values.first(1)
      try writer.run("INSERT INTO note VALUES ('a'); INSERT INTO author DEFAULT VALUES")
      #expect(try await report.values.first(2) == [0, 2])
      cancellable.cancel()
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `a fetch can't write`(kind: ConnectionKind) async throws {
    try await kind.withShop { writer async throws in
      let observation = ValueObservation.tracking { db in
        try db.execute(sql: "INSERT INTO author DEFAULT VALUES")
        return 0
      }
      let cancellable = observation.record(in: writer, into: report)
      let error = try await report.errors.first(1).first as? DatabaseError
      #expect(error?.resultCode == .SQLITE_READONLY)
      cancellable.cancel()
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `with write access, a fetch writes, is not notified of it, and others are`(
    kind: ConnectionKind
  ) async throws {
    try await kind.withShop { writer async throws in
      let log = ValueRecorder<String>()
      let others = Report<Int>()
      let other = ValueObservation.tracking { db in try db.count("note") }
        .record(in: writer, into: others)
      try await others.values.first(1)
      var observation = ValueObservation.tracking { db in
        try db.execute(sql: "INSERT INTO note VALUES ('fetched')")
        _ = try db.count("author")
        return try db.count("note")
      }
      observation.requiresWriteAccess = true
      let cancellable = observation.map { $0 }.logging(to: log).record(in: writer, into: report)
      try await report.values.first(1)
      #expect(
        log.elements == ["start", "fetch", "tracked region: author(*),note(*)", "value: 1"])
      try writer.run("INSERT INTO author DEFAULT VALUES")
      #expect(try await report.values.first(2) == [1, 2])
      try await others.values.wait { $0.last == 2 }
      cancellable.cancel()
      other.cancel()
      #expect(try await writer.read { db in try db.count("note") } == 2)
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `what a failing fetch has written is rolled back`(kind: ConnectionKind) async throws {
    try await kind.withShop { writer async throws in
      var observation = ValueObservation.tracking { (db: Database) throws -> Int in
        try db.execute(sql: "INSERT INTO note VALUES ('fetched')")
        throw Mishap()
      }
      observation.requiresWriteAccess = true
      let cancellable = observation.record(in: writer, into: report)
      try await report.errors.first(1)
      cancellable.cancel()
      #expect(try await writer.read { db in try db.count("note") } == 0)
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `a fetch sees one state`(kind: ConnectionKind) async throws {
    try await kind.withShop { writer async throws in
      let observation = ValueObservation.tracking { db in db.isInsideTransaction ? 1 : 0 }
      let cancellable = observation.record(in: writer, into: report)
      #expect(try await report.values.first(1) == [1])
      cancellable.cancel()
    }
  }
}
