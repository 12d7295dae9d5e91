import Foundation
import Quarry
import QuarryTestSupport
import Testing

/// The steps of each test go down in time. A write that happens during a read is nested in it, or
/// runs on another thread: with the same result.
@Suite(.timeLimit(.minutes(10)))
struct PoolIsolationTests {
  @Test(arguments: WritePlace.allCases)
  func `a read sees nothing that is committed after it was entered`(place: WritePlace) throws {
    try withPool { pool throws in
      try pool.read { db throws in
        try place.run { try pool.insertNote() }
        #expect(try db.noteCount() == 0)
      }
      #expect(try pool.noteCount() == 1)
    }
  }

  @Test(arguments: WritePlace.allCases)
  func `a read sees one state until its end, also across a checkpoint`(place: WritePlace) throws {
    try withPool { pool throws in
      try pool.read { db throws in
        #expect(try db.noteCount() == 0)
        try place.run {
          try pool.insertNote()
          _ = try pool.writeWithoutTransaction { db throws in try db.checkpoint() }
        }
        #expect(try db.noteCount() == 0)
      }
    }
  }

  @Test(arguments: WritePlace.allCases)
  func `a read during a write sees the state before it, and one after it sees its own`(
    place: WritePlace
  ) throws {
    try withPool { pool throws in
      try pool.write { db throws in
        try db.insertNote()
        try place.run { () throws in #expect(try pool.noteCount() == 0) }
      }
      #expect(try pool.noteCount() == 1)
    }
  }

  @Test(arguments: WritePlace.allCases)
  func `a read between two statements without transaction sees the first`(place: WritePlace) throws
  {
    try withPool { pool throws in
      try pool.writeWithoutTransaction { db throws in
        try db.insertNote()
        try place.run { () throws in #expect(try pool.noteCount() == 1) }
        try db.insertNote()
      }
      #expect(try pool.noteCount() == 2)
    }
  }

  @Test(arguments: WritePlace.allCases)
  func `the statements of an unsafe read are not isolated from each other`(place: WritePlace) throws
  {
    try withPool { pool throws in
      try pool.insertNote()
      try pool.unsafeRead { db throws in
        #expect(try db.noteCount() == 1)
        try place.run { try pool.insertNote() }
        #expect(try db.noteCount() == 2)
      }
    }
  }

  @Test(arguments: WritePlace.allCases)
  func `a cursor of an unsafe read is isolated`(place: WritePlace) throws {
    try withPool { pool throws in
      for _ in 1...3 { try pool.insertNote() }
      try pool.unsafeRead { db throws in
        let cursor = try Int.fetchCursor(db, sql: "SELECT id FROM note ORDER BY id")
        #expect(try cursor.next() == 1)
        try place.run { try pool.insertNote() }
        #expect(try cursor.next() == 2)
        #expect(try cursor.next() == 3)
        #expect(try cursor.next() == nil)
        #expect(try db.noteCount() == 4)
      }
    }
  }

  @Test(arguments: WritePlace.allCases)
  func `a transaction isolates an unsafe read from its first statement on`(place: WritePlace) throws
  {
    try withPool { pool throws in
      try pool.insertNote()
      try pool.unsafeRead { db throws in
        try db.inTransaction(.deferred) {
          try place.run { try pool.insertNote() }
          #expect(try db.noteCount() == 2)
          try place.run { try pool.insertNote() }
          #expect(try db.noteCount() == 2)
          return .commit
        }
        #expect(try db.noteCount() == 3)
      }
    }
  }

  @Test(arguments: WritePlace.allCases)
  func `a read does not see a table that is created meanwhile`(place: WritePlace) throws {
    try withPool { pool throws in
      try pool.read { db throws in
        #expect(try db.tableExists("loan") == false)
        try place.run {
          try pool.write { db throws in try db.execute(sql: "CREATE TABLE loan (id)") }
        }
        #expect(try db.tableExists("loan") == false)
        #expect(
          databaseError { try db.execute(sql: "SELECT * FROM loan") }?.message
            == "no such table: loan")
      }
      #expect(try pool.read { db throws in try db.tableExists("loan") })
    }
  }

  @Test func `a snapshot is taken of the last commit, between two writes`() throws {
    try withPool { pool throws in
      let snapshot = try pool.writeWithoutTransaction { db throws in
        try db.insertNote()
        let snapshot = try pool.makeSnapshot()
        try db.insertNote()
        return snapshot
      }
      #expect(try snapshot.noteCount() == 1)
      #expect(try pool.noteCount() == 2)
    }
  }

  @Test func `concurrent reads see exactly the commit before their call`() throws {
    try withPool { pool throws in
      let mayRead = DispatchSemaphore(value: 0)
      let end = DispatchSemaphore(value: 0)
      let counts = Log<[Int?]>()
      try pool.writeWithoutTransaction { db throws in
        try db.insertNote()
        try db.insertNote()
        for count in 3...5 {
          try db.insertNote()
          pool.spawnConcurrentRead { result in
            mayRead.wait()
            counts.append([count, try? result.get().noteCount()])
            end.signal()
          }
        }
        try db.execute(sql: "DELETE FROM note")
      }
      #expect(try pool.noteCount() == 0)
      for _ in 3...5 { mayRead.signal() }
      for _ in 3...5 { end.wait() }
      #expect(Set(counts.elements) == [[3, 3], [4, 4], [5, 5]])
    }
  }

  /// A cursor that is not at its end keeps the snapshot of its connection.
  @Test func `a concurrent read ends the cursors that it leaves`() throws {
    try withPool(readerCount(1)) { pool throws in
      let cursors = Log<AnyObject>()
      let end = DispatchSemaphore(value: 0)
      try pool.writeWithoutTransaction { db throws in
        for _ in 1...2 { try db.insertNote() }
        pool.spawnConcurrentRead { result in
          if let cursor = try? Int.fetchCursor(result.get(), sql: "SELECT id FROM note") {
            _ = try? cursor.next()
            cursors.append(cursor)
          }
          end.signal()
        }
      }
      end.wait()
      #expect(cursors.elements.count == 1)
      try pool.insertNote()
      #expect(try pool.noteCount() == 3)
    }
  }

  @Test(arguments: [Database.BusyMode.immediateError, .timeout(60)])
  func `a write waits for the write of another connection by the busy mode, and reads don't`(
    busyMode: Database.BusyMode
  ) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      var configuration = Configuration()
      configuration.busyMode = busyMode
      let pool = try makePool(path)
      let other = try DatabaseQueue(path: path, configuration: configuration)
      let write = SteppedRead { pause in
        try pool.write { db throws in
          try db.insertNote()
          pause()
        }
      }
      #expect(try other.noteCount() == 0)
      #expect(try pool.noteCount() == 0)
      if case .immediateError = busyMode {
        #expect(
          errorText { try other.insertNote() } == """
            SQLite error 5: database is locked
            \(lockedDetails)
            - while executing `BEGIN IMMEDIATE TRANSACTION`
            """)
        #expect(write.finish() == nil)
      } else {
        let log = Log<String?>()
        let end = DispatchSemaphore(value: 0)
        startThread {
          log.append(errorText { try other.insertNote() })
          end.signal()
        }
        #expect(write.finish() == nil)
        end.wait()
        #expect(log.elements == [nil])
        #expect(try pool.noteCount() == 2)
      }
    }
  }

  @Test(arguments: [Database.BusyMode.immediateError, .timeout(60)])
  func `a transaction that has read can't write after another commit, and the error says why`(
    busyMode: Database.BusyMode
  ) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      var configuration = Configuration()
      configuration.busyMode = busyMode
      let pool = try makePool(path, configuration)
      let error = databaseError {
        try pool.writeInTransaction(.deferred) { db in
          _ = try db.noteCount()
          try DatabaseQueue(path: path).insertNote()
          try db.insertNote()
          return .commit
        }
      }
      #expect(error?.resultCode == .SQLITE_BUSY)
      #expect(
        error?.details == """
          the transaction has read before it writes: begin it with the kind .immediate
          """)
      #expect(try pool.noteCount() == 1)
      try pool.insertNote()
    }
  }
}
