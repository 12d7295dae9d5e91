import CSQLite
import Foundation
import Quarry
import QuarryTestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct SnapshotTests {
  @Test func `a snapshot always sees the same state, also of the schema`() throws {
    try withPool { pool throws in
      try pool.insertNote()
      let snapshot = try pool.makeSnapshot()
      try pool.write { db throws in
        try db.insertNote()
        try db.execute(sql: "CREATE TABLE loan (id)")
      }
      try pool.writeWithoutTransaction { db throws in _ = try db.checkpoint() }
      try pool.vacuum()
      for _ in 1...2 {
        try snapshot.read { db throws in
          #expect(db.isInsideTransaction)
          #expect(try db.noteCount() == 1)
          #expect(try db.tableExists("loan") == false)
        }
      }
      #expect(snapshot.path == pool.path)
      #expect(snapshot.configuration.maximumReaderCount == 1)
    }
  }

  @Test func `the statements of a snapshot`() throws {
    let recorder = SQLRecorder()
    try withPool(recorder.recording()) { pool throws in
      _ = recorder.take()
      let snapshot = try pool.makeSnapshot()
      _ = try snapshot.noteCount()
      #expect(
        recorder.take() == [
          "SELECT * FROM sqlite_master LIMIT 1",
          "BEGIN DEFERRED TRANSACTION", "SELECT rootpage FROM sqlite_master LIMIT 1",
          "SELECT COUNT(*) FROM note",
        ])
    }
  }

  @Test func `a snapshot can't write, nor end its transaction`() throws {
    try withPool { pool throws in
      let snapshot = try pool.makeSnapshot()
      let write = databaseError { try snapshot.read { db throws in try db.insertNote() } }
      #expect(write?.resultCode == .SQLITE_READONLY)
      for sql in ["COMMIT", "ROLLBACK", "END"] {
        let text = errorText { try snapshot.read { db throws in try db.execute(sql: sql) } }
        #expect(
          text == "SQLite error 21: The transaction of a snapshot ends with the snapshot.")
      }
      // The snapshot stays, as the reads below show.
      let rollback = errorText { try snapshot.read { db throws in try db.rollback() } }
      #expect(
        rollback == "SQLite error 21: The transaction of a snapshot ends with the snapshot.")
      let nested = errorText {
        try snapshot.read { db throws in try db.inTransaction { .commit } }
      }
      #expect(nested?.contains("cannot start a transaction within a transaction") == true)
      try pool.insertNote()
      try snapshot.read { db throws in
        try db.inSavepoint { () throws in
          #expect(try db.noteCount() == 0)
          return .commit
        }
        #expect(try db.noteCount() == 0)
      }
    }
  }

  @Test func `all reads of a snapshot are the same`() async throws {
    try await withPool { pool async throws in
      let snapshot = try pool.makeSnapshot()
      try await pool.write { db in try db.insertNote() }
      #expect(try await snapshot.read { db in try db.noteCount() } == 0)
      #expect(try await snapshot.unsafeRead { db in try db.noteCount() } == 0)
      let counts = Log<Int>()
      await withCheckedContinuation { continuation in
        snapshot.asyncRead { result in counts.append((try? result.get().noteCount()) ?? -1) }
        snapshot.asyncUnsafeRead { result in
          counts.append((try? result.get().noteCount()) ?? -1)
          continuation.resume()
        }
      }
      #expect(counts.elements == [0, 0])
      try checkSynchronousReads(snapshot)
    }
  }

  private func checkSynchronousReads(_ snapshot: DatabaseSnapshot) throws {
    #expect(try snapshot.unsafeRead { db throws in try db.noteCount() } == 0)
    #expect(try snapshot.unsafeReentrantRead { db throws in try db.noteCount() } == 0)
    #expect(try snapshot.reentrantRead { db throws in try db.noteCount() } == 0)
    #expect(snapshot.read { db in db.isInsideTransaction })
    #expect(snapshot.unsafeRead { db in db.isInsideTransaction })
    #expect(try AnyDatabaseReader(snapshot).noteCount() == 0)
  }

  @Test func `a snapshot made in a read sees the last commit`() throws {
    try withPool { pool throws in
      try pool.read { db throws in
        try pool.insertNote()
        #expect(try pool.makeSnapshot().noteCount() == 1)
        #expect(try db.noteCount() == 0)
      }
    }
  }

  @Test func `a closed snapshot throws`() throws {
    try withPool { pool throws in
      let snapshot = try pool.makeSnapshot()
      let statement = try snapshot.read { db throws in try db.makeStatement(sql: "SELECT 1") }
      #expect(databaseError { try snapshot.close() }?.resultCode == .SQLITE_BUSY)
      #expect(try snapshot.noteCount() == 0)
      withExtendedLifetime(statement) {}
      let other = try pool.makeSnapshot()
      try other.close()
      try other.close()
      other.interrupt()
      #expect(errorText { try other.noteCount() } == "SQLite error 21: Connection is closed")
    }
  }

  @Test func `a snapshot whose transaction SQLite has ended throws`() throws {
    try withPool { pool throws in
      let snapshot = try pool.makeSnapshot()
      // As SQLite rolls back by itself after some errors.
      let code = snapshot.read { db in
        sqlite3_exec(db.sqliteConnection, "ROLLBACK", nil, nil, nil)
      }
      #expect(code == SQLITE_OK)
      #expect(errorText { try snapshot.noteCount() } == "SQLite error 4: Snapshot is lost.")
    }
  }

  @Test func `a read does not go on in a newer state when its snapshot is lost`() throws {
    try withPool { pool throws in
      let snapshot = try pool.makeSnapshot()
      try pool.insertNote()
      let text = errorText {
        try snapshot.read { db throws in
          #expect(try db.noteCount() == 0)
          let code = sqlite3_exec(db.sqliteConnection, "ROLLBACK", nil, nil, nil)
          #expect(code == SQLITE_OK)
          _ = try db.noteCount()
        }
      }
      #expect(text == "SQLite error 4: Snapshot is lost.")
      let later = snapshot.read { db in errorText { try db.noteCount() } }
      #expect(later == "SQLite error 4: Snapshot is lost.")
    }
  }

  @Test func `a cancelled task leaves the snapshot as it is`() async throws {
    try await withPool { pool async throws in
      let snapshot = try pool.makeSnapshot()
      try await pool.write { db in try db.insertNote() }
      let task = Task {
        try await snapshot.read { db in
          db.trace { _ in withUnsafeCurrentTask { task in task?.cancel() } }
          defer { db.trace() }
          _ = try Int.fetchOne(db, sql: endlessSQL)
        }
      }
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(try await snapshot.read { db in try db.noteCount() } == 0)
    }
  }

  @Test func `snapshots don't count as readers`() throws {
    try withPool(readerCount(1)) { pool throws in
      let snapshots = try (1...5).map { _ in try pool.makeSnapshot() }
      try pool.insertNote()
      #expect(try pool.noteCount() == 1)
      for (index, snapshot) in snapshots.enumerated() {
        try snapshot.read { db throws in
          #expect(db.description == "Quarry.DatabasePool.snapshot.\(index + 1)")
          #expect(try db.noteCount() == 0)
        }
      }
    }
  }
}

/// Most libraries have no snapshots.
@Suite(.timeLimit(.minutes(10)))
struct SnapshotPoolTests {
  @Test(.lacks(.snapshots))
  func `without snapshots in SQLite, a snapshot pool throws`() throws {
    try withPool { pool throws in
      let message = """
        SQLite error 1: snapshot pools need an SQLite library with SQLITE_ENABLE_SNAPSHOT
        """
      #expect(errorText { try pool.makeSnapshotPool() } == message)
      #expect(errorText { try DatabaseSnapshotPool(path: pool.path) } == message)
      #expect(
        errorText { try pool.read { db throws in try DatabaseSnapshotPool(db) } } == message)
    }
  }

  @Test(.needs(.snapshots))
  func `all connections of a snapshot pool see one state`() throws {
    try withPool(readerCount(3)) { pool throws in
      try pool.insertNote()
      let snapshots = try pool.makeSnapshotPool()
      #expect(try snapshots.noteCount() == 1)
      try pool.insertNote()
      try? pool.writeWithoutTransaction { db throws in _ = try db.checkpoint(.truncate) }
      let reads = (1...3).map { _ in
        SteppedRead { pause in
          try snapshots.read { db throws in
            pause()
            #expect(try db.noteCount() == 1)
            #expect(throws: DatabaseError.self) { try db.insertNote() }
            #expect(throws: DatabaseError.self) { try db.commit() }
          }
        }
      }
      for read in reads { #expect(read.finish() == nil) }
      #expect(try pool.noteCount() == 2)
      try snapshots.close()
      #expect(errorText { try snapshots.noteCount() } == "SQLite error 21: Connection is closed")
    }
  }

  @Test(.needs(.snapshots))
  func `a snapshot pool of a read sees what the read sees`() throws {
    try withPool { pool throws in
      try pool.insertNote()
      let snapshots = try pool.read { db throws in
        try pool.insertNote()
        return try DatabaseSnapshotPool(db)
      }
      #expect(try snapshots.noteCount() == 1)
      #expect(try DatabaseSnapshotPool(path: pool.path).noteCount() == 2)
    }
  }

  @Test(.needs(.snapshots))
  func `a snapshot pool of a read has as many readers as the pool`() throws {
    try withPool(readerCount(3)) { pool throws in
      try pool.insertNote()
      let snapshots = try pool.read { db throws in try DatabaseSnapshotPool(db) }
      #expect(snapshots.configuration.maximumReaderCount == 3)
      let reads = (1...3).map { _ in
        SteppedRead { pause in
          try snapshots.read { db throws in
            pause()
            #expect(try db.noteCount() == 1)
          }
        }
      }
      for read in reads { #expect(read.finish() == nil) }
    }
  }

  @Test(.needs(.snapshots))
  func `a snapshot pool needs a log that is not empty, and no transaction that writes`() throws {
    try withPool { pool throws in
      try pool.write { db throws in
        try db.insertNote()
        #expect(databaseError { try DatabaseSnapshotPool(db) }?.resultCode == .SQLITE_ERROR)
        #expect(
          errorText { try pool.makeSnapshotPool() }?
            .contains("must not be called from inside a transaction") == true)
      }
      let queue = try DatabaseQueue()
      #expect(
        databaseError { try queue.read { db in try DatabaseSnapshotPool(db) } }?.resultCode
          == .SQLITE_ERROR)
    }
  }

  @Test(.needs(.snapshots))
  func `a closed snapshot pool throws, and no read closes its own`() throws {
    try withPool(readerCount(2)) { pool throws in
      try pool.insertNote()
      let snapshots = try pool.makeSnapshotPool()
      let inside = databaseError { try snapshots.read { _ in try snapshots.close() } }
      #expect(inside?.resultCode == .SQLITE_MISUSE)
      let statement = try snapshots.read { db throws in try db.makeStatement(sql: "SELECT 1") }
      #expect(databaseError { try snapshots.close() }?.resultCode == .SQLITE_BUSY)
      #expect(try snapshots.noteCount() == 1)
      withExtendedLifetime(statement) {}
      let other = try pool.makeSnapshotPool()
      #expect(try other.noteCount() == 1)
      try other.close()
      try other.close()
      other.interrupt()
      #expect(errorText { try other.noteCount() } == "SQLite error 21: Connection is closed")
    }
  }

  @Test(.needs(.snapshots))
  func `a snapshot pool is read in all ways`() async throws {
    try await withPool(readerCount(2)) { pool async throws in
      try pool.insertNote()
      let snapshots = try pool.makeSnapshotPool()
      try pool.insertNote()
      let counts = [
        try await snapshots.read { db in try db.noteCount() },
        try await withCheckedThrowingContinuation { continuation in
          snapshots.asyncRead { result in
            continuation.resume(with: result.flatMap { db in Result { try db.noteCount() } })
          }
        },
        try await snapshots.read(deadline: .now + .seconds(60)) { db in try db.noteCount() },
        try snapshots.unsafeReentrantRead { db in try db.noteCount() },
      ]
      #expect(counts == [1, 1, 1, 1])
    }
  }

  @Test(.needs(.snapshots))
  func `a snapshot pool keeps its state while others write and checkpoint`() throws {
    try withPool(readerCount(3)) { pool throws in
      try pool.insertNote()
      let snapshots = try pool.makeSnapshotPool()
      let failures = Log<String>()
      DispatchQueue.concurrentPerform(iterations: 4) { number in
        for _ in 0..<50 {
          let error = errorText {
            if number == 0 {
              try pool.insertNote()
              _ = try? pool.writeWithoutTransaction { db throws in try db.checkpoint() }
            } else {
              let counts = try snapshots.read { db throws in
                [try db.noteCount(), try snapshots.unsafeReentrantRead { try $0.noteCount() }]
              }
              if counts != [1, 1] { failures.append("\(counts)") }
            }
          }
          if let error { failures.append(error) }
        }
      }
      #expect(failures.elements == [])
      #expect(try pool.noteCount() == 51)
      // A snapshot of a later state, while the first one lives.
      #expect(try pool.makeSnapshotPool().noteCount() == 51)
      #expect(try snapshots.noteCount() == 1)
    }
  }

  @Test(.needs(.snapshots))
  func `a snapshot pool outlives its pool, and its schema is that of its state`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      let snapshots = try {
        let pool = try DatabasePool(path: path)
        try pool.write { db throws in try db.execute(sql: "CREATE TABLE old (a)") }
        let snapshots = try pool.makeSnapshotPool()
        try pool.write { db throws in
          try db.execute(sql: "DROP TABLE old; CREATE TABLE new (a)")
        }
        return snapshots
      }()
      for _ in 1...2 {
        try snapshots.read { db throws in
          #expect(try db.tableExists("old"))
          #expect(try !db.tableExists("new"))
        }
      }
      try snapshots.close()
      #expect(try DatabaseQueue(path: path).read { db in try db.tableExists("new") })
    }
  }
}
