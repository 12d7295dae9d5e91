import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

@Suite(.timeLimit(.minutes(10)))
struct PoolReaderTests {
  @Test func `a read is a deferred transaction that begins with the version of the schema`() throws
  {
    let recorder = SQLRecorder()
    try withPool(recorder.recording(readerCount(1))) { pool throws in
      for _ in 1...2 { _ = try pool.noteCount() }
      _ = recorder.take()
      _ = try pool.noteCount()
      #expect(
        recorder.take() == [
          "BEGIN DEFERRED TRANSACTION", "PRAGMA main.schema_version", "SELECT COUNT(*) FROM note",
          "COMMIT TRANSACTION",
        ])
      #expect(throws: CocoaError.self) {
        try pool.read { _ throws in throw CocoaError(.featureUnsupported) }
      }
      #expect(
        recorder.take() == [
          "BEGIN DEFERRED TRANSACTION", "PRAGMA main.schema_version", "ROLLBACK TRANSACTION",
        ])
      // A rollback clears the cache of the schema.
      for _ in 1...2 { _ = try pool.noteCount() }
      _ = recorder.take()
      _ = try pool.unsafeRead { db throws in try db.noteCount() }
      #expect(recorder.take() == ["PRAGMA main.schema_version", "SELECT COUNT(*) FROM note"])
      try pool.writeWithoutTransaction { db throws in pool.spawnConcurrentRead { _ in } }
      try pool.barrierWriteWithoutTransaction { _ throws in }
      #expect(
        recorder.take() == [
          "BEGIN DEFERRED TRANSACTION", "PRAGMA main.schema_version", "COMMIT TRANSACTION",
        ])
    }
  }

  /// A relative path is that of another file once the current directory is another one.
  @Test func `readers and snapshots open the file of the writer by its absolute path`() throws {
    try withTemporaryDirectory { directory in
      let depth = FileManager.default.currentDirectoryPath.split(separator: "/").count
      let root = String(repeating: "../", count: depth)
      let path = "\(root)\(directory.dropFirst())/library.sqlite"
      let pool = try makePool(path)
      #expect(pool.path == path)
      let file = try #require(try pool.writeWithoutTransaction { db throws in db.filePath })
      #expect(file.hasPrefix("/") && file.hasSuffix("/library.sqlite"))
      let readerPath = try pool.read { db throws in db.path }
      #expect(readerPath == file)
      let snapshot = try pool.makeSnapshot()
      #expect(snapshot.path == path)
      let snapshotPath = try snapshot.read { db throws in db.path }
      #expect(snapshotPath == file)
    }
  }

  @Test func `readers and snapshots open the absolute path of a relative URI`() throws {
    try withTemporaryDirectory { directory in
      let depth = FileManager.default.currentDirectoryPath.split(separator: "/").count
      let root = String(repeating: "../", count: depth)
      let name = "100%25%3f%23 é.sqlite"
      let uri = "file:\(root)\(directory.dropFirst())/\(name)?psow=1&cache=private#library"
      let pool = try makePool(uri)
      #expect(pool.path == uri)
      let file = try #require(try pool.writeWithoutTransaction { db throws in db.filePath })
      let suffix = "/100%?# é.sqlite"
      #expect(file.hasPrefix("/") && file.hasSuffix(suffix))
      let absolute = "file://\(file.dropLast(suffix.count))/\(name)?psow=1&cache=private"
      let readerPath = try pool.read { db throws in db.path }
      #expect(readerPath == absolute)
      try pool.insertNote()
      #expect(try pool.noteCount() == 1)
      let snapshotPath = try pool.makeSnapshot().read { db throws in db.path }
      #expect(snapshotPath == absolute)
    }
  }

  @Test(arguments: ["file::memory:", "file:library?mode=memory", "file:", "file:?psow=1"])
  func `the URI of a database without name stays as it is`(uri: String) throws {
    try DatabaseQueue(path: uri).inDatabase { db throws in #expect(db.absolutePath == uri) }
  }

  @Test(arguments: ["file:", "file://", "file://localhost"])
  func `an absolute URI stays as it is`(prefix: String) throws {
    try withTemporaryDirectory { directory in
      let uri = "\(prefix)\(directory)/library.sqlite?psow=1"
      let pool = try makePool(uri)
      let readerPath = try pool.read { db throws in db.path }
      #expect(readerPath == uri)
    }
  }

  @Test(arguments: [
    "mode=rwc", "mode=rw", "psow=1&mode=rwc&cache=private", "%6Dode=r%77c&mode=rw#library",
  ])
  func `readers and snapshots of a URI that allows writes only read`(parameters: String) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      try makePool(path).close()
      let pool = try makePool("file:\(path)?\(parameters)")
      try pool.insertNote()
      #expect(try pool.noteCount() == 1)
      #expect(try pool.makeSnapshot().noteCount() == 1)
      let error = databaseError { try pool.read { db throws in try db.insertNote() } }
      #expect(error?.resultCode == .SQLITE_READONLY)
    }
  }

  @Test(arguments: [
    ("file:library", "file:library"),
    ("file:library#mode?mode=rw", "file:library#mode?mode=rw"),
    ("file:library?mode=memory&cache=shared", "file:library?mode=memory&cache=shared"),
    ("file:library?mode=rw&psow=1&mode=rwc#a", "file:library?mode=ro&psow=1&mode=ro"),
    ("file:library?%6dode=%72w&&name=mode=rw&a=%", "file:library?mode=ro&&name=mode=rw&a=%"),
  ])
  func `each mode of a URI that allows writes is replaced`(uri: String, readingURI: String) {
    #expect(FilePath.readingURI(uri) == readingURI)
  }

  @Test func `a reader that is being closed is given to nobody`() throws {
    try withPool(readerCount(1)) { pool throws in
      #expect(try pool.noteCount() == 0)
      let reader = try #require(pool.readers.connections.first)
      let gate = DispatchSemaphore(value: 0)
      let end = DispatchSemaphore(value: 0)
      let log = Log<String?>()
      reader.queue.async { gate.wait() }
      let text = try pool.write { db throws -> String? in
        startThread {
          log.append(errorText { try pool.close() })
          end.signal()
        }
        // Until the thread waits for the reader.
        let limit = Date() + 1
        while !pool.readers.connections.isEmpty, Date() < limit {
          Thread.sleep(forTimeInterval: 0.001)
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.1) { gate.signal() }
        return errorText { try pool.noteCount() }
      }
      #expect(text == nil)
      end.wait()
      #expect(log.elements == [nil])
    }
  }

  @Test func `a reader that came back is used again`() throws {
    try withPool { pool throws in
      for _ in 1...3 {
        #expect(try pool.read { db in db.description } == "Quarry.DatabasePool.reader.1")
      }
    }
  }

  @Test func `reads beyond the maximum wait for a reader`() throws {
    try withPool(readerCount(2)) { pool throws in
      let labels = Log<String>()
      let end = DispatchSemaphore(value: 0)
      let reads = (1...2).map { _ in SteppedRead { pause in try pool.read { _ throws in pause() } }
      }
      for _ in 1...10 {
        pool.asyncRead { result in
          labels.append((try? result.get().description) ?? "none")
          end.signal()
        }
      }
      // Writes don't wait for readers.
      try pool.insertNote()
      #expect(labels.elements.isEmpty)
      reads[0].finish()
      for _ in 1...10 { end.wait() }
      #expect(Set(labels.elements).count == 1)
      reads[1].finish()
    }
  }

  @Test func `asynchronous reads run at the same time, and block no thread while they wait`() throws
  {
    try withPool { pool throws in
      let running = DispatchSemaphore(value: 0)
      let mayEnd = DispatchSemaphore(value: 0)
      let end = DispatchSemaphore(value: 0)
      let labels = Log<String>()
      for _ in 1...500 {
        pool.asyncRead { result in
          labels.append((try? result.get().description) ?? "none")
          running.signal()
          mayEnd.wait()
          end.signal()
        }
      }
      for _ in 1...5 { running.wait() }
      #expect(
        Set(labels.elements) == Set((1...5).map { "Quarry.DatabasePool.reader.\($0)" }))
      for _ in 1...500 { mayEnd.signal() }
      for _ in 1...500 { end.wait() }
      #expect(Set(labels.elements).count == 5)
    }
  }

  @Test func `released memory closes readers, at once or eventually`() throws {
    try withPool { pool throws in
      func label() throws -> String { try pool.read { db in db.description } }
      #expect(try label() == "Quarry.DatabasePool.reader.1")
      pool.releaseMemory()
      #expect(try label() == "Quarry.DatabasePool.reader.2")
      pool.releaseMemoryEventually()
      #expect(try label() == "Quarry.DatabasePool.reader.3")
      let read = SteppedRead { pause in
        try pool.read { db throws in
          pool.releaseMemoryEventually()
          pool.invalidateReadOnlyConnections()
          pause()
          #expect(try db.noteCount() == 0)
        }
      }
      #expect(try label() == "Quarry.DatabasePool.reader.4")
      #expect(read.finish() == nil)
      #expect(try label() == "Quarry.DatabasePool.reader.4")
    }
  }

  @Test func `persistent readers are kept when memory is released`() throws {
    var configuration = Configuration()
    configuration.persistentReadOnlyConnections = true
    try withPool(configuration) { pool throws in
      func label() throws -> String { try pool.read { db in db.description } }
      #expect(try label() == "Quarry.DatabasePool.reader.1")
      pool.releaseMemory()
      pool.releaseMemoryEventually()
      #expect(try label() == "Quarry.DatabasePool.reader.1")
      pool.invalidateReadOnlyConnections()
      #expect(try label() == "Quarry.DatabasePool.reader.2")
    }
  }

  @Test func `a reader that throws, or leaves a transaction open, is used again`() throws {
    try withPool(readerCount(1)) { pool throws in
      #expect(throws: CocoaError.self) {
        try pool.read { _ throws in throw CocoaError(.featureUnsupported) }
      }
      #expect(
        errorText {
          try pool.unsafeRead { db throws in try db.beginTransaction() }
        } == """
          SQLite error 21: A transaction has been left opened at the end of a database access
          """)
      #expect(
        errorText { try pool.read { db throws in try db.execute(sql: "ROLLBACK") } }
          == "SQLite error 4: Transaction was aborted")
      pool.asyncUnsafeRead { result in
        #expect(throws: Never.self) { try result.get().beginTransaction() }
      }
      try pool.insertNote()
      #expect(try pool.noteCount() == 1)
      #expect(try pool.read { db in db.description } == "Quarry.DatabasePool.reader.1")
    }
  }

  @Test func `a transaction that the writer leaves open is rolled back`() throws {
    try withPool { pool throws in
      #expect(
        errorText {
          try pool.writeWithoutTransaction { db throws in
            try db.beginTransaction()
            try db.insertNote()
          }
        } == """
          SQLite error 21: A transaction has been left opened at the end of a database access
          """)
      pool.asyncWriteWithoutTransaction { db in
        #expect(throws: Never.self) {
          try db.beginTransaction()
          try db.insertNote()
        }
      }
      try pool.insertNote()
      #expect(try pool.noteCount() == 1)
    }
  }

  @Test func `with unsafe transactions, one may stay open on the writer only`() throws {
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    try withPool(configuration) { pool throws in
      try pool.writeWithoutTransaction { db throws in
        try db.beginTransaction()
        try db.insertNote()
      }
      #expect(try pool.noteCount() == 0)
      try pool.writeWithoutTransaction { db throws in try db.commit() }
      #expect(try pool.noteCount() == 1)
      let error = databaseError { try pool.unsafeRead { db throws in try db.beginTransaction() } }
      #expect(error?.resultCode == .SQLITE_MISUSE)
    }
  }

  @Test func `an interruption stops all connections, and the next accesses work`() throws {
    try withPool { pool throws in
      let errors = Log<ResultCode?>()
      let stop = { @Sendable (db: Database) in
        db.add(
          function: DatabaseFunction("interrupt", argumentCount: 0) { _ in
            pool.interrupt()
            return 1
          })
        errors.append(
          databaseError {
            try db.execute(
              sql: """
                WITH RECURSIVE n(i) AS (SELECT interrupt() UNION ALL SELECT 1 FROM n) SELECT * FROM n
                """)
          }?.resultCode)
      }
      pool.interrupt()
      try pool.read { db throws in stop(db) }
      try pool.writeWithoutTransaction { db throws in stop(db) }
      #expect(errors.elements == [.SQLITE_INTERRUPT, .SQLITE_INTERRUPT])
      try pool.insertNote()
      #expect(try pool.noteCount() == 1)
    }
  }

  @Test func `writes run in the order in which they were asked for`() throws {
    try withPool { pool throws in
      for _ in 1...10 {
        pool.asyncWriteWithoutTransaction { db in try? db.insertNote() }
        pool.asyncWrite(
          { db in try db.insertNote() },
          completion: { db, _ in
            #expect(!db.isInsideTransaction)
          })
      }
      #expect(try pool.write { db throws in try db.noteCount() } == 20)
    }
  }

  @Test func `a transaction of the writer is committed or rolled back`() throws {
    try withPool { pool throws in
      try pool.writeInTransaction { db in
        try db.insertNote()
        return .rollback
      }
      #expect(try pool.noteCount() == 0)
      try pool.writeInTransaction(.exclusive) { db in
        try db.insertNote()
        return .commit
      }
      #expect(try pool.noteCount() == 1)
      #expect(throws: CocoaError.self) {
        try pool.write { db throws in
          try db.insertNote()
          throw CocoaError(.featureUnsupported)
        }
      }
      #expect(try pool.noteCount() == 1)
    }
  }

  @Test func `a concurrent read that fails to open its reader gets the error at once`() throws {
    let fails = Log<Bool>()
    var configuration = readerCount(1)
    configuration.prepareDatabase { db in
      if db.configuration.readonly, !fails.elements.isEmpty {
        throw CocoaError(.featureUnsupported)
      }
    }
    try withPool(configuration) { pool throws in
      fails.append(true)
      let log = Log<Bool>()
      try pool.writeWithoutTransaction { _ throws in
        pool.asyncConcurrentRead { result in
          log.append(throws: CocoaError.self, result)
        }
      }
      #expect(log.elements == [true])
    }
  }

  @Test func `maintenance works while a reader and a snapshot are active`() throws {
    try withTemporaryDirectory { directory in
      let pool = try makePool(directory + "/library.sqlite")
      try pool.insertNote()
      let snapshot = try pool.makeSnapshot()
      try pool.read { db throws in
        #expect(try db.noteCount() == 1)
        try pool.vacuum()
        try pool.vacuum(into: directory + "/copy.sqlite")
        #expect(try db.noteCount() == 1)
      }
      #expect(try DatabasePool(path: directory + "/copy.sqlite").noteCount() == 1)
      try pool.erase()
      #expect(try snapshot.noteCount() == 1)
      let names = try pool.read { db throws in
        try String.fetchAll(db, sql: "SELECT name FROM sqlite_master")
      }
      #expect(names == [])
      let mode = try pool.read { db throws in try String.fetchOne(db, sql: "PRAGMA journal_mode") }
      #expect(mode == "wal")
    }
  }

  @Test func `a pool is copied to and from queues and pools`() throws {
    try withPool { pool throws in
      try pool.insertNote()
      let queue = try DatabaseQueue()
      try pool.backup(to: queue)
      #expect(try queue.noteCount() == 1)
      try queue.insertNote()
      try withPool { other throws in
        #expect(try other.noteCount() == 0)
        try queue.backup(to: other)
        #expect(try other.noteCount() == 2)
        let mode = try other.read { db throws in try String.fetchOne(db, sql: "PRAGMA journal_mode")
        }
        #expect(mode == "wal")
        try other.backup(to: pool)
        #expect(try pool.noteCount() == 2)
      }
    }
  }

  @Test func `a pool may be written while it is copied`() throws {
    try withPool { pool throws in
      try pool.write { db throws in
        for _ in 1...2000 { try db.insertNote() }
      }
      let copy = try DatabaseQueue()
      var steps = 0
      try pool.backup(to: copy, pagesPerStep: 1) { _ in
        steps += 1
        // It began anew after each write, and never ended.
        if steps > 1000 { throw CancellationError() }
        try pool.insertNote()
      }
      #expect(steps > 5)
      #expect(try pool.noteCount() == 2000 + steps)
      #expect(try copy.noteCount() == 2000)
    }
  }

  @Test func `checkpoints report frames, and fail in a transaction`() throws {
    try withPool { pool throws in
      try pool.insertNote()
      let all = try pool.writeWithoutTransaction { db throws in try db.checkpoint(.truncate) }
      #expect(all.walFrameCount == 0)
      #expect(all.checkpointedFrameCount == 0)
      try pool.insertNote()
      let code = databaseError { try pool.write { db throws in try db.checkpoint() } }?.resultCode
      #expect(code == .SQLITE_LOCKED)
      let snapshot = try pool.makeSnapshot()
      try pool.insertNote()
      let busy = databaseError {
        try pool.barrierWriteWithoutTransaction { db throws in try db.checkpoint(.truncate) }
      }
      #expect(busy?.resultCode == .SQLITE_BUSY)
      #expect(try snapshot.noteCount() == 2)
    }
  }
}

extension Log<Bool> {
  /// Logs whether a result is an error of a type.
  fileprivate func append<E: Error>(throws type: E.Type, _ result: Result<Database, any Error>) {
    if case .failure(let error) = result { append(error is E) } else { append(false) }
  }
}
