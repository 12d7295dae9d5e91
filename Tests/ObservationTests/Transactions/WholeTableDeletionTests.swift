import Testing

@testable import Quarry

// SQLite deletes all rows of a table at once, and does not report them, unless somebody asks for
// them.

@Suite struct WholeTableDeletionTests {
  private func withNotes(_ body: (Database) throws -> Void) throws {
    try withShop { db throws in
      try db.execute(sql: "INSERT INTO note VALUES ('a'), ('b')")
      try body(db)
    }
  }

  @Test func `rows are deleted one by one when an observer asks for them`() throws {
    try withNotes { db throws in
      let log = EventLog()
      #expect(
        try db.log("DELETE FROM note", of: log)
          == ["delete note 1", "delete note 2", "willCommit", "didCommit"])
      #expect(db.changesCount == 2)
    }
  }

  @Test func `rows are deleted at once when nobody asks for them`() throws {
    try withNotes { db throws in
      let log = EventLog()
      log.wants = { $0.tableName != "note" }
      #expect(try db.log("DELETE FROM note", of: log) == ["willCommit", "didCommit"])
      #expect(db.changesCount == 2)
      #expect(try deletesAtOnce(db))
      let other = RegionObserverProbe(try Table("author").databaseRegion(db))
      db.add(other.observer)
      #expect(try deletesAtOnce(db))
      let same = RegionObserverProbe(try Table("note").databaseRegion(db))
      db.add(same.observer)
      #expect(try !deletesAtOnce(db))
    }
  }

  /// Whether the deletion of all rows stays as SQLite compiles it by default. An explanation is not
  /// followed.
  private func deletesAtOnce(_ db: Database) throws -> Bool {
    let statement = try db.makeStatement(sql: "DELETE FROM note")
    try statement.execute()
    return statement.mayTruncate
  }

  @Test func `cached and kept statements report their rows once an observer asks`() throws {
    try withNotes { db throws in
      let kept = try db.makeStatement(sql: "DELETE FROM note")
      let cached = try db.cachedStatement(sql: "DELETE FROM note WHERE 1")
      try kept.execute()
      try cached.execute()
      try db.execute(sql: "INSERT INTO note VALUES ('a')")
      let log = EventLog()
      db.add(transactionObserver: log)
      try kept.execute()
      #expect(log.take() == ["delete note 1", "willCommit", "didCommit"])
      try db.execute(sql: "INSERT INTO note VALUES ('a')")
      _ = log.take()
      try db.cachedStatement(sql: "DELETE FROM note WHERE 1").execute()
      #expect(log.take() == ["delete note 1", "willCommit", "didCommit"])
      db.remove(transactionObserver: log)
      try db.execute(sql: "INSERT INTO note VALUES ('a')")
      try kept.execute()
      #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM note") == 0)
    }
  }

  @Test func `tables are dropped without report`() throws {
    try withNotes { db throws in
      #expect(try db.log("DROP TABLE note") == ["willCommit", "didCommit"])
      #expect(try !db.tableExists("note"))
    }
  }
}

/// Counts the notifications of an observer of a region.
final class RegionObserverProbe {
  private(set) var observer: RegionObserver!
  private(set) var count = 0

  init(_ region: DatabaseRegion) {
    observer = RegionObserver(region) { [weak self] _ in self?.count += 1 }
  }

  /// The notifications since the last call.
  func take() -> Int {
    defer { count = 0 }
    return count
  }
}
