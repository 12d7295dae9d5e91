import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

/// Schedulers, and the first value.
@Suite struct ValueStartTests {
  private let report = Report<Int>()

  @Test(arguments: [false, true]) @MainActor
  func `an immediate start reports the first value before it returns`(
    isPool: Bool
  ) async throws {
    let writer = try makeShop(isPool: isPool)
    let cancellable = authorCount.start(
      in: writer, scheduling: .immediate, onError: { report.errors.append($0) },
      onChange: { value in
        MainActor.assertIsolated()
        report.values.append(value)
      })
    #expect(report.values.elements == [0])
    try writer.run("INSERT INTO author DEFAULT VALUES")
    #expect(try await report.values.first(2) == [0, 1])
    cancellable.cancel()
  }

  @Test(arguments: [false, true]) @MainActor
  func `a start on the main actor reports nothing before it returns`(
    isPool: Bool
  ) async throws {
    let writer = try makeShop(isPool: isPool)
    let cancellable = authorCount.start(in: writer) {
      report.errors.append($0)
    } onChange: {
      MainActor.assertIsolated()
      report.values.append($0)
    }
    #expect(report.values.elements == [])
    #expect(try await report.values.first(1) == [0])
    try writer.run("INSERT INTO author DEFAULT VALUES")
    #expect(try await report.values.first(2) == [0, 1])
    cancellable.cancel()
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `an immediate start elsewhere is an error`(kind: ConnectionKind) async throws {
    try await kind.withShop { writer async throws in
      await Task.detached { [report] in
        _ = authorCount.record(
          in: writer, scheduling: ImmediateValueObservationScheduler(), into: report)
      }.value
      let error = report.errors.elements.first as? DatabaseError
      #expect(error?.resultCode == .SQLITE_MISUSE)
      #expect(
        error?.message?.hasPrefix("ValueObservation must be started from the main thread") == true)
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `its error is reported on the main actor, to closures of the main actor`(
    kind: ConnectionKind
  ) async throws {
    try await kind.withShop { writer async throws in
      let (failures, continuation) = AsyncStream.makeStream(of: String.self)
      let cancellable = await Task.detached {
        authorCount.start(in: writer, scheduling: .immediate) { error in
          MainActor.assertIsolated()
          continuation.yield("\(error)")
        } onChange: { _ in
          continuation.yield("a value")
        }
      }.value
      let message = await failures.first { _ in true } ?? "nothing"
      #expect(message.contains("`.mainActor` does so later"), "\(message)")
      cancellable.cancel()
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `an immediate start that fails reports its error before it returns`(
    kind: ConnectionKind
  ) async throws {
    try await kind.withShop { writer async throws in
      let log = ValueRecorder<String>()
      let observation = ValueObservation.tracking { (_: Database) throws -> Int in throw Mishap() }
      let cancellable = observation.logging(to: log)
        .record(in: writer, scheduling: QueueScheduler(), into: report)
      #expect(report.errors.elements.first is Mishap)
      #expect(log.elements == ["start", "fetch", "failure: Mishap()"])
      cancellable.cancel()
      #expect(log.elements.count == 3)
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `all values come on the queue`(kind: ConnectionKind) async throws {
    try await kind.withShop { writer async throws in
      let key = DispatchSpecificKey<Bool>()
      let queue = DispatchQueue(label: "values")
      queue.setSpecific(key: key, value: true)
      let places = ValueRecorder<Bool?>()
      let cancellable = authorCount.start(
        in: writer, scheduling: .async(onQueue: queue), onError: { _ in },
        onChange: { _ in places.append(DispatchQueue.getSpecific(key: key)) })
      try await places.first(1)
      try writer.run("INSERT INTO author DEFAULT VALUES")
      #expect(try await places.first(2) == [true, true])
      cancellable.cancel()
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `a task reports one value after the other`(kind: ConnectionKind) async throws {
    try await kind.withShop { writer async throws in
      let cancellable = try await authorCount.recordCommits(
        in: writer, scheduling: .task(priority: .high), into: report)
      for _ in 1...100 { try writer.run("INSERT INTO author DEFAULT VALUES") }
      #expect(try await report.values.first(101) == Array(0...100))
      cancellable.cancel()
    }
  }

  @Test func `an immediate start in a transaction of a queue sees its changes`() async throws {
    try await ConnectionKind.queue.withShop { writer async throws in
      let log = ValueRecorder<String>()
      let cancellable = try writer.writeNow { db in
        try db.execute(sql: "INSERT INTO author DEFAULT VALUES")
        return authorCount.logging(to: log)
          .record(in: writer, scheduling: QueueScheduler(), into: report)
      }
      #expect(report.values.elements == [1])
      #expect(!log.elements.contains("database did change"))
      cancellable.cancel()
    }
  }

  @Test func `when this transaction is rolled back, the value is fetched again`() async throws {
    try await ConnectionKind.queue.withShop { writer async throws in
      var cancellable: AnyDatabaseCancellable?
      try writer.accessNow { db in
        try db.inTransaction {
          try db.execute(sql: "INSERT INTO author DEFAULT VALUES")
          cancellable = authorCount.record(
            in: writer, scheduling: QueueScheduler(), into: report)
          return .rollback
        }
      }
      #expect(try await report.values.first(2) == [1, 0])
      cancellable?.cancel()
    }
  }

  @Test func `it is fetched again where only reads were possible, too`() async throws {
    try await ConnectionKind.queue.withShop { writer async throws in
      var cancellable: AnyDatabaseCancellable?
      try writer.accessNow { db in
        try db.inTransaction {
          try db.execute(sql: "INSERT INTO author DEFAULT VALUES")
          try db.readOnly {
            cancellable = authorCount.record(
              in: writer, scheduling: QueueScheduler(), into: report)
          }
          return .rollback
        }
      }
      #expect(try await report.values.first(2) == [1, 0])
      cancellable?.cancel()
    }
  }

  @Test func `when the savepoint of the start is rolled back, the value is fetched again`()
    async throws
  {
    try await ConnectionKind.queue.withShop { writer async throws in
      var cancellable: AnyDatabaseCancellable?
      try writer.writeNow { db in
        try db.inSavepoint {
          try db.execute(sql: "INSERT INTO author DEFAULT VALUES")
          cancellable = authorCount.record(
            in: writer, scheduling: QueueScheduler(), into: report)
          return .rollback
        }
      }
      #expect(try await report.values.first(2) == [1, 0])
      cancellable?.cancel()
    }
  }

  @Test func `an immediate start in a write of a pool sees the last commit`() async throws {
    try await ConnectionKind.pool.withShop { writer async throws in
      let cancellable = try writer.writeNow { db in
        try db.execute(sql: "INSERT INTO author DEFAULT VALUES")
        let cancellable = authorCount.record(
          in: writer, scheduling: QueueScheduler(), into: report)
        #expect(report.values.elements == [0])
        return cancellable
      }
      #expect(try await report.values.first(2) == [0, 1])
      cancellable.cancel()
    }
  }

  @Test func `an immediate start in a read of a pool is an error`() async throws {
    try await ConnectionKind.pool.withShop { writer async throws in
      _ = try await writer.read { [report] _ in
        authorCount.record(in: writer, scheduling: QueueScheduler(), into: report)
      }
      let error = report.errors.elements.first as? DatabaseError
      #expect(error?.resultCode == .SQLITE_MISUSE)
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `another start in an access fetches after it`(kind: ConnectionKind) async throws {
    try await kind.withShop { writer async throws in
      let cancellable = try writer.accessNow { db in
        let cancellable = authorCount.record(in: writer, into: report)
        try db.execute(sql: "INSERT INTO author DEFAULT VALUES")
        return cancellable
      }
      try await report.values.wait { $0.last == 1 }
      cancellable.cancel()
    }
  }

  /// The second value of a pool can't come before the first one has been reported, on whatever
  /// thread.
  @Test func `an immediate first value comes first`() async throws {
    try await ConnectionKind.pool.withShop { writer async throws in
      let order = ValueRecorder<String>()
      let cancellable = constantAuthorCount.start(
        in: writer, scheduling: QueueScheduler(), onError: { _ in },
        onChange: { value in
          order.append("begin \(value)")
          if value == 0 { try? writer.run("INSERT INTO author DEFAULT VALUES") }
          order.append("end \(value)")
        })
      #expect(try await order.first(4) == ["begin 0", "end 0", "begin 1", "end 1"])
      cancellable.cancel()
    }
  }

  @Test func `the queue of the operators has a name`() async throws {
    var configuration = Configuration()
    configuration.label = "Shop"
    try await ConnectionKind.queue.withShop(configuration) { writer async throws in
      let running = RunningObservation(
        authorCount, in: writer, scheduling: QueueScheduler(),
        callbacks: ObservationCallbacks(onError: { _ in }, onChange: { _ in }))
      #expect(running.reducing.label == "Shop.ValueObservation")
    }
  }
}
