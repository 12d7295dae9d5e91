import Foundation
import Quarry
import QuarryChanges
import QuarryTestSupport
import Testing

@Suite("Tables of logs", .needs(.sessions))
struct LoggedTableTests {
  @Test func `other tables, keys and fewer columns are refused, more columns are kept`() throws {
    let (a, b) = (try SyncPeer("A"), try SyncPeer("B"))
    try b.queue.write { db in
      try db.execute(sql: "ALTER TABLE team ADD COLUMN city TEXT DEFAULT 'Bath'")
    }
    try a.write("INSERT INTO team VALUES (1, 'Red', 3)")
    try b.receive(a)
    try #expect(b.rows("SELECT name, city FROM team") == ["\"Red\" \"Bath\""])
    try b.queue.write { db in try db.execute(sql: "UPDATE team SET city = 'York'") }
    try a.write("UPDATE team SET size = 5")
    try b.receive(a)
    try #expect(b.rows("SELECT size, city FROM team") == ["5.0 \"Bath\""])
    let error = changesetError { try a.receive(b) }
    #expect(error?.code == .schema)
    #expect(error?.table == "team")
    let c = try SyncPeer("C", schema: "CREATE TABLE team (id INTEGER PRIMARY KEY, name, size)") {
      ["team"]
    }
    try c.receive(a)
    try a.write("INSERT INTO member (id) VALUES ('m')")
    #expect(changesetError { try c.receive(a) }?.table == "member")
  }

  @Test(arguments: [
    "ALTER TABLE team DROP COLUMN size",
    "ALTER TABLE team DROP COLUMN size; ALTER TABLE team ADD COLUMN note",
    "ALTER TABLE team RENAME COLUMN size TO note",
  ])
  func `transactions from before a column was dropped, replaced or renamed are refused`(sql: String)
    throws
  {
    let (a, b) = (try SyncPeer("A"), try SyncPeer("B"))
    try a.write("INSERT INTO team VALUES (1, 'Red', 3)")
    try b.queue.write { db in try db.execute(sql: sql) }
    let error = changesetError { try b.receive(a) }
    #expect(error?.code == .schema)
    #expect(error?.table == "team")
    #expect(error?.column == "size")
    try #expect(b.rows("SELECT id FROM team") == [])
    // Names have no case.
    let c = try SyncPeer("C")
    try c.queue.write { db in
      try db.execute(sql: "ALTER TABLE team RENAME COLUMN size TO Size")
    }
    try c.receive(a)
    try expectEqual([c], SyncPeer.teams, ["1 \"Red\" 3.0"])
    // The columns of the origin go on to others.
    #expect(changesetError { try b.receive(c) }?.column == "size")
  }

  @Test func `a log and a message of an earlier version have no names of columns`() throws {
    let (a, b) = (try SyncPeer("A"), try SyncPeer("B"))
    try a.write("INSERT INTO team VALUES (1, 'Red', 3)")
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let text = String(decoding: try encoder.encode(a.log.changes(after: 0)), as: UTF8.self)
    let earlier = text.replacing(/,"columns":\{[^}]*\}/, with: "")
    #expect(earlier != text)
    try b.log.receive(JSONDecoder().decode(ChangeBatch.self, from: Data(earlier.utf8)))
    try expectEqual([b], SyncPeer.teams, ["1 \"Red\" 3.0"])
    let again = try encoder.encode(b.log.changes(after: 0))
    #expect(!String(decoding: again, as: UTF8.self).contains("\"columns\""))

    a.log.stop()
    try a.queue.write { db in try db.execute(sql: "ALTER TABLE changeLog DROP COLUMN columns") }
    try a.open()
    try a.write("UPDATE team SET size = 4")
    try b.receive(a)
    try expectEqual([b], SyncPeer.teams, ["1 \"Red\" 4.0"])
    let columns = try a.rows("SELECT columns FROM changeLog ORDER BY position")
    #expect(columns[0] == "NULL")
    #expect(columns[1].contains("size"))
  }

  /// Opens the log again after a migration.
  private func migrate(
    _ peer: SyncPeer, _ sql: String, _ tables: [String] = SyncPeer.tables
  ) throws {
    peer.log.stop()
    try peer.queue.write { db in try db.execute(sql: sql) }
    try peer.open(tables)
  }

  @Test(arguments: [
    ("ALTER TABLE team RENAME COLUMN size TO note", false),
    ("ALTER TABLE team DROP COLUMN size; ALTER TABLE team ADD COLUMN note", false),
    // Without the names, the number of columns says so.
    ("ALTER TABLE team DROP COLUMN size", true),
  ])
  func `a hidden row from before other columns stays hidden`(
    sql: String, isOfEarlierVersion: Bool
  ) throws {
    let (a, b) = (try SyncPeer("A"), try SyncPeer("B"))
    try b.write("INSERT INTO team VALUES (2, 'red', 2)")
    let content = try b.transactions()[0].changes
    a.clock.withLock { $0 += 10 }
    try a.write("INSERT INTO team VALUES (1, 'RED', 1)")
    try b.receive(a)
    try expectEqual([b], SyncPeer.teams, ["1 \"RED\" 1.0"])
    b.log.stop()
    try b.queue.write { db in
      try db.execute(sql: sql)
      guard isOfEarlierVersion else { return }
      try db.execute(
        sql: "UPDATE changeLog_version SET content = ? WHERE isHidden", arguments: [content])
    }
    try b.open()
    // What makes no room for it goes on.
    try b.write("INSERT INTO team (id, name) VALUES (3, 'Green')")
    let rows = "SELECT id, name FROM team ORDER BY id"
    try expectEqual([b], rows, ["1 \"RED\"", "3 \"Green\""])
    // There is room for it.
    try b.write("UPDATE team SET name = 'Blue' WHERE id = 1")
    try expectEqual([b], rows, ["1 \"Blue\"", "3 \"Green\""])
    try b.write("INSERT INTO team (id, name) VALUES (2, 'red')")
    try expectEqual([b], rows, ["1 \"Blue\"", "2 \"red\"", "3 \"Green\""])
  }

  @Test func `a hidden row from before a dropped column in front of the unique one stays hidden`()
    throws
  {
    let schema = "CREATE TABLE item (id INTEGER PRIMARY KEY, code TEXT, name TEXT UNIQUE)"
    let a = try SyncPeer("A", schema: schema) { ["item"] }
    let b = try SyncPeer("B", schema: schema) { ["item"] }
    try b.write("INSERT INTO item VALUES (2, 'x', 'red')")
    a.clock.withLock { $0 += 10 }
    try a.write("INSERT INTO item VALUES (1, 'y', 'red')")
    try b.receive(a)
    let rows = "SELECT id, name FROM item ORDER BY id"
    try expectEqual([b], rows, ["1 \"red\""])
    let sql = "ALTER TABLE item DROP COLUMN code"
    try migrate(a, sql, ["item"])
    try migrate(b, sql, ["item"])
    try b.write("INSERT INTO item VALUES (3, 'green')")
    try a.write("INSERT INTO item VALUES (4, 'blue')")
    try b.receive(a)
    try expectEqual([b], rows, ["1 \"red\"", "3 \"green\"", "4 \"blue\""])
  }

  private static let items = """
    CREATE TABLE shelf (id INTEGER PRIMARY KEY);
    CREATE TABLE item (
      id INTEGER PRIMARY KEY, code TEXT, name TEXT UNIQUE, shelfId INTEGER REFERENCES shelf);
    """

  @Test func `a row that is hidden before or after a column is dropped is shown alike`() throws {
    let tables = ["shelf", "item"]
    let a = try SyncPeer("A", schema: Self.items) { tables }
    let b = try SyncPeer("B", schema: Self.items) { tables }
    try b.write("INSERT INTO shelf VALUES (7)")
    try a.receive(b)
    try b.write("INSERT INTO item VALUES (2, 'x', 'blue', 7)")
    try a.write("DELETE FROM shelf WHERE id = 7")
    try a.receive(b)
    let rows = "SELECT * FROM item"
    // It is hidden with all columns here, and shown there.
    try expectEqual([a], rows, [])
    for peer in [a, b] { try migrate(peer, "ALTER TABLE item DROP COLUMN code", tables) }
    try expectEqual([b], rows, ["2 \"blue\" 7"])
    // It is hidden without the column.
    try b.receive(a)
    try expectEqual([a, b], rows, [])
    try b.write("INSERT INTO shelf VALUES (7)")
    try a.receive(b)
    try expectEqual([a, b], rows, ["2 \"blue\" 7"])
  }

  @Test func `a hidden row from before a dropped column hides no other row by its former values`()
    throws
  {
    let tables = ["shelf", "item"]
    let a = try SyncPeer("A", schema: Self.items) { tables }
    let b = try SyncPeer("B", schema: Self.items) { tables }
    try b.write("INSERT INTO shelf VALUES (3), (7)")
    try a.receive(b)
    try b.write("INSERT INTO item VALUES (1, 'x', 'red', 3)")
    try b.write("INSERT INTO item VALUES (2, 'red', 'blue', 7)")
    try a.write("DELETE FROM shelf WHERE id = 7")
    try b.receive(a)
    let rows = "SELECT id, name FROM item ORDER BY id"
    try expectEqual([b], rows, ["1 \"red\""])
    try migrate(b, "ALTER TABLE item DROP COLUMN code", tables)
    try b.write("INSERT INTO shelf VALUES (8)")
    try expectEqual([b], rows, ["1 \"red\""])
    try b.write("INSERT INTO item VALUES (2, 'blue', 8)")
    try expectEqual([b], rows, ["1 \"red\"", "2 \"blue\""])
  }

  /// The first one hides the team 1, of which it has two versions, behind the team 2.
  private func makeHidingPeers() throws -> (SyncPeer, SyncPeer) {
    let peers = try makePeers(3, policy: ConflictPolicy { $0.versions.last?.row })
    let (a, b, c) = (peers[0], peers[1], peers[2])
    try a.write("INSERT INTO team VALUES (1, 'Red', 3)")
    try exchange(peers)
    try a.write("UPDATE team SET name = 'Blue'")
    b.clock.withLock { $0 += 50 }
    try b.write("UPDATE team SET name = 'Green'")
    try a.receive(b)
    c.clock.withLock { $0 += 100 }
    try c.write("INSERT INTO team VALUES (2, 'Green', 1)")
    try a.receive(c)
    try expectEqual([a], SyncPeer.teams, ["2 \"Green\" 1.0"])
    return (a, b)
  }

  @Test func `a policy gets hidden rows without the columns that were dropped since`() throws {
    let (a, b) = try makeHidingPeers()
    for peer in [a, b] { try migrate(peer, "ALTER TABLE team DROP COLUMN size") }
    let rows = "SELECT * FROM team ORDER BY id"
    try a.write("UPDATE team SET name = 'Grey' WHERE id = 2")
    try expectEqual([a], rows, ["1 \"Green\"", "2 \"Grey\""])
    // Another version of the row beside that of the first one.
    try b.write("UPDATE team SET name = 'Black'")
    try a.receive(b)
    try expectEqual([a], rows, ["1 \"Black\"", "2 \"Grey\""])
  }

  @Test func `a policy gets no hidden row from before other columns`() throws {
    let (a, b) = try makeHidingPeers()
    for peer in [a, b] { try migrate(peer, "ALTER TABLE team RENAME COLUMN size TO note") }
    let rows = "SELECT id, name FROM team ORDER BY id"
    try a.write("INSERT INTO team VALUES (3, 'Pink', 1)")
    try a.write("UPDATE team SET name = 'Grey' WHERE id = 2")
    try expectEqual([a], rows, ["2 \"Grey\"", "3 \"Pink\""])
    // It would get another version of the row beside the former one.
    try b.write("UPDATE team SET name = 'Black'")
    let error = changesetError { try a.receive(b) }
    #expect(error?.code == .schema)
    #expect(error?.table == "team")
    #expect(error?.column == "size")
    #expect(error?.message.contains("can't show the row [1]") == true)
    try a.write("INSERT INTO team VALUES (1, 'White', 1)")
    try a.receive(b)
    try expectEqual([a], rows, ["1 \"White\"", "2 \"Grey\"", "3 \"Pink\""])
  }

  /// The databases receive the same transactions in another order, two of them from before a
  /// migration.

  @Test func `databases with other columns agree on the rows that they receive`() throws {
    let peers = try ["W", "X", "Y", "Z"].map { try SyncPeer($0) }
    let (w, x, y, z) = (peers[0], peers[1], peers[2], peers[3])
    try y.write("INSERT INTO team VALUES (1, 'Red', 3), (2, 'Blue', 3)")
    for peer in [w, x, z] {
      try peer.receive(y)
      try peer.queue.write { db in
        try db.execute(sql: "ALTER TABLE team ADD COLUMN city TEXT NOT NULL DEFAULT 'Bath'")
      }
    }
    x.clock.withLock { $0 += 10 }
    y.clock.withLock { $0 += 20 }
    try x.write("UPDATE team SET city = 'York' WHERE id = 1")
    // Another kind of change of each shape, in one batch.
    try y.write(
      """
      UPDATE team SET size = 5 WHERE id = 1; DELETE FROM team WHERE id = 2;
      INSERT INTO team VALUES (3, 'Green', 4)
      """)
    try z.receive(x)
    try z.receive(y)
    try w.receive(y)
    try w.receive(x)
    let rows = "SELECT id, name, size, city FROM team ORDER BY id"
    try expectEqual([w, z], rows, ["1 \"Red\" 5.0 \"Bath\"", "3 \"Green\" 4.0 \"Bath\""])
  }

  @Test func `rows with NULL are inserted in a column that has a default`() throws {
    let (a, b) = (try SyncPeer("A"), try SyncPeer("B"))
    for peer in [a, b] {
      try peer.queue.write { db in
        try db.execute(sql: "ALTER TABLE team ADD COLUMN city TEXT DEFAULT 'Bath'")
      }
    }
    try a.write("INSERT INTO team VALUES (1, 'Red', 3, NULL)")
    try a.write("INSERT INTO team VALUES (2, 'Blue', 4, NULL), (3, 'Green', 5, 'York')")
    try b.receive(a)
    try expectEqual(
      [a, b], "SELECT id, city FROM team ORDER BY id", ["1 NULL", "2 NULL", "3 \"York\""])
  }

  @Test func `a key that is replaced by an equal one is refused at the commit`() throws {
    let a = try SyncPeer("A", schema: "CREATE TABLE tag (id NOT NULL PRIMARY KEY, name)") {
      ["tag"]
    }
    try a.write("INSERT INTO tag VALUES (1, 'old')")
    let error = changesetError { try a.write("UPDATE tag SET id = 1.0, name = 'new'") }
    #expect(error?.code == .unrecordable)
    #expect(error?.table == "tag")
    try #expect(a.rows("SELECT id, name FROM tag") == ["1 \"old\""])
    try #expect(a.transactions().count == 1)
  }

  @Test func `rows from before a migration get a default that is no constant`() throws {
    let (a, b) = (try SyncPeer("A"), try SyncPeer("B"))
    try b.queue.write { db in
      try db.execute(
        sql: "ALTER TABLE team ADD COLUMN made TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP")
    }
    try a.write("INSERT INTO team VALUES (1, 'Red', 3)")
    try b.receive(a)
    try expectEqual([b], "SELECT id, length(made) FROM team", ["1 19"])
  }

  @Test func `a policy gets versions from before a migration with the defaults of new columns`()
    throws
  {
    let policy = ConflictPolicy { conflict in
      let rows = conflict.versions.compactMap(\.row)
      guard let last = rows.last else { return nil }
      let city = (last["city"] as String?) ?? "none"
      let ranks = rows.map { row in (row["rank"] as DatabaseValue?)?.description ?? "none" }
      return Row([
        "id": last["id"] as Int, "name": last["name"] as String?, "size": last["size"] as Double,
        "city": ([city] + ranks).joined(separator: " "), "rank": 1,
      ])
    }
    let (a, b) = (try SyncPeer("A", policy: policy), try SyncPeer("B", policy: policy))
    let migration = """
      ALTER TABLE team ADD COLUMN city TEXT NOT NULL DEFAULT 'Bath';
      ALTER TABLE team ADD COLUMN rank REAL NOT NULL DEFAULT 0
      """
    try a.write("INSERT INTO team VALUES (1, 'Red', 3)")
    try b.receive(a)
    try a.queue.write { db in try db.execute(sql: migration) }
    try a.write("UPDATE team SET size = 4")
    b.clock.withLock { $0 += 10 }
    try b.write("UPDATE team SET size = 5")
    let (teams, row) = ("SELECT size, city, rank FROM team", "5.0 \"Bath 0.0 0.0\" 1.0")
    try a.receive(b)
    try expectEqual([a], teams, [row])
    try b.queue.write { db in try db.execute(sql: migration) }
    try b.receive(a)
    try expectEqual([a, b], teams, [row])
  }

  @Test(arguments: [
    ("CREATE TABLE t (a)", "declares no primary key"),
    ("CREATE TABLE t (a TEXT PRIMARY KEY)", "which may be null"),
    ("CREATE TABLE t (a TEXT PRIMARY KEY NOT NULL COLLATE NOCASE)", "the collation NOCASE"),
    (
      "CREATE TABLE t (a TEXT COLLATE NOCASE NOT NULL, PRIMARY KEY (a COLLATE BINARY))",
      "compares the column a by another collation"
    ),
    (
      "CREATE TABLE t (a INTEGER PRIMARY KEY, b); CREATE UNIQUE INDEX i ON t (b) WHERE b > 0",
      "its unique index i has a condition"
    ),
    (
      "CREATE TABLE t (a INTEGER PRIMARY KEY, b); CREATE UNIQUE INDEX i ON t (abs(b))",
      "its unique index i has an expression"
    ),
    (
      "CREATE TABLE p (a INTEGER PRIMARY KEY); CREATE TABLE t (a INTEGER PRIMARY KEY, b INT REFERENCES p)",
      "it references p, which is not"
    ),
    (
      "CREATE TABLE t (a INTEGER PRIMARY KEY); CREATE TABLE c (a INTEGER PRIMARY KEY, b INT REFERENCES t)",
      "c references it"
    ),
    (
      "CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT REFERENCES t)", "which has another type"
    ),
    ("CREATE TABLE u (a)", "there is no such table"),
  ])
  func `tables that can't be logged are named`(sql: String, message: String) throws {
    let queue = try DatabaseQueue()
    try queue.write { db in try db.execute(sql: sql) }
    let error = changesetError { _ = try ChangeLog(queue, tables: ["t"]) }
    #expect(error?.code == .unrecordable)
    #expect(error?.table == "t")
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "none")")
    try queue.read { db in try #expect(!db.tableExists("changeLog")) }
  }

  @Test func `a log does not log itself, read-only, in a transaction, or a reserved name`() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in try db.execute(sql: "CREATE TABLE t (a INTEGER PRIMARY KEY)") }
    #expect(changesetError { _ = try ChangeLog(queue, tables: ["t", "CHANGELOG_peer"]) } != nil)
    try queue.write { db in
      #expect(changesetError { _ = try ChangeLog(queue, tables: ["t"]) }?.code == .unrecordable)
    }
    let log = try ChangeLog(queue, tables: ["t"])
    try queue.write { db in
      #expect(databaseError { try log.acknowledge(0, by: "B") }?.resultCode == .SQLITE_MISUSE)
    }
  }

  @Test func `a log is open once for a connection`() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in try db.execute(sql: "CREATE TABLE t (a INTEGER PRIMARY KEY)") }
    let first = try ChangeLog(queue, tables: ["t"], name: "log")
    for name in ["log", "LOG"] {
      let error = changesetError { _ = try ChangeLog(queue, tables: ["t"], name: name) }
      #expect(error?.code == .unrecordable)
      #expect(
        error?.message == """
          the log \(name) of this database is open already, and another one would log each transaction \
          again: use that one, or stop it before
          """)
    }
    // The first one goes on.
    try queue.write { db in try db.execute(sql: "INSERT INTO t VALUES (1)") }
    try #expect(first.changes(after: 0).transactions.map(\.sequence) == [1])
    first.stop()
    var second: ChangeLog? = try ChangeLog(queue, tables: ["t"], name: "log")
    try #expect(second?.changes(after: 0).transactions.count == 1)
    // One that is released has stopped.
    second = nil
    let third = try ChangeLog(queue, tables: ["t"], name: "log")
    try queue.write { db in try db.execute(sql: "INSERT INTO t VALUES (2)") }
    try #expect(third.changes(after: 0).transactions.map(\.sequence) == [1, 2])
  }

  @Test func `a table is in one open log`() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(
        sql:
          "CREATE TABLE book (id INTEGER PRIMARY KEY); CREATE TABLE loan (id INTEGER PRIMARY KEY)"
      )
    }
    let books = try ChangeLog(queue, tables: ["book"], name: "books")
    let error = changesetError {
      _ = try ChangeLog(queue, tables: ["loan", "Book"], name: "loans")
    }
    #expect(error?.code == .unrecordable)
    #expect(error?.table == "Book")
    #expect(
      error?.message == """
        the log loans can't have the table Book, which the log books of this database has: it would not \
        know what that one receives and hides. List the table in one log, or stop that one before
        """)
    let loans = try ChangeLog(queue, tables: ["loan"], name: "loans")
    try queue.write { db in
      try db.execute(sql: "INSERT INTO book VALUES (1); INSERT INTO loan VALUES (2)")
    }
    for (log, table) in [(books, "book"), (loans, "loan")] {
      try #expect(log.changes(after: 0).transactions.flatMap(\.changes.tables) == [table])
    }
    books.stop()
    loans.stop()
    _ = try ChangeLog(queue, tables: ["loan", "Book"], name: "both")
  }

  @Test func `the name of a log has no case`() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in try db.execute(sql: "CREATE TABLE t (a INTEGER PRIMARY KEY)") }
    let first = try ChangeLog(queue, tables: ["t"], name: "log")
    try queue.write { db in try db.execute(sql: "INSERT INTO t VALUES (1)") }
    first.stop()
    let second = try ChangeLog(queue, tables: ["t"], name: "LOG")
    try #expect(second.lastPosition == 1)
    try queue.write { db in try db.execute(sql: "INSERT INTO t VALUES (2)") }
    try #expect(second.changes(after: 1).transactions.map(\.sequence) == [2])
  }

  @Test func `references that SQLite lets pass, and texts that are none, are refused`() throws {
    let peer = try SyncPeer("A")
    // In a table that references itself, REPLACE does not look for the parent.
    try peer.write("INSERT INTO member (id, bossId) VALUES ('m', 'm')")
    let error = changesetError {
      do { try peer.write("REPLACE INTO member (id, bossId) VALUES ('m', 'x')") } catch let error
        as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT
      {}
    }
    // Later versions of SQLite may refuse it themselves.
    if let error {
      #expect(error.code == .conflict)
      #expect(error.column == "bossId")
    }
    try #expect(peer.rows("SELECT id, bossId FROM member") == ["\"m\" \"m\""])
    let text = changesetError {
      try peer.write("INSERT INTO team VALUES (1, CAST(x'ff41' AS TEXT), 1)")
    }
    #expect(text?.code == .unrecordable)
    #expect(text?.table == "team")
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    let queue = try DatabaseQueue(configuration: configuration)
    try queue.write { db in try db.execute(sql: SyncPeer.schema) }
    let log = try ChangeLog(queue, tables: SyncPeer.tables)
    let unenforced = changesetError {
      try queue.write { db in try db.execute(sql: "INSERT INTO team VALUES (1, 'x', 1)") }
    }
    #expect(unenforced?.message.contains("foreignKeysEnabled") == true)
    try #expect(log.lastPosition == 0)
  }
}
