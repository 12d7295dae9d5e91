import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

@Suite("Checkpoints")
struct CheckpointTests {
  @Test("The frames of the log are counted, and copied")
  func wal() throws {
    try withTemporaryDirectory { directory in
      var configuration = Configuration()
      configuration.journalMode = .wal
      let queue = try DatabaseQueue(path: directory + "/db.sqlite", configuration: configuration)
      try queue.write { db in try db.execute(sql: "CREATE TABLE t(a)") }
      let first = try queue.writeWithoutTransaction { db in try db.checkpoint() }
      #expect(first.walFrameCount > 0)
      #expect(first.checkpointedFrameCount == first.walFrameCount)
      let second = try queue.writeWithoutTransaction { db in try db.checkpoint(.truncate) }
      #expect(second == (0, 0))
    }
  }

  @Test("Without a log there is nothing to count")
  func journal() throws {
    let queue = try DatabaseQueue()
    let counts = try queue.writeWithoutTransaction { db in try db.checkpoint(.full) }
    #expect(counts == (-1, -1))
  }

  @Test("An unknown database is an error")
  func unknownDatabase() throws {
    let queue = try DatabaseQueue()
    let error = databaseError {
      try queue.writeWithoutTransaction { db in _ = try db.checkpoint(.passive, on: "nope") }
    }
    #expect(error?.resultCode == .SQLITE_ERROR)
  }
}
