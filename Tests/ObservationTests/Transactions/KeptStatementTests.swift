import CSQLite
import Quarry
import QuarryTestSupport
import Testing

// Statements that the application keeps, while triggers come and go.

@Suite struct KeptStatementTests {
  private static let trigger = """
    CREATE TRIGGER noteAuthor AFTER INSERT ON author BEGIN INSERT INTO note VALUES (new.name); END
    """
  private static let insertion = "INSERT INTO author (name) VALUES ('Ann')"

  @Test func `a statement that is older than a trigger reports what the trigger changes`() throws {
    try withShop { db throws in
      let log = EventLog()
      log.wants = { $0.tableName == "note" }
      db.add(transactionObserver: log)
      let statement = try db.makeStatement(sql: Self.insertion)
      try statement.execute()
      try db.execute(sql: Self.trigger)
      _ = log.take()
      for rowID in 1...2 {
        try statement.execute()
        #expect(log.take() == ["insert note \(rowID)", "willCommit", "didCommit"])
      }
      try db.execute(sql: "DROP TRIGGER noteAuthor")
      _ = log.take()
      try statement.execute()
      #expect(log.take() == ["willCommit", "didCommit"])
    }
  }

  @Test(arguments: [false, true])
  func `a trigger that deletes all rows of a table has them reported`(
    isExecutedBefore: Bool
  ) throws {
    try withShop { db throws in
      let log = EventLog()
      log.wants = { $0.tableName == "note" }
      let statement = try db.makeStatement(sql: Self.insertion)
      try db.execute(
        sql: """
          CREATE TRIGGER empty AFTER INSERT ON author BEGIN DELETE FROM note; END
          """)
      if isExecutedBefore { try statement.execute() }
      try db.execute(sql: "INSERT INTO note VALUES ('a'), ('b')")
      db.add(transactionObserver: log)
      try statement.execute()
      #expect(log.take() == ["delete note 1", "delete note 2", "willCommit", "didCommit"])
    }
  }

  @Test func `observations of regions are notified of it`() throws {
    try withShop { db throws in
      let statement = try db.makeStatement(sql: Self.insertion)
      let counts = try notifications(
        Table("note"), in: db,
        of: [
          { _ in try statement.execute() }, { db in try db.execute(sql: Self.trigger) },
          { _ in try statement.execute() }, { _ in try statement.execute() },
        ])
      #expect(counts == [0, 0, 1, 1])
    }
  }

  @Test func `a statement that is older than a pragma reports the cascades of foreign keys`()
    throws
  {
    try withShop { db throws in
      try db.execute(
        sql: """
          INSERT INTO author (id) VALUES (1), (2);
          INSERT INTO book (id, authorId) VALUES (10, 1), (20, 2);
          PRAGMA foreign_keys = OFF;
          """)
      _ = try Author.deleteOne(db, key: 99)
      let statement = try db.makeStatement(sql: "DELETE FROM author WHERE id = ?")
      try statement.execute(arguments: [99])
      try db.execute(sql: "PRAGMA foreign_keys = ON")
      let counts = try notifications(
        Table("book"), in: db,
        of: [
          { db in _ = try Author.deleteOne(db, key: 1) },
          { _ in try statement.execute(arguments: [2]) },
        ])
      #expect(counts == [1, 1])
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM book") == 0)
    }
  }

  @Test func `a statement that is older than a pragma reports the triggers of replaced rows`()
    throws
  {
    try withShop { db throws in
      try db.execute(
        sql: """
          CREATE TRIGGER noteCountry AFTER DELETE ON country BEGIN
            INSERT INTO note VALUES (old.code);
          END;
          """)
      let statement = try db.makeStatement(sql: "REPLACE INTO country VALUES ('FR', 'France')")
      for _ in 1...2 { try statement.execute() }
      try db.execute(sql: "PRAGMA recursive_triggers = ON")
      let counts = try notifications(
        Table("note"), in: db, of: [{ _ in try statement.execute() }])
      #expect(counts == [1])
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM note") == 1)
    }
  }

  @Test func `a cached statement reports the cascades that C code has enabled at the opening`()
    throws
  {
    let deletion = "DELETE FROM author WHERE id = ?"
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    configuration.prepareDatabase { db in
      try db.execute(sql: shopSchema)
      try db.cachedStatement(sql: deletion).execute(arguments: [99])
      _ = quarry_db_config_int(db.sqliteConnection, SQLITE_DBCONFIG_ENABLE_FKEY, 1)
    }
    try DatabaseQueue(configuration: configuration).writeWithoutTransaction { db in
      try db.execute(
        sql: "INSERT INTO author (id) VALUES (1); INSERT INTO book (authorId) VALUES (1)")
      let counts = try notifications(
        Table("book"), in: db,
        of: [{ db in try db.cachedStatement(sql: deletion).execute(arguments: [1]) }])
      #expect(counts == [1])
    }
  }

  @Test func `a statement for which the schema has no table any more throws the error of its step`()
    throws
  {
    try withShop { db throws in
      let log = EventLog()
      db.add(transactionObserver: log)
      let statement = try db.makeStatement(sql: Self.insertion)
      try db.execute(sql: "ALTER TABLE author RENAME TO writer")
      let error = databaseError { try statement.execute() }
      #expect(error?.message?.hasPrefix("no such table: author") == true)
      try db.execute(sql: "ALTER TABLE writer RENAME TO author")
      _ = log.take()
      try statement.execute()
      #expect(log.take() == ["insert author 1", "willCommit", "didCommit"])
    }
  }
}
