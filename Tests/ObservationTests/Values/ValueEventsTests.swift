import Quarry
import QuarryTestSupport
import Testing

/// The order in which the functions of several `handleEvents` are called.
@Suite struct ValueEventsTests {
  private let log = ValueRecorder<String>()
  private let report = Report<Int>()

  @Test func `events come in the order of the operators, but fetches in the opposite one`()
    async throws
  {
    try await ConnectionKind.queue.withShop { writer async throws in
      let observation = authorCount.logging(to: log, "A").map { $0 / 2 }.logging(to: log, "B")
        .removeDuplicates().logging(to: log, "C")
      let cancellable = observation.record(in: writer, into: report)
      try await report.values.first(1)
      #expect(
        log.takeAll() == [
          "A: start", "B: start", "C: start", "C: fetch", "B: fetch", "A: fetch",
          "A: tracked region: author(*)", "B: tracked region: author(*)",
          "C: tracked region: author(*)", "A: value: 0", "B: value: 0", "C: value: 0",
        ])
      try writer.run("INSERT INTO author DEFAULT VALUES")
      try await log.wait { $0.count == 8 }
      #expect(
        log.takeAll() == [
          "A: database did change", "B: database did change", "C: database did change",
          "C: fetch", "B: fetch", "A: fetch", "A: value: 1", "B: value: 0",
        ])
      try writer.run("INSERT INTO author DEFAULT VALUES")
      #expect(try await report.values.first(2) == [0, 1])
      #expect(log.takeAll().suffix(3) == ["A: value: 2", "B: value: 1", "C: value: 1"])
      cancellable.cancel()
      #expect(log.elements == ["A: cancel", "B: cancel", "C: cancel"])
    }
  }

  @Test func `lines go to the standard output by default`() async throws {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) {
      let queue = try makeShop(isPool: false)
      let cancellable = authorCount.print("authors").start(
        in: queue, scheduling: QueueScheduler(), onError: { _ in }, onChange: { _ in })
      cancellable.cancel()
    }
    let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    #expect(
      output.contains(
        """
        authors: start
        authors: fetch
        authors: tracked region: author(*)
        authors: value: 0
        authors: cancel

        """))
  }

  private struct CancellingStream: TextOutputStream {
    let log: ValueRecorder<String>
    let box: CancellableBox

    mutating func write(_ string: String) {
      log.append(string)
      if string == "value: 1" { box.cancel() }
    }
  }

  @Test func `the stream of the lines may end the observation`() async throws {
    try await ConnectionKind.queue.withShop { writer async throws in
      let box = CancellableBox()
      let observation = authorCount.print(to: CancellingStream(log: log, box: box))
      box.set(observation.record(in: writer, scheduling: QueueScheduler(), into: report))
      try writer.run("INSERT INTO author DEFAULT VALUES")
      try await log.wait { $0.last == "cancel" }
      #expect(log.elements.suffix(3) == ["fetch", "value: 1", "cancel"])
    }
  }

  @Test func `failures come in the order of the operators, before the error is reported`()
    async throws
  {
    try await ConnectionKind.memory.withDatabase { writer async throws in
      let scheduler = ManualScheduler()
      let observation = authorCount.logging(to: log, "A").map { $0 / 2 }.logging(to: log, "B")
        .removeDuplicates().logging(to: log, "C")
      let cancellable = observation.record(in: writer, scheduling: scheduler, into: report)
      try await log.wait { $0.count == 6 }
      log.takeAll()
      try await scheduler.run(1)
      #expect(report.errors.elements.count == 1)
      #expect(log.elements.map { $0.prefix(10) } == ["A: failure", "B: failure", "C: failure"])
      cancellable.cancel()
      #expect(log.elements.count == 3)
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `a value may be received that a cancellation keeps from being reported`(
    kind: ConnectionKind
  ) async throws {
    try await kind.withShop { writer async throws in
      let scheduler = ManualScheduler()
      let cancellable = authorCount.logging(to: log)
        .record(in: writer, scheduling: scheduler, into: report)
      try await log.wait { $0.contains("value: 0") }
      cancellable.cancel()
      try await scheduler.run(1)
      #expect(report.values.elements == [])
      #expect(log.elements.contains("cancel"))
    }
  }
}
