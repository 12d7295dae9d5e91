import Foundation
import Quarry
import QuarryBlobs
import QuarryTestSupport
import Testing

/// Streams that an access leaves open, or another thread releases.
@Suite("Streams left open")
struct LeftStreamTests {
  /// Two connections to a file.
  private func withFile(_ body: (DatabaseQueue, DatabaseQueue) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      try body(DatabaseQueue(path: path), DatabaseQueue(path: path))
    }
  }

  /// It would keep its lock, and what other statements write would not be committed.
  @Test func `a stream that is left open ends with its access, and its transaction, too`() throws {
    let queue = try DatabaseQueue()
    let log = Log<Int?>()
    nonisolated(unsafe) var blob: DatabaseBlob?
    try queue.inDatabase { db throws in
      try db.execute(sql: "CREATE TABLE file (content); INSERT INTO file VALUES (x'00')")
      db.afterNextTransaction { db in
        log.append(try? Int.fetchOne(db, sql: "SELECT COUNT(*) FROM file WHERE content = x'09'"))
      }
      blob = try openContent(db, 1, .readWrite)
      try blob?.write(Data([9]))
      #expect(log.elements == [])
    }
    #expect(log.elements == [1])
    blob = nil
    #expect(log.elements == [1])
  }

  @Test func `a stream that another thread releases ends its transaction with the access`() throws {
    let queue = try DatabaseQueue()
    let log = Log<String>()
    nonisolated(unsafe) var blob: DatabaseBlob?
    try queue.inDatabase { db throws in
      try db.execute(sql: "CREATE TABLE file (content); INSERT INTO file VALUES (x'00')")
      db.afterNextTransaction { _ in log.append("commit") }
      blob = try openContent(db, 1, .readWrite)
      try blob?.write(Data([9]))
      try onThread { blob = nil }
      #expect(log.elements == [])
    }
    #expect(log.elements == ["commit"])
  }

  @Test func `what is written after an access that left a stream open is committed`() throws {
    try withFile { queue, other in
      let blob = try queue.inDatabase { db in
        try db.execute(sql: "CREATE TABLE file (content); INSERT INTO file VALUES (x'00')")
        let blob = try openContent(db, 1, .readWrite)
        try db.execute(sql: "INSERT INTO file VALUES (x'01')")
        return blob
      }
      try queue.inDatabase { db in try db.execute(sql: "INSERT INTO file VALUES (x'02')") }
      let contents = try other.read { db in try Data.fetchAll(db, sql: "SELECT content FROM file") }
      #expect(contents == [Data([0]), Data([1]), Data([2])])
      withExtendedLifetime(blob) {}
    }
  }

  @Test(arguments: [true, false])
  func `the access throws when the commit of a stream that is left open, or released, fails`(
    isLeftOpen: Bool
  ) throws {
    try withFile { queue, other in
      try queue.write { db in
        try db.execute(sql: "CREATE TABLE file (content); INSERT INTO file VALUES (x'00')")
      }
      let kept = Log<DatabaseBlob>()
      try other.read { db in
        _ = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM file")
        // The lock of the reader stops the commit.
        let error = databaseError {
          try queue.inDatabase { db in
            let blob = try openContent(db, 1, .readWrite)
            if isLeftOpen { kept.append(blob) }
            try blob.write(Data([9]))
          }
        }
        #expect(error?.resultCode == .SQLITE_BUSY)
      }
      let content = try other.read { db in try Data.fetchOne(db, sql: "SELECT content FROM file") }
      #expect(content == Data([0]))
    }
  }

  @Test(arguments: [false, true])
  func `a released stream whose commit fails does not end later transactions`(
    isReopened: Bool
  ) throws {
    try withFile { queue, other in
      try queue.write { db in
        try db.execute(
          sql: """
            CREATE TABLE file (content); INSERT INTO file VALUES (x'00');
            CREATE TABLE loan (id)
            """)
      }
      let error = databaseError {
        try queue.inDatabase { db in
          try other.read { other in
            _ = try Int.fetchOne(other, sql: "SELECT COUNT(*) FROM file")
            let blob = try openContent(db, 1, .readWrite)
            if isReopened {
              #expect(databaseError { try blob.reopen(rowID: 2) } != nil)
              try blob.reopen(rowID: 1)
            }
            try blob.write(Data([9]))
          }
          try db.inTransaction {
            try db.execute(sql: "INSERT INTO loan VALUES (1)")
            return .commit
          }
        }
      }
      #expect(error?.resultCode == .SQLITE_BUSY)
      let ids = try other.read { db in try Int.fetchAll(db, sql: "SELECT id FROM loan") }
      #expect(ids == [1])
    }
  }

  /// SQLite returns the code of a failed call again when it closes the stream.
  @Test(arguments: [false, true])
  func `the end of a stream does not repeat an error that was caught`(isClosed: Bool) throws {
    let queue = try DatabaseQueue()
    let kept = Log<DatabaseBlob>()
    try queue.write { db throws in
      try db.execute(sql: "CREATE TABLE file (content); INSERT INTO file VALUES (x'00')")
      let blob = try openContent(db, 1)
      kept.append(blob)
      #expect(databaseError { try blob.write(Data([1])) }?.resultCode == .SQLITE_READONLY)
      if isClosed { try blob.close() }
    }
    let content = try queue.read { db in try Data.fetchOne(db, sql: "SELECT content FROM file") }
    #expect(content == Data([0]))
    withExtendedLifetime(kept) {}
  }

  /// SQLite then rolls back, where the end of the stream would be the commit.
  @Test(arguments: [false, true], [false, true])
  func `the end of a stream throws where a failed write has undone the others`(
    isInTransaction: Bool, isReleased: Bool
  ) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      try DatabaseQueue(path: path).write { db in
        try db.execute(
          sql: """
            CREATE TABLE file (content);
            CREATE TABLE loan (id);
            INSERT INTO file VALUES (zeroblob(100000));
            """)
      }
      let queue = try DatabaseQueue(path: path)
      let kept = Log<DatabaseBlob>()
      let error = databaseError {
        try queue.inDatabase { db in
          if isInTransaction { try db.beginTransaction() }
          let blob = try openContent(db, 1, .readWrite)
          if !isReleased { kept.append(blob) }
          try db.execute(sql: "INSERT INTO loan VALUES (1)")
          try damage(path)
          let error = databaseError { try blob.write(Data([9]), at: 90_000) }
          #expect(error?.resultCode == .SQLITE_CORRUPT)
          if isInTransaction {
            try blob.close()
            try db.commit()
          }
        }
      }
      withExtendedLifetime(kept) {}
      let code: ResultCode? = isInTransaction ? nil : .SQLITE_CORRUPT
      #expect(error?.resultCode == code)
      let loans = try queue.read { db in try Int.fetchAll(db, sql: "SELECT id FROM loan") }
      #expect(loans == (isInTransaction ? [1] : []))
    }
  }

  /// Overwrites pages of the blob, which the connection has not read yet.
  private func damage(_ path: String) throws {
    let file = try #require(FileHandle(forUpdatingAtPath: path))
    try file.seek(toOffset: 4096 * 5)
    try file.write(contentsOf: Data(count: 4096 * 10))
    try file.close()
  }

  @Test func `the readers of a pool see new commits after an access that left a stream open`()
    throws
  {
    var configuration = Configuration()
    configuration.maximumReaderCount = 1
    let pool = try DatabasePool.temporary(configuration: configuration)
    try pool.write { db in
      try db.execute(sql: "CREATE TABLE file (content); INSERT INTO file VALUES (x'00')")
    }
    var blob: DatabaseBlob?
    try pool.read { db in blob = try openContent(db, 1) }
    try pool.write { db in try db.execute(sql: "INSERT INTO file VALUES (x'01')") }
    let count = try pool.read { db in try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM file") }
    #expect(count == 2)
    #expect(databaseError { try blob?.read() }?.resultCode == .SQLITE_MISUSE)
  }
}
