import Foundation
import Quarry
import QuarryTestSupport
import Testing

/// Accidents of the database file under a pool. The pool throws, and is usable when the accident is
/// over.
@Suite(.timeLimit(.minutes(10)))
struct PoolFaultTests {
  private func withFile(_ body: (DatabasePool, String) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      let pool = try makePool(path)
      try pool.write { db throws in
        for _ in 1...500 { try db.insertNote() }
      }
      try body(pool, path)
    }
  }

  private func checkpoint(_ pool: DatabasePool) throws {
    _ = try pool.writeWithoutTransaction { db throws in try db.checkpoint(.truncate) }
  }

  @Test func `a file that is deleted goes on to exist for the connections that have it`() throws {
    try withFile { pool, path in
      #expect(try pool.noteCount() == 500)
      for suffix in ["", "-wal", "-shm"] {
        try FileManager.default.removeItem(atPath: path + suffix)
      }
      #expect(try pool.noteCount() == 500)
      pool.invalidateReadOnlyConnections()
      // A new reader has no file any more.
      let error = databaseError { try pool.noteCount() }
      #expect(error?.resultCode == .SQLITE_CANTOPEN)
      #expect(error?.message == "unable to open database file")
    }
  }

  @Test func `a file that is truncated is an error`() throws {
    try withFile { pool, path in
      try checkpoint(pool)
      pool.invalidateReadOnlyConnections()
      try #require(FileHandle(forWritingAtPath: path)).truncate(atOffset: 5000)
      let error = databaseError { try pool.noteCount() }
      #expect(
        [.SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_IOERR].contains(error?.resultCode))
    }
  }

  @Test func `a file that is overwritten with something else is an error`() throws {
    try withFile { pool, path in
      try checkpoint(pool)
      let content = try Data(contentsOf: URL(fileURLWithPath: path))
      let file = try #require(FileHandle(forWritingAtPath: path))
      try file.write(contentsOf: Data(repeating: 65, count: content.count))
      pool.invalidateReadOnlyConnections()
      let error = databaseError { try pool.noteCount() }
      #expect(error?.resultCode == .SQLITE_NOTADB)
      try file.seek(toOffset: 0)
      try file.write(contentsOf: content)
      #expect(try pool.noteCount() == 500)
      try pool.insertNote()
      #expect(try pool.noteCount() == 501)
    }
  }

  @Test func `a concurrent read whose transaction can't begin gets the error`() throws {
    try withFile { pool, path in
      #expect(try pool.noteCount() == 500)
      try pool.insertNote()
      try checkpoint(pool)
      let content = try Data(contentsOf: URL(fileURLWithPath: path))
      let file = try #require(FileHandle(forWritingAtPath: path))
      try file.write(contentsOf: Data(repeating: 65, count: content.count))
      let codes = Log<ResultCode?>()
      try pool.writeWithoutTransaction { _ throws in
        pool.spawnConcurrentRead { result in
          codes.append(databaseError { try result.get() }?.resultCode)
        }
      }
      try file.seek(toOffset: 0)
      try file.write(contentsOf: content)
      try pool.barrierWriteWithoutTransaction { db throws in try db.insertNote() }
      #expect(codes.elements == [.SQLITE_NOTADB])
      #expect(try pool.noteCount() == 502)
    }
  }

  @Test func `a file that is replaced is not mixed with the log of the former one`() throws {
    try withFile { pool, path in
      #expect(try pool.noteCount() == 500)
      let other = path + "-other"
      try makePool(other).close()
      try FileManager.default.removeItem(atPath: path)
      try FileManager.default.moveItem(atPath: other, toPath: path)
      // The connections that are open have the former file.
      #expect(try pool.noteCount() == 500)
      pool.invalidateReadOnlyConnections()
      let message = """
        SQLite error 14: the database file has been replaced by another one: close the pool, and \
        open a new one - while opening `\(path)`
        """
      #expect(errorText { try pool.noteCount() } == message)
      #expect(errorText { try pool.makeSnapshot() } == message)
      try pool.close()
    }
  }

  @Test func `what is written after the file was replaced goes to the former file`() throws {
    try withFile { pool, path in
      let other = path + "-other"
      try makePool(other).close()
      try FileManager.default.moveItem(atPath: path, toPath: path + "-former")
      try FileManager.default.moveItem(atPath: other, toPath: path)
      try pool.insertNote()
      #expect(try pool.write { db throws in try db.noteCount() } == 501)
      // The other file, apart from the log that has its name.
      let copy = path + "-copy"
      try FileManager.default.copyItem(atPath: path, toPath: copy)
      #expect(try DatabaseQueue(path: copy).noteCount() == 0)
      try pool.close()
    }
  }

  @Test func `a file that is made read-only is still written by the pool that has it open`() throws
  {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      let pool = try makePool(path)
      try asOrdinaryUser(of: directory) {
        chmod(path, 0o444)
        defer { chmod(path, 0o644) }
        try pool.insertNote()
        #expect(try pool.noteCount() == 1)
        let other = try DatabasePool(path: path)
        #expect(databaseError { try other.insertNote() }?.resultCode == .SQLITE_READONLY)
        #expect(try other.noteCount() == 1)
      }
      try pool.insertNote()
      #expect(try pool.noteCount() == 2)
    }
  }

  @Test func `no space is an error, and what was written before is kept`() throws {
    try withFile { pool, _ in
      let full = databaseError {
        try pool.writeWithoutTransaction { db throws in
          let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
          try db.execute(sql: "PRAGMA max_page_count = \(pages + 2)")
          try db.inTransaction {
            try db.execute(sql: "INSERT INTO note (text) VALUES (zeroblob(1000000))")
            return .commit
          }
        }
      }
      #expect(full?.resultCode == .SQLITE_FULL)
      #expect(try pool.noteCount() == 500)
      try pool.writeWithoutTransaction { db throws in
        try db.execute(sql: "PRAGMA max_page_count = 100000")
      }
      try pool.insertNote()
      #expect(try pool.noteCount() == 501)
    }
  }

  @Test(.enabled(if: SmallDisk(kilobytes: 100) != nil, "file systems can't be mounted here"))
  func `a disk without space is an error, and what was written before is kept`() throws {
    let disk = try #require(SmallDisk(kilobytes: 400))
    let path = disk.path + "/library.sqlite"
    let pool = try makePool(path)
    var count = 0
    let error = databaseError {
      for _ in 1...1000 {
        try pool.write { db throws in
          try db.execute(sql: "INSERT INTO note (text) VALUES (hex(zeroblob(2000)))")
        }
        count += 1
      }
    }
    #expect(error?.resultCode == .SQLITE_FULL || error?.resultCode == .SQLITE_IOERR)
    #expect(count > 5)
    #expect(try pool.noteCount() == count)
    try pool.close()
    try withTemporaryDirectory { directory in
      try FileManager.default.copyItem(atPath: path, toPath: directory + "/copy.sqlite")
      if FileManager.default.fileExists(atPath: path + "-wal") {
        try FileManager.default.copyItem(
          atPath: path + "-wal", toPath: directory + "/copy.sqlite-wal")
      }
      let copy = try makePool(directory + "/copy.sqlite")
      #expect(try copy.noteCount() == count)
      try copy.insertNote()
    }
  }

  @Test func `a file without permission is an error, and the pool works when it has it again`()
    throws
  {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      let pool = try makePool(path)
      try asOrdinaryUser(of: directory) {
        chmod(path, 0o000)
        defer { chmod(path, 0o644) }
        let error = databaseError { try pool.noteCount() }
        #expect(error?.resultCode == .SQLITE_CANTOPEN)
      }
      #expect(try pool.noteCount() == 0)
      try pool.insertNote()
      #expect(try pool.noteCount() == 1)
    }
  }

  @Test func `a pool in a folder that can't be written throws`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      try makePool(path).close()
      try asOrdinaryUser(of: directory) {
        chmod(directory, 0o555)
        defer { chmod(directory, 0o755) }
        var readOnly = Configuration()
        readOnly.readonly = true
        for configuration in [Configuration(), readOnly] {
          let error = databaseError { try DatabasePool(path: path, configuration: configuration) }
          #expect(error?.resultCode == .SQLITE_READONLY || error?.resultCode == .SQLITE_CANTOPEN)
        }
      }
      #expect(try makePool(path).noteCount() == 0)
    }
  }
}

/// A small file system in memory, where the user may mount one.
private final class SmallDisk {
  let path: String

  init?(kilobytes: Int) {
    path = NSTemporaryDirectory() + "/quarry-disk-" + UUID().uuidString
    #if os(Linux)
      guard geteuid() == 0,
        (try? FileManager.default.createDirectory(
          atPath: path, withIntermediateDirectories: true)) != nil,
        mount("tmpfs", path, "tmpfs", 0, "size=\(kilobytes)k") == 0
      else { return nil }
    #else
      return nil
    #endif
  }

  deinit {
    #if os(Linux)
      umount(path)
    #endif
    try? FileManager.default.removeItem(atPath: path)
  }
}

/// Runs `body` without the privileges of the superuser, for whom permissions don't count: the file
/// system asks for those of the current thread.
private func asOrdinaryUser(of directory: String, _ body: () throws -> Void) throws {
  guard geteuid() == 0 else { return try body() }
  #if os(Linux)
    typealias SetUser = @convention(c) (uid_t) -> CInt
    let symbol = try #require(dlsym(nil, "setfsuid"))
    let setUser = unsafeBitCast(symbol, to: SetUser.self)
    let nobody: uid_t = 65534
    for name in [""] + (try FileManager.default.contentsOfDirectory(atPath: directory)) {
      chown(directory + "/" + name, nobody, nobody)
    }
    _ = setUser(nobody)
    defer { _ = setUser(0) }
    try body()
  #endif
}
