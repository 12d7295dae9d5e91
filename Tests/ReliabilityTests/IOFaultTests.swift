import FaultCampaign
import Foundation
import QuarryTestSupport
import Testing

/// Each call of SQLite to its file system fails once, in each main use of the library: a read, a
/// write, a lock, a sync, and so on.
///
/// Each time, the library throws an error that names the operation, or succeeds where SQLite
/// tolerates the fault. The next access works, nothing that was acknowledged is lost, and no
/// statement, reader, observer or file stays open.
///
/// A run tries ten faults of each use at random, `QUARRY_FAULTS=200` so many, and
/// `QUARRY_FAULTS=all` each of them.
@Suite("Faults of the file system", .serialized, .onJudgedSQLite)
struct IOFaultTests {
  @Test(arguments: Connection.allCases)
  func `any call to the file system may fail`(connection: Connection) async throws {
    let seeds = RandomRun("Faults of the file system on a \(connection)")
    let campaign = try await onOwnThread {
      var generator = seeds.generator
      var campaign = FaultCampaign()
      for flow in Flow.all where flow.runs(on: connection) {
        try campaign.run(flow, connection, atMost: faultLimit(10), &generator)
      }
      return campaign
    }
    print("Faults of the file system on a \(connection): \(campaign.summary)")
    #expect(campaign.report == "")
    #expect(campaign.thrownCount > 0)
  }
}
