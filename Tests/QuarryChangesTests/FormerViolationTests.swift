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
