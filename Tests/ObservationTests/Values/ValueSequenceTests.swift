import Quarry
import QuarryTestSupport
import Testing

/// Asynchronous sequences of values.
@Suite struct ValueSequenceTests {
  private let log = ValueRecorder<String>()

  @Test(arguments: ConnectionKind.queueAndPool)
  func `nothing starts before the iterator is made, and then it starts at once`(
    kind: ConnectionKind
  ) async throws {
    try await kind.withShop { writer async throws in
      let values = authorCount.logging(to: log).values(in: writer)
      #expect(log.elements == [])
      var iterator = values.makeAsyncIterator()
      try await log.first(4)
      #expect(try await iterator.next() == 0)
      try writer.run("INSERT INTO author DEFAULT VALUES")
      try writer.run("INSERT INTO author DEFAULT VALUES")
      #expect(try await iterator.next() == 1)
      #expect(try await iterator.next() == 2)
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `a loop that is left cancels the observation, and another one starts over`(
    kind: ConnectionKind
  ) async throws {
    try await kind.withShop { writer async throws in
      let values = authorCount.logging(to: log).values(in: writer)
      for try await value in values where value == 0 { break }
      try await log.wait { $0.last == "cancel" }
      log.takeAll()
      for try await value in values where value == 0 { break }
      try await log.wait { $0.last == "cancel" }
      #expect(log.elements.first == "start")
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `the release of the iterator cancels the observation`(kind: ConnectionKind) async throws {
    try await kind.withShop { writer async throws in
      let values = authorCount.logging(to: log).values(in: writer)
      // In a function, at whose end the iterator is released: the optimizer may keep a variable
      // that is set to nil.
      func readOne() async throws {
        var iterator = values.makeAsyncIterator()
        #expect(try await iterator.next() == 0)
      }
      try await readOne()
      try await log.wait { $0.last == "cancel" }
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `a task that is cancelled ends its loop without an error`(kind: ConnectionKind)
    async throws
  {
    try await kind.withShop { writer async throws in
      let values = authorCount.logging(to: log).values(in: writer)
      let seen = ValueRecorder<Int>()
      let task = Task {
        for try await value in values { seen.append(value) }
        return "end"
      }
      try await seen.first(1)
      task.cancel()
      #expect(try await task.value == "end")
      try await log.wait { $0.contains("cancel") }
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `the newest value is kept`(kind: ConnectionKind) async throws {
    try await kind.withShop { writer async throws in
      let scheduler = ManualScheduler()
      var iterator = authorCount.values(
        in: writer, scheduling: scheduler, bufferingPolicy: .bufferingNewest(1)
      ).makeAsyncIterator()
      try await scheduler.run(1)
      // One by one: an observation of a pool fetches once for changes that come meanwhile.
      for _ in 1...5 {
        try writer.run("INSERT INTO author DEFAULT VALUES")
        try await scheduler.run(1)
      }
      #expect(try await iterator.next() == 5)
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `the oldest value is kept`(kind: ConnectionKind) async throws {
    try await kind.withShop { writer async throws in
      let scheduler = ManualScheduler()
      var iterator = authorCount.values(
        in: writer, scheduling: scheduler, bufferingPolicy: .bufferingOldest(1)
      ).makeAsyncIterator()
      try await scheduler.run(1)
      // One by one: an observation of a pool fetches once for changes that come meanwhile.
      for _ in 1...5 {
        try writer.run("INSERT INTO author DEFAULT VALUES")
        try await scheduler.run(1)
      }
      #expect(try await iterator.next() == 0)
      try writer.run("INSERT INTO author DEFAULT VALUES")
      try await scheduler.run(1)
      #expect(try await iterator.next() == 6)
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `an error is thrown after the values, and then there is nothing`(kind: ConnectionKind)
    async throws
  {
    try await kind.withShop { writer async throws in
      let observation = authorCount.map { count in
        if count == 1 { throw Mishap() }
        return count
      }
      var iterator = observation.logging(to: log).values(in: writer).makeAsyncIterator()
      try await log.first(4)
      try writer.run("INSERT INTO author DEFAULT VALUES")
      try await log.wait { $0.last == "failure: Mishap()" }
      #expect(try await iterator.next() == 0)
      await #expect(throws: Mishap.self) { try await iterator.next() }
      #expect(try await iterator.next() == nil)
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `an error that is waited for is thrown once`(kind: ConnectionKind) async throws {
    try await kind.withShop { writer async throws in
      let observation = authorCount.map { count in
        if count == 1 { throw Mishap() }
        return count
      }
      let values = observation.values(in: writer)
      let first = ValueRecorder<Int>()
      let waiting = Task {
        var iterator = values.makeAsyncIterator()
        if let value = try await iterator.next() { first.append(value) }
        await #expect(throws: Mishap.self) { try await iterator.next() }
        return try await iterator.next()
      }
      try await first.first(1)
      // Time to wait for the error: without it, the test says the same, in fewer cases.
      try await Task.sleep(for: .milliseconds(20))
      try writer.run("INSERT INTO author DEFAULT VALUES")
      #expect(try await waiting.value == nil)
    }
  }

  @Test @MainActor func `an immediate sequence has its first value when its iterator is made`()
    async throws
  {
    let writer = try makeShop(isPool: true)
    let values = authorCount.logging(to: log).values(in: writer, scheduling: .immediate)
    var iterator = values.makeAsyncIterator()
    #expect(log.elements.prefix(3) == ["start", "fetch", "value: 0"])
    #expect(try await iterator.next() == 0)
  }
}
