import Quarry
import QuarryTestSupport
import Testing

/// The events of an observation, from its start to its end.
@Suite struct ValueLifeTests {
  private let log = ValueRecorder<String>()
  private let report = Report<Int>()

  @Test func `a queue fetches, observes, and reports`() async throws {
    try await ConnectionKind.queue.withShop { writer async throws in
      let cancellable = authorCount.logging(to: log).record(in: writer, into: report)
      try await report.values.first(1)
      #expect(log.takeAll() == ["start", "fetch", "tracked region: author(*)", "value: 0"])
      try writer.run("INSERT INTO author DEFAULT VALUES")
      #expect(try await report.values.first(2) == [0, 1])
      #expect(log.elements == ["database did change", "fetch", "value: 1"])
      cancellable.cancel()
      cancellable.cancel()
      #expect(log.elements.suffix(1) == ["cancel"])
      #expect(log.elements.count == 4)
    }
  }

  @Test(arguments: [false, true])
  func `a pool in which nothing is committed meanwhile fetches the first value once`(
    isConstant: Bool
  ) async throws {
    try await ConnectionKind.pool.withShop { writer async throws in
      let observation = isConstant ? constantAuthorCount : authorCount
      let cancellable = observation.logging(to: log).record(in: writer, into: report)
      try await log.wait { $0.count == 4 }
      #expect(log.takeAll() == ["start", "fetch", "value: 0", "tracked region: author(*)"])
      try writer.run("INSERT INTO author DEFAULT VALUES")
      #expect(try await report.values.first(2) == [0, 1])
      #expect(log.elements == ["database did change", "fetch", "value: 1"])
      cancellable.cancel()
    }
  }

  @Test(arguments: [false, true])
  func `a pool fetches again what is committed before it observes`(isConstant: Bool) async throws {
    try await ConnectionKind.pool.withShop { writer async throws in
      let observation = isConstant ? constantAuthorCount : authorCount
      let cancellable =
        observation
        .map { count in
          if count == 0 { try writer.run("INSERT INTO author DEFAULT VALUES") }
          return count
        }
        .logging(to: log).record(in: writer, into: report)
      #expect(try await report.values.first(2) == [0, 1])
      #expect(
        log.elements == [
          "start", "fetch", "value: 0", "database did change", "fetch",
          "tracked region: author(*)", "value: 1",
        ])
      cancellable.cancel()
    }
  }

  @Test func `a pool notices a notification before it observes`() async throws {
    try await ConnectionKind.pool.withShop { writer async throws in
      let cancellable =
        authorCount
        .map { count in
          if log.elements.count == 2 {
            try writer.writeNow { db in try db.notifyChanges(in: Table("author")) }
          }
          return count
        }
        .logging(to: log).record(in: writer, into: report)
      #expect(try await report.values.first(2) == [0, 0])
      cancellable.cancel()
    }
  }

  @Test(arguments: ConnectionKind.allCases)
  func `what is rolled back, and what concerns other tables, is no change`(
    kind: ConnectionKind
  ) async throws {
    try await kind.withShop { writer async throws in
      let cancellable = authorCount.logging(to: log).record(in: writer, into: report)
      try await log.wait { $0.count == 4 }
      log.takeAll()
      try writer.run("INSERT INTO book DEFAULT VALUES")
      try writer.accessNow { db in
        try db.inTransaction {
          try db.execute(sql: "INSERT INTO author DEFAULT VALUES")
          return .rollback
        }
      }
      try writer.run("SELECT * FROM author")
      #expect(log.elements == [])
      cancellable.cancel()
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `a region that changes is reported when it does`(kind: ConnectionKind) async throws {
    try await kind.withShop { writer async throws in
      let observation = ValueObservation.tracking { db in
        let count = try db.count("note")
        return count == 0 ? 0 : try db.count("country")
      }
      let cancellable = observation.logging(to: log).record(in: writer, into: report)
      try await log.wait { $0.contains("tracked region: note(*)") && $0.contains("value: 0") }
      log.takeAll()
      try writer.run("INSERT INTO country VALUES ('FR', 'France')")
      #expect(log.elements == [])
      try writer.run("INSERT INTO note VALUES ('a')")
      #expect(try await report.values.first(2) == [0, 1])
      #expect(
        log.takeAll() == [
          "database did change", "fetch", "tracked region: country(*),note(*)", "value: 1",
        ])
      try writer.run("INSERT INTO country VALUES ('IT', 'Italy')")
      #expect(try await report.values.first(3) == [0, 1, 2])
      #expect(log.takeAll() == ["database did change", "fetch", "value: 2"])
      cancellable.cancel()
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `an error of the fetch ends the observation`(kind: ConnectionKind) async throws {
    try await kind.withShop { writer async throws in
      let observation = ValueObservation.tracking { (_: Database) throws -> Int in throw Mishap() }
      let cancellable = observation.logging(to: log).record(in: writer, into: report)
      let errors = try await report.errors.first(1)
      #expect(errors.first is Mishap)
      cancellable.cancel()
      #expect(log.elements == ["start", "fetch", "failure: Mishap()"])
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `an error of an operator ends the observation`(kind: ConnectionKind) async throws {
    try await kind.withShop { writer async throws in
      let cancellable = authorCount.logging(to: log, "count")
        .map { count in
          if count == 1 { throw Mishap() }
          return count
        }
        .record(in: writer, into: report)
      try await log.wait { $0.count == 4 }
      log.takeAll()
      try writer.run("INSERT INTO author DEFAULT VALUES")
      try await report.errors.first(1)
      #expect(
        log.takeAll() == [
          "count: database did change", "count: fetch", "count: value: 1",
          "count: failure: Mishap()",
        ])
      try writer.run("INSERT INTO author DEFAULT VALUES")
      cancellable.cancel()
      #expect(log.elements == [])
      #expect(report.values.elements == [0])
    }
  }
}
