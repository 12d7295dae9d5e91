import Quarry
import QuarryRecords
import QuarryTestSupport
import Testing

/// Writes outside of a transaction, whose observers write before they return.
struct ObservedWriteTests {
  private struct Player: Codable, Equatable, FetchableRecord, PersistableRecord {
    var id: Int
    var name: String
  }

  /// Adds two rows.
  private static let insertion = "INSERT INTO log (text) VALUES ('x'), ('y')"
  /// Removes none.
  private static let deletion = "DELETE FROM log WHERE text = 'z'"

  /// Has a statement executed at the end of the next write.
  private func execute(_ sql: String, after db: Database) {
    db.afterNextTransaction { db in try? db.execute(sql: sql) }
  }

  /// The player 1, and an empty log.
  private func withPlayer(_ body: (Database) throws -> Void) throws {
    let queue = try makeDatabase(
      sql: """
        CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE log (text TEXT);
        INSERT INTO player VALUES (1, 'Ann');
        """)
    try queue.writeWithoutTransaction(body)
  }

  @Test func `a saved record without row is inserted, whatever observers insert`() throws {
    try withPlayer { db throws in
      execute(Self.insertion, after: db)
      try Player(id: 2, name: "Bob").save(db)
      let players = try Player.fetchAll(db)
      #expect(players == [Player(id: 1, name: "Ann"), Player(id: 2, name: "Bob")])
      let texts = try String.fetchAll(db, sql: "SELECT text FROM log ORDER BY text")
      #expect(texts == ["x", "y"])
    }
  }

  @Test func `an update without row throws, whatever observers insert`() throws {
    try withPlayer { db throws in
      execute(Self.insertion, after: db)
      #expect(
        errorText { try Player(id: 2, name: "Bob").update(db) }
          == "Key not found in table player: [id:2]")
    }
  }

  @Test func `an update of a row succeeds, where observers find none`() throws {
    try withPlayer { db throws in
      execute(Self.deletion, after: db)
      try Player(id: 1, name: "Bea").update(db)
      execute(Self.deletion, after: db)
      try Player(id: 1, name: "Cleo").save(db)
      let players = try Player.fetchAll(db)
      #expect(players == [Player(id: 1, name: "Cleo")])
    }
  }

  @Test func `a deletion knows whether there was a row`() throws {
    try withPlayer { db throws in
      execute(Self.insertion, after: db)
      let isMissingDeleted = try Player(id: 2, name: "Bob").delete(db)
      #expect(!isMissingDeleted)
      execute(Self.deletion, after: db)
      let isDeleted = try Player(id: 1, name: "Ann").delete(db)
      #expect(isDeleted)
    }
  }

  @Test func `an insertion knows whether it was left out`() throws {
    try withPlayer { db throws in
      execute(Self.insertion, after: db)
      let isNew = try Player(id: 1, name: "Bob").insert(db, onConflict: .doNothing)
      #expect(!isNew)
    }
  }

  @Test func `the rows of requests are counted`() throws {
    try withPlayer { db throws in
      execute(Self.insertion, after: db)
      let missingCount = try Player.filter(key: 2).deleteAll(db)
      #expect(missingCount == 0)
      execute(Self.deletion, after: db)
      let count = try Player.filter(key: 1).deleteAll(db)
      #expect(count == 1)
    }
  }

  @Test func `the triggers of a view count, and observers do not`() throws {
    try ViewRecordTests.makeDatabase().writeWithoutTransaction { db throws in
      execute(Self.insertion, after: db)
      let missing = ViewRecordTests.Member(id: 9, name: "Bob")
      #expect(
        errorText { try missing.update(db) } == "Key not found in table activeMember: [id:9]")
      execute(Self.insertion, after: db)
      try ViewRecordTests.Member(id: 10, name: "New").update(db)
      let name = try String.fetchOne(db, sql: "SELECT name FROM member")
      #expect(name == "NEW")
    }
  }

  @Test func `a statement counts its own changes, and so do those of its observers`() throws {
    let counts = Log<Int>()
    try withPlayer { db throws in
      db.afterNextTransaction { db in
        counts.append(db.changesCount)
        try? db.execute(sql: Self.insertion)
        counts.append(db.changesCount)
      }
      try db.execute(sql: "UPDATE player SET name = 'Bea'")
      #expect(db.changesCount == 1)
      #expect(counts.elements == [1, 2])
      try db.execute(sql: "DELETE FROM log WHERE text = 'z'")
      #expect(db.changesCount == 0)
      try db.execute(sql: "DELETE FROM log WHERE text = 'x'")
      #expect(db.changesCount == 1)
      // The player, its update, two texts, and the deletion of one.
      #expect(db.totalChangesCount == 5)
    }
  }

  @Test func `a statement of an observer counts its own changes, where it is observed as well`()
    throws
  {
    let counts = Log<Int>()
    try withPlayer { db throws in
      db.afterNextTransaction { db in
        db.afterNextTransaction { db in try? db.execute(sql: Self.deletion) }
        try? db.execute(sql: Self.insertion)
        counts.append(db.changesCount)
      }
      try db.execute(sql: "UPDATE player SET name = 'Bea'")
      #expect(db.changesCount == 1)
      #expect(counts.elements == [2])
    }
  }
}
