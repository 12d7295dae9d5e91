import CSQLite
import QuarryTestSupport
import Testing

@testable import Quarry

/// Functions of SQLite's extensions may write: the statement that calls them seems to read.
@Suite struct UnannouncedChangeTests {
  /// An observer of all changes, which filters no kinds of events.
  private final class Listener: TransactionObserver {
    let log = EventLog()
    let observesAllDatabaseChanges: Bool
    init(_ observesAll: Bool = true) { observesAllDatabaseChanges = observesAll }
    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool {
      log.write("asked")
      return false
    }
    func databaseDidChange() { log.databaseDidChange() }
    func databaseDidChange(with event: DatabaseEvent) { log.databaseDidChange(with: event) }
    func databaseWillCommit() throws { try log.databaseWillCommit() }
    func databaseDidCommit(_ db: Database) { log.databaseDidCommit(db) }
    func databaseDidRollback(_ db: Database) { log.databaseDidRollback(db) }
  }

  private func withRunFunction<T>(_ body: (Database) throws -> T) throws -> T {
    try withShop { db in
      db.addRunFunction()
      return try body(db)
    }
  }

  /// What an observer is notified of while statements are executed.
  private func lines(
    _ db: Database, _ statements: String..., listener: Listener = Listener()
  ) throws -> [String] {
    db.add(transactionObserver: listener)
    defer { db.remove(transactionObserver: listener) }
    for sql in statements { try db.execute(sql: sql) }
    return listener.log.take()
  }

  private let ends = ["willCommit", "didCommit"]
  private let insertion = "SELECT run('INSERT INTO note VALUES (''a'')')"

  @Test func `an observer of all changes gets those of functions`() throws {
    try withRunFunction { db throws in
      #expect(try lines(db, insertion) == ["insert note 1"] + ends)
      #expect(
        try lines(db, "BEGIN", insertion, insertion, "COMMIT")
          == ["insert note 2", "insert note 3"] + ends)
      #expect(try lines(db, "BEGIN; \(insertion); ROLLBACK") == ["insert note 4", "didRollback"])
      #expect(
        try lines(db, "BEGIN; SAVEPOINT a; \(insertion); ROLLBACK TO a; COMMIT") == ends)
      #expect(
        try lines(db, "BEGIN; SAVEPOINT a; \(insertion); RELEASE a; COMMIT")
          == ["insert note 4"] + ends)
      #expect(
        try lines(db, "SELECT run('UPDATE note SET text = 1 WHERE rowid < 2')")
          == ["update note 1"] + ends)
      #expect(
        try lines(db, "SELECT run('DELETE FROM note')")
          == (1...4).map { "delete note \($0)" } + ends)
      #expect(try lines(db, "SELECT * FROM note", "SELECT count(*) FROM note") == [])
    }
  }

  @Test(.needs(.fullText))
  func `an observer of all changes gets those of all statements, without being asked`() throws {
    try withRunFunction { db throws in
      try db.create(virtualTable: "ft", using: FTS5()) { t in
        t.synchronize(withTable: "book")
        t.column("title")
      }
      try db.execute(sql: "INSERT INTO author VALUES (1, 'Ann', 'FR'); INSERT INTO note VALUES (1)")
      let book = "INSERT INTO book (id, title, authorId) VALUES (10, 'Sea', 1)"
      let lines = try lines(db, book, "DELETE FROM author", "DELETE FROM note")
      #expect(lines.prefix(2) == ["insert book 10", "insert ft_docsize 10"])
      #expect(lines.contains("delete author 1") && lines.contains("delete book 10"))
      #expect(lines.suffix(3) == ["delete note 1"] + ends)
      #expect(!lines.contains("asked"))
      // DROP TABLE deletes the rows that others refer to.
      try db.execute(sql: "INSERT INTO author VALUES (1, 'Ann', 'FR')")
      #expect(try self.lines(db, "DROP TABLE author") == ["delete author 1"] + ends)
    }
  }

  @Test func `the other observers don't get the changes of functions`() throws {
    try withRunFunction { db throws in
      #expect(try lines(db, insertion, listener: Listener(false)) == ends)
      #expect(
        try lines(db, "INSERT INTO note VALUES (1)", listener: Listener(false)) == ["asked"] + ends)
      let log = EventLog()
      #expect(try db.log("BEGIN; \(insertion); COMMIT", of: log) == ends)
    }
  }

  @Test func `a statement that is read row by row reports its changes when it ends`() throws {
    try withRunFunction { db throws in
      try db.execute(sql: "INSERT INTO country VALUES ('FR', 'a'), ('IT', 'b')")
      let listener = Listener()
      db.add(transactionObserver: listener)
      let sql = "SELECT run('INSERT INTO note VALUES (''' || code || ''')') FROM country"
      try db.inTransaction {
        let cursor = try Row.fetchCursor(db, sql: sql)
        _ = try cursor.next()
        // A statement that everybody knows of, between two rows.
        try db.execute(sql: "INSERT INTO author (id) VALUES (5)")
        _ = try cursor.next()
        _ = try cursor.next()
        return .commit
      }
      #expect(
        listener.log.take().sorted()
          == ["didCommit", "insert author 5", "insert note 1", "insert note 2", "willCommit"])
      // Left in the middle of its rows.
      _ = try Row.fetchOne(db, sql: sql)
      #expect(listener.log.take() == ["insert note 3"] + ends)
      try db.execute(sql: "INSERT INTO note VALUES (1)")
      #expect(listener.log.take() == ["insert note 4"] + ends)
      db.remove(transactionObserver: listener)
      try db.execute(sql: insertion)
      #expect(listener.log.take() == [])
    }
  }

  @Test func `an insertion that fails inside of a function is no change`() throws {
    try withRunFunction { db throws in
      try db.execute(sql: "INSERT INTO country VALUES ('FR', 'a')")
      let listener = Listener()
      db.add(transactionObserver: listener)
      #expect(throws: DatabaseError.self) {
        try db.execute(sql: "SELECT run('INSERT INTO country VALUES (''FR'', ''b'')')")
      }
      #expect(!listener.log.take().contains { $0.hasPrefix("insert") })
    }
  }

  private func withNoteFunction(_ body: (Database) throws -> Void) throws {
    try withShop { db throws in
      nonisolated(unsafe) let connection = db
      db.add(
        function: DatabaseFunction("addNote", argumentCount: 0) { _ in
          try connection.execute(sql: "INSERT INTO note VALUES (1)")
          return nil
        })
      try body(db)
    }
  }

  @Test func `functions that write with the library are reported once`() throws {
    try withNoteFunction { db throws in
      #expect(try lines(db, "SELECT addNote()") == ["insert note 1"] + ends)
      #expect(try notifications(Table("note"), in: db, ["SELECT addNote()"]) == [1])
    }
  }

  @Test func `a function that a followed statement calls may write what nobody follows`() throws {
    try withNoteFunction { db throws in
      let log = EventLog()
      log.wants = { $0.tableName == "author" }
      let insertion = "INSERT INTO author VALUES (77, coalesce(addNote(), 'a'), 'b')"
      #expect(try db.log(insertion, of: log) == ["insert author 77"] + ends)
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM note") == 1)
    }
  }

  /// SQLite has no journal for a statement that changes one row at most.
  @Test func `what functions write is reported when the statement that calls them fails`() throws {
    try withNoteFunction { db throws in
      func insertCountries(_ rows: String) throws {
        try db.inTransaction {
          try? db.execute(sql: "INSERT INTO country VALUES \(rows)")
          return .commit
        }
        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM country") == 0)
      }
      func noteCount() throws -> Int? { try Int.fetchOne(db, sql: "SELECT count(*) FROM note") }
      let log = EventLog()
      db.add(transactionObserver: log)
      try insertCountries("(addNote(), 'x')")
      #expect(log.take() == ["insert note 1"] + ends)
      try insertCountries("('IT', zeroblob(coalesce(addNote(), 99999999999)))")
      #expect(log.take() == ["insert note 2"] + ends)
      #expect(try noteCount() == 2)
      // It has one for several rows, and undoes what is reported.
      try insertCountries("('FR', 'x'), (addNote(), 'y')")
      #expect(log.take() == ["insert note 3"] + ends)
      #expect(try noteCount() == 2)
      // Outside of a transaction, all is undone.
      try? db.execute(sql: "INSERT INTO country VALUES (addNote(), 'x')")
      #expect(log.take() == [])
      #expect(try noteCount() == 2)
    }
  }

  @Test func `regions are notified of what functions write in a statement that fails`() throws {
    try withNoteFunction { db throws in
      // Without an observer of the country, the insertion is not followed.
      let observer = RegionObserver(DatabaseRegion(table: "country")) { _ in }
      db.add(observer)
      defer { observer.cancel() }
      let insertion = "INSERT INTO country VALUES (addNote(), 'x')"
      let steps: [(Database) throws -> Void] = [
        { db in
          try db.inTransaction {
            try? db.execute(sql: insertion)
            return .commit
          }
        },
        { db in
          try db.inTransaction {
            try db.inSavepoint {
              try? db.execute(sql: insertion)
              return .rollback
            }
            return .commit
          }
        },
        { db in _ = try? db.execute(sql: insertion) },
      ]
      #expect(try notifications(Table("note"), in: db, of: steps) == [1, 0, 0])
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM note") == 1)
    }
  }

  @Test(.needs(.preUpdateHook))
  func `changes of other statements are none of a cursor that calls a function`() throws {
    try withShop { db throws in
      try db.execute(
        sql: """
          INSERT INTO author VALUES (1, 'Ann', 'FR'), (2, 'Bob', 'IT');
          INSERT INTO shelf VALUES ('A', 1, 'x'), ('A', 2, 'y');
          """)
      let log = EventLog()
      log.wants = { $0.tableName == "author" }
      db.add(transactionObserver: log)
      let region = DatabaseRegion(table: "author").union(DatabaseRegion(table: "shelf"))
      let observer = RegionObserver(region) { _ in }
      db.add(observer)
      defer { observer.cancel() }
      func step(_ update: String) -> (Database) throws -> Void {
        { db in
          try db.inTransaction {
            let cursor = try Row.fetchCursor(db, sql: "SELECT id, upper(name) FROM author")
            while let row = try cursor.next() {
              try db.execute(sql: update, arguments: [row["id"] as Int])
            }
            return .commit
          }
        }
      }
      let steps = [
        step("UPDATE author SET country = 'DE' WHERE id = ?"),
        step("UPDATE shelf SET label = 'z' WHERE num = ?"),
      ]
      #expect(try notifications(Table("note"), in: db, of: steps) == [0, 0])
      #expect(try notifications(Table("author"), in: db, of: steps) == [1, 0])
      #expect(try notifications(Table("shelf"), in: db, of: steps) == [0, 1])
      withExtendedLifetime(log) {}
    }
  }

  /// SQLite counts the rows of a statement with `RETURNING` in its last step.
  @Test(arguments: [true, false])
  func `no row of another statement is one of a cursor that calls a function`(usesHook: Bool)
    throws
  {
    try withShop { db throws in
      if !usesHook { db.broker.hasPreUpdateHook = false }
      try db.execute(
        sql: """
          INSERT INTO author VALUES (1, 'Ann', 'FR'), (2, 'Bob', 'IT');
          INSERT INTO country VALUES ('FR', 'France'), ('IT', 'Italy');
          """)
      // Compiled as a truncation, which no hook reports.
      let deletion = try db.makeStatement(sql: "DELETE FROM country")
      let observer = RegionObserver(DatabaseRegion(table: "author")) { _ in }
      db.add(observer)
      defer { observer.cancel() }
      func step(_ write: @escaping (Database, Int) throws -> Void) -> (Database) throws -> Void {
        { db in
          try db.inTransaction {
            let cursor = try Row.fetchCursor(db, sql: "SELECT id, upper(name) FROM author")
            while let row = try cursor.next() { try write(db, row["id"] as Int) }
            return .commit
          }
        }
      }
      let steps = [
        step { db, id in
          let update = "UPDATE author SET country = 'DE' WHERE id = ? RETURNING id"
          let ids = try Int.fetchAll(db, sql: update, arguments: [id])
          #expect(ids == [id])
        },
        step { db, _ in
          let insertion = "INSERT INTO review (score) VALUES (1), (2) RETURNING id"
          _ = try Int.fetchOne(db, sql: insertion)
        },
        step { _, _ in try deletion.execute() },
        step { db, id in
          try db.execute(sql: "INSERT INTO review (score) VALUES (?)", arguments: [id])
        },
      ]
      #expect(try notifications(Table("note"), in: db, of: steps) == [0, 0, 0, 0])
      #expect(try notifications(Table("author"), in: db, of: steps) == [1, 0, 0, 0])
    }
  }

  /// A table like the one below writes nothing at first, so that its change is only counted.
  @Test(.needs(.fullText))
  func `rows of other statements don't hide what a function writes to a full-text table`() throws {
    try withRunFunction { db throws in
      try db.execute(
        sql: """
          CREATE VIRTUAL TABLE ft USING fts5(title, content = '', columnsize = 0);
          INSERT INTO author (id) VALUES (1);
          """)
      let insertion = "SELECT run('INSERT INTO ft(rowid, title) VALUES (1, ''sea'')') FROM author"
      let step: (Database) throws -> Void = { db in
        try db.inTransaction {
          let cursor = try Row.fetchCursor(db, sql: insertion)
          while try cursor.next() != nil { try db.execute(sql: "INSERT INTO note VALUES ('a')") }
          return .commit
        }
      }
      #expect(try notifications(Table("ft"), in: db, of: [step]) == [1])
    }
  }

  @Test func `regions are notified of functions that write`() throws {
    try withRunFunction { db throws in
      let hasFullText = SQLiteFeature.fullText.isAvailable
      try db.execute(
        sql: hasFullText ? "CREATE VIRTUAL TABLE ft USING fts5(title)" : "CREATE TABLE ft (title)")
      try db.execute(sql: "INSERT INTO author VALUES (1, 'a', 'b')")
      let statements = [
        insertion, "BEGIN; \(insertion); COMMIT", "BEGIN; \(insertion); ROLLBACK",
        "BEGIN; SAVEPOINT a; \(insertion); ROLLBACK TO a; COMMIT",
        "SELECT run('INSERT INTO shelf VALUES (''A'', 1, ''x'')')",
        "SELECT run('INSERT INTO ft VALUES (''sea'')')",
        "SELECT run('UPDATE author SET name = ''x''')",
        "SELECT run('UPDATE author SET name = ''x'' WHERE id = 2')", "SELECT upper('a')",
      ]
      func counts(_ region: some DatabaseRegionConvertible) throws -> [Int] {
        try notifications(region, in: db, statements)
      }
      // Without the preupdate hook, what a function has changed is not known: all are notified,
      // also where a savepoint undoes it.
      let all = [1, 1, 0, 1, 1, 1, 1, 0, 0]
      func expect(_ region: some DatabaseRegionConvertible, _ expected: [Int]) throws {
        let isKnown = SQLiteFeature.preUpdateHook.isAvailable
        try #expect(counts(region) == (isKnown ? expected : all))
        try db.execute(sql: "DELETE FROM shelf")
      }
      try expect(Table("note"), [1, 1, 0, 0, 0, 0, 0, 0, 0])
      try expect(Table("shelf"), [0, 0, 0, 0, 1, 0, 0, 0, 0])
      try expect(Table("ft"), [0, 0, 0, 0, 0, 1, 0, 0, 0])
      try expect(Author.filter(key: 1), [0, 0, 0, 0, 0, 0, 1, 0, 0])
      try expect(DatabaseRegion.fullDatabase, [1, 1, 0, 0, 1, 1, 1, 0, 0])
    }
  }

  /// Such a table writes nothing at first. It does when a statement begins that may be undone by
  /// itself, here one that nobody follows.
  @Test(.needs(.fullText)) func `regions are notified of functions that write to full-text tables`()
    throws
  {
    try withRunFunction { db throws in
      try db.execute(
        sql: "CREATE VIRTUAL TABLE ft USING fts5(title, content = '', columnsize = 0)")
      let insertion = "SELECT run('INSERT INTO ft(rowid, title) VALUES (1, ''sea'')')"
      let statements = [
        insertion, "BEGIN; \(insertion); DELETE FROM shelf; COMMIT", "SELECT upper('a')",
      ]
      #expect(try notifications(Table("ft"), in: db, statements) == [1, 1, 0])
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `a value is fetched again after a function has written`(kind: ConnectionKind) async throws {
    try await kind.withShop { writer async throws in
      try writer.accessNow { db in db.addRunFunction() }
      let report = Report<Int>()
      let cancellable = authorCount.record(in: writer, into: report)
      try await report.values.first(1)
      try writer.accessNow { db in
        let sql = "SELECT run('INSERT INTO author DEFAULT VALUES')"
        try db.execute(sql: sql)
        _ = try Row.fetchAll(db, sql: sql)
      }
      try await report.values.wait { $0.last == 2 }
      cancellable.cancel()
    }
  }
}
