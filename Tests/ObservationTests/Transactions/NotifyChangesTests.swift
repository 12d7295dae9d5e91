import Quarry
import QuarryTestSupport
import Testing

@Suite struct NotifyChangesTests {
  private func asked(
    _ region: some DatabaseRegionConvertible, _ setUp: String = ""
  ) throws -> [String] {
    try withShop { db throws in
      try db.execute(sql: setUp)
      let log = EventLog()
      log.asks = true
      log.wants = { _ in false }
      db.add(transactionObserver: log)
      try db.notifyChanges(in: region)
      return log.take()
    }
  }

  @Test func `deletions, insertions and updates are asked for, in this order`() throws {
    let all = "[\"authorId\", \"id\", \"price\", \"title\", \"year\"]"
    #expect(
      try asked(Table("BOOK")) == ["delete(book)?", "insert(book)?", "update(book, \(all))?"])
    #expect(
      try asked(Table("book").select(Column("title")))
        == ["delete(book)?", "insert(book)?", "update(book, [\"title\"])?"])
    #expect(
      try asked(Table("book").filter(Column("id") == 1))
        == ["delete(book)?", "insert(book)?", "update(book, \(all))?"])
    #expect(
      try asked(Table("shelf"))
        == ["delete(shelf)?", "insert(shelf)?", "update(shelf, [\"label\", \"num\", \"room\"])?"])
    let schema = "[\"name\", \"rootpage\", \"sql\", \"tbl_name\", \"type\"]"
    for table in ["sqlite_master", "sqlite_temp_master"] {
      #expect(
        try asked(Table(table))
          == ["delete(\(table))?", "insert(\(table))?", "update(\(table), \(schema))?"])
    }
    #expect(
      try asked(Table("sqlite_temp_master"), "CREATE TEMP TABLE tape (a)").first
        == "delete(sqlite_temp_master)?")
  }

  @Test func `what is no table is not asked for`() throws {
    let view = "CREATE VIEW v AS SELECT title FROM book"
    #expect(try asked(Table("nope")) == [])
    #expect(try asked(DatabaseRegion()) == [])
    #expect(try asked(Table("v"), view) == [])
    #expect(
      try asked(Table("v").all(), view)
        == ["delete(book)?", "insert(book)?", "update(book, [\"title\"])?"])
  }

  @Test func `the full database is all tables of all schemas`() throws {
    let asked = try asked(
      DatabaseRegion.fullDatabase,
      "CREATE TEMP TABLE tape (a); ATTACH ':memory:' AS att; CREATE TABLE att.film (a)")
    for table in ["author", "book", "shelf", "tape", "film"] {
      #expect(asked.contains("insert(\(table))?"))
    }
    let queue = try DatabaseQueue()
    let log = EventLog()
    queue.add(transactionObserver: log)
    try queue.writeWithoutTransaction { db in try db.notifyChanges(in: .fullDatabase) }
    #expect(log.take() == [])
  }

  @Test func `an observer is notified once, until it says yes`() throws {
    try withShop { db throws in
      let log = EventLog()
      log.asks = true
      log.wants = { $0.text.hasPrefix("insert") }
      db.add(transactionObserver: log)
      try db.notifyChanges(in: Table("note"))
      #expect(log.take() == ["delete(note)?", "insert(note)?", "change"])
    }
  }

  @Test func `nothing happens where only reads are possible`() throws {
    try withShop(.queue) { queue throws in
      let log = EventLog()
      queue.add(transactionObserver: log)
      try queue.read { db in
        try db.notifyChanges(in: AnyDatabaseRegionConvertible { _ in throw Veto() })
      }
      #expect(log.take() == [])
      #expect(throws: Veto.self) {
        try queue.writeWithoutTransaction { db in
          try db.notifyChanges(in: AnyDatabaseRegionConvertible { _ in throw Veto() })
        }
      }
    }
  }
}

@Suite struct PreUpdateEventTests {
  private final class Recorder: TransactionObserver {
    var lines: [String] = []
    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
    func databaseWillChange(with event: DatabasePreUpdateEvent) {
      let copy = event.copy()
      let initial = copy.initialDatabaseValues.map { "\($0)" } ?? "-"
      let final = copy.finalDatabaseValues.map { "\($0)" } ?? "-"
      let rows = [copy.initialRowID, copy.finalRowID].map { $0.map(String.init) ?? "-" }
      lines.append(
        "\(copy.kind) \(copy.databaseName).\(copy.tableName) \(rows.joined(separator: ">")) "
          + "\(copy.count) \(copy.depth) \(initial) \(final)")
    }
    func databaseDidChange(with event: DatabaseEvent) {
      lines.append("did \(event.kind) \(event.rowID)")
    }
    func databaseDidCommit(_ db: Database) {}
    func databaseDidRollback(_ db: Database) {}
  }

  @Test(.needs(.preUpdateHook)) func `values before and after the changes of rows`() throws {
    try withShop { db throws in
      let recorder = Recorder()
      db.add(transactionObserver: recorder)
      try db.execute(
        sql: """
          INSERT INTO review VALUES (1, NULL, 5);
          UPDATE review SET id = 2, score = 6;
          DELETE FROM review;
          """)
      #expect(
        recorder.lines == [
          "insert main.review ->1 3 0 - [1, NULL, 5]", "did insert 1",
          "update main.review 1>2 3 0 [1, NULL, 5] [2, NULL, 6]", "did update 2",
          "delete main.review 2>- 3 0 [2, NULL, 6] -", "did delete 2",
        ])
    }
  }

  private final class Scores: TransactionObserver {
    var values: [[DatabaseValue?]] = []
    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
    func databaseWillChange(with event: DatabasePreUpdateEvent) {
      values.append([
        event.initialDatabaseValue(atIndex: 2), event.finalDatabaseValue(atIndex: 2),
      ])
    }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidCommit(_ db: Database) {}
    func databaseDidRollback(_ db: Database) {}
  }

  @Test(.needs(.preUpdateHook)) func `values before and after a change by their index`() throws {
    try withShop { db throws in
      let scores = Scores()
      db.add(transactionObserver: scores)
      try db.execute(
        sql: """
          INSERT INTO review VALUES (1, NULL, 5);
          UPDATE review SET score = 6;
          DELETE FROM review;
          """)
      let (five, six) = (5.databaseValue, 6.databaseValue)
      #expect(scores.values == [[nil, five], [five, six], [six, nil]])
    }
  }

  @Test(.needs(.preUpdateHook)) func `savepoints that are rolled back have no events`() throws {
    try withShop { db throws in
      let recorder = Recorder()
      db.add(transactionObserver: recorder)
      try db.execute(
        sql: """
          BEGIN; SAVEPOINT a; INSERT INTO note VALUES ('a');
          ROLLBACK TO a; INSERT INTO note VALUES ('b'); RELEASE a; COMMIT;
          """)
      #expect(
        recorder.lines == ["insert main.note ->1 1 0 - [\"b\"]", "did insert 1"])
    }
  }

  @Test(.needs(.preUpdateHook)) func `the depth is the one of triggers`() throws {
    try withShop { db throws in
      try db.execute(
        sql: """
          CREATE TRIGGER remember AFTER INSERT ON country BEGIN INSERT INTO note VALUES (new.code); END
          """)
      let recorder = Recorder()
      db.add(transactionObserver: recorder)
      try db.execute(sql: "INSERT INTO country VALUES ('FR', NULL)")
      #expect(
        recorder.lines == [
          "insert main.country ->1 2 0 - [\"FR\", NULL]", "did insert 1",
          "insert main.note ->1 1 1 - [\"FR\"]", "did insert 1",
        ])
    }
  }
}
