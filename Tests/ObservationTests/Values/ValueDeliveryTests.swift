import Foundation
import Quarry
import QuarryTestSupport
import Testing

/// Which values are reported, and in which order.
@Suite struct ValueDeliveryTests {
  private let report = Report<Int>()

  @Test(arguments: ConnectionKind.queueAndPool, [false, true])
  func `values come in order, and the last one is the state`(
    kind: ConnectionKind, isConstant: Bool
  ) async throws {
    try await kind.withShop { writer async throws in
      let observation = isConstant ? constantAuthorCount : authorCount
      let cancellable = observation.record(in: writer, into: report)
      for _ in 1...200 { try writer.run("INSERT INTO author DEFAULT VALUES") }
      try await report.values.wait { $0.last == 200 }
      let values = report.values.elements
      #expect(values == values.sorted())
      cancellable.cancel()
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `each commit has its value where it waits for the fetch`(kind: ConnectionKind)
    async throws
  {
    try await kind.withShop { writer async throws in
      let cancellable = try await authorCount.recordCommits(in: writer, into: report)
      for _ in 1...10 { try writer.run("INSERT INTO author DEFAULT VALUES") }
      #expect(try await report.values.first(11) == Array(0...10))
      cancellable.cancel()
    }
  }

  /// One fetch is under way at most: the commits that come meanwhile share the next one.
  @Test func `commits share a value where they don't wait for the fetch`() async throws {
    try await ConnectionKind.pool.withShop { writer async throws in
      let isFetching = DispatchSemaphore(value: 0)
      let gate = DispatchSemaphore(value: 0)
      let observation = ValueObservation.trackingConstantRegion { db in
        let count = try db.count("author")
        if count == 1 {
          isFetching.signal()
          gate.wait()
        }
        return count
      }
      let log = ValueRecorder<String>()
      let cancellable = observation.logging(to: log).record(in: writer, into: report)
      try await log.wait { $0.count == 4 }
      try writer.run("INSERT INTO author DEFAULT VALUES")
      try writer.run("INSERT INTO note VALUES ('a')")
      isFetching.wait()
      for _ in 2...10 { try writer.run("INSERT INTO author DEFAULT VALUES") }
      gate.signal()
      #expect(try await report.values.first(3) == [0, 1, 10])
      cancellable.cancel()
    }
  }

  @Test func `more observations than readers`() async throws {
    var configuration = Configuration()
    configuration.maximumReaderCount = 1
    try await ConnectionKind.pool.withShop(configuration) { writer async throws in
      let reports = (0..<200).map { _ in Report<Int>() }
      let cancellables = reports.enumerated().map { index, report in
        (index.isMultiple(of: 2) ? authorCount : constantAuthorCount)
          .record(in: writer, into: report)
      }
      for report in reports { try await report.values.first(1) }
      try writer.run("INSERT INTO author DEFAULT VALUES")
      for report in reports { try await report.values.wait { $0.last == 1 } }
      for cancellable in cancellables { cancellable.cancel() }
      #expect(reports.allSatisfy { $0.errors.elements.isEmpty })
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `a start does not wait for a reader while it waits for the writer`(
    kind: ConnectionKind
  ) async throws {
    var configuration = Configuration()
    configuration.maximumReaderCount = 1
    try await kind.withShop(configuration) { writer async throws in
      let pool = writer as? DatabasePool
      var cancellable: AnyDatabaseCancellable?
      let isReported = DispatchSemaphore(value: 0)
      try writer.writeNow { _ throws in
        cancellable = authorCount.start(
          in: writer, scheduling: .async(onQueue: DispatchQueue(label: "reports")),
          onError: { _ in }, onChange: { _ in isReported.signal() })
        guard let pool else { return }
        #expect(isReported.wait(timeout: .now() + 600) == .success)
        #expect(try pool.read { db in try db.count("author") } == 0)
      }
      cancellable?.cancel()
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `changes of other connections are not seen before a notification`(
    kind: ConnectionKind
  ) async throws {
    try await kind.withShop { writer async throws in
      let log = ValueRecorder<String>()
      let cancellable = authorCount.logging(to: log).record(in: writer, into: report)
      try await log.wait { $0.count == 4 }
      log.takeAll()
      try DatabaseQueue(path: writer.path).run("INSERT INTO author DEFAULT VALUES")
      try writer.run("INSERT INTO note VALUES ('a')")
      #expect(log.elements == [])
      try writer.writeNow { db in try db.notifyChanges(in: Table("author")) }
      #expect(try await report.values.first(2) == [0, 1])
      cancellable.cancel()
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `a task that is cancelled after its commit does not make an observation fail`(
    kind: ConnectionKind
  ) async throws {
    try await kind.withShop { writer async throws in
      let observation = ValueObservation.tracking { db in
        withUnsafeCurrentTask { $0?.cancel() }
        return try db.count("author")
      }
      let cancellable = observation.record(in: writer, into: report)
      try await report.values.first(1)
      try? await Task {
        try await writer.write { db in
          try db.execute(sql: "INSERT INTO author DEFAULT VALUES")
        }
      }.value
      #expect(try await report.values.first(2) == [0, 1])
      #expect(report.errors.elements.isEmpty)
      cancellable.cancel()
    }
  }

  @Test func `suspended databases`() async throws {
    var configuration = Configuration()
    configuration.observesSuspensionNotifications = true
    for kind in ConnectionKind.queueAndPool {
      try await kind.withShop(configuration) { writer async throws in
        let report = Report<Int>()
        NotificationCenter.default.post(name: Database.suspendNotification, object: nil)
        let cancellable = authorCount.record(in: writer, into: report)
        if kind == .queue {
          let error = try await report.errors.first(1).first as? DatabaseError
          #expect(error?.resultCode == .SQLITE_ABORT)
        } else {
          try await report.values.first(1)
        }
        NotificationCenter.default.post(name: Database.resumeNotification, object: nil)
        try writer.run("INSERT INTO author DEFAULT VALUES")
        if kind == .pool { try await report.values.wait { $0.last == 1 } }
        cancellable.cancel()
      }
    }
  }
}
