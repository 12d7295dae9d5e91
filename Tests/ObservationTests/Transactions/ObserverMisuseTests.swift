import Quarry
import QuarryTestSupport
import Testing

/// Where observers can be added, and what they can't do.
@Suite struct ObserverMisuseTests {
  @Test func `an observer can be added in a read`() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in try db.execute(sql: shopSchema) }
    let log = EventLog()
    try queue.read { db in db.add(transactionObserver: log) }
    #expect(log.take() == [])
    try queue.write { db in try db.execute(sql: "INSERT INTO note VALUES ('a')") }
    #expect(log.take() == ["insert note 1", "willCommit", "didCommit"])
    try queue.read { db in db.remove(transactionObserver: log) }
    try queue.write { db in try db.execute(sql: "INSERT INTO note VALUES ('b')") }
    #expect(log.take() == [])
  }

  @Test func `an observer can't stop at the end of a transaction`() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let log = EventLog()
      log.onWillCommit = { log.stopObservingDatabaseChangesUntilNextTransaction() }
      let queue = try DatabaseQueue()
      queue.add(transactionObserver: log)
      try await queue.write { db in try db.execute(sql: shopSchema) }
    }
    expectPrecondition(
      """
      stopObservingDatabaseChangesUntilNextTransaction must be called from the \
      `databaseDidChange()` or `databaseDidChange(with:)` methods
      """, in: result)
  }

  @Test func `an observer can't be added outside of an access`() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let queue = try DatabaseQueue()
      nonisolated(unsafe) var database: Database?
      try await queue.write { db in database = db }
      database?.add(transactionObserver: EventLog())
    }
    expectPrecondition("Database was not used on the correct thread.", in: result)
  }

  @Test func `an observation of a region of a read-only database starts, and is silent`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/shop.sqlite"
      let writer = try DatabaseQueue(path: path)
      try writer.write { db in try db.execute(sql: shopSchema) }
      var configuration = Configuration()
      configuration.readonly = true
      let log = Log<String>()
      let reader = try DatabaseQueue(path: path, configuration: configuration)
      let cancellable = DatabaseRegionObservation(tracking: Table("note")).start(in: reader) {
        log.append("\($0)")
      } onChange: { _ in
        log.append("change")
      }
      try writer.write { db in try db.execute(sql: "INSERT INTO note VALUES ('a')") }
      try reader.writeWithoutTransaction { db in try db.inTransaction { .commit } }
      #expect(log.elements == [])
      cancellable.cancel()
    }
  }
}
