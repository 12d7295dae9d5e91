import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

/// Who keeps the database alive, and closed databases.
@Suite struct ValueLifetimeTests {
  private let report = Report<Int>()

  private func expectRelease(of database: () -> AnyObject?) async throws {
    let end = Date() + 600
    while database() != nil, Date() < end { await Task.yield() }
    #expect(database() == nil)
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `an observation keeps the database alive until it is cancelled`(
    kind: ConnectionKind
  ) async throws {
    try await withTemporaryDirectory { directory in
      var writer: (any DatabaseWriter)? = try kind.open(in: directory)
      weak let weakWriter: AnyObject? = writer
      if let writer { try makeShopTables(writer) }
      let cancellable = try #require(writer.map { authorCount.record(in: $0, into: report) })
      writer = nil
      try await report.values.first(1)
      #expect(weakWriter != nil)
      cancellable.cancel()
      try await expectRelease { weakWriter }
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `an observation that has failed does not keep the database alive`(
    kind: ConnectionKind
  ) async throws {
    try await withTemporaryDirectory { directory in
      var writer: (any DatabaseWriter)? = try kind.open(in: directory)
      weak let weakWriter: AnyObject? = writer
      let cancellable = try #require(writer.map { authorCount.record(in: $0, into: report) })
      writer = nil
      try await report.errors.first(1)
      try await expectRelease { weakWriter }
      cancellable.cancel()
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `a shared observation keeps the database alive from its creation on`(
    kind: ConnectionKind
  ) async throws {
    try await withTemporaryDirectory { directory in
      var writer: (any DatabaseWriter)? = try kind.open(in: directory)
      weak let weakWriter: AnyObject? = writer
      var shared: SharedValueObservation<Int>? = writer.map { authorCount.shared(in: $0) }
      writer = nil
      #expect(weakWriter != nil)
      withExtendedLifetime(shared) {}
      shared = nil
      try await expectRelease { weakWriter }
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `a database can be closed while it is observed`(kind: ConnectionKind) async throws {
    try await kind.withShop { writer async throws in
      let log = ValueRecorder<String>()
      let cancellable = authorCount.logging(to: log).record(in: writer, into: report)
      try await log.wait { $0.count == 4 }
      try writer.close()
      #expect(log.elements.count == 4)
      cancellable.cancel()
      #expect(log.elements.suffix(1) == ["cancel"])
    }
  }

  private static let second = Duration.seconds(1)

  /// Waits until the accesses are over that were requested before, and what they have begun.
  private func waitForAccesses(_ writer: any DatabaseWriter) async {
    for _ in 1...3 {
      await withCheckedContinuation { end in
        writer.asyncWriteWithoutTransaction { _ in end.resume() }
      }
      await withCheckedContinuation { end in writer.asyncUnsafeRead { _ in end.resume() } }
    }
  }

  @Test(
    arguments: ConnectionKind.queueAndPool, [FetchPace.debounced(second), .throttled(second)])
  func `a fetch that waits is given up when the database is closed`(
    kind: ConnectionKind, pace: FetchPace
  ) async throws {
    for base in [authorCount, constantAuthorCount] {
      try await kind.withShop { writer async throws in
        let (report, clock) = (Report<Int>(), ManualClock())
        var observation = base.retry { error, _ in
          report.errors.append(error)
          return nil
        }
        (observation.pace, observation.clock) = (pace, clock)
        let cancellable = try await observation.recordCommits(in: writer, into: report)
        try await report.values.first(1)
        try writer.run("INSERT INTO author DEFAULT VALUES")
        _ = try await clock.delays(1)
        try writer.close()
        clock.advance(by: Self.second)
        await waitForAccesses(writer)
        #expect(report.values.elements == [0])
        #expect(report.errors.elements.isEmpty)
        cancellable.cancel()
      }
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `an observation does not start again when the database was closed after an error`(
    kind: ConnectionKind
  ) async throws {
    try await kind.withShop { writer async throws in
      let clock = ManualClock()
      var observation = ValueObservation.tracking { db in
        guard try db.count("author") == 0 else { throw Mishap() }
        return 0
      }.retry { [report] error, _ in
        report.errors.append(error)
        return Self.second
      }
      observation.clock = clock
      let cancellable = try await observation.recordCommits(in: writer, into: report)
      try await report.values.first(1)
      try writer.run("INSERT INTO author DEFAULT VALUES")
      _ = try await clock.delays(1)
      try writer.close()
      clock.advance(by: Self.second)
      await waitForAccesses(writer)
      #expect(report.errors.elements.map { "\($0)" } == ["Mishap()"])
      cancellable.cancel()
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool, [false, true])
  func `a fetch that waits is given up while the first value is reduced`(
    kind: ConnectionKind, isImmediate: Bool
  ) async throws {
    try await kind.withShop { writer async throws in
      let (clock, reductions) = (ManualClock(), ValueRecorder<Int>())
      let isClosed = DispatchSemaphore(value: 0)
      var observation = authorCount.map { count in
        reductions.append(count)
        isClosed.wait()
        return count
      }
      (observation.pace, observation.clock) = (.debounced(Self.second), clock)
      let cancellables = ValueRecorder<AnyDatabaseCancellable>()
      // An immediate start waits for the reduction.
      DispatchQueue.global().async { [observation, report] in
        let scheduler = QueueScheduler(isImmediate: isImmediate)
        cancellables.append(observation.record(in: writer, scheduling: scheduler, into: report))
      }
      try await reductions.first(1)
      try writer.run("INSERT INTO author DEFAULT VALUES")
      if kind == .queue { _ = try await clock.delays(1) }
      try writer.close()
      clock.advance(by: Self.second)
      await waitForAccesses(writer)
      isClosed.signal()
      try await report.values.first(1)
      await waitForAccesses(writer)
      #expect(report.values.elements == [0])
      #expect(report.errors.elements.isEmpty)
      try await cancellables.first(1)[0].cancel()
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool, [false, true])
  func `an observation without a value fails when the database was closed after an error`(
    kind: ConnectionKind, isReadOnly: Bool
  ) async throws {
    try await withTemporaryDirectory { directory in
      let clock = ManualClock()
      let writer = try kind.open(in: directory)
      try makeShopTables(writer)
      var configuration = Configuration()
      configuration.readonly = true
      let database = isReadOnly ? try kind.open(in: directory, configuration) : writer
      var observation = ValueObservation.tracking { db -> Int in throw Mishap() }
        .retry { error, count in Self.second }
      observation.clock = clock
      let cancellable = observation.record(in: database, into: report)
      _ = try await clock.delays(1)
      try database.close()
      clock.advance(by: Self.second)
      let error = try await report.errors.first(1)[0]
      #expect("\(error)" == "SQLite error 21: Connection is closed")
      cancellable.cancel()
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool, [false, true])
  func `an observation of a closed database fails`(
    kind: ConnectionKind, isImmediate: Bool
  ) async throws {
    try await kind.withShop { writer async throws in
      let log = ValueRecorder<String>()
      try writer.close()
      let observation = ValueObservation.tracking { _ in 1 }
      let cancellable = observation.logging(to: log).record(
        in: writer, scheduling: QueueScheduler(isImmediate: isImmediate), into: report)
      let error = try await report.errors.first(1).first as? DatabaseError
      #expect(error?.resultCode == .SQLITE_MISUSE)
      #expect(error?.message == "Connection is closed")
      #expect(log.elements == ["start", "failure: SQLite error 21: Connection is closed"])
      cancellable.cancel()
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `what the functions refer to is released at the end`(kind: ConnectionKind) async throws {
    try await kind.withShop { writer async throws in
      var object: AnyDatabaseCancellable? = AnyDatabaseCancellable {}
      weak let weakObject = object
      let cancellable = authorCount.start(
        in: writer, scheduling: .task, onError: { _ in },
        onChange: { [object, report] value in
          withExtendedLifetime(object) { report.values.append(value) }
        })
      object = nil
      try await report.values.first(1)
      #expect(weakObject != nil)
      cancellable.cancel()
      try await expectRelease { weakObject }
    }
  }
}
