import Foundation
import Quarry
import QuarryTestSupport
import Testing

/// What the configuration makes of the connections of a pool.
@Suite(.timeLimit(.minutes(10)))
struct PoolConnectionTests {
  @Test func `readers and snapshots wait ten seconds for a lock, whatever the busy mode`() throws {
    func timeout(_ db: Database) throws -> Int? {
      try Int.fetchOne(db, sql: "PRAGMA busy_timeout")
    }
    for mode in [Database.BusyMode.immediateError, .timeout(0.2), .callback { _ in false }] {
      var configuration = Configuration()
      configuration.busyMode = mode
      try withPool(configuration) { pool throws in
        let expected = if case .timeout = mode { 200 } else { 0 }
        #expect(try pool.writeWithoutTransaction(timeout) == expected)
        #expect(try pool.read(timeout) == 10_000)
        #expect(try pool.makeSnapshot().read(timeout) == 10_000)
      }
    }
  }

  // A reader takes the lock of writers for an instant, when it finds the index of the log half
  // written.
  @Test func `by default, a write waits for a lock of an instant, and not for long`() throws {
    try withPool { pool throws in
      let other = try DatabaseQueue(path: pool.path)
      let mayUnlock = DispatchSemaphore(value: 0)
      // SQLite reports the statement, and then tries to lock.
      pool.writeWithoutTransaction { db in
        db.trace { event in
          if "\(event)".hasPrefix("BEGIN") { mayUnlock.signal() }
        }
      }
      func write(whileLockedFor waits: Int) -> String? {
        let isLocked = DispatchSemaphore(value: 0)
        let end = DispatchSemaphore(value: 0)
        startThread {
          _ = errorText {
            try other.inTransaction(.immediate) { _ in
              isLocked.signal()
              for _ in 0..<waits { mayUnlock.wait() }
              return .rollback
            }
          }
          end.signal()
        }
        isLocked.wait()
        let error = errorText { try pool.insertNote() }
        if waits > 1 { mayUnlock.signal() }
        end.wait()
        return error
      }
      #expect(
        write(whileLockedFor: 2) == """
          SQLite error 5: database is locked
          \(lockedDetails)
          - while executing `BEGIN IMMEDIATE TRANSACTION`
          """)
      // A busy machine may take longer to unlock than the write waits.
      let errors = (1...10).map { _ in write(whileLockedFor: 1) }
      #expect(errors.contains(nil))
    }
  }

  @Test func `a read waits for a connection that has the file for itself`() throws {
    try withPool { pool throws in
      let isLocked = DispatchSemaphore(value: 0)
      let mayUnlock = DispatchSemaphore(value: 0)
      let end = DispatchSemaphore(value: 0)
      let errors = Log<String?>()
      let path = pool.path
      try pool.close()
      startThread {
        errors.append(
          errorText {
            // Without the index of the log, others can't use it.
            let queue = try DatabaseQueue(path: path)
            try queue.writeWithoutTransaction { db throws in
              try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
              try db.insertNote()
              isLocked.signal()
              mayUnlock.wait()
            }
            try queue.close()
          })
        end.signal()
      }
      isLocked.wait()
      // The writer of a pool hardly waits, by its busy mode.
      #expect(databaseError { try DatabasePool(path: path) }?.resultCode == .SQLITE_BUSY)
      mayUnlock.signal()
      end.wait()
      #expect(errors.elements == [nil])
      #expect(try DatabasePool(path: path).noteCount() == 1)
    }
  }

  @Test func `queues and snapshots have one reader`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      let pool = try makePool(path, readerCount(3))
      #expect(pool.configuration.maximumReaderCount == 3)
      #expect(try pool.makeSnapshot().configuration.maximumReaderCount == 1)
      let queue = try DatabaseQueue(path: path, configuration: readerCount(3))
      #expect(queue.configuration.maximumReaderCount == 1)
    }
  }

  @Test func `a pool whose connections share a serial target throws for accesses inside accesses`()
    throws
  {
    var configuration = Configuration()
    configuration.targetQueue = DispatchQueue(label: "library")
    try withPool(configuration) { pool throws in
      let message = """
        SQLite error 21: An access can't begin inside an access to another database \
        with the same serial target queue.
        """
      try pool.insertNote()
      #expect(try pool.noteCount() == 1)
      try pool.read { _ throws in #expect(errorText { try pool.insertNote() } == message) }
      try pool.write { _ throws in #expect(errorText { try pool.noteCount() } == message) }
      try pool.writeWithoutTransaction { _ throws in
        pool.spawnConcurrentRead { result in #expect(errorText { try result.get() } == message) }
      }
      #expect(try pool.noteCount() == 1)
    }
  }

  @Test func `only the writer is suspended`() throws {
    var configuration = Configuration()
    configuration.observesSuspensionNotifications = true
    try withPool(configuration) { pool throws in
      let (writer, reader) = try (
        pool.writeWithoutTransaction { db throws in db.configuration },
        pool.read { db throws in db.configuration }
      )
      #expect(writer.observesSuspensionNotifications)
      #expect(!reader.observesSuspensionNotifications)
      var readOnly = configuration
      readOnly.readonly = true
      let other = try DatabasePool(path: pool.path, configuration: readOnly)
      #expect(try !other.write { db throws in db.configuration.observesSuspensionNotifications })
    }
  }

  @Test func `an asynchronous access does not inherit the connections of the one it is made in`()
    throws
  {
    try withPool { first throws in
      try withPool { second throws in
        let errors = Log<String?>()
        let end = DispatchSemaphore(value: 0)
        try first.write { outer throws in
          nonisolated(unsafe) let outer = outer
          second.asyncRead { _ in
            errors.append(errorText { try outer.execute(sql: "SELECT 1") })
            end.signal()
          }
          end.wait()
        }
        let text = "SQLite error 21: the connection `db` was used outside of its access"
        #expect(errors.elements.map { $0?.hasPrefix(text) } == [true])
      }
    }
  }

  @Test func `transactions of the writer are immediate, and deferred where nothing can be written`()
    throws
  {
    let recorder = SQLRecorder()
    try withPool(recorder.recording()) { pool throws in
      _ = recorder.take()
      try pool.writeInTransaction { _ in .commit }
      try pool.write { _ throws in }
      #expect(
        recorder.take().filter { $0.hasPrefix("BEGIN") } == [
          "BEGIN IMMEDIATE TRANSACTION", "BEGIN IMMEDIATE TRANSACTION",
        ])
      var readOnly = recorder.recording()
      readOnly.readonly = true
      let other = try DatabasePool(path: pool.path, configuration: readOnly)
      _ = recorder.take()
      try other.writeInTransaction { _ in .commit }
      try other.write { _ throws in }
      #expect(
        recorder.take().filter { $0.hasPrefix("BEGIN") } == [
          "BEGIN DEFERRED TRANSACTION", "BEGIN DEFERRED TRANSACTION",
        ])
    }
  }
}
