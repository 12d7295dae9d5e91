import Foundation
import Quarry
import QuarryBlobs
import QuarryTestSupport
import Testing

@Suite("Streams of blobs")
struct BlobTests {
  private func inDatabase(_ body: (Database) throws -> Void) throws {
    try DatabaseQueue().inDatabase { db in
      try db.execute(
        sql: """
          CREATE TABLE file (id INTEGER PRIMARY KEY, content, name TEXT);
          INSERT INTO file VALUES (1, x'0001020304', 'a'), (2, zeroblob(10), 'b'), (3, NULL, 'c'),
                                  (4, 12, 'd'), (5, x'', 'e'), (6, 'texté', 'f')
          """)
      try body(db)
    }
  }

  private func content(_ db: Database, _ id: Int) throws -> Data? {
    try Data.fetchOne(db, sql: "SELECT content FROM file WHERE id = ?", arguments: [id])
  }

  @Test func `a blob is read in parts`() throws {
    try inDatabase { db throws in
      let blob = try db.openBlob(table: "FILE", column: "CONTENT", rowID: 1)
      #expect(blob.count == 5)
      #expect(blob.table == "file")
      #expect(blob.column == "content")
      #expect(blob.rowID == 1)
      #expect(try blob.read() == Data([0, 1, 2, 3, 4]))
      #expect(try blob.read(at: 1, count: 2) == Data([1, 2]))
      #expect(try blob.read(at: 3) == Data([3, 4]))
      #expect(try blob.read(at: 5) == Data())
      #expect(try blob.read(at: 0, count: 0) == Data())
      var bytes = [UInt8](repeating: 9, count: 3)
      try bytes.withUnsafeMutableBytes { try blob.read(into: $0, at: 2) }
      #expect(bytes == [2, 3, 4])
    }
  }

  @Test func `a blob is written in parts`() throws {
    try inDatabase { db throws in
      let blob = try openContent(db, 2, .readWrite)
      try blob.write(Data([1, 2]))
      try blob.write([UInt8]([3, 4, 5]), at: 7)
      try blob.write(Data(), at: 10)
      #expect(try blob.read() == Data([1, 2, 0, 0, 0, 0, 0, 3, 4, 5]))
      try blob.close()
      #expect(try content(db, 2) == Data([1, 2, 0, 0, 0, 0, 0, 3, 4, 5]))
    }
  }

  @Test func `empty blobs and texts have streams, too`() throws {
    try inDatabase { db throws in
      let empty = try openContent(db, 5)
      #expect(empty.count == 0)
      #expect(try empty.read() == Data())
      let text = try openContent(db, 6)
      #expect(try text.read() == Data("texté".utf8))
    }
  }

  @Test(arguments: [
    (-1, 1), (0, 6), (5, 1), (6, 0), (1, -1), (.max, 1), (1, .max), (.min, 0),
  ])
  func `bytes outside of the blob are refused`(offset: Int, count: Int) throws {
    try inDatabase { db in
      let blob = try openContent(db, 1)
      let error = databaseError { try blob.read(at: offset, count: count) }
      #expect(error?.resultCode == .SQLITE_RANGE)
      #expect(
        error?.message == "no \(count) bytes at offset \(offset): there are 5 bytes "
          + "- in column content of table file, row 1")
    }
  }

  @Test(
    arguments: [
      (.min, nil), (.max, nil), (.min, 0), (.max, 0), (.min, .min), (.max, .max), (.min, .max),
      (.max, .min), (0, .max), (0, .min), (1, .max), (-1, nil), (-1, 6), (6, nil), (5, 1),
    ] as [(Int, Int?)])
  func `positions at the ends of integers are errors`(offset: Int, count: Int?) throws {
    try inDatabase { db throws in
      let blob = try openContent(db, 1, .readWrite)
      #expect(
        databaseError { try blob.read(at: offset, count: count) }?.resultCode == .SQLITE_RANGE)
      if offset != 0 {
        let write = databaseError { try blob.write(Data([1]), at: offset) }
        #expect(write?.resultCode == (offset == 1 ? nil : .SQLITE_RANGE))
      }
      #expect(try blob.chunks(size: .max).next()?.count == 5)
    }
  }

  @Test func `bytes can't be written outside of the blob`() throws {
    try inDatabase { db throws in
      let blob = try openContent(db, 1, .readWrite)
      let error = databaseError { try blob.write(Data([1, 2]), at: 4) }
      #expect(error?.resultCode == .SQLITE_RANGE)
      #expect(databaseError { try blob.read(at: 9) }?.resultCode == .SQLITE_RANGE)
      #expect(try blob.read() == Data([0, 1, 2, 3, 4]))
    }
  }

  struct Mistake: Sendable, CustomTestStringConvertible {
    var table = "file"
    var column = "content"
    var rowID: Int64 = 1
    var schema: String?
    var message: String
    var testDescription: String { message }
  }

  @Test(arguments: [
    Mistake(rowID: 99, message: "no such rowid: 99 - in column content of table file, row 99"),
    Mistake(
      column: "nope", message: "no such column: \"nope\" - in column nope of table file, row 1"),
    Mistake(
      rowID: 3, message: "cannot open value of type null - in column content of table file, row 3"
    ),
    Mistake(
      rowID: 4,
      message: "cannot open value of type integer - in column content of table file, row 4"),
    Mistake(table: "nope", message: "no such table: nope"),
    Mistake(schema: "nope", message: "no such schema: nope"),
    Mistake(
      table: "best", message: "cannot open view: best - in column content of table best, row 1"),
    Mistake(
      table: "keyed",
      message: "cannot open table without rowid: keyed - in column content of table keyed, row 1"),
  ])
  func `what can't be opened is reported with its table, column and row`(mistake: Mistake) throws {
    try inDatabase { db in
      try db.execute(
        sql: """
          CREATE VIEW best AS SELECT * FROM file;
          CREATE TABLE keyed (content BLOB PRIMARY KEY) WITHOUT ROWID
          """)
      let error = databaseError {
        try db.openBlob(
          table: mistake.table, column: mistake.column, rowID: mistake.rowID,
          schema: mistake.schema)
      }
      #expect(error?.resultCode == .SQLITE_ERROR)
      #expect(error?.message == mistake.message)
    }
  }

  @Test func `an error is not that of an earlier statement`() throws {
    try inDatabase { db in
      _ = try db.columns(in: "file")
      let former = databaseError { try db.makeStatement(sql: "SELECT * FROM nope") }
      #expect(former?.message == "no such table: nope")
      let error = databaseError { try db.openBlob(table: "file", column: "missing", rowID: 1) }
      #expect(error?.message?.hasPrefix(#"no such column: "missing""#) == true)
    }
  }

  @Test func `an indexed column can be read, but not written`() throws {
    try inDatabase { db throws in
      try db.execute(sql: "CREATE INDEX byContent ON file(content)")
      #expect(try openContent(db, 1).count == 5)
      let error = databaseError { try openContent(db, 1, .readWrite) }
      #expect(
        error?.message
          == "cannot open indexed column for writing - in column content of table file, row 1")
    }
  }

  @Test func `a stream that only reads can't write`() throws {
    try inDatabase { db throws in
      let blob = try openContent(db, 1)
      let error = databaseError { try blob.write(Data([1])) }
      #expect(error?.resultCode == .SQLITE_READONLY)
      #expect(
        error?.message == "the stream is read-only - in column content of table file, row 1")
      #expect(try content(db, 1) == Data([0, 1, 2, 3, 4]))
    }
  }

  @Test func `nothing is written where only reads are possible`() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(sql: "CREATE TABLE file (content); INSERT INTO file VALUES (x'00')")
    }
    try queue.read { db throws in
      #expect(try openContent(db, 1).read() == Data([0]))
      let error = databaseError { try openContent(db, 1, .readWrite) }
      #expect(error?.resultCode == .SQLITE_READONLY)
    }
  }

  @Test(arguments: [
    "UPDATE file SET content = x'0909' WHERE id = 1", "DELETE FROM file WHERE id = 1",
  ])
  func `a stream is over when its row changes, until it is reopened`(change: String) throws {
    try inDatabase { db throws in
      let blob = try openContent(db, 1, .readWrite)
      _ = try blob.read(at: 0, count: 1)
      try db.execute(sql: change)
      let read = databaseError { try blob.read(at: 0, count: 1) }
      #expect(read?.resultCode == .SQLITE_ABORT)
      #expect(
        read?.message
          == "the row was changed or deleted - in column content of table file, row 1")
      #expect(databaseError { try blob.write(Data([1])) }?.resultCode == .SQLITE_ABORT)
      try blob.reopen(rowID: 2)
      try blob.write(Data([1]))
      #expect(try blob.read(at: 0, count: 2) == Data([1, 0]))
      try blob.close()
      #expect(try content(db, 2) == Data([1, 0, 0, 0, 0, 0, 0, 0, 0, 0]))
    }
  }

  @Test func `a stream that is over is reopened at its row`() throws {
    try inDatabase { db throws in
      let blob = try openContent(db, 1)
      try db.execute(sql: "UPDATE file SET name = 'changed'")
      #expect(databaseError { try blob.read() }?.resultCode == .SQLITE_ABORT)
      try blob.reopen(rowID: 1)
      #expect(blob.count == 5)
      #expect(try blob.read() == Data([0, 1, 2, 3, 4]))
    }
  }

  @Test func `a stream that writes and is over is not reopened where only reads are possible`()
    throws
  {
    try inDatabase { db throws in
      let blob = try openContent(db, 1, .readWrite)
      try db.execute(sql: "UPDATE file SET name = 'changed'")
      #expect(databaseError { try blob.read() }?.resultCode == .SQLITE_ABORT)
      let error = try db.readOnly { databaseError { try blob.reopen(rowID: 1) } }
      #expect(error?.resultCode == .SQLITE_READONLY)
      try blob.reopen(rowID: 1)
      try blob.write(Data([9]))
      try blob.close()
      #expect(try content(db, 1) == Data([9, 1, 2, 3, 4]))
    }
  }

  @Test func `a stream moves to other rows`() throws {
    try inDatabase { db throws in
      let blob = try openContent(db, 1)
      try blob.reopen(rowID: 2)
      #expect(blob.rowID == 2)
      #expect(blob.count == 10)
      #expect(try blob.read() == Data(count: 10))
      let missing = databaseError { try blob.reopen(rowID: 99) }
      #expect(missing?.message == "no such rowid: 99 - in column content of table file, row 99")
      #expect(blob.count == 0)
      for _ in 1...2 {
        let null = databaseError { try blob.reopen(rowID: 3) }
        #expect(
          null?.message
            == "cannot open value of type null - in column content of table file, row 3")
        #expect(databaseError { try blob.read(at: 0, count: 0) }?.resultCode == .SQLITE_ABORT)
      }
      try blob.reopen(rowID: 1)
      #expect(try blob.read() == Data([0, 1, 2, 3, 4]))
    }
  }

  @Test func `a closed stream is reported`() throws {
    try inDatabase { db in
      let blob = try openContent(db, 1)
      try blob.close()
      try blob.close()
      let error = databaseError { try blob.read() }
      #expect(error?.resultCode == .SQLITE_MISUSE)
      #expect(error?.message == "Blob is closed: in column content of table file, row 1")
    }
  }

  @Test func `a stream is of no use outside of the access, nor after its connection`() throws {
    var blob: DatabaseBlob?
    do {
      let queue = try DatabaseQueue()
      try queue.inDatabase { db in
        try db.execute(sql: "CREATE TABLE file (content); INSERT INTO file VALUES (x'00')")
        blob = try openContent(db, 1)
      }
      let text = """
        SQLite error 21: the stream was used outside of its access \
        - in column content of table file, row 1
        the access has ended: use the stream inside of the closure that has opened it
        """
      #expect(errorText { try blob?.read() } == text)
      #expect(errorText { try blob?.reopen(rowID: 1) } == text)
      try blob?.close()
      try queue.close()
    }
    #expect(databaseError { try blob?.read() }?.message == "Connection is closed")
    try blob?.close()
  }

  @Test(arguments: [true, false])
  func `a stream of a function is closed after the function`(fails: Bool) throws {
    try inDatabase { db throws in
      var escaped: DatabaseBlob?
      func use() throws -> Data {
        try db.withBlob(table: "file", column: "content", rowID: 2, access: .readWrite) { blob in
          escaped = blob
          try blob.write(Data([7]))
          if fails { throw CancellationError() }
          return try blob.read(at: 0, count: 2)
        }
      }
      if fails {
        #expect(throws: CancellationError.self) { try use() }
      } else {
        #expect(try use() == Data([7, 0]))
      }
      #expect(databaseError { try escaped?.read() }?.message?.hasPrefix("Blob is closed") == true)
      // What was written before the error is written: there is no transaction.
      #expect(try content(db, 2)?.first == 7)
    }
  }

  @Test func `what is written in a transaction is undone by its rollback`() throws {
    try inDatabase { db throws in
      try db.inTransaction {
        try db.withBlob(table: "file", column: "content", rowID: 1, access: .readWrite) { blob in
          try blob.write(Data([9]))
        }
        return .rollback
      }
      #expect(try content(db, 1) == Data([0, 1, 2, 3, 4]))
    }
  }

  @Test func `the close that commits is the end of a transaction`() throws {
    let log = Log<String>()
    try inDatabase { db in
      db.afterNextTransaction { _ in log.append("commit") }
      let blob = try openContent(db, 1, .readWrite)
      try blob.write(Data([9]))
      try blob.close()
    }
    #expect(log.elements == ["commit"])
  }

  @Test func `large blobs are written and read part after part`() throws {
    try inDatabase { db throws in
      let size = 3_000_000
      try db.execute(
        sql: "INSERT INTO file (id, content) VALUES (10, zeroblob(?))", arguments: [size])
      try db.withBlob(table: "file", column: "content", rowID: 10, access: .readWrite) {
        blob throws in
        for offset in stride(from: 0, to: size, by: 100_000) {
          let byte = UInt8(offset / 100_000)
          try blob.write(Data(repeating: byte, count: 100_000), at: offset)
        }
        let sizes = try Array(blob.chunks(size: 700_000).map(\.count))
        #expect(sizes == [700_000, 700_000, 700_000, 700_000, 200_000])
        let all = try blob.chunks(size: 4096).reduce(into: Data()) { $0.append($1) }
        #expect(all.count == size)
        #expect(all[99_999] == 0)
        #expect(all[100_000] == 1)
        #expect(all[size - 1] == 29)
      }
    }
  }

  @Test func `chunks of an empty blob are none`() throws {
    try inDatabase { db throws in
      #expect(try openContent(db, 5).chunks(size: 10).next() == nil)
    }
  }

  @Test func `blobs of temporary and attached databases`() throws {
    try inDatabase { db throws in
      try db.execute(
        sql: """
          ATTACH ':memory:' AS "other one";
          CREATE TABLE "other one".file (content); INSERT INTO "other one".file VALUES (x'AA');
          CREATE TABLE "other one".far (content); INSERT INTO "other one".far VALUES (x'BB');
          """)
      let blob = try db.openBlob(
        table: "file", column: "content", rowID: 1, schema: "OTHER ONE")
      #expect(try blob.read() == Data([0xAA]))
      #expect(try db.openBlob(table: "far", column: "content", rowID: 1).read() == Data([0xBB]))
      #expect(try openContent(db, 1).count == 5)
      try db.execute(
        sql: "CREATE TEMP TABLE file (content); INSERT INTO temp.file VALUES (x'CCCC')")
      #expect(try openContent(db, 1).count == 2)
    }
  }

  @Test func `a stream in a transaction that is gone is refused`() throws {
    let queue = try DatabaseQueue()
    let error = databaseError {
      try queue.write { db in
        try db.execute(sql: "CREATE TABLE file (content); INSERT INTO file VALUES (x'00')")
        try db.execute(sql: "ROLLBACK")
        let error = databaseError { try openContent(db, 1) }
        #expect(error?.message == "Transaction was aborted")
      }
    }
    #expect(error?.message == "Transaction was aborted")
  }

  @Test func `the error of a commit that a stream stops names it`() throws {
    try inDatabase { db throws in
      try db.execute(sql: "BEGIN")
      let blob = try openContent(db, 1, .readWrite)
      let error = databaseError { try db.execute(sql: "COMMIT") }
      #expect(error?.resultCode == .SQLITE_BUSY)
      #expect(
        error?.details
          == "a blob stream that writes, or a statement, is still open: close it first")
      try blob.close()
      try db.execute(sql: "COMMIT")
    }
  }
}
