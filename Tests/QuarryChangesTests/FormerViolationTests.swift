import Foundation
import Quarry
import QuarryChanges
import QuarryTestSupport
import Testing

/// A row that violates a foreign key before is not counted by SQLite, but its deletion is.
@Suite("Changesets beside rows without parents", .needs(.sessions))
struct FormerViolationTests {
  private static let schema = """
    CREATE TABLE shelf (id INTEGER PRIMARY KEY NOT NULL, code TEXT UNIQUE COLLATE NOCASE);
    """
  private static let rows = "INSERT INTO shelf VALUES (1, 'a'), (2, 'b');"

  private static let loans = [
    "CREATE TABLE loan (id INTEGER PRIMARY KEY NOT NULL, shelf REFERENCES shelf);",
    "CREATE TABLE loan (id INTEGER PRIMARY KEY NOT NULL, shelf REFERENCES shelf) WITHOUT ROWID;",
    """
    CREATE TABLE loan (
      id INTEGER PRIMARY KEY NOT NULL, shelf REFERENCES shelf ON DELETE CASCADE);
    """,
  ]

  private static let tags =
    "CREATE TABLE tag (id INTEGER PRIMARY KEY, shelf REFERENCES shelf(code));"

  /// The changes of SQL, recorded where foreign keys are not enforced.
  private func changes(
    _ sql: String, after rows: String, asPatchset: Bool = false
  ) throws -> Changeset {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    let queue = try DatabaseQueue(configuration: configuration)
    return try queue.write { db in
      try db.execute(sql: rows)
      return try asPatchset
        ? db.recordPatchset { try db.execute(sql: sql) } : db.changes(sql)
    }
  }

  private func makeQueue(_ sql: String) throws -> DatabaseQueue {
    let queue = try DatabaseQueue()
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA foreign_keys = OFF; \(sql); PRAGMA foreign_keys = ON")
    }
    return queue
  }

  private func conflict(
    _ changeset: Changeset, _ queue: DatabaseQueue,
    replacing kinds: [ChangesetConflict.Kind] = []
  ) throws -> ChangesetConflict? {
    try queue.write { db in
      let before = try db.snapshot()
      let error = changesetError {
        try changeset.apply(to: db) { kinds.contains($0.kind) ? .replace : .abort }
      }
      if error != nil { try #expect(db.snapshot() == before) }
      return error?.conflict
    }
  }

  @Test(arguments: loans) func `a row without parent that replaces one is a conflict`(
    loan: String
  ) throws {
    let rows = Self.schema + loan + Self.rows + "INSERT INTO loan VALUES (1, 99)"
    // The order of the changes depends on the keys.
    for id in 2..<40 {
      let changeset = try changes(
        "INSERT INTO loan VALUES (\(id), 98); DELETE FROM loan WHERE id = 1", after: rows)
      let found = try conflict(changeset, makeQueue(rows))
      #expect(found?.kind == .foreignKey)
      #expect(found?.violationCount == 1)
    }
  }

  @Test(arguments: [
    // The former one gets a parent.
    "INSERT INTO loan VALUES (2, 98); INSERT INTO shelf VALUES (99, 'c')",
    // Another table.
    "DELETE FROM shelf WHERE id = 2; DELETE FROM loan WHERE id = 1",
    "DELETE FROM shelf WHERE id = 2; UPDATE loan SET shelf = 1 WHERE id = 1",
    "UPDATE loan SET shelf = 98 WHERE id = 3; UPDATE loan SET shelf = NULL WHERE id = 1",
    "DELETE FROM shelf WHERE id = 2; INSERT INTO shelf VALUES (99, 'c')",
    "UPDATE shelf SET code = 'x' WHERE id = 1; DELETE FROM tag WHERE id = 1",
  ])
  func `a row loses its parent, and a former one is no longer without`(sql: String) throws {
    let loan = "INSERT INTO loan VALUES (1, 99), (3, 2);"
    let tag = """
      CREATE TABLE tag (id INTEGER PRIMARY KEY, shelf TEXT REFERENCES shelf(code));
      INSERT INTO tag VALUES (1, 'z'), (2, 'A');
      """
    for table in Self.loans.dropLast() {
      let rows = Self.schema + table + Self.rows + loan + tag
      let found = try conflict(changes(sql, after: rows), makeQueue(rows))
      #expect(found?.kind == .foreignKey)
      #expect(found?.violationCount == 1)
    }
  }

  @Test(arguments: [
    "DELETE FROM loan WHERE id = 1; INSERT INTO loan VALUES (4, 1)",
    "DELETE FROM shelf WHERE id = 2; DELETE FROM loan",
    "UPDATE loan SET shelf = 1",
    "INSERT INTO shelf VALUES (99, 'c'); DELETE FROM loan WHERE id = 3; DELETE FROM shelf WHERE id = 2",
  ])
  func `rows that violated one before are no conflict`(sql: String) throws {
    for loan in Self.loans.dropLast() {
      let rows =
        Self.schema + loan + Self.rows + "INSERT INTO loan VALUES (1, 99), (3, 2), (5, 97);"
      let changeset = try changes(sql, after: rows)
      try makeQueue(rows).write { db in try changeset.apply(to: db) }
    }
  }

  @Test(arguments: ["", "ON DELETE CASCADE"], ["", "WITHOUT ROWID"])
  func `another row without parent is a conflict, with the rowid of a former one, too`(
    action: String, option: String
  ) throws {
    let copy = """
      CREATE TABLE copy (code TEXT PRIMARY KEY NOT NULL, shelf REFERENCES shelf \(action)) \(option);
      """
    let rows = Self.schema + copy + Self.rows + "INSERT INTO copy VALUES ('a', 99);"
    for code in ["b", "c", "d", "e", "f", "zz", "emma"] {
      let changeset = try changes(
        """
        DELETE FROM copy; INSERT INTO copy VALUES ('\(code)', 98);
        INSERT INTO shelf VALUES (7, 'c')
        """, after: rows)
      let found = try conflict(changeset, makeQueue(rows))
      #expect(found?.kind == .foreignKey)
      #expect(found?.violationCount == 1)
    }
    let moved = try changes(
      "UPDATE copy SET shelf = 98; INSERT INTO shelf VALUES (7, 'c')", after: rows)
    let found = try conflict(moved, makeQueue(rows))
    #expect(found?.kind == .foreignKey)
    let changeset = try changes(
      "INSERT INTO copy VALUES ('b', 1); INSERT INTO shelf VALUES (7, 'c')", after: rows)
    try makeQueue(rows).write { db in try changeset.apply(to: db) }
  }

  @Test func `a change that is left out leaves no row without parent`() throws {
    let rows = Self.schema + Self.loans[0] + Self.rows
    let changeset = try changes(
      "INSERT INTO loan VALUES (1, 99), (2, 1); DELETE FROM loan WHERE id = 6",
      after: rows + "INSERT INTO loan VALUES (6, 1);")
    let queue = try makeQueue(rows + "INSERT INTO loan VALUES (1, 99), (6, 1);")
    try queue.write { db in
      try changeset.apply(to: db) { $0.kind == .conflict ? .omit : .abort }
      try #expect(Int.fetchAll(db, sql: "SELECT id FROM loan ORDER BY id") == [1, 2])
    }
  }

  @Test func `a former row that is replaced lowers no count`() throws {
    let rows = Self.schema + Self.loans[0] + Self.rows
    for id in 2..<20 {
      let changeset = try changes("INSERT INTO loan VALUES (1, 1), (\(id), 98)", after: rows)
      let queue = try makeQueue(rows + "INSERT INTO loan VALUES (1, 99)")
      let error = changesetError {
        try queue.write { db in
          try changeset.apply(to: db) { $0.kind == .conflict ? .replace : .abort }
        }
      }
      #expect(error?.conflict?.kind == .foreignKey)
      #expect(error?.conflict?.violationCount == 1)
    }
  }

  /// SQLite counts the deletion of such a row only where others are counted already.
  @Test func `a row without parent that replaces an equal one is a conflict`() throws {
    let rows = Self.schema + Self.loans[0] + Self.rows
    let changeset = try changes("INSERT INTO loan VALUES (1, 99)", after: rows)
    let queue = try makeQueue(rows + "INSERT INTO loan VALUES (1, 99)")
    let found = try conflict(changeset, queue, replacing: [.conflict])
    #expect(found?.kind == .foreignKey)
    #expect(found?.violationCount == 1)
  }

  @Test(arguments: [
    ("", "INSERT INTO shelf VALUES (1, 'z')"),
    ("INSERT INTO shelf VALUES (1, 'x');", "UPDATE shelf SET code = 'z'"),
    (
      "INSERT INTO shelf VALUES (1, 'x'); INSERT INTO tag VALUES (1, 'z');",
      "DELETE FROM shelf; DELETE FROM tag"
    ),
  ])
  func `a row loses its parent to one that replaces it`(rows: String, sql: String) throws {
    let schema = Self.schema + Self.tags
    let queue = try makeQueue(
      schema + Self.rows + "INSERT INTO tag VALUES (1, 'z'), (2, 'A'), (3, 'b')")
    let found = try conflict(
      changes(sql, after: schema + rows), queue, replacing: [.data, .conflict])
    #expect(found?.kind == .foreignKey)
    #expect(found?.violationCount == 1)
  }

  @Test func `a former row without parent has not lost the one that a replaced row was to be`()
    throws
  {
    let schema = Self.schema + Self.tags
    let changeset = try changes(
      "UPDATE shelf SET code = 'z'", after: schema + "INSERT INTO shelf VALUES (1, 'x')")
    let queue = try makeQueue(
      schema + Self.rows + "INSERT INTO tag VALUES (1, 'z'), (2, 'x'), (3, 'b')")
    #expect(try conflict(changeset, queue, replacing: [.data]) == nil)
  }

  @Test(arguments: [
    ("UPDATE shelf SET code = 'z' WHERE id = 1", 1),
    ("UPDATE shelf SET code = 'z' WHERE id = 2", 0),
    ("DELETE FROM shelf WHERE id = 1; DELETE FROM tag WHERE id = 1", 1),
  ])
  func `a patchset has not the keys that parents lose`(sql: String, count: Int) throws {
    let rows = Self.schema + Self.tags + Self.rows
    let tags = "INSERT INTO tag VALUES (1, 'z'), (2, 'A'), (3, 'y');"
    let found = try conflict(
      changes(sql, after: rows + tags, asPatchset: true), makeQueue(rows + tags))
    #expect(found?.violationCount ?? 0 == count)
  }

  @Test func `texts of a column without type refer to numbers`() throws {
    let rows = Self.schema + Self.loans[0] + Self.rows + "INSERT INTO loan VALUES (1, 99), (3, '2')"
    let found = try conflict(
      changes("DELETE FROM shelf WHERE id = 2; DELETE FROM loan WHERE id = 1", after: rows),
      makeQueue(rows))
    #expect(found?.kind == .foreignKey)
    #expect(found?.violationCount == 1)
  }

  /// Rows that keep a table from being read as a whole.
  private static let manyItems = """
    WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
    INSERT INTO item (id) SELECT i FROM n;
    """

  @Test(arguments: [
    ("TEXT", "", "'7'", "7"), ("TEXT", "BLOB", "'7'", "7"), ("INTEGER", "", "7", "'7'"),
    ("INTEGER", "", "7", "'7.0'"), ("NUMERIC", "TEXT", "7", "'7.0'"),
    ("TEXT COLLATE NOCASE", "", "'x'", "'X'"), ("TEXT COLLATE NOCASE", "TEXT", "'x'", "'X'"),
    ("TEXT", "INTEGER", "'7'", "7"), ("INTEGER", "REAL", "7", "7"), ("", "", "'x'", "'x'"),
  ])
  func `a row loses a parent with another type, beside many rows`(
    parentType: String, type: String, parentValue: String, value: String
  ) throws {
    let schema = """
      CREATE TABLE kind (code \(parentType) PRIMARY KEY NOT NULL);
      CREATE TABLE item (id INTEGER PRIMARY KEY, kind \(type) REFERENCES kind);
      INSERT INTO kind VALUES (\(parentValue)); INSERT INTO item VALUES (1, '99');
      """
    let changeset = try changes("DELETE FROM kind; DELETE FROM item WHERE id = 1", after: schema)
    for (row, count) in [("(2, \(value))", 1), ("(2, '8')", 0)] {
      let queue = try makeQueue(schema + Self.manyItems + "INSERT INTO item VALUES \(row)")
      #expect(try conflict(changeset, queue)?.violationCount ?? 0 == count)
    }
  }

  @Test(arguments: [
    ("INTEGER", "", "7", "'7'", "8"), ("TEXT", "", "'7'", "7", "'8'"),
    ("INTEGER", "TEXT", "7", "'7.0'", "8"), ("INTEGER", "INTEGER", "7", "7", "8"),
  ])
  func `an insertion replaces a parent with another type, beside many rows`(
    parentType: String, type: String, parentValue: String, value: String, newValue: String
  ) throws {
    let schema = """
      CREATE TABLE kind (id INTEGER PRIMARY KEY, code \(parentType) UNIQUE);
      CREATE TABLE item (id INTEGER PRIMARY KEY, kind \(type) REFERENCES kind(code));
      """
    let changeset = try changes("INSERT INTO kind VALUES (1, \(newValue))", after: schema)
    // The second row has no parent before.
    let rows =
      "INSERT INTO kind VALUES (1, \(parentValue)); INSERT INTO item VALUES (3, \(newValue))"
    for (row, count) in [("(2, \(value))", 1), ("(2, NULL)", 0)] {
      let queue = try makeQueue(schema + Self.manyItems + "\(rows), \(row)")
      let found = try conflict(changeset, queue, replacing: [.conflict])
      #expect(found?.violationCount ?? 0 == count)
    }
  }

  @Test(arguments: ["x = 2", "y = 2", "x = 2, y = 3"])
  func `a row loses a parent of which some columns are updated, beside many rows`(
    assignments: String
  ) throws {
    let schema = """
      CREATE TABLE kind (id INTEGER PRIMARY KEY, x, y, UNIQUE (x, y));
      CREATE TABLE item (
        id INTEGER PRIMARY KEY, x, y, FOREIGN KEY (x, y) REFERENCES kind(x, y));
      INSERT INTO kind VALUES (1, 1, 1); INSERT INTO item VALUES (1, 99, 99);
      """
    let changeset = try changes(
      "UPDATE kind SET \(assignments); DELETE FROM item WHERE id = 1", after: schema)
    for (row, count) in [("(2, 1, 1)", 1), ("(2, 8, 8)", 0)] {
      let queue = try makeQueue(schema + Self.manyItems + "INSERT INTO item VALUES \(row)")
      #expect(try conflict(changeset, queue)?.violationCount ?? 0 == count)
    }
  }

  @Test(arguments: [
    ("INSERT INTO kind VALUES (1);", "DELETE FROM kind; DELETE FROM label"),
    ("", "INSERT INTO kind VALUES (1); DELETE FROM label"),
  ])
  func `a row loses a parent by a column that the changeset does not have, beside many rows`(
    rows: String, sql: String
  ) throws {
    let changeset = try changes(
      sql,
      after: """
        CREATE TABLE kind (id INTEGER PRIMARY KEY);
        CREATE TABLE label (id INTEGER PRIMARY KEY, kind TEXT);
        INSERT INTO label VALUES (1, 'z'); \(rows)
        """)
    let schema = """
      CREATE TABLE kind (id INTEGER PRIMARY KEY, code TEXT UNIQUE);
      CREATE TABLE label (id INTEGER PRIMARY KEY, kind TEXT REFERENCES kind(code));
      CREATE TABLE item (id INTEGER PRIMARY KEY, kind TEXT REFERENCES kind(code));
      INSERT INTO kind VALUES (1, 'a'), (2, 'b'); INSERT INTO label VALUES (1, 'z');
      """
    for (row, count) in [("(2, 'a')", 1), ("(2, 'b')", 0)] {
      let queue = try makeQueue(schema + Self.manyItems + "INSERT INTO item VALUES \(row)")
      let found = try conflict(changeset, queue, replacing: [.conflict, .data])
      #expect(found?.violationCount ?? 0 == count)
    }
  }

  @Test func `numbers of a column without type refer to texts`() throws {
    let rows = """
      CREATE TABLE kind (id TEXT PRIMARY KEY NOT NULL); INSERT INTO kind VALUES ('1');
      CREATE TABLE item (id INTEGER PRIMARY KEY, kind REFERENCES kind);
      INSERT INTO item VALUES (1, 99)
      """
    let changeset = try changes(
      "INSERT INTO item VALUES (2, 1); DELETE FROM item WHERE id = 1", after: rows)
    #expect(try conflict(changeset, makeQueue(rows)) == nil)
  }
}
