import Foundation
import Quarry
import QuarryBlobs
import QuarryTestSupport
import Testing

@Suite("Serialized databases")
struct SerializationTests {
  private func makeData(_ sql: String = "CREATE TABLE t (a); INSERT INTO t VALUES (1), (2)") throws
    -> Data
  {
    let queue = try DatabaseQueue()
    return try queue.inDatabase { db in
      try db.execute(sql: sql)
      return try db.serialize()
    }
  }

  @Test func `a database goes through data`() throws {
    let data = try makeData()
    #expect(data.starts(with: Data("SQLite format 3\0".utf8)))
    let queue = try DatabaseQueue()
    try queue.inDatabase { db throws -> Void in
      try db.execute(sql: "CREATE TABLE former (a)")
      #expect(try db.tableExists("former"))
      try db.deserialize(data)
      #expect(try !db.tableExists("former"))
      #expect(try Int.fetchAll(db, sql: "SELECT a FROM t") == [1, 2])
      try db.execute(sql: "INSERT INTO t VALUES (3)")
      #expect(try db.serialize() != data)
    }
    let count = try queue.read { db in try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM t") }
    #expect(count == 3)
  }

  @Test func `the data of a file are the file, and replacing it leaves the file alone`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/db.sqlite"
      let queue = try DatabaseQueue(path: path)
      try queue.write { db in try db.execute(sql: "CREATE TABLE t (a)") }
      try queue.inDatabase { db throws -> Void in
        #expect(try db.serialize() == Data(contentsOf: URL(fileURLWithPath: path)))
        try db.deserialize(try makeData())
        try db.execute(sql: "INSERT INTO t VALUES (3)")
        #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM t") == 3)
      }
      try queue.close()
      let other = try DatabaseQueue(path: path)
      let count = try other.read { db in try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM t") }
      #expect(count == 0)
    }
  }

  @Test func `a database in WAL mode goes through data, with what is in the log`() throws {
    try withTemporaryDirectory { directory in
      var configuration = Configuration()
      configuration.journalMode = .wal
      let source = try DatabaseQueue(path: directory + "/db.sqlite", configuration: configuration)
      try source.write { db in try db.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1)") }
      let data = try source.read { db in try db.serialize() }
      try DatabaseQueue().inDatabase { db throws -> Void in
        try db.deserialize(data)
        #expect(try Int.fetchAll(db, sql: "SELECT a FROM t") == [1])
        try db.execute(sql: "INSERT INTO t VALUES (2)")
      }
    }
  }

  @Test func `the changes of the current transaction are serialized`() throws {
    let queue = try DatabaseQueue()
    let data = try queue.write { db in
      try db.execute(sql: "CREATE TABLE t (a)")
      return try db.serialize()
    }
    try queue.inDatabase { db throws -> Void in
      try db.deserialize(data)
      #expect(try db.tableExists("t"))
    }
  }

  @Test(arguments: ["main", "other"], [true, false])
  func `the changes of the current transaction are not serialized where data were deserialized`(
    schema: String, isEmpty: Bool
  ) throws {
    let book = "CREATE TABLE book (title); INSERT INTO book VALUES ('Emma');"
    let data = isEmpty ? Data() : try makeData(book)
    try DatabaseQueue().inDatabase { db throws -> Void in
      try db.execute(sql: "ATTACH ':memory:' AS other")
      try db.deserialize(data, schema: schema)
      try db.inTransaction(.deferred) {
        try #expect(Int.fetchOne(db, sql: "SELECT count(*) FROM \(schema).sqlite_master") != nil)
        try #expect(db.serialize(schema: schema).count == data.count)
        try db.execute(sql: "CREATE TABLE \(schema).shelf (room)")
        try db.execute(sql: "INSERT INTO \(schema).shelf VALUES ('attic')")
        let error = databaseError { _ = try db.serialize(schema: schema) }
        #expect(error?.resultCode == .SQLITE_BUSY)
        #expect(error?.message?.contains("serialize after the commit") == true)
        _ = try db.serialize(schema: schema == "main" ? "other" : "main")
        return .commit
      }
      try db.deserialize(db.serialize(schema: schema), schema: "other")
      try #expect(String.fetchAll(db, sql: "SELECT room FROM other.shelf") == ["attic"])
    }
  }

  @Test func `an empty database goes through data`() throws {
    let data = try DatabaseQueue().inDatabase { db in try db.serialize() }
    try DatabaseQueue().inDatabase { db throws -> Void in
      try db.execute(sql: "CREATE TABLE t (a)")
      try db.deserialize(data)
      #expect(try !db.tableExists("t"))
      try db.execute(sql: "CREATE TABLE t (a)")
      #expect(try db.tableExists("t"))
    }
  }

  @Test(arguments: [
    Data([1, 2, 3]), Data("SQLite format 3".utf8), Data(repeating: 0xFF, count: 5000),
  ])
  func `bytes that are no database are refused, and change nothing`(data: Data) throws {
    try DatabaseQueue().inDatabase { db throws -> Void in
      try db.execute(sql: "CREATE TABLE t (a)")
      let error = databaseError { try db.deserialize(data) }
      #expect(error?.resultCode == .SQLITE_NOTADB)
      #expect(try db.tableExists("t"))
    }
  }

  /// See <https://www.sqlite.org/fileformat.html#the_database_header>.
  @Test(arguments: [(16, 0), (16, 0x11), (19, 3), (20, 0xFF), (21, 0), (22, 0), (23, 0), (47, 5)])
  func `a header that SQLite does not read is refused`(position: Int, byte: UInt8) throws {
    var data = try makeData("PRAGMA page_size = 512; CREATE TABLE t (a)")
    data[position] = byte
    try DatabaseQueue().inDatabase { db throws -> Void in
      try db.execute(sql: "CREATE TABLE u (a)")
      #expect(databaseError { try db.deserialize(data) }?.resultCode == .SQLITE_NOTADB)
      #expect(try db.tableExists("u"))
    }
  }

  @Test(
    arguments: [
      ("CREATE TABLE book (year)", "main"), ("CREATE TEMP TABLE book (year)", "main"),
      ("ATTACH ':memory:' AS other; CREATE TABLE other.book (year)", "main"),
      ("ATTACH ':memory:' AS other; CREATE TABLE other.book (year)", "other"),
    ], ["UTF-16le", "UTF-16be", "4"])
  func `data with another text encoding are refused, and change nothing`(
    database: (sql: String, schema: String), encoding: String
  ) throws {
    let sql = "CREATE TABLE book (title); INSERT INTO book VALUES ('Émile')"
    var other = try makeData("PRAGMA encoding = '\(encoding == "4" ? "UTF-8" : encoding)'; \(sql)")
    // There is no such encoding.
    if encoding == "4" { other[59] = 4 }
    let data = try makeData(sql)
    try DatabaseQueue().inDatabase { db throws -> Void in
      try db.execute(sql: database.sql)
      let error = databaseError { try db.deserialize(other, schema: database.schema) }
      #expect(error?.resultCode == .SQLITE_ERROR)
      #expect(error?.message?.contains("encoding") == true)
      #expect(error?.message?.contains(encoding) == true)
      #expect(try Row.fetchAll(db, sql: "SELECT year FROM book") == [])
      try db.deserialize(data, schema: database.schema)
      let titles = try String.fetchAll(db, sql: "SELECT title FROM \(database.schema).book")
      #expect(titles == ["Émile"])
    }
  }

  @Test(arguments: ["UTF-8", "UTF-16le", "UTF-16be"])
  func `a connection without content takes the text encoding of the data`(encoding: String) throws {
    let data = try makeData(
      """
      PRAGMA encoding = '\(encoding)';
      CREATE TABLE book (title);
      INSERT INTO book VALUES ('Émile')
      """)
    try DatabaseQueue().inDatabase { db throws -> Void in
      try db.deserialize(data)
      for data in [data, Data()] {
        #expect(try String.fetchOne(db, sql: "PRAGMA encoding") == encoding)
        #expect(try String.fetchAll(db, sql: "SELECT title FROM book") == ["Émile"])
        // SQLite takes another main database for one with UTF-8.
        let error = databaseError { try db.deserialize(data) }
        #expect(error?.resultCode == (encoding == "UTF-8" ? nil : .SQLITE_ERROR))
      }
      #expect(try db.tableExists("book") == (encoding != "UTF-8"))
      try db.execute(sql: "ATTACH ':memory:' AS other")
      try db.deserialize(data, schema: "other")
      #expect(try String.fetchAll(db, sql: "SELECT title FROM other.book") == ["Émile"])
    }
  }

  @Test(arguments: ["UTF-8", "UTF-16le", "UTF-16be"])
  func `data without byte are a database with UTF-8`(encoding: String) throws {
    try DatabaseQueue().inDatabase { db throws -> Void in
      try db.execute(sql: "PRAGMA encoding = '\(encoding)'")
      try db.deserialize(Data())
      try db.execute(sql: "CREATE TABLE book (title); INSERT INTO book VALUES ('Émile')")
      try #expect(String.fetchOne(db, sql: "PRAGMA encoding") == "UTF-8")
      try #expect(String.fetchAll(db, sql: "SELECT title FROM book") == ["Émile"])
    }
  }

  @Test(arguments: [16, 17, 30, 100, 1000])
  func `damaged data throw`(length: Int) throws {
    let data = try makeData().prefix(length)
    let error = databaseError {
      try DatabaseQueue().inDatabase { db in
        try db.deserialize(Data(data))
        _ = try Row.fetchAll(db, sql: "SELECT * FROM t")
        _ = try String.fetchAll(db, sql: "PRAGMA integrity_check")
      }
    }
    #expect(error != nil)
  }

  @Test(arguments: [1, 4095, 4096, 5000])
  func `a database whose end is missing is refused, and changes nothing`(count: Int) throws {
    let data = try makeData().dropLast(count)
    try DatabaseQueue().inDatabase { db throws -> Void in
      try db.execute(sql: "CREATE TABLE former (a)")
      let error = databaseError { try db.deserialize(data) }
      #expect(error?.resultCode == .SQLITE_CORRUPT)
      #expect(
        error?.message
          == "the end of the database is missing: there are \(8192 - count) bytes, instead of 8192")
      #expect(try db.tableExists("former"))
    }
  }

  /// See <https://www.sqlite.org/fileformat.html#in_header_database_size>.
  @Test func `the number of pages is that of the bytes, where the header has none`() throws {
    var data = try makeData()
    data[27] += 1
    try DatabaseQueue().inDatabase { db throws -> Void in
      try db.deserialize(data)
      #expect(try Int.fetchAll(db, sql: "SELECT a FROM t") == [1, 2])
      let error = databaseError { try db.deserialize(data.dropLast()) }
      #expect(
        error?.message
          == "the end of the database is missing: there are 8191 bytes, instead of 8192")
    }
  }

  @Test func `bytes after the last page are left out`() throws {
    let data = try makeData() + Data([1, 2, 3])
    try DatabaseQueue().inDatabase { db throws -> Void in
      try db.deserialize(data)
      #expect(try Int.fetchAll(db, sql: "SELECT a FROM t") == [1, 2])
    }
  }

  @Test(arguments: [512, 65536])
  func `databases of all page sizes go through data`(size: Int) throws {
    let data = try makeData("PRAGMA page_size = \(size); CREATE TABLE t (a)")
    #expect(data.count == 2 * size)
    try DatabaseQueue().inDatabase { db throws -> Void in
      try db.deserialize(data)
      #expect(try db.tableExists("t"))
      #expect(databaseError { try db.deserialize(data.dropLast()) } != nil)
    }
  }

  @Test(arguments: ["temp", "TEMP"])
  func `the temporary database can't be replaced`(schema: String) throws {
    let data = try makeData()
    try DatabaseQueue().inDatabase { db throws -> Void in
      for sql in ["SELECT 1", "CREATE TEMP TABLE former (a)"] {
        try db.execute(sql: sql)
        let error = databaseError { try db.deserialize(data, schema: schema) }
        #expect(error?.resultCode == .SQLITE_MISUSE)
        #expect(error?.message == "the temporary database can't be replaced")
      }
      #expect(try db.tableExists("former"))
    }
  }

  @Test func `a slice of data has its own bytes`() throws {
    let data = try makeData()
    let slice = (Data([1, 2, 3]) + data).dropFirst(3)
    try DatabaseQueue().inDatabase { db throws -> Void in
      try db.deserialize(slice)
      #expect(try Int.fetchAll(db, sql: "SELECT a FROM t") == [1, 2])
    }
  }

  @Test func `a database that is being used can't be replaced`() throws {
    let data = try makeData()
    try DatabaseQueue().inDatabase { db throws -> Void in
      try db.execute(sql: "CREATE TABLE t AS SELECT 1 AS a UNION ALL SELECT 2")
      try db.inTransaction {
        let error = databaseError { try db.deserialize(data) }
        #expect(error?.resultCode == .SQLITE_BUSY)
        #expect(error?.message == "a database can't be replaced inside a transaction")
        return .commit
      }
      let cursor = try Int.fetchCursor(db, sql: "SELECT a FROM t")
      _ = try cursor.next()
      let fetching = databaseError { try db.deserialize(data) }
      #expect(fetching?.resultCode == .SQLITE_BUSY)
      #expect(
        fetching?.message
          == "a database can't be replaced while a statement or a blob is being read")
      #expect(try cursor.next() == 2)
      #expect(try cursor.next() == nil)
      try db.execute(sql: "CREATE TABLE file (content); INSERT INTO file VALUES (x'00')")
      try db.withBlob(table: "file", column: "content", rowID: 1) { blob throws in
        let reading = databaseError { try db.deserialize(data) }
        #expect(reading?.resultCode == .SQLITE_BUSY)
        #expect(try blob.read() == Data([0]))
      }
      try db.deserialize(data)
      withExtendedLifetime(cursor) {}
    }
  }

  @Test func `a database that can only be read refuses changes`() throws {
    try DatabaseQueue().inDatabase { db throws -> Void in
      try db.deserialize(try makeData(), readonly: true)
      #expect(try Int.fetchAll(db, sql: "SELECT a FROM t") == [1, 2])
      let error = databaseError { try db.execute(sql: "DELETE FROM t") }
      #expect(error?.resultCode == .SQLITE_READONLY)
    }
  }

  @Test func `attached databases are serialized and replaced by name`() throws {
    try DatabaseQueue().inDatabase { db throws -> Void in
      try db.execute(sql: "ATTACH ':memory:' AS other; CREATE TABLE other.u (a)")
      try db.deserialize(try makeData(), schema: "other")
      #expect(try Int.fetchAll(db, sql: "SELECT a FROM other.t") == [1, 2])
      #expect(try !db.tableExists("u"))
      let data = try db.serialize(schema: "OTHER")
      try db.deserialize(data)
      #expect(try Int.fetchAll(db, sql: "SELECT a FROM main.t") == [1, 2])
    }
  }

  @Test func `the file of a pool is not replaced, which its readers would still read`() throws {
    let data = try makeData()
    let pool = try DatabasePool.temporary()
    try pool.write { db in try db.execute(sql: "CREATE TABLE book (title)") }
    let error = databaseError {
      try pool.writeWithoutTransaction { db in try db.deserialize(data) }
    }
    #expect(error?.resultCode == .SQLITE_MISUSE)
    #expect(
      error?.message == "a connection of a pool can't replace the file of database main, which the "
        + "others may read: deserialize in a DatabaseQueue, and copy it by `backup(to:)`")
    let reading = databaseError { try pool.unsafeRead { db in try db.deserialize(data) } }
    #expect(reading != nil)
    try pool.write { db in try db.execute(sql: "INSERT INTO book VALUES ('Emma')") }
    try pool.read { db throws in
      #expect(try String.fetchAll(db, sql: "SELECT title FROM book") == ["Emma"])
    }
    // Databases in memory, and attached files, belong to the connection.
    try withTemporaryDirectory { directory in
      for path in [":memory:", directory + "/other.sqlite"] {
        try pool.writeWithoutTransaction { db throws in
          try db.execute(sql: "ATTACH ? AS other", arguments: [path])
          try db.deserialize(data, schema: "other")
          #expect(try Int.fetchAll(db, sql: "SELECT a FROM other.t") == [1, 2])
          try db.execute(sql: "DETACH other")
        }
      }
    }
  }

  @Test func `a database in memory that all connections of a pool attach is replaced again`()
    throws
  {
    let data = try makeData()
    try withTemporaryDirectory { directory in
      var configuration = Configuration()
      configuration.prepareDatabase { db in try db.execute(sql: "ATTACH ':memory:' AS other") }
      let pool = try DatabasePool(
        path: directory + "/library.sqlite", configuration: configuration)
      try pool.writeWithoutTransaction { db in
        for _ in 1...2 {
          try db.deserialize(data, schema: "other")
          #expect(try Int.fetchAll(db, sql: "SELECT a FROM other.t") == [1, 2])
        }
      }
    }
  }

  @Test func `a file that all connections of a pool attach is not replaced`() throws {
    let data = try makeData()
    try withTemporaryDirectory { directory in
      var configuration = Configuration()
      configuration.prepareDatabase { db in
        try db.execute(sql: "ATTACH ? AS archive", arguments: [directory + "/archive.sqlite"])
      }
      let pool = try DatabasePool(
        path: directory + "/library.sqlite", configuration: configuration)
      let error = databaseError {
        try pool.writeWithoutTransaction { db in try db.deserialize(data, schema: "archive") }
      }
      #expect(error?.resultCode == .SQLITE_MISUSE)
      try pool.close()
    }
  }

  @Test func `a locked file that is attached does not keep observers from the replaced database`()
    throws
  {
    let data = try makeData()
    try withTemporaryDirectory { directory in
      let path = directory + "/archive.sqlite"
      let other = try DatabaseQueue(path: path)
      try other.write { db in try db.execute(sql: "CREATE TABLE loan (id)") }
      let queue = try DatabaseQueue()
      try queue.writeWithoutTransaction { db in
        try db.execute(sql: "CREATE TABLE book (id); ATTACH ? AS archive", arguments: [path])
      }
      let observer = ReplacementObserver()
      queue.add(transactionObserver: observer, extent: .databaseLifetime)
      try other.writeWithoutTransaction { lock in
        try lock.execute(sql: "BEGIN EXCLUSIVE")
        try queue.writeWithoutTransaction { db in try db.deserialize(data) }
        try lock.execute(sql: "ROLLBACK")
      }
      #expect(observer.log.elements == ["change", "commit"])
      try queue.writeWithoutTransaction { db throws in
        // SQLite does not replace the temporary database.
        #expect(databaseError { try db.deserialize(data, schema: "temp") } != nil)
      }
      #expect(observer.log.elements == ["change", "commit"])
      try other.close()
      try queue.close()
    }
  }

  @Test func `an observer that refuses the commit has its error thrown after the replacement`()
    throws
  {
    let data = try makeData()
    let queue = try DatabaseQueue()
    try queue.write { db in try db.execute(sql: "CREATE TABLE book (id)") }
    let observer = ReplacementObserver(refuses: true)
    queue.add(transactionObserver: observer, extent: .databaseLifetime)
    try queue.writeWithoutTransaction { db throws in
      #expect(throws: ReplacementObserver.Refusal.self) { try db.deserialize(data) }
      #expect(try Int.fetchAll(db, sql: "SELECT a FROM t") == [1, 2])
    }
  }

  @Test func `observations see the database that takes the place`() async throws {
    let data = try makeData()
    let queue = try DatabaseQueue()
    try await queue.write { db in try db.execute(sql: "CREATE TABLE t (a)") }
    let observation = ValueObservation.tracking { db in
      try Int.fetchAll(db, sql: "SELECT a FROM t")
    }
    var values = observation.values(in: queue).makeAsyncIterator()
    let before = try await values.next()
    #expect(before == [])
    try await queue.writeWithoutTransaction { db in try db.deserialize(data, readonly: true) }
    let after = try await values.next()
    #expect(after == [1, 2])
  }

  @Test func `there is no data of an unknown schema, nor of a closed connection`() throws {
    let queue = try DatabaseQueue()
    queue.inDatabase { db in
      let serialization = databaseError { try db.serialize(schema: "nope") }
      #expect(serialization?.message == "no such schema: nope")
      let deserialization = databaseError { try db.deserialize(Data(), schema: "nope") }
      #expect(deserialization?.message == "no such schema: nope")
    }
    try queue.close()
    queue.inDatabase { db in
      let serialization = databaseError { try db.serialize() }
      #expect(serialization?.message == "Connection is closed")
      let deserialization = databaseError { try db.deserialize(Data()) }
      #expect(deserialization?.message == "Connection is closed")
    }
  }
}

/// Logs what it is notified of, or refuses commits.
private final class ReplacementObserver: TransactionObserver {
  struct Refusal: Error {}

  let log = Log<String>()
  private let refuses: Bool

  init(refuses: Bool = false) { self.refuses = refuses }

  func observes(eventsOfKind kind: DatabaseEventKind) -> Bool { true }
  func databaseDidChange() { log.append("change") }
  func databaseDidChange(with event: DatabaseEvent) { log.append("event") }
  func databaseWillCommit() throws { if refuses { throw Refusal() } }
  func databaseDidCommit(_ db: Database) { log.append("commit") }
  func databaseDidRollback(_ db: Database) { log.append("rollback") }
}
