import Quarry
import QuarryTestSupport
import Testing

/// Observations of a database without writer: they report one value.
@Suite struct ReadOnlyValueTests {
  enum Kind: CaseIterable {
    case snapshot, queue, pool, hidden
  }

  private let log = ValueRecorder<String>()
  private let report = Report<Int>()

  private func withReader(
    _ kind: Kind, _ body: (any DatabaseReader, any DatabaseWriter) async throws -> Void
  ) async throws {
    try await ConnectionKind.pool.withShop { writer async throws in
      var configuration = Configuration()
      configuration.readonly = true
      let reader: any DatabaseReader =
        switch kind {
        case .snapshot: try (writer as? DatabasePool)?.makeSnapshot() ?? writer
        case .queue: try DatabaseQueue(path: writer.path, configuration: configuration)
        case .pool: try DatabasePool(path: writer.path, configuration: configuration)
        case .hidden:
          AnyDatabaseReader(try DatabaseQueue(path: writer.path, configuration: configuration))
        }
      try await body(reader, writer)
    }
  }

  @Test(arguments: Kind.allCases, [false, true])
  func `one value, and no region`(kind: Kind, isImmediate: Bool) async throws {
    try await withReader(kind) { reader, writer async throws in
      let cancellable = authorCount.logging(to: log).record(
        in: reader, scheduling: QueueScheduler(isImmediate: isImmediate), into: report)
      if isImmediate { #expect(report.values.elements == [0]) }
      #expect(try await report.values.first(1) == [0])
      try writer.run("INSERT INTO author DEFAULT VALUES")
      #expect(log.elements == ["start", "fetch", "value: 0"])
      cancellable.cancel()
      #expect(log.elements.suffix(1) == ["cancel"])
    }
  }

  @Test(arguments: Kind.allCases)
  func `write access does not help`(kind: Kind) async throws {
    try await withReader(kind) { reader, _ async throws in
      var observation = ValueObservation.tracking { db in
        try db.execute(sql: "INSERT INTO note VALUES ('a')")
      }
      observation.requiresWriteAccess = true
      let report = Report<Void>()
      let cancellable = observation.record(in: reader, into: report)
      let error = try await report.errors.first(1).first as? DatabaseError
      #expect(error?.resultCode == .SQLITE_READONLY)
      cancellable.cancel()
    }
  }

  @Test(arguments: Kind.allCases)
  func `an immediate start in a read uses its connection`(kind: Kind) async throws {
    try await withReader(kind) { reader, _ async throws in
      try reader.readNow { _ in
        let cancellable = authorCount.record(
          in: reader, scheduling: QueueScheduler(), into: report)
        #expect(report.values.elements == [0])
        cancellable.cancel()
      }
    }
  }

  @Test(arguments: [DatabaseQueue.inMemoryCopy, DatabaseQueue.temporaryCopy])
  func `a copy reports its value, also in a transaction that was left open`(
    copy: @Sendable (String, Configuration) throws -> DatabaseQueue
  ) async throws {
    try await ConnectionKind.pool.withShop { writer async throws in
      try writer.run("INSERT INTO author DEFAULT VALUES")
      var configuration = Configuration()
      configuration.readonly = true
      configuration.allowsUnsafeTransactions = true
      let queue = try copy(writer.path, configuration)
      try queue.inDatabase { db throws in try db.beginTransaction() }
      let cancellable = authorCount.record(in: queue, into: report)
      #expect(try await report.values.first(1) == [1])
      #expect(report.errors.elements.isEmpty)
      cancellable.cancel()
    }
  }

  @Test(arguments: Kind.allCases)
  func `the release of the cancellable is a cancellation`(kind: Kind) async throws {
    try await withReader(kind) { reader, _ async throws in
      let scheduler = ManualScheduler()
      var cancellable: AnyDatabaseCancellable? = authorCount.logging(to: log)
        .record(in: reader, scheduling: scheduler, into: report)
      withExtendedLifetime(cancellable) {}
      try await log.wait { $0.contains("value: 0") }
      cancellable = nil
      try await scheduler.run(1)
      #expect(report.values.elements == [])
      #expect(log.elements.suffix(1) == ["cancel"])
    }
  }
}
