import Quarry
import QuarryChanges
import QuarryTestSupport
import Testing

@Suite("Foreign keys while changesets are applied", .needs(.sessions))
struct ApplyingForeignKeyTests {
  @Test func `rows without their parents are a conflict after the last change`() throws {
    let changeset = try shopChanges("INSERT INTO book VALUES (3, 1, 'Emma', 1)")
    try makeShop().write { db in
      let error = changesetError { try changeset.apply(to: db) }
      #expect(error?.conflict?.kind == .foreignKey)
      #expect(error?.conflict?.violationCount == 1)
      try #expect(Int.fetchOne(db, sql: "SELECT count(*) FROM book") == 0)
    }
  }

  @Test func `a row without rowid that misses its parent is a conflict, also beside others`() throws
  {
    let shop = try makeShop(
      """
      CREATE TABLE page (
        number INTEGER PRIMARY KEY, bookId REFERENCES book ON DELETE CASCADE) WITHOUT ROWID;
      \(shopRows) INSERT INTO page VALUES (7, 1);
      """)
    try shop.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA foreign_keys = OFF")
      try db.execute(sql: "INSERT INTO page VALUES (8, 99)")
      try db.execute(sql: "PRAGMA foreign_keys = ON")
    }
    // The page 7 misses its book then, and 8 does no longer: SQLite names neither.
    let exchange = try shopChanges(
      "DELETE FROM book WHERE id = 1; INSERT INTO book VALUES (99, 1, 'New', 1)")
    try shop.write { db in
      let error = changesetError { try exchange.apply(to: db) }
      #expect(error?.conflict?.kind == .foreignKey)
      #expect(error?.conflict?.violationCount == 1)
      try #expect(Int.fetchAll(db, sql: "SELECT id FROM book ORDER BY id") == [1, 2])
    }
  }

  @Test func `only rows that miss their parents since then are a conflict`() throws {
    let shop = try makeShop(
      """
      CREATE TABLE page (id INTEGER PRIMARY KEY, bookId REFERENCES book ON DELETE CASCADE);
      \(shopRows) INSERT INTO page VALUES (7, 1);
      """)
    try shop.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA foreign_keys = OFF")
      try db.execute(sql: "INSERT INTO page VALUES (8, 99)")
      try db.execute(sql: "PRAGMA foreign_keys = ON")
    }
    let price = try shopChanges("UPDATE book SET price = 1 WHERE id = 1")
    // The page 7 misses its book then, and 8 does no longer.
    let exchange = try shopChanges(
      "DELETE FROM book WHERE id = 1; INSERT INTO book VALUES (99, 1, 'New', 1)")
    try shop.write { db in
      try price.apply(to: db)
      try price.inverted().apply(to: db)
      let error = changesetError { try exchange.apply(to: db) }
      #expect(error?.conflict?.kind == .foreignKey)
      #expect(error?.conflict?.violationCount == 1)
      try #expect(Int.fetchAll(db, sql: "SELECT id FROM book ORDER BY id") == [1, 2])
      try exchange.apply(to: db) { _ in .omit }
      try #expect(Int.fetchAll(db, sql: "SELECT id FROM book ORDER BY id") == [2, 99])
    }
  }

  @Test func `deferred foreign keys stay deferred`() throws {
    let changeset = try shopChanges("UPDATE author SET name = 'X'")
    try makeShop(shopRows).write { db in
      try db.execute(sql: "PRAGMA defer_foreign_keys = ON")
      try changeset.apply(to: db)
      try #expect(Bool.fetchOne(db, sql: "PRAGMA defer_foreign_keys") == true)
    }
  }

  @Test(
    arguments: [
      ")", "DEFERRABLE INITIALLY DEFERRED)", "DEFERRABLE INITIALLY DEFERRED) WITHOUT ROWID",
      "ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED)",
    ], [false, true])
  func `a transaction that violates deferred foreign keys is refused`(
    clauses: String, runsTriggers: Bool
  ) throws {
    let schema = """
      CREATE TABLE page (
        id INTEGER PRIMARY KEY, bookId REFERENCES book \(clauses);
      """
    let author = try shopChanges("INSERT INTO author VALUES (2, 'X')", schema: schema)
    let book = try shopChanges("INSERT INTO book VALUES (7, 1, 'Sanditon', 5)", schema: schema)
    let shop = try makeShop(schema + shopRows)
    func refuse(_ db: Database) throws {
      try db.execute(sql: "PRAGMA defer_foreign_keys = ON; INSERT INTO page VALUES (1, 7)")
      for changeset in [author, book] {
        let before = try db.snapshot()
        let error = changesetError {
          try changeset.apply(to: db, runsTriggers: runsTriggers) { _ in .omit }
        }
        #expect(error?.code == .conflict)
        #expect(error?.message.contains("violates deferred foreign keys") == true)
        try #expect(db.snapshot() == before)
      }
    }
    let error = databaseError { try shop.write { db in try refuse(db) } }
    #expect(error?.resultCode == .SQLITE_CONSTRAINT)
    try shop.write { db in
      try refuse(db)
      try db.execute(sql: "DELETE FROM page")
      try book.apply(to: db, runsTriggers: runsTriggers)
      try db.execute(sql: "INSERT INTO page VALUES (1, 7)")
    }
    try shop.read { db in
      try #expect(Int.fetchAll(db, sql: "SELECT bookId FROM page") == [7])
      try #expect(Row.fetchAll(db, sql: "PRAGMA foreign_key_check") == [])
    }
  }

  /// SQLite 3.40 counts a violation that `INITIALLY DEFERRED` has deferred, and -1 apart from it
  /// for the repair; SQLite 3.53 has one count for both.
  @Test func `a transaction that has repaired what SQLite counts apart names the way out`() throws {
    let schema = """
      CREATE TABLE page (
        id INTEGER PRIMARY KEY, bookId REFERENCES book DEFERRABLE INITIALLY DEFERRED);
      """
    let changeset = try shopChanges("INSERT INTO author VALUES (2, 'X')", schema: schema)
    let shop = try makeShop(schema)
    try shop.write { db in
      try db.execute(
        sql: """
          INSERT INTO page VALUES (1, 7);
          PRAGMA defer_foreign_keys = ON;
          INSERT INTO book VALUES (7, NULL, 'Sanditon', 5);
          """)
      try #expect(Row.fetchAll(db, sql: "PRAGMA foreign_key_check") == [])
      let error = changesetError { try changeset.apply(to: db) }
      if error == nil {
        #expect(SQLiteBuild.version > 3_040_001)
        try #expect(String.fetchAll(db, sql: "SELECT name FROM author") == ["X"])
        try changeset.inverted().apply(to: db)
      } else {
        #expect(SQLiteBuild.version < 3_053_000)
        #expect(error?.code == .conflict)
        #expect(error?.message.contains("only the commit resets the count") == true)
      }
    }
    try shop.write { db in try changeset.apply(to: db) }
  }
}
