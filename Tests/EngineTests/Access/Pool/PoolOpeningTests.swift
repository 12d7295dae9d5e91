import Foundation
import Quarry
import QuarryTestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct PoolOpeningTests {
  private func readOnly() -> Configuration {
    var configuration = Configuration()
    configuration.readonly = true
    return configuration
  }

  @Test func `a new file gets a write-ahead log, and no reader is opened`() throws {
    try withTemporaryDirectory { directory in
      let recorder = SQLRecorder()
      let path = directory + "/library.sqlite"
      let pool = try DatabasePool(path: path, configuration: recorder.recording())
      #expect(
        recorder.take() == [
          "SELECT * FROM sqlite_master LIMIT 1",
          "PRAGMA journal_mode = WAL",
          "PRAGMA synchronous = NORMAL",
          "BEGIN IMMEDIATE TRANSACTION",
          "PRAGMA main.schema_version",
          "CREATE TABLE quarry_wal (id INTEGER PRIMARY KEY)",
          "DROP TABLE quarry_wal",
          "COMMIT TRANSACTION",
        ])
      #expect(pool.path == path)
      #expect(try fileSize(path + "-wal") > 0)
      let second = try DatabasePool(path: path, configuration: recorder.recording())
      #expect(
        recorder.take() == [
          "SELECT * FROM sqlite_master LIMIT 1",
          "PRAGMA journal_mode = WAL",
          "PRAGMA synchronous = NORMAL",
        ])
      try second.close()
      try pool.close()
    }
  }

  @Test(arguments: ["", "file:"])
  func `a pool that is opened by a link writes nothing to a file that has a log`(
    scheme: String
  ) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      let first = try makePool(path)
      try FileManager.default.createSymbolicLink(
        atPath: directory + "/link", withDestinationPath: path)
      let recorder = SQLRecorder()
      let pool = try DatabasePool(
        path: scheme + directory + "/link", configuration: recorder.recording())
      #expect(
        recorder.take() == [
          "SELECT * FROM sqlite_master LIMIT 1",
          "PRAGMA journal_mode = WAL",
          "PRAGMA synchronous = NORMAL",
        ])
      try pool.close()
      try first.close()
    }
  }

  @Test func `the log of a file with tables is set up without another one, and keeps its versions`()
    throws
  {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      let queue = try DatabaseQueue(path: path)
      try queue.write { db in
        try db.execute(
          sql: """
            CREATE TABLE quarry_wal (title TEXT);
            INSERT INTO quarry_wal VALUES ('Emma');
            PRAGMA user_version = -7;
            """)
      }
      let schemaVersion = try queue.read { db in
        try Int.fetchOne(db, sql: "PRAGMA schema_version")
      }
      try queue.close()
      let pool = try DatabasePool(path: path)
      #expect(try fileSize(path + "-wal") > 0)
      try pool.read { db throws in
        try #expect(String.fetchAll(db, sql: "SELECT title FROM quarry_wal") == ["Emma"])
        try #expect(Int.fetchOne(db, sql: "PRAGMA user_version") == -7)
        try #expect(Int.fetchOne(db, sql: "PRAGMA schema_version") == schemaVersion)
      }
      try pool.close()
    }
  }

  /// SQLite calls no busy handler where the change of the journal mode meets a writer.
  @Test func `a pool waits for a connection that writes before the file is in WAL mode`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      let queue = try DatabaseQueue(path: path)
      let isWriting = DispatchSemaphore(value: 0)
      let end = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        try? queue.write { db in
          try db.execute(sql: "CREATE TABLE note (text)")
          isWriting.signal()
          end.wait()
        }
      }
      isWriting.wait()
      #expect(databaseError { try DatabasePool(path: path) }?.resultCode == .SQLITE_BUSY)
      let tries = Log<Int>()
      var configuration = Configuration()
      configuration.busyMode = .callback { number in
        tries.append(number)
        if number == 1 { end.signal() }
        usleep(1000)
        return number < 10_000
      }
      let pool = try DatabasePool(path: path, configuration: configuration)
      #expect(tries.elements.starts(with: [0, 1]))
      try #expect(pool.noteCount() == 0)
      try pool.close()
      try queue.close()
    }
  }

  private func fileSize(_ path: String) throws -> Int {
    try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? -1
  }

  @Test func `the writer is prepared before the log is set up, and readers after it`() throws {
    try withTemporaryDirectory { directory in
      let log = Log<String>()
      var configuration = Configuration()
      configuration.prepareDatabase { db in
        #expect(!db.isInsideTransaction)
        let mode = try String.fetchOne(db, sql: "PRAGMA journal_mode") ?? "none"
        log.append("\(db.description) \(mode) \(db.configuration.readonly)")
        try db.execute(sql: "PRAGMA synchronous = OFF")
      }
      let pool = try DatabasePool(path: directory + "/library.sqlite", configuration: configuration)
      func synchronous(_ db: Database) throws -> Int? {
        try Int.fetchOne(db, sql: "PRAGMA synchronous")
      }
      #expect(try pool.writeWithoutTransaction { db throws in try synchronous(db) } == 1)
      #expect(try pool.read { db throws in try synchronous(db) } == 0)
      #expect(
        log.elements == [
          "Quarry.DatabasePool.writer delete false", "Quarry.DatabasePool.reader.1 wal true",
        ])
    }
  }

  @Test func `connections have the label of the configuration`() throws {
    var configuration = Configuration()
    configuration.label = "Library"
    try withPool(configuration) { pool throws in
      #expect(pool.configuration.label == "Library")
      #expect(pool.writeWithoutTransaction { db in db.description } == "Library.writer")
      #expect(try pool.read { db throws in db.description } == "Library.reader.1")
      #expect(try pool.makeSnapshot().read { db throws in db.description } == "Library.snapshot.1")
      #expect(pool.configuration.maximumReaderCount == 5)
    }
  }

  @Test(arguments: ["Library", nil])
  func `the configuration of each connection has the label that was set`(label: String?) throws {
    let log = Log<String?>()
    var configuration = Configuration()
    configuration.label = label
    configuration.prepareDatabase { db in log.append(db.configuration.label) }
    try withPool(configuration) { pool throws in
      #expect(pool.writeWithoutTransaction { db in db.configuration.label } == label)
      #expect(try pool.read { db throws in db.configuration.label } == label)
      let snapshot = try pool.makeSnapshot()
      #expect(snapshot.configuration.label == label)
      #expect(try snapshot.read { db throws in db.configuration.label } == label)
      #expect(log.elements == [label, label, label])
    }
  }

  @Test func `only the writer may write`() throws {
    try withPool { pool throws in
      for access in [SyncAccess.read, .unsafeRead, .unsafeReentrantRead] {
        let error = databaseError { try access.run(on: pool) { db in try db.insertNote() } }
        #expect(error?.resultCode == .SQLITE_READONLY)
        #expect(error?.message == "attempt to write a readonly database")
      }
    }
  }

  @Test(arguments: [0, -1])
  func `there must be a reader`(count: Int) throws {
    try withTemporaryDirectory { directory in
      #expect(
        errorText {
          try DatabasePool(path: directory + "/a.sqlite", configuration: readerCount(count))
        } == "SQLite error 21: configuration.maximumReaderCount must be at least 1")
      #expect(!FileManager.default.fileExists(atPath: directory + "/a.sqlite"))
    }
  }

  @Test(arguments: [":memory:", "", "file:shop?mode=memory&cache=shared"])
  func `a database in memory can't be a pool`(path: String) {
    #expect(
      errorText { try DatabasePool(path: path) }
        .map { String($0.prefix { $0 != "\n" }) }
        == "SQLite error 1: could not activate WAL Mode at path: \(path)")
  }

  @Test func `a missing folder, and a folder, can't be opened`() throws {
    try withTemporaryDirectory { directory in
      for path in [directory + "/none/library.sqlite", directory] {
        let error = databaseError { try DatabasePool(path: path) }
        #expect(error?.resultCode == .SQLITE_CANTOPEN)
        #expect(error?.message == "unable to open database file")
      }
      let error = databaseError {
        try DatabasePool(path: directory + "/none.sqlite", configuration: readOnly())
      }
      #expect(error?.resultCode == .SQLITE_CANTOPEN)
    }
  }

  @Test func `a file that is no database can't be opened`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      try Data(repeating: 65, count: 5000).write(to: URL(fileURLWithPath: path))
      #expect(
        errorText { try DatabasePool(path: path) }
          == "SQLite error 26: file is not a database - while opening `\(path)`")
    }
  }

  @Test func `the journal mode can't be changed under the transaction of another connection`()
    throws
  {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      let queue = try DatabaseQueue(path: path)
      try queue.write { db in
        try db.execute(sql: "CREATE TABLE loan (id)")
        #expect(
          errorText { try DatabasePool(path: path) } == """
            SQLite error 5: database is locked
            \(lockedDetails)
            while opening `\(path)`
            - while executing `PRAGMA journal_mode = WAL`
            """)
      }
    }
  }

  @Test func `a second pool opens while the first one writes`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      let first = try makePool(path)
      try first.write { db throws in
        try db.insertNote()
        #expect(try DatabasePool(path: path).noteCount() == 0)
      }
    }
  }

  @Test(arguments: [false, true])
  func `a pool opens and reads while another connection writes into an empty log`(
    isReadonly: Bool
  ) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      let first = try makePool(path)
      try first.insertNote()
      _ = try first.writeWithoutTransaction { db throws in try db.checkpoint(.truncate) }
      try first.write { db throws in
        try db.insertNote()
        #expect(try fileSize(path + "-wal") == 0)
        var configuration = isReadonly ? readOnly() : Configuration()
        configuration.busyMode = .timeout(20)
        let pool = try DatabasePool(path: path, configuration: configuration)
        #expect(try pool.noteCount() == 1)
        #expect(try pool.makeSnapshot().noteCount() == 1)
      }
      #expect(try first.noteCount() == 2)
    }
  }

  @Test(arguments: [
    (sql: "SELECT 1", milliseconds: 7000), ("PRAGMA busy_timeout = 1234", 1234),
    ("PRAGMA busy_timeout = 0", 0),
  ])
  func `the busy timeout is that of the configuration, or of the preparation`(
    sql: String, milliseconds: Int
  ) throws {
    var configuration = Configuration()
    configuration.busyMode = .timeout(7)
    configuration.prepareDatabase { db in try db.execute(sql: sql) }
    try withPool(configuration) { pool throws in
      let timeout = try pool.writeWithoutTransaction { db throws in
        try Int.fetchOne(db, sql: "PRAGMA busy_timeout")
      }
      #expect(timeout == milliseconds)
    }
  }

  @Test func `the busy callback is called after the log was set up`() throws {
    let calls = Log<Int>()
    var configuration = Configuration()
    configuration.busyMode = .callback { count in
      calls.append(count)
      return count < 2
    }
    try withPool(configuration) { pool throws in
      try DatabaseQueue(path: pool.path).inTransaction(.immediate) { _ in
        #expect(databaseError { try pool.insertNote() }?.resultCode == .SQLITE_BUSY)
        return .rollback
      }
      #expect(calls.elements == [0, 1, 2])
    }
  }

  @Test(arguments: [Configuration.JournalModeConfiguration.default, .wal])
  func `a read-only pool reads files of any journal mode, and writes nothing`(
    mode: Configuration.JournalModeConfiguration
  ) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      var configuration = Configuration()
      configuration.journalMode = mode
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      try queue.write { db in
        try db.execute(sql: "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT)")
        try db.insertNote()
      }
      let pool = try DatabasePool(path: path, configuration: readOnly())
      #expect(try pool.noteCount() == 1)
      #expect(try pool.write { db throws in try db.noteCount() } == 1)
      for action in [{ try pool.insertNote() }, { try pool.vacuum() }, { try pool.erase() }] {
        #expect(databaseError(action)?.resultCode == .SQLITE_READONLY)
      }
      let expected = mode == .wal ? "wal" : "delete"
      let actual = try pool.read { db throws in try String.fetchOne(db, sql: "PRAGMA journal_mode")
      }
      #expect(actual == expected)
    }
  }

  @Test func `a reader whose preparation fails throws, and the next read tries again`() throws {
    struct Failure: Error {}
    try withTemporaryDirectory { directory in
      let fails = Log<Bool>()
      var configuration = Configuration()
      configuration.prepareDatabase { db in
        if db.configuration.readonly, !fails.elements.isEmpty { throw Failure() }
      }
      let pool = try makePool(directory + "/library.sqlite", configuration)
      fails.append(true)
      for _ in 1...10 { #expect(throws: Failure.self) { try pool.read { _ throws in } } }
      fails.removeAll()
      #expect(
        try pool.read { db throws in db.description } == "Quarry.DatabasePool.reader.11")
    }
  }

  @Test func `a writer whose preparation fails is not opened`() throws {
    struct Failure: Error {}
    try withTemporaryDirectory { directory in
      var configuration = Configuration()
      configuration.prepareDatabase { _ in throw Failure() }
      #expect(throws: Failure.self) {
        try DatabasePool(path: directory + "/library.sqlite", configuration: configuration)
      }
    }
  }

  @Test func `functions and collations of the preparation are on all connections`() throws {
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      db.add(
        function: DatabaseFunction("twice", argumentCount: 1, pure: true) { values in
          (Int.fromDatabaseValue(values[0]) ?? 0) * 2
        })
      db.add(collation: DatabaseCollation("backwards") { $1.compare($0) })
    }
    try withPool(configuration) { pool throws in
      let sql =
        "SELECT twice(CAST(column1 AS INT)) FROM (VALUES ('1'), ('2')) ORDER BY column1 COLLATE backwards"
      func values(_ db: Database) throws -> [Int] { try Int.fetchAll(db, sql: sql) }
      #expect(try pool.writeWithoutTransaction { db throws in try values(db) } == [4, 2])
      let reads = (1...3).map { _ in
        SteppedRead { pause in
          try pool.read { db throws in
            pause()
            #expect(try Int.fetchAll(db, sql: sql) == [4, 2])
          }
        }
      }
      for read in reads { #expect(read.finish() == nil) }
      #expect(try pool.makeSnapshot().read { db throws in try values(db) } == [4, 2])
    }
  }

  @Test func `a function added in a read stays on its reader`() throws {
    try withPool(readerCount(1)) { pool throws in
      try pool.read { db throws in
        db.add(function: DatabaseFunction("one", argumentCount: 0) { _ in 1 })
        #expect(try Int.fetchOne(db, sql: "SELECT one()") == 1)
      }
      #expect(try pool.read { db throws in try Int.fetchOne(db, sql: "SELECT one()") } == 1)
      #expect(
        errorText {
          try pool.writeWithoutTransaction { db throws in try db.execute(sql: "SELECT one()") }
        }?.contains("no such function: one") == true)
    }
  }

  @Test func `a temporary table belongs to one connection`() throws {
    try withPool(readerCount(1)) { pool throws in
      try pool.writeWithoutTransaction { db throws in
        try db.execute(sql: "CREATE TEMPORARY TABLE basket (id)")
      }
      #expect(
        errorText { try pool.read { db throws in try db.execute(sql: "SELECT * FROM basket") } }?
          .contains("no such table: basket") == true)
      try pool.read { db throws in try db.execute(sql: "CREATE TEMPORARY TABLE basket (id)") }
      try pool.read { db throws in try db.execute(sql: "SELECT * FROM basket") }
    }
  }

  @Test func `a database is attached by the preparation`() throws {
    try withTemporaryDirectory { directory in
      let archive = directory + "/archive.sqlite"
      try DatabaseQueue(path: archive).write { db in
        try db.execute(sql: "CREATE TABLE loan (id); INSERT INTO loan VALUES (1)")
      }
      var configuration = Configuration()
      configuration.prepareDatabase { db in
        try db.execute(sql: "ATTACH ? AS archive", arguments: [archive])
      }
      let pool = try makePool(directory + "/library.sqlite", configuration)
      let count = try pool.read { db throws in
        try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM archive.loan")
      }
      #expect(count == 1)
    }
  }

  @Test func `a temporary pool deletes its file`() throws {
    var path = ""
    do {
      let pool = try DatabasePool.temporary()
      path = pool.path
      try pool.write { db throws in try db.execute(sql: "CREATE TABLE note (text)") }
      #expect(try pool.noteCount() == 0)
      #expect(FileManager.default.fileExists(atPath: path))
    }
    for suffix in ["", "-wal", "-shm"] {
      #expect(!FileManager.default.fileExists(atPath: path + suffix))
    }
  }

  @Test func `the file of a temporary pool stays as long as a snapshot`() throws {
    var snapshot: DatabaseSnapshot?
    do {
      let pool = try DatabasePool.temporary()
      try pool.write { db throws in
        try db.execute(sql: "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT)")
        try db.insertNote()
      }
      snapshot = try pool.makeSnapshot()
    }
    let path = try #require(snapshot?.path)
    #expect(try snapshot?.noteCount() == 1)
    #expect(FileManager.default.fileExists(atPath: path))
    snapshot = nil
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `readers are opened in advance`() throws {
    let log = Log<String>()
    var configuration = readerCount(3)
    configuration.prepareDatabase { db in log.append(db.description) }
    try withPool(configuration) { pool throws in
      log.removeAll()
      try pool.openReaders(2)
      try pool.openReaders(1)
      #expect(log.elements == ["Quarry.DatabasePool.reader.1", "Quarry.DatabasePool.reader.2"])
      try pool.openReaders()
      #expect(log.elements.count == 3)
      try pool.openReaders(100)
      #expect(try pool.noteCount() == 0)
      #expect(log.elements.count == 3)
    }
  }

  @Test func `tables that others create are known to the next read`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      let pool = try makePool(path, readerCount(1))
      func knowsLoans() throws -> Bool { try pool.read { db throws in try db.tableExists("loan") } }
      #expect(try knowsLoans() == false)
      try pool.write { db throws in try db.execute(sql: "CREATE TABLE loan (id)") }
      #expect(try knowsLoans())
      try DatabaseQueue(path: path).write { db in try db.execute(sql: "DROP TABLE loan") }
      #expect(try knowsLoans() == false)
      let columns = try pool.unsafeRead { db throws in try db.columns(in: "note").count }
      try DatabaseQueue(path: path).write { db in
        try db.execute(sql: "ALTER TABLE note ADD COLUMN date")
      }
      #expect(try pool.unsafeRead { db throws in try db.columns(in: "note").count } == columns + 1)
    }
  }
}
