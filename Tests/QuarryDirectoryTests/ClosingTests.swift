import Foundation
import Quarry
import QuarryTestSupport
import Testing

@testable import QuarryDirectory

@Suite("Closing and removal")
struct ClosingTests {
  private static func code(_ body: () throws -> Void) throws -> DirectoryError.Code {
    try #require(throws: DirectoryError.self) { try body() }.code
  }

  @Test func `a closed directory has no database open, and opens none`() async throws {
    try await withTemporaryDirectory { folder in
      let directory = try makeDirectory(folder, .limit(3))
      for key in ["a", "b"] { try await directory.write(key, addBook("Emma")) }
      try await directory.close()
      #expect(try directory.keys() == ["a", "b"])
      #expect(directory.openKeys == [])
      #expect(try Self.code { try directory.write("a", addBook("Emma")) } == .closed)
      #expect(try Self.code { try directory.create("c") } == .closed)
      #expect(try Self.code { try directory.remove("a") } == .closed)
      await #expect(throws: DirectoryError.self) { try await directory.read("a", titles) }
      try await directory.close()
      try await directory.close()
      #expect(try await makeDirectory(folder).read("a", titles) == ["Emma"])
    }
  }

  @Test(arguments: [true, false])
  func `closing waits for accesses, and fails those that wait for others`(isBlocking: Bool)
    async throws
  {
    try await withTemporaryDirectory { folder in
      let directory = try makeDirectory(folder, .limit(1))
      let lease = try await directory.lease("a")
      let waiting = Task { try await directory.write("b", addBook("Emma")) }
      #expect(try await eventually { directory.state.withLock { $0.waiterCount(of: "b") == 1 } })
      let closing = Task {
        if isBlocking {
          try await onOwnThread { try directory.close() }
        } else {
          try await directory.close()
        }
      }
      let error = await #expect(throws: DirectoryError.self) { try await waiting.value }
      #expect(error?.code == .closed)
      // The lease is still good.
      try await lease.database.write(addBook("Emma"))
      #expect(try Self.code { try directory.write("a", addBook("Emma")) } == .closed)
      lease.release()
      try await closing.value
      #expect(directory.openKeys == [])
      #expect(throws: DatabaseError.self) { try lease.database.read { _ in } }
    }
  }

  @Test func `closing gives up, and reports the databases that are in use`() async throws {
    try await withTemporaryDirectory { folder in
      var options = DirectoryOptions.limit(2)
      options.waitDuration = .milliseconds(20)
      let directory = try makeDirectory(folder, options)
      let lease = try await directory.lease("a")
      try await directory.write("b", addBook("Emma"))
      let error = try #require(throws: DirectoryError.self) { try directory.close() }
      #expect(error.code == .inUse)
      #expect(error.message.contains(#""a""#))
      #expect(!error.message.contains(#""b""#))
      let second = await #expect(throws: DirectoryError.self) { try await directory.close() }
      #expect(second?.code == .inUse)
      #expect(directory.openKeys == ["a"])
      lease.release()
      #expect(try await eventually { directory.openKeys == [] })
      try await directory.close()
    }
  }

  @Test func `a database that can't be closed is an error of closing`() throws {
    try withTemporaryDirectory { folder in
      let directory = try makeDirectory(folder, .limit(2))
      try directory.write("a", addBook("Emma"))
      try directory.write("b", addBook("Emma"))
      do {
        let cursor = try directory.withDatabase("a") { queue in
          try queue.unsafeReentrantRead { db in
            let cursor = try Row.fetchCursor(db, sql: "SELECT title FROM book")
            _ = try cursor.next()
            return cursor
          }
        }
        #expect(try Self.code { try directory.remove("a") } == .cannotClose)
        #expect(try Self.code { try directory.close() } == .cannotClose)
        #expect(directory.openKeys == ["a"])
        withExtendedLifetime(cursor) {}
      }
      try directory.close()
      #expect(directory.openKeys == [])
    }
  }

  @Test func `a removal removes all files of the database, and no other`() async throws {
    try await withTemporaryDirectory { folder in
      let directory = try DatabaseDirectory(
        path: folder, options: .limit(4), migrator: bookMigrator
      ) {
        try DatabasePool(path: $1)
      }
      for key in ["a", "b", "a-wal"] { try await directory.write(key, addBook("Emma")) }
      try await directory.remove("a")
      // Of a database that is closed, after a crash.
      try await directory.closeIdleDatabases()
      for suffix in ["-wal", "-shm", "-journal"] {
        try Data([1]).write(to: URL(fileURLWithPath: folder + "/b.sqlite" + suffix))
      }
      try await directory.remove("b")
      #expect(try directory.keys() == ["a-wal"])
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["a-wal.sqlite"])
      for key in ["a", "b", "c"] {
        #expect(try Self.code { try directory.remove(key) } == .missing)
      }
      await #expect(throws: DirectoryError.self) { try await directory.remove("a") }
      // A new database, without what the old one had.
      #expect(try await directory.read("a", titles) == [])
      #expect(try await directory.read("a-wal", titles) == ["Emma"])
    }
  }

  @Test func `a log that a removal has left has no effect on a new database`() throws {
    try withTemporaryDirectory { folder in
      let path = folder + "/a.sqlite"
      let pool = try DatabasePool(path: path)
      try bookMigrator.migrate(pool)
      try pool.write(addBook("Emma"))
      let log = try Data(contentsOf: URL(fileURLWithPath: path + "-wal"))
      #expect(!log.isEmpty)
      try pool.close()
      try FileManager.default.removeItem(atPath: path)
      try log.write(to: URL(fileURLWithPath: path + "-wal"))
      let directory = try makeDirectory(folder, .limit(1))
      #expect(try directory.read("a", titles) == [])
    }
  }

  @Test func `a database in use is not removed`() async throws {
    try await withTemporaryDirectory { folder in
      let directory = try makeDirectory(folder, .limit(1))
      let lease = try await directory.lease("a")
      #expect(try Self.code { try directory.remove("a") } == .inUse)
      await #expect(throws: DirectoryError.self) { try await directory.remove("a") }
      try await lease.database.write(addBook("Emma"))
      // One that waits to be opened is in use, too.
      let waiting = Task { try await directory.write("b", addBook("Persuasion")) }
      #expect(try await eventually { directory.state.withLock { $0.waiterCount(of: "b") == 1 } })
      #expect(try Self.code { try directory.remove("b") } == .inUse)
      lease.release()
      try await waiting.value
      #expect(try await directory.read("b", titles) == ["Persuasion"])
      try await directory.remove("a")
      #expect(try directory.keys() == ["b"])
    }
  }

  @Test func `a database whose access has given up is removed`() async throws {
    try await withTemporaryDirectory { folder in
      let directory = try makeDirectory(folder, .limit(1))
      for key in ["a", "b"] { try await directory.create(key) }
      let lease = try await directory.lease("a")
      let waiting = Task { try await directory.write("b", addBook("Emma")) }
      #expect(try await eventually { directory.state.withLock { $0.waiterCount(of: "b") == 1 } })
      waiting.cancel()
      await #expect(throws: CancellationError.self) { try await waiting.value }
      try await directory.remove("b")
      #expect(try directory.keys() == ["a"])
      lease.release()
      try await directory.write("b", addBook("Persuasion"))
      #expect(try await directory.read("b", titles) == ["Persuasion"])
    }
  }

  @Test func `an access during a removal waits, and finds no database`() async throws {
    try await withTemporaryDirectory { folder in
      let directory = try makeDirectory(folder, .limit(2, creates: false))
      try await directory.create("a")
      // The removal has the database, as long as this test wants.
      let reservation = try directory.state.withLock { try $0.reserve("a") }
      guard case .entry(let entry, let writer?) = reservation else {
        Issue.record("\(reservation)")
        return
      }
      let access = Task { try await directory.write("a", addBook("Emma")) }
      #expect(try await eventually { directory.state.withLock { $0.waiterCount(of: "a") == 1 } })
      #expect(try Self.code { try directory.remove("a") } == .inUse)
      try writer.close()
      try FileManager.default.removeItem(atPath: folder + "/a.sqlite")
      directory.state.withLock { $0.closed(entry, freesSlot: true) }
      let error = await #expect(throws: DirectoryError.self) { try await access.value }
      #expect(error?.code == .missing)
    }
  }

  @Test func `a removal waits for the end of a closing`() async throws {
    try await withTemporaryDirectory { folder in
      let directory = try makeDirectory(folder, .limit(2))
      try await directory.create("a")
      let entries = directory.state.withLock { $0.takeIdle(before: nil) }
      let removal = Task { try await directory.remove("a") }
      let entry = try #require(entries.first)
      #expect(try await eventually { directory.state.withLock { _ in entry.watchers.count == 1 } })
      #expect(try directory.contains("a"))
      try directory.close(entry)
      try await removal.value
      #expect(try directory.keys() == [])
    }
  }
}
