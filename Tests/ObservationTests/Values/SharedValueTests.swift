import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

/// Observations that are shared.
@Suite struct SharedValueTests {
  private let log = ValueRecorder<String>()
  private let first = Report<Int>()
  private let second = Report<Int>()

  private static let extents: [SharedValueObservationExtent] = [
    .whileObserved, .observationLifetime,
  ]

  private func subscribe(
    to shared: SharedValueObservation<Int>, _ report: Report<Int>
  ) -> AnyDatabaseCancellable {
    shared.start(onError: { report.errors.append($0) }, onChange: { report.values.append($0) })
  }

  @Test(arguments: ConnectionKind.queueAndPool, extents)
  func `subscribers share one fetch, in their order, and new ones get the last value`(
    kind: ConnectionKind, extent: SharedValueObservationExtent
  ) async throws {
    try await kind.withShop { writer async throws in
      let shared = authorCount.logging(to: log)
        .shared(in: writer, scheduling: QueueScheduler(), extent: extent)
      #expect(log.elements == [])
      let one = subscribe(to: shared, first)
      #expect(first.values.elements == [0])
      try await log.wait { $0.count == 4 }
      let two = subscribe(to: shared, second)
      #expect(second.values.elements == [0])
      #expect(log.takeAll().count == 4)
      try writer.run("INSERT INTO author DEFAULT VALUES")
      #expect(try await second.values.first(2) == [0, 1])
      #expect(first.values.elements == [0, 1])
      #expect(log.elements == ["database did change", "fetch", "value: 1"])
      one.cancel()
      try writer.run("INSERT INTO author DEFAULT VALUES")
      #expect(try await second.values.first(3) == [0, 1, 2])
      #expect(first.values.elements == [0, 1])
      #expect(!log.elements.contains("cancel"))
      two.cancel()
      #expect(log.elements.contains("cancel") == (extent == .whileObserved))
    }
  }

  @Test func `with nobody left, the observation ends, and begins again`() async throws {
    try await ConnectionKind.queue.withShop { writer async throws in
      let shared = authorCount.logging(to: log).shared(in: writer, scheduling: QueueScheduler())
      subscribe(to: shared, first).cancel()
      try writer.run("INSERT INTO author DEFAULT VALUES")
      #expect(log.takeAll().suffix(1) == ["cancel"])
      let cancellable = subscribe(to: shared, second)
      #expect(second.values.elements == [1])
      #expect(log.elements == ["start", "fetch", "tracked region: author(*)", "value: 1"])
      cancellable.cancel()
    }
  }

  @Test func `with nobody left, an observation for its lifetime goes on`() async throws {
    try await ConnectionKind.queue.withShop { writer async throws in
      var shared: SharedValueObservation<Int>? = authorCount.logging(to: log)
        .shared(in: writer, scheduling: QueueScheduler(), extent: .observationLifetime)
      if let shared { subscribe(to: shared, first).cancel() }
      log.takeAll()
      try writer.run("INSERT INTO author DEFAULT VALUES")
      try await log.wait { $0 == ["database did change", "fetch", "value: 1"] }
      // The value is on its way, in the queue of the scheduler.
      while second.values.elements != [1] {
        second.values.takeAll()
        if let shared { subscribe(to: shared, second).cancel() }
        await Task.yield()
      }
      #expect(!log.elements.contains("start"))
      shared = nil
      #expect(log.elements.suffix(1) == ["cancel"])
    }
  }

  @Test(arguments: extents)
  func `a subscription keeps the shared observation`(extent: SharedValueObservationExtent)
    async throws
  {
    try await ConnectionKind.queue.withShop { writer async throws in
      var shared: SharedValueObservation<Int>? = authorCount.logging(to: log)
        .shared(in: writer, scheduling: QueueScheduler(), extent: extent)
      let cancellable = try #require(shared.map { subscribe(to: $0, first) })
      shared = nil
      try writer.run("INSERT INTO author DEFAULT VALUES")
      #expect(try await first.values.first(2) == [0, 1])
      cancellable.cancel()
      #expect(log.elements.suffix(1) == ["cancel"])
    }
  }

  @Test(arguments: extents)
  func `after an error, the observation begins again, or reports the same one`(
    extent: SharedValueObservationExtent
  ) async throws {
    try await ConnectionKind.queue.withShop { writer async throws in
      let observation = ValueObservation.tracking { db in
        let count = try db.count("author")
        if count == 0 { throw Mishap() }
        return count
      }
      let shared = observation.logging(to: log)
        .shared(in: writer, scheduling: QueueScheduler(), extent: extent)
      let one = subscribe(to: shared, first)
      #expect(first.errors.elements.count == 1)
      #expect(log.takeAll() == ["start", "fetch", "failure: Mishap()"])
      try writer.run("INSERT INTO author DEFAULT VALUES")
      let two = subscribe(to: shared, second)
      if extent == .whileObserved {
        #expect(second.values.elements == [1])
        #expect(log.elements.first == "start")
      } else {
        #expect(second.errors.elements.count == 1)
        #expect(log.elements == [])
      }
      #expect(first.errors.elements.count == 1)
      one.cancel()
      two.cancel()
    }
  }

  @Test func `subscribers wait for the first value`() async throws {
    try await ConnectionKind.queue.withShop { writer async throws in
      let scheduler = ManualScheduler()
      let shared = authorCount.logging(to: log).shared(in: writer, scheduling: scheduler)
      let one = subscribe(to: shared, first)
      let two = subscribe(to: shared, second)
      try await scheduler.run(1)
      #expect(first.values.elements == [0])
      #expect(second.values.elements == [0])
      let third = Report<Int>()
      let three = subscribe(to: shared, third)
      #expect(third.values.elements == [])
      try await scheduler.run(1)
      #expect(third.values.elements == [0])
      #expect(log.elements.filter { $0 == "fetch" }.count == 1)
      for cancellable in [one, two, three] { cancellable.cancel() }
    }
  }

  @Test func `the last value does not come after a newer one`() async throws {
    try await ConnectionKind.queue.withShop { writer async throws in
      let scheduler = ManualScheduler()
      let shared = authorCount.shared(in: writer, scheduling: scheduler)
      let one = subscribe(to: shared, first)
      try await scheduler.run(1)
      try writer.run("INSERT INTO author DEFAULT VALUES")
      while scheduler.count == 0 { await Task.yield() }
      // The report of value 1 waits, before that of the last value to the new subscriber.
      let two = subscribe(to: shared, second)
      try await scheduler.run(2)
      #expect(second.values.elements == [1])
      #expect(first.values.elements == [0, 1])
      one.cancel()
      two.cancel()
    }
  }

  @Test func `a subscriber may cancel, and subscribe again, where it gets its value`()
    async throws
  {
    try await ConnectionKind.queue.withShop { writer async throws in
      let shared = authorCount.shared(in: writer, scheduling: QueueScheduler())
      let box = CancellableBox()
      let inner = CancellableBox()
      let one = subscribe(to: shared, Report())
      box.set(
        shared.start(onError: { _ in }) { [first, second] value in
          first.values.append(value)
          guard value == 1 else { return }
          box.cancel()
          inner.set(
            shared.start(onError: { _ in }, onChange: { second.values.append($0) }))
        })
      try writer.run("INSERT INTO author DEFAULT VALUES")
      try await second.values.first(1)
      try writer.run("INSERT INTO author DEFAULT VALUES")
      #expect(try await second.values.first(2) == [1, 2])
      #expect(first.values.elements == [0, 1])
      one.cancel()
      inner.cancel()
    }
  }

  /// Subscribers are not called under a lock.
  @Test func `a subscriber may wait for another thread that subscribes`() async throws {
    try await ConnectionKind.queue.withShop { writer async throws in
      let shared = authorCount.shared(
        in: writer, scheduling: QueueScheduler(), extent: .observationLifetime)
      let outcome = ValueRecorder<DispatchTimeoutResult>()
      let cancellable = shared.start(onError: { _ in }) { value in
        guard value == 1 else { return }
        let end = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
          shared.start(onError: { _ in }, onChange: { _ in }).cancel()
          end.signal()
        }
        outcome.append(end.wait(timeout: .now() + 600))
      }
      try writer.run("INSERT INTO author DEFAULT VALUES")
      #expect(try await outcome.first(1) == [.success])
      cancellable.cancel()
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `an immediate subscription elsewhere is an error, whether a value is known or not`(
    kind: ConnectionKind
  ) async throws {
    try await kind.withShop { writer async throws in
      let shared = authorCount.shared(in: writer, scheduling: .immediate)
      func fails() async -> Bool {
        let report = Report<Int>()
        await Task.detached { [self] in subscribe(to: shared, report).cancel() }.value
        let error = report.errors.elements.first as? DatabaseError
        return error?.resultCode == .SQLITE_MISUSE && report.values.elements == []
          && error?.message?.hasPrefix("ValueObservation must be started from the main thread")
            == true
      }
      #expect(await fails())
      let cancellable = await MainActor.run { [self] in
        defer { #expect(first.values.elements == [0]) }
        return subscribe(to: shared, first)
      }
      #expect(await fails())
      try writer.run("INSERT INTO author DEFAULT VALUES")
      try await first.values.wait { $0.last == 1 }
      #expect(first.errors.elements.isEmpty)
      cancellable.cancel()
    }
  }

  @Test func `a former value may end a subscription when it is released`() async throws {
    try await ConnectionKind.queue.withShop { writer async throws in
      let box = CancellableBox()
      let observation = ValueObservation.tracking { db in
        _ = try db.count("author")
        return Released { box.cancel() }
      }
      let shared = observation.shared(in: writer, scheduling: QueueScheduler())
      let one = shared.start(onError: { _ in }, onChange: { [log] _ in log.append("one") })
      box.set(shared.start(onError: { _ in }, onChange: { _ in }))
      for count in 2...3 {
        try writer.run("INSERT INTO author DEFAULT VALUES")
        try await log.wait { $0.count == count }
      }
      one.cancel()
    }
  }

  private final class SubscriberBox: @unchecked Sendable {
    var subscriber: SharedSubscriber<Int>?
  }

  @Test func `a subscriber that is cancelled releases its functions outside of its lock`() {
    let box = SubscriberBox()
    var object: Released? = Released { [log] in
      box.subscriber?.receive(.success(1), number: 1)
      log.append("released")
    }
    box.subscriber = SharedSubscriber(
      ObservationCallbacks(
        onError: { _ in }, onChange: { [object] _ in withExtendedLifetime(object) {} }))
    object = nil
    box.subscriber?.cancel()
    #expect(log.elements == ["released"])
  }

  @Test func `a sequence is a subscription`() async throws {
    try await ConnectionKind.pool.withShop { writer async throws in
      let shared = authorCount.logging(to: log)
        .shared(in: writer, scheduling: .async(onQueue: DispatchQueue(label: "values")))
      var iterator = shared.values().makeAsyncIterator()
      #expect(try await iterator.next() == 0)
      try await log.wait { $0.count == 4 }
      for try await value in shared.values() where value == 0 { break }
      try writer.run("INSERT INTO author DEFAULT VALUES")
      #expect(try await iterator.next() == 1)
      #expect(log.elements.filter { $0 == "start" }.count == 1)
    }
  }

  @Test func `the default scheduler is the main queue`() async throws {
    try await ConnectionKind.queue.withShop { writer async throws in
      let cancellable = authorCount.shared(in: writer).start(
        onError: { _ in },
        onChange: { [first] value in
          dispatchPrecondition(condition: .onQueue(.main))
          first.values.append(value)
        })
      let values = try await first.values.first(1)
      #expect(values == [0])
      cancellable.cancel()
    }
  }
}
