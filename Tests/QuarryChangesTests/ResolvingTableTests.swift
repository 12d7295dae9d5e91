import Foundation
import Quarry
import QuarryChanges
import QuarryTestSupport
import Testing

/// SQLite reports no conflict that a clause such as `UNIQUE ON CONFLICT REPLACE` resolves.
@Suite("Tables that resolve conflicts by themselves", .needs(.sessions))
struct ResolvingTableTests {
  private func makeLoans(_ columns: String, _ rows: String = "") throws -> DatabaseQueue {
    let queue = try DatabaseQueue()
    try queue.write { db in try db.execute(sql: "CREATE TABLE loan (\(columns)); \(rows)") }
    return queue
  }

  private func loans(_ db: Database) throws -> [Row] {
    try Row.fetchAll(db, sql: "SELECT * FROM loan ORDER BY id")
  }

  private static let clauses = ["IGNORE", "REPLACE", "FAIL", "ABORT"]

  @Test(arguments: clauses, [false, true])
  func `a unique value that a deleted row had is written`(clause: String, isPatchset: Bool) throws {
    let columns = "id INTEGER PRIMARY KEY, copy TEXT UNIQUE ON CONFLICT \(clause)"
    for id in 4...12 {
      let rows = "INSERT INTO loan VALUES (1, 'a'), (300, 'c')"
      let sql = "DELETE FROM loan WHERE id = 300; INSERT INTO loan VALUES (\(id), 'c')"
      let (origin, copy) = (try makeLoans(columns, rows), try makeLoans(columns, rows))
      let changeset = try origin.write { db in
        try isPatchset ? db.recordPatchset { try db.execute(sql: sql) } : db.changes(sql)
      }
      try copy.write { db in
        try changeset.apply(to: db)
        try #expect(loans(db) == [["id": 1, "copy": "a"], ["id": id, "copy": "c"]])
      }
      if isPatchset { continue }
      try copy.write { db in
        try changeset.inverted().apply(to: db)
        try #expect(loans(db) == [["id": 1, "copy": "a"], ["id": 300, "copy": "c"]])
      }
    }
  }

  @Test(arguments: clauses) func `what replaces a row is undone`(clause: String) throws {
    let columns = "id INTEGER PRIMARY KEY, copy TEXT UNIQUE ON CONFLICT \(clause)"
    for id in [1, 2, 5, 7, 100, 300] {
      let queue = try makeLoans(columns, "INSERT INTO loan VALUES (\(id), 'c')")
      let undo = try UndoStack(queue)
      try undo.record("Loan") { db in
        try db.execute(sql: "REPLACE INTO loan VALUES (50, 'c')")
      }
      try undo.undo()
      try queue.read { db in try #expect(loans(db) == [["id": id, "copy": "c"]]) }
      try undo.redo()
      try queue.read { db in try #expect(loans(db) == [["id": 50, "copy": "c"]]) }
    }
  }

  @Test func `an update of a row that an insertion removes mentions the clause`() throws {
    let columns = "id INTEGER PRIMARY KEY, copy TEXT UNIQUE ON CONFLICT REPLACE"
    let rows = "INSERT INTO loan VALUES (1, 'a')"
    var errors: [ChangesetError] = []
    // The order of the changes depends on the keys.
    for id in 2..<40 {
      let changeset = try makeLoans(columns, rows).write { db in
        try db.changes("UPDATE loan SET copy = 'b'; INSERT INTO loan VALUES (\(id), 'a')")
      }
      try makeLoans(columns, rows).write { db in
        guard let error = changesetError({ try changeset.apply(to: db) }) else { return }
        errors.append(error)
        try #expect(loans(db) == [["id": 1, "copy": "a"]])
      }
    }
    #expect(!errors.isEmpty)
    for error in errors {
      #expect(error.conflict?.kind == .notFound)
      #expect(error.message.contains("The ON CONFLICT clause of the table may have left it out"))
    }
  }

  @Test(arguments: [
    ("id INTEGER PRIMARY KEY ON CONFLICT REPLACE, copy TEXT", "INSERT INTO loan VALUES (5, 'x')"),
    ("id INTEGER PRIMARY KEY ON CONFLICT IGNORE, copy TEXT", "INSERT INTO loan VALUES (5, 'x')"),
    (
      "id INTEGER PRIMARY KEY, copy TEXT UNIQUE ON CONFLICT REPLACE",
      "INSERT INTO loan VALUES (9, 'c')"
    ),
    (
      "id INTEGER PRIMARY KEY, copy TEXT, UNIQUE (copy) ON CONFLICT IGNORE",
      "INSERT INTO loan VALUES (9, 'c')"
    ),
    ("id INTEGER PRIMARY KEY, copy TEXT NOT NULL ON CONFLICT IGNORE", ""),
  ])
  func `a row that would be lost is an error`(columns: String, rows: String) throws {
    let changeset = try makeLoans("id INTEGER PRIMARY KEY, copy TEXT").write { db in
      try db.changes("INSERT INTO loan VALUES (5, 'c'), (6, NULL)")
    }
    try makeLoans(columns, rows).write { db in
      let before = try db.snapshot()
      let error = changesetError { try changeset.apply(to: db) { _ in .omit } }
      #expect(error?.code == .conflict)
      #expect(error?.table == "loan")
      #expect(error?.message.contains("table loan would have") == true)
      try #expect(db.snapshot() == before)
    }
  }

  @Test func `an update that replaces another row is an error`() throws {
    let changeset = try makeLoans(
      "id INTEGER PRIMARY KEY, copy TEXT", "INSERT INTO loan VALUES (1, 'a')"
    ).write { db in try db.changes("UPDATE loan SET copy = 'b'") }
    let columns = "id INTEGER PRIMARY KEY, copy TEXT UNIQUE ON CONFLICT REPLACE"
    try makeLoans(columns, "INSERT INTO loan VALUES (1, 'a'), (2, 'b')").write { db in
      let error = changesetError { try changeset.apply(to: db) }
      #expect(error?.message.contains("table loan would have 1 rows, not 2") == true)
      try #expect(loans(db) == [["id": 1, "copy": "a"], ["id": 2, "copy": "b"]])
    }
  }

  @Test(arguments: [3, 4], [false, true])
  func `an update that IGNORE leaves out is a violated constraint`(
    copy: Int, isPatchset: Bool
  ) throws {
    let sql = "UPDATE loan SET copy = 5"
    let changeset = try makeLoans(
      "id INTEGER PRIMARY KEY, copy", "INSERT INTO loan VALUES (1, 3)"
    ).write { db in
      try isPatchset ? db.recordPatchset { try db.execute(sql: sql) } : db.changes(sql)
    }
    let columns = "id INTEGER PRIMARY KEY, copy UNIQUE ON CONFLICT IGNORE"
    try makeLoans(columns, "INSERT INTO loan VALUES (1, \(copy)), (2, 5)").write { db in
      var kinds: [ChangesetConflict.Kind] = []
      let error = changesetError {
        try changeset.apply(to: db) { conflict in
          kinds.append(conflict.kind)
          return conflict.kind == .data ? .replace : .abort
        }
      }
      #expect(kinds == (copy == 3 || isPatchset ? [.constraint] : [.data, .constraint]))
      #expect(error?.conflict?.kind == .constraint)
      #expect(error?.conflict?.currentValues == nil)
      try changeset.apply(to: db) { $0.kind == .data ? .replace : .omit }
      try #expect(loans(db) == [["id": 1, "copy": copy], ["id": 2, "copy": 5]])
    }
  }

  @Test(arguments: ["UPDATE loan SET copy = 5", "DELETE FROM loan"])
  func `a change that a trigger ignores is a violated constraint`(sql: String) throws {
    let columns = "id INTEGER PRIMARY KEY, copy"
    let rows = "INSERT INTO loan VALUES (1, 3);"
    let changeset = try makeLoans(columns, rows).write { db in try db.changes(sql) }
    let event = sql.prefix(6)
    let trigger = "CREATE TRIGGER t BEFORE \(event) ON loan BEGIN SELECT RAISE(IGNORE); END"
    try makeLoans(columns, rows + trigger).write { db in
      let error = changesetError { try changeset.apply(to: db, runsTriggers: true) }
      #expect(error?.conflict?.kind == .constraint)
    }
  }

  @Test func `reported conflicts are resolved as in other tables`() throws {
    let columns = "id INTEGER PRIMARY KEY, copy TEXT UNIQUE ON CONFLICT REPLACE"
    let changeset = try makeLoans(
      columns, "INSERT INTO loan VALUES (1, 'a'), (2, 'b'), (3, 'c')"
    ).write { db in
      try db.changes("DELETE FROM loan WHERE id < 3; INSERT INTO loan VALUES (4, 'd')")
    }
    // The row 1 has another value, the row 2 is gone, the row 4 is there.
    let rows = "INSERT INTO loan VALUES (1, 'x'), (3, 'c'), (4, 'y')"
    try makeLoans(columns, rows).write { db in
      let before = try loans(db)
      try changeset.apply(to: db) { _ in .omit }
      try #expect(loans(db) == before)
      try changeset.apply(to: db) { $0.kind == .notFound ? .omit : .replace }
      try #expect(loans(db) == [["id": 3, "copy": "c"], ["id": 4, "copy": "d"]])
    }
  }

  @Test func `deletions of a file come first in each table`() throws {
    let sql = """
      CREATE TABLE shelf (code TEXT PRIMARY KEY NOT NULL COLLATE NOCASE, room);
      INSERT INTO shelf VALUES ('a1', 1), ('b1', 1);
      INSERT INTO loan VALUES (300, 'c');
      """
    let columns = "id INTEGER PRIMARY KEY, copy TEXT UNIQUE ON CONFLICT IGNORE"
    let (origin, copy) = (try makeLoans(columns, sql), try makeLoans(columns, sql))
    let changeset = try origin.write { db in
      let first = try db.changes("DELETE FROM shelf; DELETE FROM loan")
      let second = try db.changes(
        """
        INSERT INTO shelf VALUES ('A1', 2), ('B1', 2), ('C1', 2);
        INSERT INTO loan VALUES (4, 'c'), (5, 'd');
        """)
      return try first.combined(with: second)
    }
    try withTemporaryDirectory { directory in
      let url = URL(fileURLWithPath: directory + "/a.changes")
      try changeset.write(to: url)
      try copy.write { db in try db.applyChanges(contentsOf: url) }
    }
    let expected = try origin.read { db in try db.snapshot() }
    try copy.read { db in try #expect(db.snapshot() == expected) }
  }

  /// The action and the trigger are those of other tables.
  @Test(arguments: ["IGNORE", "REPLACE"])
  func `deletions come first with runsTriggers, too, where nothing runs`(clause: String) throws {
    let columns = """
      id INTEGER PRIMARY KEY, copy TEXT UNIQUE ON CONFLICT \(clause),
      shelf INTEGER REFERENCES shelf ON DELETE CASCADE
      """
    let sql = """
      CREATE TABLE shelf (id INTEGER PRIMARY KEY);
      CREATE TRIGGER closed AFTER INSERT ON shelf BEGIN DELETE FROM loan; END;
      INSERT INTO loan VALUES (300, 'c', NULL);
      """
    for id in 4...12 {
      let (origin, copy) = (try makeLoans(columns, sql), try makeLoans(columns, sql))
      let changeset = try origin.write { db in
        try db.changes("DELETE FROM loan; INSERT INTO loan VALUES (\(id), 'c', NULL)")
      }
      try copy.write { db in
        try changeset.apply(to: db, runsTriggers: true)
        try #expect(loans(db) == [["id": id, "copy": "c", "shelf": nil]])
        try changeset.inverted().apply(to: db, runsTriggers: true)
        try #expect(loans(db) == [["id": 300, "copy": "c", "shelf": nil]])
      }
    }
  }

  @Test func `a key that is equal with other bytes passes on with runsTriggers, too`() throws {
    for id in 1...12 {
      let columns = "id TEXT PRIMARY KEY NOT NULL COLLATE NOCASE"
      let rows = "INSERT INTO loan VALUES ('k\(id)')"
      let (origin, copy) = (try makeLoans(columns, rows), try makeLoans(columns, rows))
      let changeset = try origin.write { db in
        try db.changes("DELETE FROM loan")
          .combined(with: db.changes("INSERT INTO loan VALUES ('K\(id)')"))
      }
      try copy.write { db in
        try changeset.apply(to: db, runsTriggers: true)
        try #expect(loans(db) == [["id": "K\(id)"]])
      }
    }
  }

  @Test func `triggers that run must not change the table`() throws {
    let columns = "id INTEGER PRIMARY KEY, copy TEXT UNIQUE ON CONFLICT IGNORE"
    let changeset = try makeLoans(columns).write { db in
      try db.changes("INSERT INTO loan VALUES (1, 'a')")
    }
    let log = """
      CREATE TABLE log (id INTEGER PRIMARY KEY, text);
      CREATE TRIGGER noted AFTER INSERT ON loan BEGIN
        INSERT INTO log (text) VALUES (new.copy);
      END;
      """
    try makeLoans(columns, log).write { db in
      try changeset.apply(to: db, runsTriggers: true)
      try #expect(String.fetchAll(db, sql: "SELECT text FROM log") == ["a"])
      try changeset.inverted().apply(to: db, runsTriggers: true)
      try db.execute(
        sql: """
          CREATE TRIGGER full AFTER INSERT ON loan BEGIN DELETE FROM loan WHERE id < 0; END
          """)
      let error = changesetError { try changeset.apply(to: db, runsTriggers: true) }
      #expect(error?.code == .trigger)
      #expect(error?.table == "loan")
      try changeset.apply(to: db)
      try #expect(loans(db) == [["id": 1, "copy": "a"]])
    }
  }

  @Test(arguments: ["ON DELETE CASCADE", "ON DELETE SET NULL", "ON DELETE RESTRICT", ""])
  func `a row that goes to another parent stays, where the former parent is deleted`(
    action: String
  ) throws {
    let schema = """
      CREATE TABLE shelf (code TEXT PRIMARY KEY NOT NULL COLLATE NOCASE);
      INSERT INTO shelf VALUES ('a'), ('b');
      CREATE TRIGGER full BEFORE DELETE ON shelf
      WHEN EXISTS (SELECT 1 FROM loan WHERE shelf = old.code) BEGIN
        SELECT RAISE(ABORT, 'not empty');
      END;
      INSERT INTO loan VALUES (1, 'x', 'a'), (2, 'y', 'b');
      """
    for trigger in [false, true] {
      let sql = trigger ? schema : schema + "DROP TRIGGER full;"
      let columns = "id INTEGER PRIMARY KEY, copy TEXT, shelf TEXT REFERENCES shelf \(action)"
      let changeset = try makeLoans(columns, sql).write { db in
        try db.changes(
          "UPDATE loan SET shelf = 'b' WHERE id = 1; DELETE FROM shelf WHERE code = 'a'")
      }
      for runsTriggers in [false, true] {
        try makeLoans(columns, sql).write { db in
          try changeset.apply(to: db, runsTriggers: runsTriggers)
          try #expect(
            loans(db) == [
              ["id": 1, "copy": "x", "shelf": "b"], ["id": 2, "copy": "y", "shelf": "b"],
            ])
          try #expect(String.fetchAll(db, sql: "SELECT code FROM shelf") == ["b"])
        }
      }
    }
  }

  @Test(arguments: [
    ("", true),
    ("CREATE TRIGGER t AFTER UPDATE ON loan BEGIN UPDATE loan SET copy = 'u'; END", true),
    ("CREATE TRIGGER t AFTER UPDATE ON shelf BEGIN DELETE FROM loan; END", true),
    ("CREATE TRIGGER t AFTER INSERT ON loan BEGIN UPDATE loan SET copy = 'u'; END", false),
    (
      """
      CREATE TABLE log (id INTEGER PRIMARY KEY);
      CREATE TRIGGER t AFTER INSERT ON loan BEGIN INSERT INTO log VALUES (new.id); END;
      CREATE TRIGGER u AFTER INSERT ON log BEGIN DELETE FROM loan WHERE id = 9; END
      """, false
    ),
    ("CREATE TRIGGER t AFTER INSERT ON loan BEGIN DELETE FROM shelf WHERE code = 'x'; END", false),
  ])
  func `only triggers and actions that happen are refused`(sql: String, isApplied: Bool) throws {
    let columns = """
      id INTEGER PRIMARY KEY, copy TEXT UNIQUE ON CONFLICT REPLACE,
      shelf REFERENCES shelf ON DELETE CASCADE
      """
    let shelf = "CREATE TABLE shelf (code TEXT PRIMARY KEY NOT NULL);"
    let changeset = try makeLoans(columns, shelf).write { db in
      try db.changes("INSERT INTO loan VALUES (1, 'a', NULL)")
    }
    try makeLoans(columns, shelf + sql).write { db in
      let error = changesetError { try changeset.apply(to: db, runsTriggers: true) }
      #expect(error?.code == (isApplied ? nil : .trigger))
      let expected: [Row] = isApplied ? [["id": 1, "copy": "a", "shelf": nil]] : []
      try #expect(loans(db) == expected)
    }
  }

  @Test func `foreign key actions that are off are not refused`() throws {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    let queue = try DatabaseQueue(configuration: configuration)
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE loan (
            id INTEGER PRIMARY KEY, copy TEXT UNIQUE ON CONFLICT REPLACE,
            renewed REFERENCES loan ON DELETE CASCADE);
          """)
      let changeset = try db.changes("INSERT INTO loan VALUES (1, 'a', NULL)")
      try changeset.inverted().apply(to: db, runsTriggers: true)
      try changeset.apply(to: db, runsTriggers: true)
      try #expect(loans(db) == [["id": 1, "copy": "a", "renewed": nil]])
    }
  }

  @Test func `a row that a trigger leaves out is an error that mentions triggers`() throws {
    let columns = "id INTEGER PRIMARY KEY, copy TEXT UNIQUE ON CONFLICT REPLACE"
    let changeset = try makeLoans(columns).write { db in
      try db.changes("INSERT INTO loan VALUES (1, 'a')")
    }
    let trigger = """
      CREATE TRIGGER closed BEFORE INSERT ON loan BEGIN SELECT RAISE(IGNORE); END
      """
    try makeLoans(columns, trigger).write { db in
      let error = changesetError { try changeset.apply(to: db, runsTriggers: true) }
      #expect(error?.code == .conflict)
      #expect(error?.message.contains("A trigger of the table, or its ON CONFLICT clause") == true)
    }
  }
}
