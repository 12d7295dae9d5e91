import Foundation
import Quarry
import QuarryTestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct PoolReentrancyTests {
  private static let closeMessage = """
    SQLite error 21: Database methods are not reentrant.
    `close` waits for all accesses: call it outside of `read` and `write`
    """

  private static let message = """
    SQLite error 21: Database methods are not reentrant.
    inside an access, use its `db` argument, or `unsafeReentrantRead` and `unsafeReentrantWrite`
    """

  private static let reads: [SyncAccess] = [.read, .unsafeRead]
  private static let writes: [SyncAccess] = [.write, .writeWithoutTransaction]

  private func text(
    of inner: SyncAccess, inside outer: SyncAccess, on pool: DatabasePool
  ) throws -> String? {
    try outer.run(on: pool) { _ in errorText { try inner.run(on: pool) { _ in } } }
  }

  @Test(arguments: reads, reads)
  func `a read inside a read throws`(outer: SyncAccess, inner: SyncAccess) throws {
    try withPool { pool throws in
      #expect(try text(of: inner, inside: outer, on: pool) == Self.message)
      #expect(try pool.noteCount() == 0)
    }
  }

  @Test(arguments: reads, writes)
  func `a write inside a read works`(outer: SyncAccess, inner: SyncAccess) throws {
    try withPool { pool throws in
      try outer.run(on: pool) { _ in try inner.run(on: pool) { db in try db.insertNote() } }
      #expect(try pool.noteCount() == 1)
    }
  }

  @Test func `a read inside a write inside a read throws`() throws {
    try withPool { pool throws in
      let text = try pool.read { _ throws in
        try pool.write { _ throws in errorText { try pool.read { _ in } } }
      }
      #expect(text == Self.message)
    }
  }

  @Test func `a read inside a write sees the last commit`() throws {
    try withPool { pool throws in
      try pool.write { db throws in
        try db.insertNote()
        #expect(try pool.noteCount() == 0)
        #expect(try pool.unsafeRead { db throws in try db.noteCount() } == 0)
      }
    }
  }

  @Test(arguments: writes, writes)
  func `a write inside a write throws`(outer: SyncAccess, inner: SyncAccess) throws {
    try withPool { pool throws in
      #expect(try text(of: inner, inside: outer, on: pool) == Self.message)
    }
  }

  @Test(arguments: SyncAccess.allCases)
  func `a barrier, a close, and an erase inside an access throw`(outer: SyncAccess) throws {
    try withPool { pool throws in
      try outer.run(on: pool) { _ in
        #expect(errorText { try pool.barrierWriteWithoutTransaction { _ in } } == Self.message)
        #expect(errorText { try pool.close() } == Self.closeMessage)
        #expect(errorText { try pool.erase() } == Self.message)
      }
      try pool.insertNote()
      #expect(try pool.noteCount() == 1)
    }
  }

  @Test func `an observer reads what was committed, and can't write again`() throws {
    try withPool { pool throws in
      let observer = CommitObserver { db throws in
        #expect(try pool.noteCount() == 1)
        #expect(try pool.makeSnapshot().noteCount() == 1)
        try pool.unsafeReentrantRead { reader throws in
          #expect(reader === db)
          #expect(try reader.noteCount() == 1)
        }
        pool.unsafeReentrantWrite { writer in #expect(writer === db) }
        let end = DispatchSemaphore(value: 0)
        pool.spawnConcurrentRead { result in
          #expect((try? result.get().noteCount()) == 1)
          end.signal()
        }
        end.wait()
        #expect(errorText { try pool.write { _ in } } == Self.message)
      }
      pool.add(transactionObserver: observer)
      try pool.insertNote()
      #expect(observer.commits == 1)
      #expect(observer.error == nil)
    }
  }

  @Test func `an unsafe reentrant read uses the current reader first, then the writer`() throws {
    try withPool { pool throws in
      try pool.read { outer throws in
        try pool.unsafeReentrantRead { db throws in
          #expect(db === outer)
          #expect(db.isInsideTransaction)
        }
        try pool.write { _ throws in
          try pool.unsafeReentrantRead { db throws in #expect(db === outer) }
        }
        try pool.unsafeReentrantWrite { db throws in
          #expect(db !== outer)
          #expect(!db.isInsideTransaction)
          #expect(!db.configuration.readonly)
        }
      }
      try pool.write { outer throws in
        try outer.insertNote()
        try pool.unsafeReentrantRead { db throws in #expect(try db.noteCount() == 1) }
        try pool.unsafeReentrantWrite { db throws in #expect(db === outer) }
      }
      try pool.unsafeReentrantRead { db throws in
        #expect(db.configuration.readonly)
        #expect(!db.isInsideTransaction)
      }
    }
  }

  @Test func `a nested read is found after the readers were invalidated`() throws {
    try withPool { pool throws in
      try pool.read { outer throws in
        pool.invalidateReadOnlyConnections()
        #expect(errorText { try pool.read { _ in } } == Self.message)
        try pool.unsafeReentrantRead { db throws in #expect(db === outer) }
        #expect(errorText { try pool.close() } == Self.closeMessage)
      }
      let label = try pool.read { db in db.description }
      #expect(label == "Quarry.DatabasePool.reader.2")
    }
  }

  @Test func `a read inside the read of another pool keeps both connections usable`() throws {
    try withPool { first throws in
      try withPool { second throws in
        try second.insertNote()
        try first.write { db1 throws in
          try second.read { db2 throws in
            try db1.insertNote()
            #expect(try db2.noteCount() == 1)
            #expect(errorText { try first.write { _ in } } == Self.message)
            #expect(errorText { try second.read { _ in } } == Self.message)
          }
        }
        #expect(try first.noteCount() == 1)
      }
    }
  }

  @Test func `a read inside the read of a snapshot throws, and a reentrant one does not`() throws {
    try withPool { pool throws in
      let snapshot = try pool.makeSnapshot()
      try snapshot.read { outer throws in
        #expect(errorText { try snapshot.read { _ throws in } } == Self.message)
        try snapshot.reentrantRead { db throws in #expect(db === outer) }
        try snapshot.unsafeReentrantRead { db throws in #expect(db === outer) }
        #expect(try pool.noteCount() == 0)
      }
    }
  }

  @Test func `after a commit, the pool is read, and a snapshot is made`() throws {
    try withPool { pool throws in
      let counts = Log<Int>()
      try pool.write { db throws in
        db.afterNextTransaction { _ in
          counts.append((try? pool.noteCount()) ?? -1)
          counts.append((try? pool.makeSnapshot().noteCount()) ?? -1)
          pool.spawnConcurrentRead { result in
            counts.append((try? result.get().noteCount()) ?? -1)
          }
          if errorText({ try pool.write { _ throws in } }) != Self.message { counts.append(-2) }
        }
        try db.insertNote()
      }
      try pool.barrierWriteWithoutTransaction { _ throws in }
      #expect(counts.elements == [1, 1, 1])
    }
  }

  @Test func `an access inside an asynchronous one throws`() async throws {
    try await withPool { pool async throws in
      let inRead = try await pool.read { _ in errorText { try pool.read { _ throws in } } }
      #expect(inRead == Self.message)
      let inWrite = try await pool.write { _ in errorText { try pool.write { _ throws in } } }
      #expect(inWrite == Self.message)
      let inBarrier = try await pool.barrierWriteWithoutTransaction { _ in
        errorText { try pool.close() }
      }
      #expect(inBarrier == Self.closeMessage)
    }
  }

  @Test func `a barrier may read the pool itself`() throws {
    try withPool { pool throws in
      try pool.barrierWriteWithoutTransaction { db throws in
        try db.insertNote()
        #expect(try pool.noteCount() == 1)
      }
    }
  }

  @Test func `a concurrent read inside a transaction gets an error`() throws {
    try withPool { pool throws in
      let log = Log<String?>()
      try pool.write { _ throws in
        pool.spawnConcurrentRead { result in log.append(errorText { try result.get() }) }
      }
      #expect(
        log.elements == [
          """
          SQLite error 21: must not be called from inside a transaction. If this error is raised \
          from a DatabasePool.write block, use DatabasePool.writeWithoutTransaction instead (and \
          use transactions when needed).
          """
        ])
    }
  }

  @Test func `a snapshot inside a transaction throws`() throws {
    try withPool { pool throws in
      try pool.write { _ throws in
        #expect(
          errorText { try pool.makeSnapshot() } == """
            SQLite error 21: makeSnapshot() must not be called from inside a transaction.
            """)
      }
      try pool.read { _ throws in _ = try pool.makeSnapshot() }
      try pool.unsafeRead { _ throws in _ = try pool.makeSnapshot() }
    }
  }

  @Test func `a connection outside of its access throws`() throws {
    try withPool { pool throws in
      let reader = try pool.read { db throws in db }
      let writer = try pool.writeWithoutTransaction { db throws in db }
      for db in [reader, writer] {
        #expect(
          errorText { try db.execute(sql: "SELECT 1") }?
            .contains("the connection `db` was used outside of its access") == true)
      }
    }
  }

  // A process that stops does not remove its files: this one does.

  @Test func `a release of the memory inside an access stops the program`() async throws {
    try await withTemporaryDirectory { directory async throws in
      let inWrite = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) { [directory = directory as String] in
        let pool = try DatabasePool(path: directory + "/library.sqlite")
        try pool.write { _ throws in pool.releaseMemory() }
      }
      expectPrecondition("Database methods are not reentrant.", in: inWrite)
      let inRead = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) { [directory = directory as String] in
        let pool = try DatabasePool(path: directory + "/library.sqlite")
        try pool.read { _ throws in pool.releaseMemory() }
      }
      expectPrecondition("Database methods are not reentrant.", in: inRead)
    }
  }

  @Test func `a concurrent read outside of a write stops the program`() async throws {
    try await withTemporaryDirectory { directory async throws in
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) { [directory = directory as String] in
        try DatabasePool(path: directory + "/library.sqlite").spawnConcurrentRead { _ in }
      }
      expectPrecondition("Database was not used on the correct thread.", in: result)
    }
  }
}

/// Calls a closure after each commit.
private final class CommitObserver: TransactionObserver {
  private let body: (Database) throws -> Void
  private(set) var commits = 0
  private(set) var error: String?

  init(_ body: @escaping (Database) throws -> Void) {
    self.body = body
  }

  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
  func databaseDidChange(with event: DatabaseEvent) {}
  func databaseDidRollback(_ db: Database) {}

  func databaseDidCommit(_ db: Database) {
    commits += 1
    error = errorText { try body(db) }
  }
}
