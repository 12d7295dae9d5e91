import CSQLite
import Foundation
import Quarry
import QuarryTestSupport
import Testing

/// The files of a database under a pool: its own, `-wal`, and `-shm`.
@Suite(.timeLimit(.minutes(10)))
struct PoolFileTests {
  private func readOnly() -> Configuration {
    var configuration = Configuration()
    configuration.readonly = true
    return configuration
  }

  private func size(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
  }

  @Test func `a new file has one page, a log, and an index of the log`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      let pool = try DatabasePool(path: path)
      #expect(try size(path) == 4096)
      // A header of 32 bytes, and two pages with a header of 24 bytes each.
      #expect(try size(path + "-wal") == 8272)
      #expect(try size(path + "-shm") == 32768)
      try pool.close()
    }
  }

  @Test func `a read-only pool makes the files of the log where they are missing, and leaves them`()
    throws
  {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      try makePool(path).close()
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory).count == 1)
      let pool = try DatabasePool(path: path, configuration: readOnly())
      #expect(try pool.noteCount() == 0)
      try pool.close()
      #expect(try size(path + "-wal") == 0)
      #expect(try size(path + "-shm") == 32768)
    }
  }

  @Test func `the files of a persistent log survive the pool, for read-only ones`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      var configuration = Configuration()
      configuration.prepareDatabase { db in
        guard !db.configuration.readonly else { return }
        var isPersistent: CInt = 1
        let code = sqlite3_file_control(
          db.sqliteConnection, nil, SQLITE_FCNTL_PERSIST_WAL, &isPersistent)
        #expect(code == SQLITE_OK)
      }
      let pool = try makePool(path, configuration)
      try pool.insertNote()
      try pool.close()
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory).count == 3)
      #expect(try DatabasePool(path: path, configuration: readOnly()).noteCount() == 1)
    }
  }

  @Test func `a backup into a pool leaves the reads that run alone`() throws {
    try withPool { pool throws in
      let source = try DatabaseQueue()
      try source.write { db in
        try db.execute(sql: "CREATE TABLE loan (id); INSERT INTO loan VALUES (1), (2)")
      }
      try pool.read { db throws in
        try source.backup(to: pool)
        #expect(try db.noteCount() == 0)
        #expect(try db.tableExists("loan") == false)
      }
      let count = try pool.read { db throws in
        try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM loan")
      }
      #expect(count == 2)
      #expect(errorText { try pool.noteCount() }?.contains("no such table: note") == true)
    }
  }

  @Test func `checkpoints copy the frames that no reader needs`() throws {
    try withPool { pool throws in
      _ = try pool.writeWithoutTransaction { db throws in try db.checkpoint(.truncate) }
      try pool.insertNote()
      let all = try pool.writeWithoutTransaction { db throws in try db.checkpoint() }
      #expect(all.walFrameCount > 0)
      #expect(all.checkpointedFrameCount == all.walFrameCount)
      try pool.unsafeRead { db throws in
        #expect(try db.checkpoint().walFrameCount == all.walFrameCount)
        #expect(
          errorText { try db.checkpoint(on: "zz") }?.contains("unknown database: zz") == true)
      }
      let code = databaseError { try pool.read { db throws in try db.checkpoint() } }?.resultCode
      #expect(code == .SQLITE_LOCKED)
      _ = try pool.writeWithoutTransaction { db throws in try db.checkpoint(.truncate) }
      let snapshot = try pool.makeSnapshot()
      try pool.insertNote()
      let kept = try pool.writeWithoutTransaction { db throws in try db.checkpoint() }
      #expect(kept.walFrameCount > 0)
      #expect(try snapshot.noteCount() == 1)
      #expect(try pool.noteCount() == 2)
    }
  }

  @Test func `a database is not vacuumed in a transaction, nor into a file that exists`() throws {
    try withTemporaryDirectory { directory in
      let pool = try makePool(directory + "/library.sqlite")
      let inTransaction = errorText {
        try pool.write { db throws in try db.execute(sql: "VACUUM") }
      }
      #expect(inTransaction?.contains("cannot VACUUM from within a transaction") == true)
      let intoFile = errorText { try pool.vacuum(into: pool.path) }
      #expect(intoFile?.contains("output file already exists") == true)
      try pool.insertNote()
    }
  }
}
