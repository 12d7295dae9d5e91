import Foundation
import Quarry
import QuarryTestSupport
import Testing

@Suite("Backups and erasures that meet obstacles")
struct BackupFailureTests {
  private func makeQueue(
    path: String = ":memory:", pageSize: Int = 4096, rows: Int = 50,
    mode: Configuration.JournalModeConfiguration = .default
  ) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.journalMode = mode
    configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA page_size = \(pageSize)") }
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE t (a, b);
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT \(rows))
          INSERT INTO t SELECT i, zeroblob(1000) FROM n;
          """)
    }
    return queue
  }

  private func count(_ queue: DatabaseQueue) throws -> Int? {
    try queue.read { db in try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM t") }
  }

  @Test func `a connection can't be copied into itself`() throws {
    let queue = try makeQueue()
    queue.inDatabase { db in
      let error = databaseError { try db.backup(to: db) }
      #expect(error?.resultCode == .SQLITE_ERROR)
      #expect(error?.message == "source and destination must be distinct")
    }
    let error = databaseError { try queue.backup(to: queue) }
    #expect(error?.message == "Database methods are not reentrant.")
    #expect(try count(queue) == 50)
  }

  @Test func `a backup of no page per step is an error, a negative number is all pages`() throws {
    let source = try makeQueue()
    let destination = try makeQueue(rows: 1)
    let error = databaseError { try source.backup(to: destination, pagesPerStep: 0) }
    #expect(error?.resultCode == .SQLITE_MISUSE)
    #expect(error?.message == "a backup of 0 pages per step would never end")
    #expect(try count(destination) == 1)
    let steps = Log<Bool>()
    try source.backup(to: destination, pagesPerStep: .min) { steps.append($0.isCompleted) }
    #expect(steps.elements == [true])
    #expect(try count(destination) == 50)
  }

  @Test func `a destination in the middle of a transaction is not replaced`() throws {
    let source = try makeQueue()
    let destination = try makeQueue(rows: 1)
    try destination.inDatabase { db in
      try db.beginTransaction()
      try db.execute(sql: "INSERT INTO t VALUES (1, 2)")
      let error = databaseError { try source.inDatabase { try $0.backup(to: db) } }
      #expect(error?.resultCode == .SQLITE_ERROR)
      #expect(error?.message == "destination database is in use")
      try db.commit()
    }
    #expect(try count(destination) == 2)
  }

  @Test func `a source that is locked is an error, and the destination stays as it was`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/source.sqlite"
      let source = try makeQueue(path: path)
      let other = try DatabaseQueue(path: path)
      let destination = try makeQueue(rows: 1)
      try other.inTransaction(.exclusive) { _ in
        let error = databaseError { try source.backup(to: destination) }
        #expect(error?.resultCode == .SQLITE_BUSY)
        #expect(error?.message == "database is locked")
        return .rollback
      }
      #expect(try count(destination) == 1)
      try source.backup(to: destination)
      #expect(try count(destination) == 50)
    }
  }

  @Test func `a backup that goes on while the source changes has the changes`() throws {
    try withTemporaryDirectory { directory in
      let source = try makeQueue(path: directory + "/source.sqlite")
      let destination = try DatabaseQueue(path: directory + "/copy.sqlite")
      var steps = 0
      try source.inDatabase { db in
        try destination.inDatabase { copy in
          try db.backup(to: copy, pagesPerStep: 4) { progress in
            steps += 1
            #expect(
              progress.completedPageCount + progress.remainingPageCount
                == progress.totalPageCount)
            if steps == 2 { try db.execute(sql: "INSERT INTO t VALUES (51, 'new')") }
          }
        }
      }
      #expect(steps > 2)
      #expect(try count(destination) == 51)
      #expect(
        try destination.read { db in try String.fetchAll(db, sql: "PRAGMA integrity_check") }
          == ["ok"])
    }
  }

  @Test func `a file takes pages of another size, and the version of the schema`() throws {
    try withTemporaryDirectory { directory in
      let source = try makeQueue(pageSize: 1024)
      try source.inDatabase { db in try db.execute(sql: "PRAGMA user_version = 12") }
      let destination = try DatabaseQueue(path: directory + "/copy.sqlite")
      try destination.write { db in try db.execute(sql: "CREATE TABLE old (a)") }
      try source.backup(to: destination)
      try destination.read { db throws in
        #expect(try Int.fetchOne(db, sql: "PRAGMA page_size") == 4096)
        #expect(try Int.fetchOne(db, sql: "PRAGMA user_version") == 12)
        #expect(try !db.tableExists("old"))
      }
      #expect(try count(destination) == 50)
    }
  }

  @Test func `where the size of pages can't change, another one is an error`() throws {
    try withTemporaryDirectory { directory in
      let source = try makeQueue(pageSize: 1024)
      for destination in [
        try makeQueue(path: directory + "/wal.sqlite", rows: 1, mode: .wal),
        try makeQueue(rows: 1),
        try makeQueue(path: "", rows: 1),
        try makeQueue(path: "file:?cache=private", rows: 1),
        try makeQueue(path: "file:other?mode=memory", rows: 1),
      ] {
        let error = databaseError { try source.backup(to: destination) }
        #expect(error?.resultCode == .SQLITE_READONLY)
        #expect(try count(destination) == 1)
      }
      let empty = try DatabaseQueue(path: "")
      try source.backup(to: empty)
      #expect(try count(empty) == 50)
    }
  }

  private func makeQueue(encoding: String) throws -> DatabaseQueue {
    let queue = try DatabaseQueue()
    try queue.inDatabase { db in
      try db.execute(
        sql: "PRAGMA encoding = '\(encoding)'; CREATE TABLE t (a); INSERT INTO t VALUES ('é')")
    }
    return queue
  }

  private func texts(_ queue: DatabaseQueue) throws -> [String] {
    try queue.read { db in try String.fetchAll(db, sql: "SELECT a FROM t") }
  }

  /// SQLite copied the pages, and the connection of the destination could no longer be used.
  @Test(arguments: [("UTF-8", "UTF-16le"), ("UTF-16le", "UTF-8"), ("UTF-16be", "UTF-16le")])
  func `another encoding of texts is an error, unless one of the databases is empty`(
    encoding: String, other: String
  ) throws {
    let source = try makeQueue(encoding: encoding)
    let destination = try makeQueue(encoding: other)
    try destination.write { db in try db.execute(sql: "INSERT INTO t VALUES ('kept')") }
    #expect(
      errorText { try source.backup(to: destination) } == """
        SQLite error 1: the text encoding of the source is \(encoding), and that of the \
        destination is \(other): copy it into a new file that a DatabaseQueue opens
        while copying the database `:memory:` to `:memory:`
        """)
    #expect(try texts(destination) == ["é", "kept"])
    let empty = try DatabaseQueue()
    try source.backup(to: empty)
    #expect(try texts(empty) == ["é"])
    try source.erase()
    try source.write { db in
      try db.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES ('ü')")
    }
    #expect(try texts(source) == ["ü"])
  }

  /// Their texts have the encoding that the connection keeps.
  @Test(arguments: [
    "CREATE TEMP TABLE shelf (label)",
    "ATTACH ':memory:' AS annex; CREATE TABLE annex.shelf (label)",
  ])
  func `another encoding of texts is an error while a temporary or attached database has content`(
    sql: String
  ) throws {
    let destination = try DatabaseQueue()
    try destination.inDatabase { db in
      try db.execute(sql: sql + "; INSERT INTO shelf VALUES ('é')")
    }
    let source = try makeQueue(encoding: "UTF-16le")
    #expect(
      errorText { try source.backup(to: destination) } == """
        SQLite error 1: the text encoding of the source is UTF-16le, and that of the \
        destination is UTF-8: copy it into a new file that a DatabaseQueue opens
        while copying the database `:memory:` to `:memory:`
        """)
    let labels = try destination.read { db in
      try String.fetchAll(db, sql: "SELECT label FROM shelf")
    }
    #expect(labels == ["é"])
  }

  @Test func `a file whose schema is damaged is replaced`() throws {
    try withTemporaryDirectory { directory in
      let damaged = try makeQueue(path: directory + "/library.sqlite", rows: 1)
      try damaged.inDatabase { db in
        try db.execute(
          sql: """
            PRAGMA writable_schema = ON;
            UPDATE sqlite_master SET sql = 'CREATE TABLE t (a, ';
            PRAGMA schema_version = 99;
            PRAGMA writable_schema = OFF;
            """)
      }
      #expect(databaseError { try count(damaged) }?.resultCode == .SQLITE_CORRUPT)
      try makeQueue().backup(to: damaged)
      #expect(try count(damaged) == 50)
    }
  }

  @Test(arguments: [512, 4096, 65536], ["", ":memory:", "file:other?mode=memory"])
  func
    `an empty database replaces the content of one without file, if its pages have the same size`(
      pageSize: Int, path: String
    ) throws
  {
    let destination = try makeQueue(path: path, pageSize: pageSize, rows: 1)
    let error = databaseError { try DatabaseQueue().backup(to: destination) }
    if pageSize != 4096 {
      #expect(error?.resultCode == .SQLITE_READONLY)
      #expect(try count(destination) == 1)
    } else {
      #expect(error == nil)
      #expect(try destination.read { db in try db.tableExists("t") } == false)
    }
  }

  @Test(arguments: [512, 4096, 65536], [Configuration.JournalModeConfiguration.default, .wal])
  func `erase works for pages of any size`(
    pageSize: Int, mode: Configuration.JournalModeConfiguration
  ) throws {
    try withTemporaryDirectory { directory in
      var paths = [directory + "/library.sqlite"]
      if mode == .default { paths += ["", ":memory:"] }
      for path in paths {
        let queue = try makeQueue(path: path, pageSize: pageSize, mode: mode)
        try queue.inDatabase { db in try db.execute(sql: "PRAGMA user_version = 12") }
        try queue.erase()
        try queue.inDatabase { db throws in
          #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM sqlite_master") == 0)
          #expect(try Int.fetchOne(db, sql: "PRAGMA user_version") == 0)
          #expect(try !db.tableExists("t"))
          try db.execute(sql: "CREATE TABLE t (c); INSERT INTO t VALUES (1)")
          #expect(try String.fetchAll(db, sql: "PRAGMA integrity_check") == ["ok"])
        }
        #expect(try count(queue) == 1)
      }
    }
  }

  @Test(.needs(.rTree))
  func `erase asks no foreign key and no trigger, and leaves attached databases alone`()
    throws
  {
    let queue = try DatabaseQueue()
    try queue.inDatabase { db in
      try db.execute(
        sql: """
          ATTACH ':memory:' AS archive;
          CREATE TABLE archive.kept (a);
          CREATE TEMPORARY TABLE mine (a);
          CREATE TABLE p (id INTEGER PRIMARY KEY);
          CREATE TABLE c (p REFERENCES p(id) ON DELETE RESTRICT);
          CREATE VIEW v AS SELECT * FROM c;
          CREATE TRIGGER no BEFORE DELETE ON p BEGIN SELECT RAISE(ABORT, 'no'); END;
          CREATE INDEX i ON c(p);
          CREATE VIRTUAL TABLE place USING rtree(id, minX, maxX);
          INSERT INTO p VALUES (1);
          INSERT INTO c VALUES (1);
          """)
    }
    try queue.erase()
    try queue.inDatabase { db throws in
      #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM main.sqlite_master") == 0)
      #expect(try db.tableExists("archive.kept"))
      #expect(try db.tableExists("mine"))
      #expect(try !db.tableExists("p"))
      #expect(try !db.viewExists("v"))
    }
  }

  @Test func `erase throws while another connection reads, and changes nothing`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      let queue = try makeQueue(path: path)
      let reader = try DatabaseQueue(path: path)
      try reader.inTransaction(.deferred) { db in
        _ = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM t")
        #expect(databaseError { try queue.erase() }?.resultCode == .SQLITE_BUSY)
        return .commit
      }
      #expect(try count(queue) == 50)
      try queue.erase()
      #expect(try reader.read { db in try db.tableExists("t") } == false)
    }
  }

  @Test func `a read-only database is not erased, nor vacuumed`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      try makeQueue(path: path).close()
      var configuration = Configuration()
      configuration.readonly = true
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      #expect(databaseError { try queue.erase() }?.resultCode == .SQLITE_READONLY)
      #expect(databaseError { try queue.vacuum() }?.resultCode == .SQLITE_READONLY)
      #expect(try count(queue) == 50)
    }
  }

  @Test func `connections are only copied in their accesses`() throws {
    let source = try makeQueue()
    let destination = try makeQueue(rows: 1)
    // A connection that leaves its access is of no use.
    nonisolated(unsafe) var escaped: Database?
    destination.inDatabase { db in escaped = db }
    source.inDatabase { db in
      let error = databaseError { try escaped.map { try db.backup(to: $0) } }
      #expect(error?.message == "the connection `db` was used outside of its access")
    }
    source.inDatabase { db in escaped = db }
    destination.inDatabase { db in
      let error = databaseError { try escaped.map { try $0.backup(to: db) } }
      #expect(error?.message == "the connection `db` was used outside of its access")
    }
    #expect(try count(destination) == 1)
  }
}
