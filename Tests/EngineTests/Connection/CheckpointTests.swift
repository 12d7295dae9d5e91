import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

@Suite("Checkpoints")
struct CheckpointTests {
  @Test func `the frames of the log are counted, and copied`() throws {
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

  @Test func `without a log there is nothing to count`() throws {
    let queue = try DatabaseQueue()
    let counts = try queue.writeWithoutTransaction { db in try db.checkpoint(.full) }
    #expect(counts == (-1, -1))
  }

  @Test func `an unknown database is an error`() throws {
    let queue = try DatabaseQueue()
    let error = databaseError {
      try queue.writeWithoutTransaction { db in _ = try db.checkpoint(.passive, on: "nope") }
    }
    #expect(error?.resultCode == .SQLITE_ERROR)
  }

  @Test func `the modes have the numbers of SQLite`() {
    #expect(Database.CheckpointMode(rawValue: 0) == .passive)
    #expect(Database.CheckpointMode(rawValue: 1) == .full)
    #expect(Database.CheckpointMode(rawValue: 2) == .restart)
    #expect(Database.CheckpointMode(rawValue: 3) == .truncate)
    #expect(Database.CheckpointMode(rawValue: 4) == nil)
  }

  private func withWAL(_ body: (DatabaseQueue, String) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      var configuration = Configuration()
      configuration.journalMode = .wal
      let path = directory + "/db.sqlite"
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      try queue.write { db in try db.execute(sql: "CREATE TABLE t(a)") }
      try body(queue, path)
    }
  }

  @Test func `a reader keeps all modes but the passive one from ending`() throws {
    try withWAL { queue, path in
      let reader = try DatabaseQueue(path: path)
      try reader.inTransaction(.deferred) { db in
        _ = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM t")
        try queue.write { db in try db.execute(sql: "INSERT INTO t VALUES (1)") }
        try queue.inDatabase { db throws in
          let counts = try db.checkpoint(.passive)
          #expect(counts.checkpointedFrameCount < counts.walFrameCount)
          for mode in [Database.CheckpointMode.full, .restart, .truncate] {
            let error = databaseError { try db.checkpoint(mode) }
            #expect(error?.resultCode == .SQLITE_BUSY)
          }
        }
        return .commit
      }
      #expect(try queue.inDatabase { db in try db.checkpoint(.truncate) } == (0, 0))
    }
  }

  @Test func `a transaction that writes can't make a checkpoint`() throws {
    try withWAL { queue, _ in
      let error = databaseError {
        try queue.write { db in
          try db.execute(sql: "INSERT INTO t VALUES (1)")
          try db.checkpoint()
        }
      }
      #expect(error?.resultCode == .SQLITE_LOCKED)
      #expect(error?.message == "database table is locked")
    }
  }

  @Test func `an interruption without statement does not stop the next checkpoint`() throws {
    try withWAL { queue, _ in
      let counts = try queue.inDatabase { db throws in
        queue.interrupt()
        return try db.checkpoint(.truncate)
      }
      #expect(counts == (0, 0))
    }
  }

  @Test func `attached databases have checkpoints, alone or all together`() throws {
    try withWAL { queue, path in
      try queue.inDatabase { db throws in
        try db.execute(sql: "ATTACH ? AS archive", arguments: [path + ".2"])
        _ = try String.fetchOne(db, sql: "PRAGMA archive.journal_mode = WAL")
        try db.execute(sql: "CREATE TABLE archive.t (a)")
        #expect(try db.checkpoint(.passive, on: "archive").walFrameCount > 0)
        #expect(try db.checkpoint(.truncate, on: "archive") == (0, 0))
        try db.execute(sql: "INSERT INTO archive.t VALUES (1); INSERT INTO main.t VALUES (1)")
        try db.checkpoint(.truncate, on: nil)
        #expect(try db.checkpoint(.passive, on: "archive").walFrameCount == 0)
        #expect(try db.checkpoint(.passive, on: "main").walFrameCount == 0)
      }
    }
  }
}
