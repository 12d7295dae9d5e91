import CSQLite
import Foundation
import Quarry
import QuarryBlobs
import QuarryChanges
import QuarryTestSupport
import Testing

@Suite("Tables of commits", .timeLimit(.minutes(10))) struct NamedCommitTests {
  private static let schema = """
    CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE book (
      id INTEGER PRIMARY KEY, title TEXT, content BLOB,
      authorId INTEGER REFERENCES author ON DELETE CASCADE);
    CREATE TABLE loan (id INTEGER PRIMARY KEY AUTOINCREMENT, book TEXT);
    CREATE TABLE tag (name TEXT PRIMARY KEY, count INTEGER) WITHOUT ROWID;
    CREATE TABLE history (text TEXT);
    CREATE TABLE price (id INTEGER PRIMARY KEY, value REAL);
    CREATE TRIGGER priced AFTER UPDATE ON price BEGIN
      INSERT INTO history VALUES ('price');
    END;
    CREATE VIEW shelf AS SELECT title FROM book;
    CREATE TRIGGER shelved INSTEAD OF INSERT ON shelf BEGIN
      INSERT INTO book (title) VALUES (new.title);
    END;
    INSERT INTO author VALUES (1, 'Austen'), (2, 'Melville');
    INSERT INTO book VALUES (1, 'Emma', zeroblob(10), 1), (2, 'Moby-Dick', zeroblob(10), 2);
    INSERT INTO tag VALUES ('novel', 2);
    INSERT INTO price VALUES (1, 10);
    """

  /// Calls `body` with a world in which a commit was named: positions are known.
  private func withWorld(
    _ body: (SignalWorld, DatabaseQueue) throws -> Void
  ) throws {
    try withTemporaryDirectory { directory in
      let world = try SignalWorld(directory, schema: Self.schema)
      let writer = try world.open()
      try writer.write { db in try db.execute(sql: "INSERT INTO history VALUES ('first')") }
      #expect(try world.look() == .all, "an observation may have begun before")
      #expect(try world.look() == .none)
      try body(world, writer)
    }
  }

  @Test func `tables are still named after a close that fails`() throws {
    try withWorld { world, writer in
      nonisolated(unsafe) var kept = try writer.writeWithoutTransaction { db -> Statement? in
        try db.makeStatement(sql: "SELECT name FROM author")
      }
      let error = #expect(throws: DatabaseError.self) { try writer.close() }
      #expect(error?.resultCode == .SQLITE_BUSY)
      withExtendedLifetime(kept) {}
      kept = nil
      for _ in 1...2 {
        try writer.write { db in try db.execute(sql: "INSERT INTO history VALUES ('next')") }
        #expect(try world.look() == .tables(["history"]))
      }
      try writer.close()
    }
  }

  private static let statements: [(String, Set<String>)] = [
    ("INSERT INTO author (name) VALUES ('Woolf')", ["author"]),
    ("UPDATE book SET title = 'Persuasion' WHERE id = 1", ["book"]),
    ("DELETE FROM tag", ["tag"]),
    ("DELETE FROM loan", ["loan"]),
    ("INSERT INTO loan (book) VALUES ('Emma')", ["loan"]),
    ("UPDATE tag SET count = 3", ["tag"]),
    ("REPLACE INTO author VALUES (1, 'Jane Austen')", ["author", "book"]),
    ("DELETE FROM author WHERE id = 1", ["author", "book"]),
    ("UPDATE price SET value = 11", ["price", "history"]),
    ("INSERT INTO shelf VALUES ('Lady Susan')", ["shelf", "book"]),
    ("INSERT INTO tag VALUES ('novel', 1) ON CONFLICT DO UPDATE SET count = 1", ["tag"]),
    ("INSERT INTO HISTORY SELECT title FROM Book", ["history"]),
    ("INSERT INTO author (name) VALUES ('Eliot'); DELETE FROM tag", ["author", "tag"]),
    (
      "SAVEPOINT a; INSERT INTO author (name) VALUES ('Eliot'); ROLLBACK TO a; "
        + "INSERT INTO history VALUES (''); RELEASE a",
      ["author", "history"]
    ),
  ]

  @Test(arguments: statements)
  func `the tables of statements, triggers and foreign key actions are named`(
    sql: String, tables: Set<String>
  ) throws {
    try withWorld { world, writer in
      try writer.write { db in try db.execute(sql: sql) }
      #expect(try world.look() == .tables(tables))
      #expect(try world.look() == .none)
      // Without a transaction of its own.
      try writer.writeWithoutTransaction { db in
        try db.execute(sql: "INSERT INTO history VALUES ('next')")
        try db.execute(sql: "UPDATE tag SET count = count + 1")
        try db.execute(sql: "INSERT INTO tag VALUES ('essay', 1)")
      }
      #expect(try world.look() == .tables(["history", "tag"]))
    }
  }

  @Test(arguments: [
    "CREATE TABLE reader (id INTEGER PRIMARY KEY)",
    "DROP TABLE history",
    "ALTER TABLE tag RENAME TO label",
    "ALTER TABLE tag ADD COLUMN color TEXT",
    "CREATE INDEX i ON book (title)",
    "ANALYZE",
    "PRAGMA user_version = 7",
  ])
  func `changes of the schema, and of pragmas, name no tables`(sql: String) throws {
    try withWorld { world, writer in
      try writer.write { db in try db.execute(sql: sql) }
      #expect(try world.look() == .all)
      try writer.write { db in try db.execute(sql: "INSERT INTO book (title) VALUES ('Emma')") }
      #expect(try world.look() == .tables(["book"]))
    }
  }

  @Test func `VACUUM names no tables, and those of later commits are named`() throws {
    try withWorld { world, writer in
      try writer.vacuum()
      #expect(try world.look() == .all)
      try writer.write { db in try db.execute(sql: "DELETE FROM tag") }
      #expect(try world.look() == .all, "no message says where VACUUM has ended")
      try writer.write { db in try db.execute(sql: "INSERT INTO tag VALUES ('a', 1)") }
      #expect(try world.look() == .tables(["tag"]))
      try writer.vacuum(into: world.path + "-copy")
      #expect(try world.look() == .none)
      for _ in 0..<2 {
        try writer.write { db in try db.execute(sql: "UPDATE tag SET count = count + 1") }
        #expect(try world.look().covers(["tag"]))
      }
      try writer.write { db in try db.execute(sql: "INSERT INTO history VALUES ('x')") }
      #expect(try world.look() == .tables(["history"]))
    }
  }

  @Test func `what changes nothing is no signal`() throws {
    try withWorld { world, writer in
      struct Stop: Error {}
      try? writer.write { db in
        try db.execute(sql: "INSERT INTO author (name) VALUES ('Woolf')")
        throw Stop()
      }
      try writer.write { db in _ = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM book") }
      try writer.writeWithoutTransaction { db in
        try db.execute(sql: "BEGIN IMMEDIATE; COMMIT")
        _ = try db.checkpoint(.passive)
      }
      #expect(try world.look() == .none)
      // The tables of the transaction that was rolled back are none of this one.
      try writer.write { db in try db.execute(sql: "INSERT INTO tag VALUES ('a', 1)") }
      #expect(try world.look() == .tables(["tag"]))
      try writer.writeWithoutTransaction { db in
        try db.execute(sql: "CREATE TEMP TABLE mine (a); INSERT INTO temp.mine VALUES (1)")
      }
      #expect(try world.look() == .none)
      try writer.write { db in try db.execute(sql: "INSERT INTO tag VALUES ('b', 1)") }
      #expect(try world.look().covers(["tag"]))
    }
  }

  @Test func `the commits of the receiver are no news, and don't hide those of others`() throws {
    try withWorld { world, writer in
      for _ in 0..<3 {
        try world.receiver.write { db in try db.execute(sql: "UPDATE tag SET count = count + 1") }
      }
      #expect(try world.look() == .none)
      try world.receiver.write { db in try db.execute(sql: "UPDATE price SET value = 3") }
      try writer.write { db in try db.execute(sql: "UPDATE book SET title = 'A'") }
      try world.receiver.write { db in try db.execute(sql: "DELETE FROM author") }
      #expect(try world.look() == .tables(["book"]))
      // What a signal notifies is not named again.
      try world.receiver.write { db in try db.execute(sql: "INSERT INTO history VALUES ('x')") }
      let other = try SignalWorldReader(world.path)
      #expect(try other.look() == .all)
      try world.receiver.write { db in try db.execute(sql: "INSERT INTO history VALUES ('y')") }
      #expect(try other.look() == .tables(["history"]))
    }
  }

  @Test func `a connection without signals is noticed, between others too`() throws {
    try withWorld { world, writer in
      let foreign = try world.open(namingTables: false)
      func change(_ queue: DatabaseQueue, _ table: String) throws {
        try queue.write { db in try db.execute(sql: "UPDATE \(table) SET rowid = rowid") }
      }
      try change(foreign, "book")
      #expect(try world.look() == .all)
      try change(writer, "author")
      #expect(try world.look() == .all, "the position after the foreign commit is not known")
      try change(writer, "author")
      #expect(try world.look() == .tables(["author"]))
      for tables in [["author", "book", "author"], ["book", "author"], ["author", "book"]] {
        for table in tables { try change(table == "book" ? foreign : writer, table) }
        #expect(try world.look() == .all, "\(tables)")
        try change(writer, "history")
        _ = try world.look()
        try change(writer, "history")
        #expect(try world.look() == .tables(["history"]))
      }
    }
  }

  @Test func `the functions of C are noticed on a connection with signals`() throws {
    try withWorld { world, writer in
      // A statement of its own: nothing has announced it.
      try writer.writeWithoutTransaction { db in try db.executeInC("DELETE FROM tag") }
      #expect(try world.look() == .all)
      // In a transaction of the library.
      try writer.write { db in
        try db.execute(sql: "INSERT INTO history VALUES ('')")
        try db.executeInC("UPDATE price SET value = 1")
      }
      let outcome = try world.look()
      #expect(outcome.covers(["price", "history"]), "\(outcome)")
      // A statement that was compiled before.
      var statement: OpaquePointer?
      try writer.write { db in
        let sql = "INSERT INTO author (name) VALUES ('C')"
        sqlite3_prepare_v2(db.sqliteConnection, sql, -1, &statement, nil)
      }
      try writer.write { db in try db.execute(sql: "INSERT INTO history VALUES ('')") }
      _ = try world.look()
      try writer.write { db in
        try db.execute(sql: "INSERT INTO history VALUES ('')")
        #expect(sqlite3_step(statement) == SQLITE_DONE)
      }
      let later = try world.look()
      #expect(later.covers(["author", "history"]), "\(later)")
      sqlite3_finalize(statement)
      try writer.writeWithoutTransaction { db in try db.executeInC("CREATE TABLE c (a)") }
      #expect(try world.look() == .all)
    }
  }

  @Test func `a statement that SQLite compiles again is named with its new tables`() throws {
    try withWorld { world, writer in
      let foreign = try world.open(namingTables: false)
      try writer.writeWithoutTransaction { db in
        let statement = try db.makeStatement(sql: "UPDATE author SET name = 'x'")
        try statement.execute()
        _ = try world.look()
        try foreign.write { db in
          try db.execute(
            sql: """
              CREATE TRIGGER renamed AFTER UPDATE ON author BEGIN
                INSERT INTO tag VALUES (hex(randomblob(8)), 1);
              END
              """)
        }
        for _ in 0..<3 {
          try statement.execute()
          let outcome = try world.look()
          #expect(outcome.covers(["author", "tag"]), "\(outcome)")
        }
      }
    }
  }

  @Test func `a log that begins again is followed`() throws {
    try withWorld { world, writer in
      // More frames than the next commits have.
      try writer.write { db in
        try db.execute(
          sql: "INSERT INTO book (content) VALUES (randomblob(50000)), (randomblob(50000))")
      }
      #expect(try world.look() == .tables(["book"]))
      for mode in [Database.CheckpointMode.passive, .full, .restart] {
        try writer.writeWithoutTransaction { db in _ = try db.checkpoint(mode) }
        #expect(try world.look() == .none, "\(mode)")
        try writer.write { db in try db.execute(sql: "UPDATE tag SET count = count + 1") }
        #expect(try world.look() == .tables(["tag"]), "\(mode)")
        try writer.write { db in
          try db.execute(sql: "INSERT INTO book (content) VALUES (randomblob(90000))")
        }
        #expect(try world.look() == .tables(["book"]), "\(mode)")
      }
      try writer.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
      #expect(try world.look() == .all, "for SQLite, the version of the data is another one")
      try writer.write { db in try db.execute(sql: "UPDATE tag SET count = count + 1") }
      #expect(try world.look() == .all, "the file is empty: nothing proves where it goes on")
      try writer.write { db in try db.execute(sql: "UPDATE tag SET count = count + 1") }
      #expect(try world.look() == .all, "the first position of the new log")
      try writer.write { db in try db.execute(sql: "UPDATE tag SET count = count + 1") }
      #expect(try world.look() == .tables(["tag"]))
    }
  }

  @Test func `the log is written back as without signals`() throws {
    try withWorld { world, writer in
      try writer.write { db in
        try db.execute(
          sql: """
            WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 60)
            INSERT INTO book (content) SELECT randomblob(100000) FROM n
            """)
      }
      let size = try FileManager.default.attributesOfItem(atPath: world.path)[.size] as? Int
      #expect(size! > 6_000_000)
      #expect(try world.look() == .tables(["book"]))
      try writer.write { db in try db.execute(sql: "DELETE FROM history") }
      #expect(try world.look() == .tables(["history"]))
    }
  }

  @Test(.needs(.fullText))
  func `blobs, changes of which an application knows, and full-text tables`() throws {
    try withWorld { world, writer in
      try writer.write { db in
        try db.withBlob(table: "book", column: "content", rowID: 1, access: .readWrite) { blob in
          try blob.write(Data([1, 2]), at: 0)
        }
      }
      #expect(try world.look().covers(["book"]))
      try writer.write { db in
        try db.execute(sql: "DELETE FROM history")
        try db.notifyChanges(in: Table("price"))
      }
      #expect(try world.look() == .tables(["history", "price"]))
      try writer.write { db in
        try db.execute(sql: "CREATE VIRTUAL TABLE text USING fts5(title, content='book')")
      }
      #expect(try world.look() == .all)
      for sql in [
        "INSERT INTO text (rowid, title) VALUES (1, 'Emma')",
        "INSERT INTO text (text) VALUES ('rebuild')",
      ] {
        try writer.write { db in try db.execute(sql: sql) }
        let outcome = try world.look()
        #expect(outcome.covers(["text"]) && outcome != .all, "\(outcome)")
      }
    }
  }

  @Test func `messages that are lost are as commits without signals`() throws {
    try withWorld { world, writer in
      let handle = try #require(FileHandle(forUpdatingAtPath: world.path + "-signals"))
      try writer.write { db in try db.execute(sql: "DELETE FROM tag") }
      try handle.truncate(atOffset: 0)
      #expect(try world.look() == .all)
      for _ in 0..<2 {
        try writer.write { db in try db.execute(sql: "INSERT INTO history VALUES ('')") }
        _ = try world.look()
      }
      try writer.write { db in try db.execute(sql: "INSERT INTO history VALUES ('')") }
      #expect(try world.look() == .tables(["history"]))
      try FileManager.default.removeItem(atPath: world.path + "-signals")
      let other = try world.open()
      try other.write { db in try db.execute(sql: "DELETE FROM price") }
      #expect(try world.look() == .all)
    }
  }

  @Test func `signals with names need a log, and are given once`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      let queue = try DatabaseQueue(path: path)
      let error = databaseError {
        try queue.notifyChangesOfOtherProcesses(namingTables: true).cancel()
      }
      #expect(
        error?.message == """
          tables can only be named with a write-ahead log: use a DatabasePool, or \
          Configuration.journalMode = .wal, or signals without namingTables
          """)
      let pool = try DatabasePool(path: path)
      let signals = try pool.notifyChangesOfOtherProcesses(namingTables: true)
      let second = databaseError {
        try pool.notifyChangesOfOtherProcesses(namingTables: true).cancel()
      }
      #expect(
        second?.message == """
          the connection names the tables of its commits already: cancel these signals first
          """)
      // Others, without names, may stand beside.
      try pool.notifyChangesOfOtherProcesses().cancel()
      signals.cancel()
      // They end in an access of their own; then SQLite writes the log back by itself again.
      func limit() throws -> Int? {
        try pool.writeWithoutTransaction { db in
          try Int.fetchOne(db, sql: "PRAGMA wal_autocheckpoint")
        }
      }
      while try limit() != 1000 { usleep(1000) }
      try pool.notifyChangesOfOtherProcesses(namingTables: true).cancel()
    }
  }
}

/// Another receiver.
private final class SignalWorldReader {
  private let queue: DatabaseQueue
  private let commits: NamedCommits

  init(_ path: String) throws {
    queue = try DatabaseQueue(path: path, configuration: SignalWorld.configuration)
    commits = try NamedCommits(SignalFile(database: path))
  }

  func look() throws -> NamedCommits.Outcome {
    try queue.writeWithoutTransaction { [commits] db in try commits.notify(db) }
  }
}
