import Foundation
import Quarry
import QuarryTestSupport
import Testing

/// A pool in this process, and other processes on the same file.
@Suite(.timeLimit(.minutes(10)), .serialized)
struct PoolProcessTests {
  @Test func `two processes write while this one reads, and no read sees half a transaction`()
    async throws
  {
    try await Accounts.withPool { pool async throws in
      let peers = try ["a", "b"].map { name in try PeerProcess(pool, "transfers", name, "100") }
      for number in 1...100 {
        try await pool.write { db in try Accounts.transfer(db, "own", number) }
        #expect(try await pool.read(Accounts.areWhole))
      }
      for peer in peers {
        #expect(peer.remainingLines().last == "done")
        #expect(peer.waitForExit() == 0)
      }
      #expect(try await pool.read(Accounts.areWhole))
      let count = try await pool.read { db in
        try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM transfer")
      }
      #expect(count == 300)
    }
  }

  @Test func `a read goes on while another process writes and checkpoints`() async throws {
    try await Accounts.withPool { pool async throws in
      let peer = try PeerProcess(pool, "transfers", "a", "10")
      let read = SteppedRead { pause in
        try pool.read { db throws in
          pause()
          #expect(try Accounts.areWhole(db))
        }
      }
      #expect(peer.remainingLines().last == "done")
      #expect(peer.waitForExit() == 0)
      #expect(read.finish() == nil)
      #expect(try await pool.read(Accounts.areWhole))
    }
  }

  @Test func `a lock of another process is waited for, or an error`() async throws {
    try await Accounts.withPool { pool async throws in
      let peer = try PeerProcess(pool, "lock")
      #expect(peer.nextLine() == "locked")
      let impatient = try DatabasePool(path: pool.path)
      #expect(
        Self.writeError(impatient) == """
          SQLite error 5: database is locked
          \(lockedDetails)
          - while executing `BEGIN IMMEDIATE TRANSACTION`
          """)
      #expect(try await impatient.read(Accounts.areWhole))
      let write = Task { try await pool.write { db in try Accounts.transfer(db, "own", 1) } }
      peer.send("go on")
      try await write.value
      #expect(peer.waitForExit() == 0)
      #expect(try await pool.read(Accounts.areWhole))
    }
  }

  @Test func `a pool opens while another process writes into an empty log`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      try makePool(path).close()
      let peer = try PeerProcess(arguments: ["peer", path, "first-write"])
      #expect(peer.nextLine() == "locked")
      for isReadonly in [false, true] {
        var configuration = Configuration()
        configuration.busyMode = .timeout(20)
        configuration.readonly = isReadonly
        let pool = try DatabasePool(path: path, configuration: configuration)
        #expect(try pool.noteCount() == 0)
      }
      peer.send("go on")
      #expect(peer.remainingLines() == ["done"])
      #expect(peer.waitForExit() == 0)
      #expect(try DatabasePool(path: path).noteCount() == 1)
    }
  }

  @Test func `several processes open pools on a new file at once`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      let peers = try (1...6).map { _ in
        try PeerProcess(arguments: [
          "peer", path, "execute",
          "CREATE TABLE IF NOT EXISTS note (text); INSERT INTO note VALUES ('read')",
        ])
      }
      for peer in peers {
        #expect(peer.remainingLines() == ["done"])
        #expect(peer.waitForExit() == 0)
      }
      #expect(try DatabasePool(path: path).noteCount() == 6)
    }
  }

  private static func writeError(_ pool: DatabasePool) -> String? {
    errorText { try pool.write { _ throws in } }
  }

  @Test func `a table that another process creates is known to the next accesses`() async throws {
    try await Accounts.withPool { pool async throws in
      let before = try await pool.read { db in try db.tableExists("loan") }
      #expect(!before)
      let peer = try PeerProcess(pool, "execute", "CREATE TABLE loan (id)")
      #expect(peer.remainingLines().last == "done")
      #expect(peer.waitForExit() == 0)
      let inRead = try await pool.read { db in try db.tableExists("loan") }
      let inWrite = try await pool.write { db in try db.tableExists("loan") }
      #expect(inRead && inWrite)
    }
  }
}
