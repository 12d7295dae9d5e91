import Quarry
import QuarryTestSupport
import Testing

@Suite struct DatabaseRegionObservationTests {
  private func start(
    _ regions: any DatabaseRegionConvertible..., in writer: any DatabaseWriter,
    _ onChange: @escaping @Sendable (Database) -> Void
  ) -> AnyDatabaseCancellable {
    DatabaseRegionObservation(tracking: regions).start(
      in: writer, onError: { Issue.record($0) }, onChange: onChange)
  }

  /// The number of notifications of each statement, in a shop with an author, two books, and some
  /// countries.
  private func counts(
    _ region: some DatabaseRegionConvertible, _ statements: [String], setUp: String = ""
  ) throws -> [Int] {
    try withShop(.memory) { queue throws in
      try queue.write { db in
        try db.execute(
          sql: """
            INSERT INTO author VALUES (1, 'Ann', 'FR'), (2, 'Bob', 'IT');
            INSERT INTO book VALUES (10, 'A', 2000, 1, 1), (11, 'B', 2001, 1, 1);
            INSERT INTO country VALUES ('FR', 'France'), ('IT', 'Italy');
            \(setUp)
            """)
      }
      let log = Log<Int>()
      let cancellable = start(region, in: queue) { _ in log.append(1) }
      defer { cancellable.cancel() }
      return try statements.map { sql in
        log.removeAll()
        try queue.writeWithoutTransaction { db in try db.execute(sql: sql) }
        return log.elements.count
      }
    }
  }

  private func withShop<T>(
    _ kind: ConnectionKind, _ body: (any DatabaseWriter) throws -> T
  ) throws -> T {
    try kind.withDatabase { writer in
      try writer.write { db in try db.execute(sql: shopSchema) }
      return try body(writer)
    }
  }

  @Test func `a block of a callback ends with its transaction`() throws {
    try withShop(.memory) { queue throws in
      let texts = Log<String?>()
      let cancellable = start(Table("note"), in: queue) { db in
        let text = errorText {
          try db.inTransaction {
            try db.execute(sql: "INSERT INTO country VALUES ('FR', 'France')")
            try? db.execute(sql: "INSERT OR ROLLBACK INTO country VALUES ('FR', 'x')")
            try db.execute(sql: "INSERT INTO country VALUES ('DE', 'Germany')")
            return .commit
          }
        }
        texts.append(text)
      }
      try queue.write { db in try db.execute(sql: "INSERT INTO note VALUES ('a')") }
      #expect(texts.elements.count == 1)
      #expect(texts.elements.allSatisfy { $0?.contains("Transaction was aborted") == true })
      let count = try queue.read { db in
        try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM country")
      }
      #expect(count == 0)
      cancellable.cancel()
    }
  }

  @Test(arguments: ConnectionKind.allCases)
  func `each committed transaction that touches the region is notified once`(
    kind: ConnectionKind
  ) throws {
    try withShop(kind) { writer throws in
      let log = Log<String>()
      let cancellable = start(Author.all(), in: writer) { db in
        #expect(!db.isInsideTransaction)
        log.append("\((try? Author.fetchCount(db)) ?? -1)")
      }
      try writer.write { db in
        try db.execute(sql: "INSERT INTO author (name) VALUES ('a'), ('b')")
        try db.execute(sql: "INSERT INTO author (name) VALUES ('c')")
        #expect(log.elements == [])
      }
      #expect(log.elements == ["3"])
      try writer.write { db in try db.execute(sql: "INSERT INTO note VALUES ('a')") }
      #expect(throws: Veto.self) {
        try writer.write { db in
          try db.execute(sql: "DELETE FROM author")
          throw Veto()
        }
      }
      #expect(log.elements == ["3"])
      try writer.writeWithoutTransaction { db in
        try db.execute(sql: "DELETE FROM author WHERE id = 1")
        #expect(log.elements == ["3", "2"])
        try db.execute(sql: "DELETE FROM author WHERE id = 2")
        #expect(log.elements == ["3", "2", "1"])
      }
      cancellable.cancel()
      cancellable.cancel()
      try writer.write { db in try db.execute(sql: "DELETE FROM author") }
      #expect(log.elements == ["3", "2", "1"])
    }
  }

  @Test(.needs(.preUpdateHook)) func `columns and rows decide`() throws {
    let (id, title) = (Column("id"), Column("title"))
    let statements = [
      "UPDATE book SET title = 'x' WHERE id = 10", "UPDATE book SET title = 'x' WHERE id = 11",
      "UPDATE book SET year = 1 WHERE id = 10", "DELETE FROM book WHERE id = 11",
      "DELETE FROM book WHERE id = 10", "INSERT INTO book (id) VALUES (10)",
      "UPDATE book SET title = 'y' WHERE id = 99",
    ]
    #expect(try counts(Book.select(title), statements) == [1, 1, 0, 1, 1, 1, 0])
    #expect(
      try counts(Book.select(title).filter(id == 10), statements) == [1, 0, 0, 0, 1, 1, 0])
    #expect(try counts(Table("book"), statements) == [1, 1, 1, 1, 1, 1, 0])
    #expect(try counts(DatabaseRegion.fullDatabase, statements) == [1, 1, 1, 1, 1, 1, 0])
    #expect(try counts(DatabaseRegion(), statements) == [0, 0, 0, 0, 0, 0, 0])
    #expect(try counts(Table("nope"), statements) == [0, 0, 0, 0, 0, 0, 0])
  }

  @Test(.needs(.preUpdateHook))
  func `rows that get another rowid leave a region, and enter another`() throws {
    let id = Column("id")
    let statements = [
      "UPDATE author SET id = 60 WHERE id = 1", "UPDATE author SET rowid = 1 WHERE id = 60",
      "UPDATE author SET rowid = 3 WHERE id = 2",
    ]
    let setUp = "DELETE FROM book"
    #expect(try counts(Author.filter(id == 1), statements, setUp: setUp) == [1, 1, 0])
    #expect(try counts(Author.all(), statements, setUp: setUp) == [1, 1, 1])
    #expect(try counts(Author.select(Column("name")), statements, setUp: setUp) == [1, 1, 1])
  }

  @Test(.needs(.preUpdateHook)) func `rows that REPLACE removes are changes`() throws {
    let setUp = "CREATE UNIQUE INDEX uniqueName ON author(name)"
    let two = Author.filter(Column("id") == 2)
    #expect(
      try counts(two, ["REPLACE INTO author VALUES (3, 'Bob', 'x')"], setUp: setUp) == [1])
    #expect(
      try counts(
        Author.select(Column("country")),
        ["UPDATE OR REPLACE author SET name = 'Bob' WHERE id = 1"], setUp: setUp) == [1])
    #expect(
      try counts(two, ["REPLACE INTO author VALUES (3, 'Ann', 'x')"], setUp: setUp) == [0])
  }

  @Test func `rows of tables without rowid are changes`() throws {
    #expect(
      try counts(
        Table("shelf").all(),
        [
          "INSERT INTO shelf VALUES ('A', 1, 'x')", "UPDATE shelf SET label = 'y'",
          "DELETE FROM shelf", "DELETE FROM shelf",
        ]) == [1, 1, 1, 0])
  }

  @Test func `an altered table has changed, unless the region has lost it`() throws {
    #expect(
      try counts(
        Table("country").all(),
        [
          "ALTER TABLE country ADD COLUMN size DEFAULT 1", "ALTER TABLE country DROP COLUMN size",
          "CREATE INDEX i ON country(name)", "DROP TABLE country",
        ]) == [1, 1, 0, 0])
    #expect(
      try counts(
        Table("country"), ["BEGIN; DROP TABLE country; CREATE TABLE country (code); COMMIT"]) == [1]
    )
    #expect(
      try counts(
        DatabaseRegion.fullDatabase, ["CREATE TABLE t (a)", "DROP TABLE t", "BEGIN; COMMIT"])
        == [0, 0, 0])
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `a column that another connection has added before the start is observed`(
    kind: ConnectionKind
  ) throws {
    try withShop(kind) { writer throws in
      let notes = Table("note").all()
      try writer.write { db in
        try db.execute(sql: "INSERT INTO note VALUES ('Read this')")
        _ = try notes.databaseRegion(db)
      }
      let other = try DatabaseQueue(path: writer.path)
      try other.write { db in try db.execute(sql: "ALTER TABLE note ADD COLUMN page INTEGER") }
      let log = Log<Int>()
      let cancellable = start(notes, in: writer) { _ in log.append(1) }
      try writer.write { db in try db.execute(sql: "UPDATE note SET page = 7") }
      #expect(log.elements == [1])
      cancellable.cancel()
    }
  }

  @Test func `a table that is made again in a later transaction has changed`() throws {
    #expect(
      try counts(
        Table("note"),
        [
          "DROP TABLE note", "CREATE TABLE other (a)", "INSERT INTO other VALUES (1)",
          "BEGIN; CREATE TABLE note (text); ROLLBACK", "CREATE TABLE note (text)",
          "INSERT INTO note VALUES ('a')", "DROP TABLE other",
        ]) == [0, 0, 0, 0, 1, 1, 0])
    #expect(
      try counts(Table("note"), ["DROP TABLE note", "CREATE TABLE note AS SELECT 'a' AS text"])
        == [0, 1])
    #expect(
      try counts(
        Table("note"),
        [
          "CREATE TABLE new (text); INSERT INTO new VALUES ('a')", "DROP TABLE note",
          "ALTER TABLE new RENAME TO note",
        ]) == [0, 0, 1])
    #expect(
      try counts(
        Table("note"), ["ALTER TABLE note RENAME TO old", "ALTER TABLE old RENAME TO note"])
        == [0, 1])
    // Its rows are deleted first, and the table is missing afterwards.
    #expect(
      try counts(
        Table("author"), ["DROP TABLE author", "CREATE TABLE author AS SELECT 1 AS id"]) == [1, 1])
  }

  @Test func `rows that are deleted with a dropped table are changes of their tables`() throws {
    #expect(try counts(Table("book"), ["DROP TABLE author"]) == [1])
    #expect(try counts(Table("author"), ["DROP TABLE author"]) == [1])
    #expect(try counts(Table("note"), ["DROP TABLE author"]) == [0])
    let undone = [
      "BEGIN; DROP TABLE author; ROLLBACK",
      "BEGIN; SAVEPOINT a; DROP TABLE author; ROLLBACK TO a; COMMIT",
    ]
    #expect(try counts(Table("book"), undone) == [0, 0])
    // Without foreign keys, nothing is deleted.
    let unreferenced = ["PRAGMA foreign_keys = OFF", "DROP TABLE author"]
    #expect(try counts(Table("book"), unreferenced) == [0, 0])
  }

  @Test func `statistics of the query planner are no changes`() throws {
    let setUp = "CREATE INDEX byYear ON book(year)"
    let statements = ["ANALYZE", "ANALYZE book", "PRAGMA optimize"]
    #expect(try counts(Table("book"), statements, setUp: setUp) == [0, 0, 0])
    #expect(try counts(DatabaseRegion.fullDatabase, statements, setUp: setUp) == [0, 0, 0])
    #expect(
      try counts(
        Table("book"), ["ANALYZE", "UPDATE book SET year = 1", "DELETE FROM book"], setUp: setUp)
        == [0, 1, 1])
  }

  @Test func `tables whose names begin with pragma_ are observed`() throws {
    let setUp = "CREATE TABLE pragma_notes (text TEXT);"
    let insertion = "INSERT INTO pragma_notes VALUES ('a')"
    #expect(try counts(Table("pragma_notes"), [insertion], setUp: setUp) == [1])
    let notes = SQLRequest<Row>(sql: "SELECT * FROM PRAGMA_NOTES")
    #expect(try counts(notes, [insertion], setUp: setUp) == [1])
  }

  @Test func `an observation that changes the schema waits for tables that were dropped`() throws {
    try withShop(.memory) { queue throws in
      let log = Log<Int>()
      let cancellable = start(Table("note"), Table("author"), in: queue) { db in
        log.append(1)
        try? db.execute(sql: "CREATE TABLE label (text TEXT)")
      }
      try queue.write { db in
        try db.execute(sql: "INSERT INTO author (name) VALUES ('Ann'); DROP TABLE note")
      }
      #expect(log.elements == [1])
      try queue.write { db in try db.execute(sql: "CREATE TABLE note (text TEXT)") }
      #expect(log.elements == [1, 1])
      try queue.write { db in try db.execute(sql: "CREATE TABLE other (a)") }
      #expect(log.elements == [1, 1])
      cancellable.cancel()
    }
  }

  @Test func `savepoints that are rolled back are no changes`() throws {
    #expect(
      try counts(
        Table("note"),
        [
          "BEGIN; SAVEPOINT a; INSERT INTO note VALUES ('a'); ROLLBACK TO a; RELEASE a; COMMIT",
          "BEGIN; SAVEPOINT a; INSERT INTO note VALUES ('a'); RELEASE a; COMMIT",
          "SAVEPOINT a; INSERT INTO note VALUES ('a'); ROLLBACK TO a; INSERT INTO note VALUES ('b'); RELEASE a",
        ]) == [0, 1, 1])
  }

  // Without the hook, rows of the content table count as changed with those of the index.
  @Test(.needs(.fullText, .preUpdateHook))
  func `shadow tables are changes of their full-text table`() throws {
    let setUp = """
      CREATE VIRTUAL TABLE ft USING fts5(title, content='book', content_rowid='id');
      INSERT INTO ft (ft) VALUES ('rebuild');
      CREATE TRIGGER indexBook AFTER UPDATE ON book BEGIN
        INSERT INTO ft (ft, rowid, title) VALUES ('delete', old.id, old.title);
        INSERT INTO ft (rowid, title) VALUES (new.id, new.title);
      END;
      """
    let statements = ["UPDATE book SET title = 'x' WHERE id = 11", "INSERT INTO note VALUES ('a')"]
    #expect(try counts(Table("ft").all(), statements, setUp: setUp) == [1, 0])
    #expect(
      try counts(Book.filter(Column("id") == 10), statements, setUp: setUp) == [0, 0])
    #expect(
      try counts(Book.filter(Column("id") == 11), statements, setUp: setUp) == [1, 0])
  }

  @Test func `unspecified changes are notified at the next commit`() throws {
    try withShop(.memory) { queue throws in
      let log = Log<Int>()
      let cancellable = start(Table("shelf"), in: queue) { _ in log.append(1) }
      try queue.writeWithoutTransaction { db in
        try db.notifyChanges(in: Table("shelf"))
        #expect(log.elements == [])
        try db.execute(sql: "BEGIN; COMMIT")
        #expect(log.elements == [1])
        try db.execute(sql: "BEGIN")
        try db.notifyChanges(in: Table("shelf"))
        try db.execute(sql: "ROLLBACK; BEGIN; COMMIT")
        try db.notifyChanges(in: Table("note"))
        try db.execute(sql: "BEGIN; COMMIT")
      }
      #expect(log.elements == [1])
      cancellable.cancel()
    }
  }

  @Test func `changes that are reported before a transaction survive its rollback`() throws {
    try withShop(.memory) { queue throws in
      let log = Log<Int>()
      let cancellable = start(Table("shelf"), in: queue) { _ in log.append(1) }
      try queue.writeWithoutTransaction { db in
        try db.notifyChanges(in: Table("shelf"))
        try db.execute(sql: "BEGIN; ROLLBACK")
        try db.execute(sql: "BEGIN; INSERT INTO shelf VALUES ('A', 1, 'x'); ROLLBACK")
        #expect(log.elements == [])
        try db.execute(sql: "BEGIN; COMMIT")
        #expect(log.elements == [1])
        try db.execute(sql: "BEGIN; COMMIT")
      }
      #expect(log.elements == [1])
      cancellable.cancel()
    }
  }

  @Test func `what the observation writes is not reported to itself, but to others`() throws {
    try withShop(.memory) { queue throws in
      let log = Log<String>()
      let first = start(Table("note"), Table("author"), in: queue) { db in
        log.append("first")
        try? db.execute(sql: "INSERT INTO author (name) VALUES ('a')")
      }
      let second = start(Table("author"), in: queue) { _ in log.append("second") }
      try queue.write { db in try db.execute(sql: "INSERT INTO note VALUES ('a')") }
      #expect(log.elements == ["first", "second"])
      log.removeAll()
      try queue.write { db in
        try db.execute(sql: "INSERT INTO author (name) VALUES ('b')")
      }
      #expect(log.elements == ["first", "second", "second"])
      first.cancel()
      second.cancel()
    }
  }

  @Test func `changes by others during a notification are reported after it, and a commit later`()
    throws
  {
    try withShop(.memory) { queue throws in
      let log = Log<String>()
      let first = start(Table("note"), in: queue) { db in
        log.append("first")
        try? db.execute(sql: "INSERT INTO author (name) VALUES ('a')")
        log.append("end of first")
      }
      let second = start(Table("author"), in: queue) { db in
        log.append("second")
        try? db.execute(sql: "INSERT INTO note VALUES ('b')")
      }
      try queue.write { db in try db.execute(sql: "INSERT INTO note VALUES ('a')") }
      let notification = ["first", "second", "end of first"]
      #expect(log.elements == notification + notification)
      log.removeAll()
      second.cancel()
      // The second call has missed the last note.
      try queue.write { db in try db.execute(sql: "INSERT INTO country VALUES ('FR', 'France')") }
      #expect(log.elements == ["first", "end of first"])
      log.removeAll()
      try queue.write { db in try db.execute(sql: "INSERT INTO country VALUES ('IT', 'Italy')") }
      #expect(log.elements == [])
      try queue.write { db in try db.execute(sql: "INSERT INTO note VALUES ('c')") }
      #expect(log.elements == ["first", "end of first"])
      first.cancel()
    }
  }

  @Test func `changes by an observer of transactions during a notification are reported after it`()
    throws
  {
    try withShop(.memory) { queue throws in
      let counts = Log<Int?>()
      let cancellable = start(Table("note"), in: queue) { db in
        counts.append(try? Int.fetchOne(db, sql: "SELECT COUNT(*) FROM note"))
        try? db.execute(sql: "INSERT OR IGNORE INTO country VALUES ('FR', 'France')")
      }
      let log = EventLog()
      log.wants = { $0.tableName == "country" }
      log.onChange = { log.write("to be copied") }
      log.onCommit = { db in
        guard log.take().contains("to be copied") else { return }
        try? db.execute(sql: "INSERT INTO note VALUES ('France')")
      }
      queue.add(transactionObserver: log)
      try queue.write { db in try db.execute(sql: "INSERT INTO note VALUES ('a')") }
      #expect(counts.elements == [1, 2])
      cancellable.cancel()
    }
  }

  @Test func `it starts in the middle of a transaction`() throws {
    try withShop(.memory) { queue throws in
      let log = Log<Int>()
      nonisolated(unsafe) var cancellables: [AnyDatabaseCancellable] = []
      try queue.write { db in
        try db.execute(sql: "INSERT INTO note VALUES ('a')")
        cancellables.append(start(Table("note"), in: queue) { _ in log.append(1) })
      }
      #expect(log.elements == [])
      try queue.write { db in
        cancellables = [start(Table("note"), in: queue) { _ in log.append(2) }]
        try db.execute(sql: "INSERT INTO note VALUES ('a')")
      }
      #expect(log.elements == [2])
      cancellables = []
      try queue.write { db in try db.execute(sql: "INSERT INTO note VALUES ('a')") }
      #expect(log.elements == [2])
    }
  }

  @Test func `it can be cancelled by its own notification`() throws {
    try withShop(.memory) { queue throws in
      let log = Log<Int>()
      let box = Log<AnyDatabaseCancellable>()
      box.append(
        start(Table("note"), in: queue) { _ in
          log.append(1)
          box.elements[0].cancel()
        })
      try queue.write { db in try db.execute(sql: "INSERT INTO note VALUES ('a')") }
      try queue.write { db in try db.execute(sql: "INSERT INTO note VALUES ('a')") }
      #expect(log.elements == [1])
    }
  }

  @Test func `an error of a region comes before start returns`() throws {
    try withShop(.memory) { queue throws in
      let errors = Log<String>()
      let observation = DatabaseRegionObservation(tracking: Table("nope").all())
      let cancellable = observation.start(in: queue) {
        errors.append("\($0)")
      } onChange: { _ in
      }
      #expect(errors.elements.count == 1)
      #expect(errors.elements.first?.contains("no such table: nope") == true)
      cancellable.cancel()
      try queue.close()
      let closed = DatabaseRegionObservation(tracking: .fullDatabase)
      let other = closed.start(in: queue) {
        errors.append("\($0)")
      } onChange: { _ in
      }
      #expect(errors.elements.last == "SQLite error 21: Connection is closed")
      other.cancel()
    }
  }

  /// The function of an observation was once wrapped again by each commit: after some ten thousand
  /// of them, the stack was too small.
  @Test func `each notification is as near to the commit as the first ones`() throws {
    try withShop(.memory) { queue throws in
      let positions = Log<Int>()
      let cancellable = start(Table("note"), in: queue) { _ in positions.append(stackPosition()) }
      for _ in 1...500 {
        try queue.write { db in try db.execute(sql: "INSERT INTO note VALUES ('a')") }
      }
      #expect(positions.elements.count == 500)
      #expect(stackGrowth(positions.elements) < 4096)
      cancellable.cancel()
    }
  }

  @Test func `it does not keep the connection alive`() throws {
    weak var released: DatabaseQueue?
    let cancellable: AnyDatabaseCancellable
    do {
      let queue = try DatabaseQueue()
      released = queue
      cancellable = start(.fullDatabase, in: queue) { _ in }
    }
    #expect(released == nil)
    cancellable.cancel()
  }

  @Test func `changes are a sequence`() async throws {
    let queue = try DatabaseQueue()
    try await queue.write { db in try db.execute(sql: shopSchema) }
    let observation = DatabaseRegionObservation(tracking: Table("note"))
    let changes = observation.changes(in: queue)
    var count = 0
    try await queue.write { db in try db.execute(sql: "INSERT INTO note VALUES ('a')") }
    for try await _ in changes {
      count += 1
      if count == 3 { break }
      try await queue.write { db in try db.execute(sql: "INSERT INTO note VALUES ('a')") }
    }
    #expect(count == 3)
    let failing = DatabaseRegionObservation(tracking: Table("nope").all()).changes(in: queue)
    await #expect(throws: DatabaseError.self) { for try await _ in failing {} }
  }
}
