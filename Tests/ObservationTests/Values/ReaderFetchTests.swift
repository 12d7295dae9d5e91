import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

/// The fetches of several observations of a pool, which share accesses to its readers.
@Suite struct ReaderFetchTests {
  private let reports = (0..<20).map { _ in Report<Int>() }

  /// The number of authors, plus another number: so that no two observations have the same fetch.
  private static func count(
    plus number: Int, _ willFetch: @escaping @Sendable (Database) throws -> Void = { _ in }
  ) -> ValueObservation<ValueReducers.Fetch<Int>> {
    ValueObservation.tracking(region: Table("author")) { db in
      try willFetch(db)
      return try db.count("author") + number
    }
  }

  private func makePool(readers: Int, _ log: ValueRecorder<String>) throws -> DatabasePool {
    var configuration = Configuration()
    configuration.maximumReaderCount = readers
    configuration.prepareDatabase { db in
      db.trace { event in
        if "\(event)".hasPrefix("BEGIN DEFERRED") { log.append("\(event)") }
      }
    }
    let pool = try DatabasePool.temporary(configuration: configuration)
    try makeShopTables(pool)
    return pool
  }

  /// Waits until the observers are installed.
  private func start(
    _ observation: (Int) -> ValueObservation<ValueReducers.Fetch<Int>>, in pool: DatabasePool
  ) async throws -> [AnyDatabaseCancellable] {
    let log = ValueRecorder<String>()
    let cancellables = reports.enumerated().map { number, report in
      observation(number).logging(to: log).record(in: pool, into: report)
    }
    try await log.wait { [count = reports.count] in
      $0.count { $0.hasPrefix("tracked") } == count
    }
    return cancellables
  }

  @Test func `one transaction serves all fetches that wait for it`() async throws {
    let log = ValueRecorder<String>()
    let pool = try makePool(readers: 1, log)
    let cancellables = try await start({ Self.count(plus: $0) }, in: pool)
    let reader = try pool.readers.take(isUrgent: false, isReentrant: false)
    log.takeAll()
    try pool.run("INSERT INTO author DEFAULT VALUES")
    #expect(log.elements == [])
    pool.readers.giveBack(reader)
    for (number, report) in reports.enumerated() {
      try await report.values.wait { $0.last == number + 1 }
    }
    #expect(log.elements.count == 1)
    for cancellable in cancellables { cancellable.cancel() }
  }

  @Test func `a slow fetch does not hold up the others`() async throws {
    let pool = try makePool(readers: 2, ValueRecorder())
    let end = DispatchSemaphore(value: 0)
    let isSlow = Locked(false)
    let cancellables = try await start(
      { number in
        Self.count(plus: number) { _ in
          if number == 3, isSlow.withLock({ $0 }) { end.wait() }
        }
      }, in: pool)
    isSlow.withLock { $0 = true }
    try pool.run("INSERT INTO author DEFAULT VALUES")
    for (number, report) in reports.enumerated() where number != 3 {
      try await report.values.wait { $0.last == number + 1 }
    }
    #expect(reports[3].values.elements.last == 3)
    end.signal()
    try await reports[3].values.wait { $0.last == 4 }
    for cancellable in cancellables { cancellable.cancel() }
  }

  @Test(arguments: [1, 5])
  func `a fetch that fails, or ends its transaction, does not disturb the others`(
    readers: Int
  ) async throws {
    let pool = try makePool(readers: readers, ValueRecorder())
    let cancellables = try await start(
      { number in
        Self.count(plus: number) { db in
          guard number.isMultiple(of: 5), try db.count("author") > 0 else { return }
          try db.execute(sql: "COMMIT")
          throw Mishap()
        }
      }, in: pool)
    try pool.run("INSERT INTO author DEFAULT VALUES")
    for (number, report) in reports.enumerated() {
      if number.isMultiple(of: 5) {
        #expect(try await report.errors.first(1).first is Mishap)
      } else {
        try await report.values.wait { $0.last == number + 1 }
        #expect(report.errors.elements.isEmpty)
      }
    }
    for cancellable in cancellables { cancellable.cancel() }
  }

  @Test func `a time limit is that of one fetch`() async throws {
    var configuration = Configuration()
    configuration.maximumReaderCount = 1
    configuration.accessTimeLimit = .seconds(1)
    let pool = try DatabasePool.temporary(configuration: configuration)
    try makeShopTables(pool)
    let reader = try pool.readers.take(isUrgent: false, isReentrant: false)
    let ends = ValueRecorder<String>()
    let cancellables = reports.indices.map { number -> AnyDatabaseCancellable in
      let observation = Self.count(plus: number) { _ in Thread.sleep(forTimeInterval: 0.1) }
      return observation.start(
        in: pool, scheduling: .task, onError: { ends.append("\($0)") },
        onChange: { ends.append("\($0)") })
    }
    pool.readers.giveBack(reader)
    let expected = Set(reports.indices.map { "\($0)" })
    try await ends.wait { ends in
      expected.isSubset(of: ends) || !expected.isSuperset(of: ends)
    }
    #expect(Set(ends.elements) == expected)
    for cancellable in cancellables { cancellable.cancel() }
  }

  @Test func `observations of a closed pool get its error`() async throws {
    let pool = try makePool(readers: 1, ValueRecorder())
    try pool.close()
    for report in reports {
      let cancellable = Self.count(plus: 1).record(in: pool, into: report)
      let error = try await report.errors.first(1).first as? DatabaseError
      #expect(error?.message == "Connection is closed")
      cancellable.cancel()
    }
  }

  /// Each value is that of the commit that it was fetched for, or of a later one.
  @Test(arguments: [1, 3])
  func `fetches see the commit that they are for`(readers: Int) async throws {
    let pool = try makePool(readers: readers, ValueRecorder())
    let cancellables = try await start({ Self.count(plus: $0) }, in: pool)
    for _ in 0..<50 { try pool.run("INSERT INTO author DEFAULT VALUES") }
    for (number, report) in reports.enumerated() {
      try await report.values.wait { $0.last == number + 50 }
      let values = report.values.elements
      #expect(values == values.sorted())
    }
    for cancellable in cancellables { cancellable.cancel() }
  }
}
