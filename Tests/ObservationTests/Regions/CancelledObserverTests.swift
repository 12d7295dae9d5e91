import QuarryTestSupport
import Testing

@testable import Quarry

/// What is left of observations that are cancelled.
@Suite struct CancelledObserverTests {
  @Test(arguments: ConnectionKind.queueAndPool)
  func `the next write to the table of cancelled observations forgets them`(
    kind: ConnectionKind
  ) async throws {
    try await kind.withShop { writer async throws in
      let regions: [any DatabaseRegionConvertible] = [
        Table("author"), Table("author").filter(Column("id") == 7), DatabaseRegion.fullDatabase,
      ]
      let cancellables = regions.map { region in
        DatabaseRegionObservation(tracking: [region]).start(
          in: writer, onError: { Issue.record($0) }, onChange: { _ in Issue.record("a call") })
      }
      for cancellable in cancellables { cancellable.cancel() }
      try writer.run("INSERT INTO author DEFAULT VALUES")
      let (isForgotten, isObserved) = try writer.accessNow { db in
        (db.broker.regions.isEmpty, db.owner.isObserved)
      }
      #expect(isForgotten)
      #expect(!isObserved)
    }
  }

  /// The write of the fetch forgets the observation, whose region becomes another one.
  @Test func `an observation that is cancelled while its fetch writes is forgotten`() async throws {
    try await ConnectionKind.queue.withShop { writer async throws in
      let box = CancellableBox()
      var observation = ValueObservation.tracking { db in
        if try db.count("note") == 0 { return 0 }
        box.cancel()
        try db.execute(sql: "INSERT INTO note VALUES ('b')")
        return try db.count("country")
      }
      observation.requiresWriteAccess = true
      box.set(observation.record(in: writer, scheduling: QueueScheduler(), into: Report()))
      try writer.run("INSERT INTO note VALUES ('a')")
      let isForgotten = try writer.accessNow { db in db.broker.regions.isEmpty }
      #expect(isForgotten)
    }
  }
}
