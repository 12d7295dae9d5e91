import Foundation
import Quarry
import QuarryTestSupport
import Testing

/// Observations of equal requests share their fetches.
@Suite struct EqualRequestTests {
  private struct Author: Codable, Equatable, Sendable, FetchableRecord, TableRecord {
    static var databaseTableName: String { "author" }
    var id: Int64
    var name: String?
  }

  /// Counts the statements that read authors.
  private final class Counter: @unchecked Sendable {
    private let lock = NSLock()
    private var count = 0

    func take() -> Int {
      lock.withLock {
        defer { count = 0 }
        return count
      }
    }

    var configuration: Configuration {
      var configuration = Configuration()
      configuration.prepareDatabase { [self] db in
        db.trace { [self] event in
          guard case .statement(let statement) = event, statement.sql.contains("FROM \"author\"")
          else { return }
          lock.withLock { count += 1 }
        }
      }
      return configuration
    }
  }

  private final class SharedAuthor: FetchableRecord, TableRecord, Sendable {
    static var databaseTableName: String { "author" }
    required init(row: Row) {}
  }

  private final class WeakAuthor: @unchecked Sendable {
    weak var author: SharedAuthor?
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `nothing is kept of a shared fetch whose observations have ended`(kind: ConnectionKind)
    async throws
  {
    try await kind.withShop { writer async throws in
      try writer.run("INSERT INTO author (name) VALUES ('a')")
      let kept = WeakAuthor()
      let wasThere = Log<Bool>()
      let observation = ValueObservation.tracking(all: SharedAuthor.order(Column("name")))
      let cancellables = (0..<2).map { _ in
        observation.start(
          in: writer, scheduling: .async(onQueue: DispatchQueue(label: "authors")),
          onError: { Issue.record($0) },
          onChange: { authors in
            kept.author = authors.first
            wasThere.append(kept.author != nil)
          })
      }
      let end = Date() + 60
      while wasThere.elements.count < 2, Date() < end {
        try await Task.sleep(for: .milliseconds(5))
      }
      #expect(wasThere.elements == [true, true])
      cancellables.forEach { $0.cancel() }
      while kept.author != nil, Date() < end { try await Task.sleep(for: .milliseconds(5)) }
      #expect(kept.author == nil)
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `a hundred observations of equal requests fetch once`(kind: ConnectionKind) async throws {
    let counter = Counter()
    var configuration = counter.configuration
    configuration.maximumReaderCount = 1
    try await kind.withShop(configuration) { writer async throws in
      let log = ValueRecorder<String>()
      let reports = (0..<100).map { _ in Report<[Author]>() }
      let cancellables = try writer.readNow { _ in
        // All of them start before the first fetch begins: those of a queue wait for their turn,
        // and those of a pool for its reader.
        reports.map { report in
          ValueObservation.tracking(all: Author.order(Column("name")))
            .handleEvents(willTrackRegion: { _ in log.append("tracked") })
            .record(in: writer, into: report)
        }
      }
      for report in reports { try await report.values.first(1) }
      try await log.first(100)
      #expect(counter.take() == 1)
      try writer.run("INSERT INTO author (name) VALUES ('a')")
      for report in reports {
        try await report.values.wait { $0.last == [Author(id: 1, name: "a")] }
      }
      #expect(counter.take() == 1)
      #expect(reports.allSatisfy { $0.values.elements.count == 2 })
      for cancellable in cancellables { cancellable.cancel() }
    }
  }

  @Test(
    .enabled(if: !isOnCluster, "the database is a file"),
    arguments: ConnectionKind.queueAndPool, [false, true])
  func `a new observation sees what another connection has committed`(
    kind: ConnectionKind, isImmediate: Bool
  ) async throws {
    try await kind.withShop { writer async throws in
      let observation = ValueObservation.tracking(countOf: Author.all())
      let (former, report) = (Report<Int>(), Report<Int>())
      let running = try await observation.recordCommits(in: writer, into: former)
      #expect(try await former.values.first(1) == [0])
      try DatabaseQueue(path: writer.path).run("INSERT INTO author DEFAULT VALUES")
      let cancellable = observation.record(
        in: writer, scheduling: QueueScheduler(isImmediate: isImmediate), into: report)
      #expect(try await report.values.first(1) == [1])
      cancellable.cancel()
      running.cancel()
    }
  }

  @Test(.enabled(if: !isOnCluster, "the database is a file"))
  func `a new observation does not wait for a fetch that has its snapshot already`()
    async throws
  {
    try await ConnectionKind.pool.withShop { writer async throws in
      let observation = ValueObservation.tracking(countOf: Author.all())
      let (former, report) = (Report<Int>(), Report<Int>())
      let (begin, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let slow = observation.handleEvents(willFetch: {
        begin.signal()
        end.wait()
      }).record(in: writer, into: former)
      await waitOnThread(for: begin)
      try DatabaseQueue(path: writer.path).run("INSERT INTO author DEFAULT VALUES")
      let cancellable = observation.record(in: writer, into: report)
      #expect(try await report.values.first(1) == [1])
      // Later fetches don't wait.
      for _ in 1...100 { end.signal() }
      #expect(try await former.values.first(1) == [0])
      cancellable.cancel()
      slow.cancel()
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `values that only Swift takes for equal are other values`(kind: ConnectionKind)
    async throws
  {
    try await kind.withShop { writer async throws in
      try writer.run(
        "INSERT INTO author (name) VALUES ('\(Acute.composed)'), ('\(Acute.decomposed)')")
      let reports = [Report<[Author]>(), Report<[Author]>()]
      let cancellables = zip(reports, [Acute.composed, Acute.decomposed]).map { report, name in
        ValueObservation.tracking(all: Author.filter(Column("name") == name))
          .record(in: writer, into: report)
      }
      for (id, report) in reports.enumerated() {
        try await report.values.first(1)
        #expect(report.values.elements.last?.map(\.id) == [Int64(id + 1)])
      }
      try writer.run("INSERT INTO author (name) VALUES ('\(Acute.decomposed)')")
      try await reports[1].values.wait { $0.last?.map(\.id) == [2, 3] }
      #expect(reports[0].values.elements.allSatisfy { $0.map(\.id) == [1] })
      for cancellable in cancellables { cancellable.cancel() }
    }
  }

  private struct Zero: FetchableRecord, TableRecord, Sendable {
    static var databaseTableName: String { "author" }
    let isNegative: Bool
    init(row: Row) { isNegative = (row[0] as Double).sign == .minus }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `zeros with different signs are other values`(kind: ConnectionKind) async throws {
    try await kind.withShop { writer async throws in
      let reports = [Report<[Zero]>(), Report<[Zero]>()]
      let cancellables = zip(reports, [0.0, -0.0]).map { report, zero in
        ValueObservation.tracking(all: Zero.select(sql: "?", arguments: [zero]))
          .record(in: writer, into: report)
      }
      for report in reports { try await report.values.first(1) }
      try writer.run("INSERT INTO author DEFAULT VALUES")
      try await reports[0].values.wait { $0.last?.map(\.isNegative) == [false] }
      try await reports[1].values.wait { $0.last?.map(\.isNegative) == [true] }
      for cancellable in cancellables { cancellable.cancel() }
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `other requests, and other values, fetch for themselves`(kind: ConnectionKind)
    async throws
  {
    let counter = Counter()
    try await kind.withShop(counter.configuration) { writer async throws in
      let (all, one, count) = (Report<[Author]>(), Report<Author?>(), Report<Int>())
      let request = Author.filter(Column("name") == "a")
      let cancellables = [
        ValueObservation.tracking(all: request).record(in: writer, into: all),
        ValueObservation.tracking(one: request).record(in: writer, into: one),
        ValueObservation.tracking(countOf: request).record(in: writer, into: count),
        ValueObservation.tracking(all: Author.filter(Column("name") == "b"))
          .record(in: writer, into: all),
      ]
      try await all.values.first(2)
      try await one.values.first(1)
      try await count.values.first(1)
      #expect(counter.take() == 4)
      try writer.run("INSERT INTO author (name) VALUES ('a')")
      try await all.values.wait { $0.contains([Author(id: 1, name: "a")]) }
      try await one.values.wait { $0.last == Author(id: 1, name: "a") }
      try await count.values.wait { $0.last == 1 }
      for cancellable in cancellables { cancellable.cancel() }
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `a shared value is not used after a commit, nor after the end of its observations`(
    kind: ConnectionKind
  ) async throws {
    let counter = Counter()
    try await kind.withShop(counter.configuration) { writer async throws in
      for index in 0..<20 {
        let report = Report<Int>()
        let cancellable = ValueObservation.tracking(countOf: Author.all()).record(
          in: writer, scheduling: QueueScheduler(isImmediate: index.isMultiple(of: 2)),
          into: report)
        try await report.values.wait { $0.last == index }
        try writer.run("INSERT INTO author DEFAULT VALUES")
        try await report.values.wait { $0.last == index + 1 }
        cancellable.cancel()
      }
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `an observation that is cancelled leaves the fetch to the others`(
    kind: ConnectionKind
  ) async throws {
    try await kind.withShop { writer async throws in
      let report = Report<Int>()
      let observation = ValueObservation.tracking(countOf: Author.all())
      let first = observation.record(in: writer, into: Report())
      let second = observation.record(in: writer, into: report)
      first.cancel()
      #expect(try await report.values.first(1) == [0])
      try writer.run("INSERT INTO author DEFAULT VALUES")
      #expect(try await report.values.first(2) == [0, 1])
      second.cancel()
    }
  }
}
