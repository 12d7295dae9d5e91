import Quarry
import QuarryTestSupport
import Testing

@testable import QuarryCluster

@Suite("Times of clusters without end")
struct ClusterTimeTests {
  @Test(arguments: [Double.infinity, .greatestFiniteMagnitude])
  func `a lock of another client is waited for without end`(_ seconds: Double) throws {
    try DatabaseQueue().inDatabase { db in
      var waits = BusyWaits(.timeout(seconds))
      let isRepeated = waits.wait(db)
      #expect(isRepeated)
    }
  }

  @Test func `an interval of looks may be the longest duration`() throws {
    try withTemporaryDirectory { directory in
      let pool = try DatabasePool(path: "\(directory)/library.sqlite")
      ChangePoll(pool, every: .seconds(Int64.max)).stop()
      try pool.close()
    }
  }
}
