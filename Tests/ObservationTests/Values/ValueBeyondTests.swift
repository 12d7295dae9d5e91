import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

/// Operators that delay fetches, leave values out, and start again.
@Suite struct ValueBeyondTests {
  private let log = ValueRecorder<String>()
  private let report = Report<Int>()
  private let clock = ManualClock()

  private func observation(isConstant: Bool) -> ValueObservation<ValueReducers.Fetch<Int>> {
    var observation = isConstant ? constantAuthorCount : authorCount
    observation.clock = clock
    return observation
  }

  @Test(arguments: ConnectionKind.queueAndPool, [false, true])
  func `debounce fetches after a pause`(kind: ConnectionKind, isConstant: Bool) async throws {
    try await kind.withShop { writer async throws in
      let cancellable = observation(isConstant: isConstant).debounce(for: .seconds(10))
        .logging(to: log).record(in: writer, into: report)
      try await log.wait { $0.count == 4 }
      log.takeAll()
      try writer.run("INSERT INTO author DEFAULT VALUES")
      #expect(try await clock.delays(1) == [.seconds(10)])
      clock.advance(by: .seconds(6))
      try writer.run("INSERT INTO author DEFAULT VALUES")
      clock.advance(by: .seconds(4))
      #expect(try await clock.delays(2) == [.seconds(10), .seconds(6)])
      #expect(log.elements == ["database did change", "database did change"])
      clock.advance(by: .seconds(6))
      #expect(try await report.values.first(2) == [0, 2])
      #expect(log.elements.filter { $0 == "fetch" }.count == 1)
      cancellable.cancel()
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool, [false, true])
  func `throttle fetches once in a while, and after the last change`(
    kind: ConnectionKind, isConstant: Bool
  ) async throws {
    try await kind.withShop { writer async throws in
      let cancellable = observation(isConstant: isConstant).throttle(for: .seconds(10))
        .logging(to: log).record(in: writer, into: report)
      try await log.wait { $0.count == 4 }
      clock.advance(by: .seconds(20))
      try writer.run("INSERT INTO author DEFAULT VALUES")
      #expect(try await report.values.first(2) == [0, 1])
      for _ in 2...5 { try writer.run("INSERT INTO author DEFAULT VALUES") }
      #expect(try await clock.delays(1) == [.seconds(10)])
      #expect(report.values.elements == [0, 1])
      clock.advance(by: .seconds(10))
      #expect(try await report.values.first(3) == [0, 1, 5])
      cancellable.cancel()
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `a region that changes while the fetch is delayed is not missed`(kind: ConnectionKind)
    async throws
  {
    try await kind.withShop { writer async throws in
      var observation = ValueObservation.tracking { db in
        try db.count("note") == 0 ? 0 : try db.count("country")
      }
      observation.clock = clock
      let cancellable = observation.debounce(for: .seconds(1)).logging(to: log)
        .record(in: writer, into: report)
      try await log.wait { $0.count == 4 }
      try writer.run("INSERT INTO note VALUES ('a')")
      try writer.run("INSERT INTO country VALUES ('FR', 'France')")
      _ = try await clock.delays(1)
      clock.advance(by: .seconds(1))
      #expect(try await report.values.first(2) == [0, 1])
      try writer.run("INSERT INTO country VALUES ('IT', 'Italy')")
      _ = try await clock.delays(2)
      clock.advance(by: .seconds(1))
      #expect(try await report.values.first(3) == [0, 1, 2])
      cancellable.cancel()
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `the first value is left out`(kind: ConnectionKind) async throws {
    try await kind.withShop { writer async throws in
      let cancellable = authorCount.removeDuplicates().dropInitial().logging(to: log)
        .record(in: writer, into: report)
      try await log.wait { $0.count == 4 }
      try writer.run("INSERT INTO note VALUES ('a')")
      try writer.writeNow { db in try db.notifyChanges(in: Table("author")) }
      try writer.run("INSERT INTO author DEFAULT VALUES")
      #expect(try await report.values.first(1) == [1])
      cancellable.cancel()
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `a failing fetch is tried again after a delay`(kind: ConnectionKind) async throws {
    try await kind.withShop { writer async throws in
      var observation = ValueObservation.tracking { db in
        let count = try db.count("author")
        if count == 1 { throw Mishap() }
        return count
      }
      observation.clock = clock
      let failures = ValueRecorder<Int>()
      let cancellable = observation.removeDuplicates()
        .retry { error, count in
          failures.append(count)
          return error is Mishap && count < 3 ? .seconds(count) : nil
        }
        .logging(to: log).record(in: writer, into: report)
      try await log.wait { $0.count == 4 }
      try writer.run("INSERT INTO author DEFAULT VALUES")
      #expect(try await clock.delays(1) == [.seconds(1)])
      clock.advance(by: .seconds(1))
      #expect(try await clock.delays(2) == [.seconds(1), .seconds(2)])
      try writer.run("INSERT INTO author DEFAULT VALUES")
      clock.advance(by: .seconds(2))
      #expect(try await report.values.first(2) == [0, 2])
      log.takeAll()
      try writer.run("DELETE FROM author WHERE id = 2")
      #expect(try await clock.delays(3).last == .seconds(1))
      clock.advance(by: .seconds(1))
      _ = try await clock.delays(4)
      clock.advance(by: .seconds(2))
      try await report.errors.first(1)
      #expect(failures.elements == [1, 2, 1, 2, 3])
      cancellable.cancel()
      #expect(log.elements.last == "failure: Mishap()")
    }
  }

  /// An observation that fails, and that notes its release.
  private func failingObservation() -> ValueObservation<ValueReducers.Fetch<Int>> {
    let object = Released { [log] in log.append("released") }
    var observation = ValueObservation.tracking { (_: Database) throws -> Int in
      withExtendedLifetime(object) {}
      throw Mishap()
    }
    observation.clock = clock
    return observation
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `an observation that is cancelled before it starts again is released at once`(
    kind: ConnectionKind
  ) async throws {
    try await kind.withShop { writer async throws in
      let cancellable = failingObservation().retry { _, _ in .seconds(100) }
        .record(in: writer, into: report)
      _ = try await clock.delays(1)
      cancellable.cancel()
      try await log.wait { $0 == ["released"] }
      clock.advance(by: .seconds(100))
      #expect(report.errors.elements.isEmpty)
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `a start that fails is tried again`(kind: ConnectionKind) async throws {
    try await kind.withDatabase { writer async throws in
      var observation = authorCount
      observation.clock = clock
      let cancellable = observation.retry { _, _ in .seconds(1) }.record(in: writer, into: report)
      _ = try await clock.delays(1)
      try makeShopTables(writer)
      clock.advance(by: .seconds(1))
      #expect(try await report.values.first(1) == [0])
      try writer.run("INSERT INTO author DEFAULT VALUES")
      #expect(try await report.values.first(2) == [0, 1])
      cancellable.cancel()
    }
  }
}
