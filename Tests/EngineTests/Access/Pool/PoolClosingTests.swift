import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

@Suite(.timeLimit(.minutes(10)))
struct PoolClosingTests {
  private static let closed = "SQLite error 21: Connection is closed"

  @Test(arguments: SyncAccess.allCases)
  func `every access of a closed pool throws`(access: SyncAccess) throws {
    try withPool { pool throws in
      _ = try pool.noteCount()
      try pool.close()
      #expect(errorText { try access.run(on: pool) { _ in } } == Self.closed)
    }
  }

  @Test(arguments: AsyncAccess.allCases)
  func `every asynchronous access of a closed pool throws`(access: AsyncAccess) async throws {
    try await withPool { pool async throws in
      try pool.close()
      #expect(await errorText { try await access.run(on: pool) { _ in 1 } } == Self.closed)
    }
  }

  @Test func `every other method of a closed pool throws, or does nothing`() throws {
    try withPool { pool throws in
      try pool.close()
      let actions: [() throws -> Void] = [
        { try pool.erase() }, { try pool.vacuum() }, { try pool.backup(to: DatabaseQueue()) },
        { try DatabaseQueue().backup(to: pool) }, { _ = try pool.makeSnapshot() },
        { _ = try pool.makeSnapshotPool() }, { try pool.writeInTransaction { _ in .commit } },
      ]
      for action in actions { #expect(errorText(action) == Self.closed) }
      pool.interrupt()
      pool.releaseMemory()
      pool.releaseMemoryEventually()
      pool.invalidateReadOnlyConnections()
      try pool.openReaders()
      try pool.close()
      let error = pool.writeWithoutTransaction { db in errorText { try db.insertNote() } }
      #expect(error == Self.closed)
    }
  }

  @Test func `accesses that run later get the error`() throws {
    try withPool { pool throws in
      try pool.close()
      let log = Log<String?>()
      let end = DispatchSemaphore(value: 0)
      let note = { @Sendable (result: Result<Database, any Error>) in
        log.append(errorText { try result.get() })
        end.signal()
      }
      pool.asyncRead(note)
      pool.asyncUnsafeRead(note)
      pool.asyncBarrierWriteWithoutTransaction(note)
      pool.asyncWrite({ _ in }, completion: { db, result in note(result.map { db }) })
      pool.asyncWriteWithoutTransaction { _ in pool.spawnConcurrentRead(note) }
      for _ in 1...5 { end.wait() }
      #expect(log.elements == Array(repeating: Self.closed, count: 5))
    }
  }

  @Test func `a statement of the writer keeps the pool open`() throws {
    try withPool { pool throws in
      var statement: Statement? = try pool.writeWithoutTransaction { db throws in
        try db.makeStatement(sql: "SELECT 1")
      }
      let error = databaseError { try pool.close() }
      #expect(error?.resultCode == .SQLITE_BUSY)
      try pool.insertNote()
      #expect(try pool.noteCount() == 1)
      withExtendedLifetime(statement) {}
      statement = nil
      try pool.close()
    }
  }

  @Test func `a statement of a reader keeps the pool open`() throws {
    try withPool { pool throws in
      var statement: Statement? = try pool.read { db throws in
        try db.makeStatement(sql: "SELECT 1")
      }
      let error = databaseError { try pool.close() }
      #expect(error?.resultCode == .SQLITE_BUSY)
      #expect(
        error?.message
          == "unable to close due to unfinalized statements or unfinished backups")
      try pool.insertNote()
      #expect(try pool.noteCount() == 1)
      withExtendedLifetime(statement) {}
      statement = nil
      try pool.close()
      #expect(errorText { try pool.noteCount() } == Self.closed)
    }
  }

  @Test func `cached statements don't keep a pool open`() throws {
    try withPool { pool throws in
      try pool.read { db throws in _ = try db.cachedStatement(sql: "SELECT 1") }
      try pool.write { db throws in _ = try db.cachedStatement(sql: "SELECT 1") }
      try pool.close()
    }
  }

  @Test func `closing waits for reads and writes, and copies the log into the file`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      let pool = try makePool(path)
      let read = SteppedRead { pause in
        try pool.read { db throws in
          pause()
          #expect(try db.noteCount() == 0)
        }
      }
      let log = Log<String?>()
      let end = DispatchSemaphore(value: 0)
      startThread {
        log.append(errorText { try pool.close() })
        end.signal()
      }
      #expect(read.finish() == nil)
      end.wait()
      #expect(log.elements == [nil])
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["library.sqlite"])
    }
  }

  @Test func `a pool that is released removes the log, too`() throws {
    try withTemporaryDirectory { directory in
      do {
        let pool = try makePool(directory + "/library.sqlite")
        try pool.insertNote()
        #expect(try pool.noteCount() == 1)
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["library.sqlite"])
    }
  }

  @Test(arguments: [true, false])
  func `an interruption without statement does not keep the log`(isReleased: Bool) throws {
    try withTemporaryDirectory { directory in
      do {
        let pool = try makePool(directory + "/library.sqlite")
        try pool.insertNote()
        #expect(try pool.noteCount() == 1)
        pool.interrupt()
        if !isReleased { try pool.close() }
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["library.sqlite"])
    }
  }

  /// So that it is closed before the writer, which then removes the log.
  @Test func `a reader that leaves counts as used until it is closed`() throws {
    try withPool(readerCount(1)) { pool throws in
      let readers = pool.readers
      let log = Log<Bool>()
      func watchEnd(_ db: Database, _ end: @escaping @Sendable () -> Void = {}) {
        let end = ReaderEnd {
          end()
          log.append(readers.isUnused)
        }
        db.add(function: DatabaseFunction("opened", argumentCount: 0) { _ in end.time })
      }
      // An idle one, and one that is in use.
      try pool.read { db throws in watchEnd(db) }
      #expect(log.elements == [])
      pool.invalidateReadOnlyConnections()
      #expect(log.elements == [false])
      try pool.read { db throws in
        watchEnd(db)
        pool.invalidateReadOnlyConnections()
      }
      #expect(log.elements == [false, false])
      // One beyond the maximum: the other one comes back meanwhile.
      let reader = try readers.take(isUrgent: false, isReentrant: false)
      readers.holderWaitsForWriter(1)
      try pool.write { _ throws in
        try pool.read { db throws in watchEnd(db) { readers.giveBack(reader) } }
      }
      readers.holderWaitsForWriter(-1)
      #expect(log.elements == [false, false, false])
      #expect(readers.isUnused)
      try pool.close()
      #expect(!FileManager.default.fileExists(atPath: pool.path + "-wal"))
    }
  }

  @Test func `a reader that leaves with a statement is closed with it`() throws {
    try withPool { pool throws in
      var statement: Statement? = try pool.read { db throws in
        pool.invalidateReadOnlyConnections()
        return try db.makeStatement(sql: "SELECT 1")
      }
      #expect(pool.readers.isUnused)
      #expect(try pool.noteCount() == 0)
      #expect(statement?.sql == "SELECT 1")
      statement = nil
      try pool.close()
      #expect(!FileManager.default.fileExists(atPath: pool.path + "-wal"))
    }
  }

  @Test func `snapshots outlive a pool that is closed or released`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      let closed = try makePool(path)
      try closed.insertNote()
      let first = try closed.makeSnapshot()
      try closed.close()
      let second = try makePool(path).makeSnapshot()
      #expect(try first.noteCount() == 1)
      #expect(try second.noteCount() == 1)
    }
  }

  @Test func `a pool is closed while tasks and threads wait for it`() async throws {
    for _ in 1...10 {
      try await withPool(readerCount(1)) { pool async throws in
        let log = Log<String?>()
        let end = DispatchSemaphore(value: 0)
        let read = SteppedRead { pause in try pool.read { _ throws in pause() } }
        for index in 1...10 {
          startThread {
            log.append(
              errorText {
                if index.isMultiple(of: 2) {
                  try pool.insertNote()
                } else {
                  _ = try pool.noteCount()
                }
              })
            end.signal()
          }
        }
        await withTaskGroup { group in
          for index in 1...10 {
            group.addTask {
              log.append(
                await errorText {
                  if index.isMultiple(of: 2) {
                    try await pool.write { db in try db.insertNote() }
                  } else {
                    _ = try await pool.read { db in try db.noteCount() }
                  }
                })
            }
          }
          group.addTask {
            startThread {
              log.append(errorText { try pool.close() })
              end.signal()
            }
          }
          startThread { read.finish() }
        }
        for _ in 1...11 { waitFor(end) }
        #expect(log.elements.count == 21)
        #expect(Set(log.elements).isSubset(of: [nil, Self.closed]))
        #expect(errorText { try pool.insertNote() } == Self.closed)
      }
    }
  }

  @Test func `a pool is released while its accesses wait`() throws {
    for _ in 1...20 {
      try withTemporaryDirectory { directory in
        let log = Log<Int?>()
        let end = DispatchSemaphore(value: 0)
        do {
          let pool = try makePool(directory + "/library.sqlite", readerCount(1))
          for _ in 1...5 {
            pool.asyncRead { result in
              log.append(try? result.get().noteCount())
              end.signal()
            }
            pool.asyncWriteWithoutTransaction { db in
              log.append(try? db.noteCount())
              end.signal()
            }
            pool.asyncBarrierWriteWithoutTransaction { result in
              log.append(try? result.get().noteCount())
              end.signal()
            }
          }
        }
        for _ in 1...15 { end.wait() }
        #expect(log.elements == Array(repeating: 0, count: 15))
      }
    }
  }
}

/// Calls a function when the connection ends that has a reference to it.
private final class ReaderEnd: Sendable {
  let time = Date()
  private let end: @Sendable () -> Void

  init(_ end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { end() }
}
