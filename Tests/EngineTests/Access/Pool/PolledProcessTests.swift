import Quarry
import QuarryChanges
import QuarryTestSupport
import Testing

/// Observations that are notified of the commits of another process.
@Suite(.timeLimit(.minutes(10)), .serialized)
struct PolledProcessTests {
  @Test func `the commits of another process are noticed by polling`() async throws {
    try await Accounts.withPool { pool async throws in
      let observation = ValueObservation.tracking { db in
        try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM transfer") ?? 0
      }
      let polling = pool.notifyChangesOfOtherConnections(every: .milliseconds(20)) { error in
        Issue.record(error)
      }
      var peer: PeerProcess?
      var counts: [Int] = []
      for try await count in observation.removeDuplicates().values(in: pool) {
        counts.append(count)
        if peer == nil { peer = try PeerProcess(pool, "transfers", "other", "3") }
        if count == 3 { break }
      }
      #expect(counts == counts.sorted())
      #expect(counts.first == 0)
      #expect(peer?.remainingLines().last == "done")
      #expect(peer?.waitForExit() == 0)
      polling.cancel()
    }
  }

  @Test func `an own commit does not show those of another process`() async throws {
    try await Accounts.withPool { pool async throws in
      let log = Log<Int>()
      let observation = DatabaseRegionObservation(tracking: Table("account"))
      let cancellable = observation.start(in: pool) {
        Issue.record($0)
      } onChange: { _ in
        log.append(1)
      }
      let peer = try PeerProcess(pool, "transfers", "other", "1")
      #expect(peer.remainingLines().last == "done")
      try await pool.write { db in try db.execute(sql: "CREATE TABLE note (text)") }
      #expect(log.elements == [])
      try await pool.write { db in try db.notifyChanges(in: Table("account")) }
      #expect(log.elements == [1])
      cancellable.cancel()
    }
  }
}
