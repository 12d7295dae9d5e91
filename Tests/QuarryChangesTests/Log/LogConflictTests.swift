import Foundation
import Quarry
import QuarryChanges
import QuarryTestSupport
import Testing

@Suite("Conflicts of logs", .needs(.sessions))
struct LogConflictTests {
  private struct Mine: Error {}

  @Test func `the last writer wins, and a tie has a winner`() throws {
    let peers = try makePeers(2)
    let (a, b) = (peers[0], peers[1])
    try a.write("INSERT INTO team VALUES (1, 'Red', 3)")
    try exchange(peers)
    b.clock.withLock { $0 += 100 }
    try b.write("UPDATE team SET size = 4")
    try a.write("UPDATE team SET size = 5, name = 'Blue'")
    try exchange(peers)
    try expectEqual(peers, SyncPeer.teams, ["1 \"Red\" 4.0"])
    // What was written after a received change is later, whatever the clock says.
    try a.write("UPDATE team SET size = 6")
    try exchange(peers)
    try expectEqual(peers, SyncPeer.teams, ["1 \"Red\" 6.0"])
    // At the same time: B comes after A.
    for peer in peers { peer.clock.withLock { $0 = Date(timeIntervalSince1970: 2_000_000) } }
    try a.write("UPDATE team SET size = 7")
    try b.write("UPDATE team SET size = 8")
    try exchange(peers)
    try expectEqual(peers, SyncPeer.teams, ["1 \"Red\" 8.0"])
  }

  @Test func `a deletion and an update at the same time, and a row that comes again`() throws {
    let peers = try makePeers(2)
    let (a, b) = (peers[0], peers[1])
    try a.write("INSERT INTO team VALUES (1, 'Red', 3), (2, 'Blue', 3)")
    try exchange(peers)
    // Row 1: the update is later. Row 2: the deletion is.
    try a.write("DELETE FROM team WHERE id = 1")
    try a.write("UPDATE team SET size = 9 WHERE id = 2")
    b.clock.withLock { $0 += 50 }
    try b.write("UPDATE team SET size = 4 WHERE id = 1")
    try b.write("DELETE FROM team WHERE id = 2")
    try exchange(peers)
    try expectEqual(peers, SyncPeer.teams, ["1 \"Red\" 4.0"])
    try a.write("INSERT INTO team VALUES (2, 'Green', 1)")
    try exchange(peers)
    try expectEqual(peers, SyncPeer.teams, ["1 \"Red\" 4.0", "2 \"Green\" 1.0"])
    // Inserted on both sides with the same key.
    try a.write("INSERT INTO team VALUES (3, 'X', 1)")
    try b.write("INSERT INTO team VALUES (3, 'Y', 2)")
    try exchange(peers)
    try expectEqual(peers, "SELECT name FROM team WHERE id = 3", ["\"Y\""])
  }

  @Test func `of two rows with a unique value the newer one is shown, and the other one later`()
    throws
  {
    let peers = try makePeers(2)
    let (a, b) = (peers[0], peers[1])
    try b.write("INSERT INTO team VALUES (2, 'red', 2)")
    b.clock.withLock { $0 += 50 }
    a.clock.withLock { $0 += 10 }
    try a.write("INSERT INTO team VALUES (1, 'RED', 1)")
    try exchange(peers)
    try expectEqual(peers, SyncPeer.teams, ["1 \"RED\" 1.0"])
    // There is room for it again.
    try b.write("UPDATE team SET name = 'Blue' WHERE id = 1")
    try expectEqual([b], SyncPeer.teams, ["1 \"Blue\" 1.0", "2 \"red\" 2.0"])
    try exchange(peers)
    try expectEqual(peers, SyncPeer.teams, ["1 \"Blue\" 1.0", "2 \"red\" 2.0"])
    // A hidden row that is deleted does not come back.
    try a.write("INSERT INTO team VALUES (3, 'Green', 1)")
    b.clock.withLock { $0 += 50 }
    try b.write("INSERT INTO team VALUES (4, 'Green', 1)")
    try a.receive(b)
    try expectEqual([a], "SELECT id FROM team WHERE name = 'green'", ["4"])
    try b.write("DELETE FROM team WHERE id = 4")
    try exchange(peers)
    try expectEqual(peers, "SELECT id FROM team WHERE name = 'green'", ["3"])
  }

  @Test(arguments: [
    // Bytes behind a NUL don't count for NOCASE, but for their number.
    ("NOCASE", "'x' || char(0) || 'y'", "'X' || char(0) || 'z'", true),
    ("NOCASE", "'x' || char(0) || 'y'", "'x' || char(0) || 'yy'", false),
    ("NOCASE", "'x' || char(0)", "'x'", false),
    // In Swift, the first space belongs to the character before it.
    ("RTRIM", "char(0x600) || '  '", "char(0x600)", true),
    ("RTRIM", "'a  '", "'a'", true),
    ("RTRIM", "'  '", "''", true),
    ("RTRIM", "' a'", "'a'", false),
    ("RTRIM", "'a' || char(9)", "'a'", false),
  ])
  func `unique values conflict where SQLite takes them for equal`(
    collation: String, first: String, second: String, isEqual: Bool
  ) throws {
    let schema = """
      CREATE TABLE book (id TEXT PRIMARY KEY NOT NULL, isbn TEXT COLLATE \(collation) UNIQUE)
      """
    let (a, b) = (
      try SyncPeer("A", schema: schema) { ["book"] }, try SyncPeer("B", schema: schema) { ["book"] }
    )
    try a.queue.read { db in
      let sql = "SELECT \(first) = \(second) COLLATE \(collation)"
      try #expect(Bool.fetchOne(db, sql: sql) == isEqual)
    }
    try b.write("INSERT INTO book VALUES ('b', \(second))")
    a.clock.withLock { $0 += 10 }
    try a.write("INSERT INTO book VALUES ('a', \(first))")
    try exchange([a, b])
    try expectEqual(
      [a, b], "SELECT id FROM book ORDER BY id", isEqual ? ["\"a\""] : ["\"a\"", "\"b\""])
  }

  @Test func `a commit that violates a deferred foreign key shows no hidden row`() throws {
    let peers = try makePeers(2)
    let (a, b) = (peers[0], peers[1])
    try a.queue.write { db in
      try db.execute(sql: "CREATE TABLE page (id INTEGER PRIMARY KEY, up REFERENCES page)")
    }
    try a.write("INSERT INTO team VALUES (1, 'Red', 3)")
    b.clock.withLock { $0 += 100 }
    try b.write("INSERT INTO team VALUES (2, 'Red', 4)")
    try exchange(peers)
    let error = changesetError {
      try a.queue.write { db in
        try db.execute(sql: "PRAGMA defer_foreign_keys = ON")
        try db.execute(sql: "INSERT INTO page VALUES (1, 7); DELETE FROM team WHERE id = 2")
      }
    }
    #expect(error?.message.contains("violates deferred foreign keys") == true)
    try #expect(a.rows(SyncPeer.teams) == ["2 \"Red\" 4.0"])
    try #expect(a.rows("SELECT * FROM page") == [])
  }

  @Test func `unique values are exchanged between rows`() throws {
    let peers = try makePeers(2)
    let (a, b) = (peers[0], peers[1])
    try a.write("INSERT INTO team VALUES (1, 'X', 1), (2, 'Y', 2), (3, 'Z', 3)")
    try exchange(peers)
    try a.write(
      """
      UPDATE team SET name = '?' WHERE id = 1; UPDATE team SET name = 'X' WHERE id = 2;
      UPDATE team SET name = 'Y' WHERE id = 3; UPDATE team SET name = 'Z' WHERE id = 1
      """)
    try exchange(peers)
    try expectEqual(peers, "SELECT name FROM team ORDER BY id", ["\"Z\"", "\"X\"", "\"Y\""])
    _ = b
  }

  @Test func `a row whose parent was deleted elsewhere is hidden until the parent is back`() throws
  {
    let peers = try makePeers(2)
    let (a, b) = (peers[0], peers[1])
    try a.write(
      "INSERT INTO team VALUES (1, 'Red', 3); INSERT INTO member (id, teamId) VALUES ('m', 1)")
    try exchange(peers)
    // The members of A go with their team; B has not seen that.
    try a.write("DELETE FROM team")
    try b.write(
      """
      INSERT INTO member (id, teamId) VALUES ('n', 1);
      INSERT INTO badge VALUES ('gold', 1, 'n'), ('gold', 2, 'm')
      """)
    try exchange(peers)
    try expectEqual(peers, "SELECT id FROM member", [])
    try expectEqual(peers, "SELECT number FROM badge", [])
    try b.write("INSERT INTO team VALUES (1, 'Blue', 1)")
    try expectEqual([b], "SELECT id FROM member", ["\"n\""])
    try exchange(peers)
    try expectEqual(peers, "SELECT id FROM member", ["\"n\""])
    try expectEqual(peers, "SELECT number FROM badge", ["1"])
  }

  @Test func `a policy of one's own gets all versions, and decides the same everywhere`() throws {
    // The sizes of all are added up; who deletes does not count.
    let policy = ConflictPolicy { conflict in
      let rows = conflict.versions.compactMap(\.row)
      guard let last = rows.last else { return nil }
      return Row([
        "id": last["id"] as Int, "name": last["name"] as String?,
        "size": rows.map { $0["size"] as Double }.reduce(0, +),
      ])
    }
    let peers = try makePeers(3, policy: policy)
    let (a, b, c) = (peers[0], peers[1], peers[2])
    try a.write("INSERT INTO team VALUES (1, 'Red', 1)")
    try exchange(peers)
    try a.write("UPDATE team SET size = 10")
    try b.write("UPDATE team SET size = 200")
    try a.receive(b)
    try expectEqual([a], SyncPeer.teams, ["1 \"Red\" 210.0"])
    try c.write("DELETE FROM team")
    try exchange(peers)
    try expectEqual(peers, SyncPeer.teams, ["1 \"Red\" 210.0"])
    // One that has seen all replaces all.
    try b.write("UPDATE team SET size = 5")
    try exchange(peers)
    try expectEqual(peers, SyncPeer.teams, ["1 \"Red\" 5.0"])
    // Deletions only.
    try b.write("DELETE FROM team")
    try a.write("DELETE FROM team")
    try exchange(peers)
    try expectEqual(peers, SyncPeer.teams, [])
  }

  @Test func `a policy that returns another row, throws, or breaks a constraint is an error`()
    throws
  {
    func error(_ policy: ConflictPolicy) throws -> (any Error)? {
      let peers = try makePeers(2, policy: policy)
      for peer in peers {
        try peer.write("INSERT INTO member (id, note) VALUES ('m', ?)", [peer.name])
      }
      do { try exchange(peers) } catch {
        try expectEqual(peers, "SELECT count(*) FROM member", ["1"])
        return error
      }
      return nil
    }
    let missing = try error(ConflictPolicy { _ in ["id": "m"] }) as? ChangesetError
    #expect(missing?.code == .conflict)
    #expect(missing?.column == "teamId")
    let other =
      try error(
        ConflictPolicy { _ in
          Row(
            [
              "id": "x", "teamId": nil, "email": nil, "phone": nil, "bossId": nil, "note": nil,
            ] as [String: String?])
        }) as? ChangesetError
    #expect(other?.message.contains("another key") == true)
    #expect(try error(ConflictPolicy { _ in throw Mine() }) is Mine)
    #expect(try error(ConflictPolicy { $0.versions[0].row }) == nil)
  }

  @Test func `rows of an untyped key are one row where they are equal`() throws {
    let schema = "CREATE TABLE team (id PRIMARY KEY NOT NULL, size)"
    let peers = try ["A", "B"].map { name in
      try SyncPeer(name, schema: schema) { ["team"] }
    }
    try peers[0].write("INSERT INTO team VALUES (1, 'a')")
    try peers[1].write("INSERT INTO team VALUES (1.0, 'b')")
    try exchange(peers)
    try expectEqual(peers, "SELECT size FROM team", ["\"b\""])
    try peers[0].write("UPDATE team SET size = 1")
    try exchange(peers)
    try peers[0].write("UPDATE team SET size = 1.0")
    try exchange(peers)
    try expectEqual(peers, "SELECT typeof(size) FROM team", ["\"real\""])
  }

  @Test func `an untyped key is stored alike everywhere`() throws {
    let schema = "CREATE TABLE shelf (number PRIMARY KEY NOT NULL, room)"
    let peers = try ["A", "B"].map { name in
      try SyncPeer(name, schema: schema) { ["shelf"] }
    }
    try peers[0].write("INSERT INTO shelf VALUES (1, 'a')")
    try exchange(peers)
    try peers[0].write("DELETE FROM shelf")
    try peers[0].write("INSERT INTO shelf VALUES (1.0, 'a')")
    try exchange(peers)
    try expectEqual(peers, "SELECT typeof(number), room FROM shelf", ["\"real\" \"a\""])
  }

  @Test func `a row that a table ignores is not received`() throws {
    let peers = try ["NOT NULL ON CONFLICT IGNORE", ""].map { constraint in
      try SyncPeer(
        constraint.isEmpty ? "A" : "B",
        schema: "CREATE TABLE book (id INTEGER PRIMARY KEY, title \(constraint))"
      ) { ["book"] }
    }
    try peers[1].write("INSERT INTO book VALUES (1, NULL)")
    let error = changesetError { try peers[0].receive(peers[1]) }
    #expect(error?.code == .conflict)
    #expect(error?.table == "book")
    try #expect(peers[0].log.cursor(of: "A") == 0)
  }

  @Test func `a chain of rows is hidden, and costs later commits nothing`() throws {
    let schema = """
      CREATE TABLE shelf (
        id INTEGER PRIMARY KEY, parentId INTEGER REFERENCES shelf ON DELETE CASCADE);
      CREATE INDEX shelfParent ON shelf (parentId);
      CREATE TABLE book (id INTEGER PRIMARY KEY, title);
      """
    let peers = try ["A", "B"].map { name in
      try SyncPeer(name, schema: schema) { ["shelf", "book"] }
    }
    let (a, b) = (peers[0], peers[1])
    try a.write("INSERT INTO shelf VALUES (0, NULL); INSERT INTO book VALUES (1, 'Emma')")
    try exchange(peers)
    b.clock.withLock { $0 += 100 }
    try b.write("DELETE FROM shelf")
    // Each one stands on the one before.
    try a.write(
      """
      WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 300)
      INSERT INTO shelf SELECT n, n - 1 FROM number
      """)
    let seconds = try threadTime { try exchange(peers) }
    #expect(seconds < 5)
    try expectEqual(peers, "SELECT count(*) FROM shelf", ["0"])
    // The first commit looks at the hidden rows, later ones where there may be room.
    try a.write("UPDATE book SET title = 'Persuasion'")
    let statements = Log<Bool>()
    try a.queue.write { db in db.trace { _ in statements.append(true) } }
    try a.write("UPDATE book SET title = 'Sanditon'")
    #expect(statements.elements.count < 100)
    try a.queue.write { db in db.trace(nil) }
    try a.write("INSERT INTO shelf VALUES (0, NULL)")
    try exchange(peers)
    try expectEqual(peers, "SELECT count(*) FROM shelf", ["301"])
  }

  @Test func `rows from before the log are there, and lose against all versions`() throws {
    let peers = try ["A", "B"].map { name in
      try SyncPeer(
        name, schema: SyncPeer.schema + "INSERT INTO team VALUES (1, 'Red', 3), (2, 'Blue', 4)")
    }
    try peers[0].write("UPDATE team SET size = 5 WHERE id = 1")
    try peers[1].write("INSERT INTO team VALUES (3, 'X', 1)")
    try peers[1].write(
      "UPDATE team SET name = 'Y' WHERE id = 3; UPDATE team SET name = 'X' WHERE id = 2")
    try exchange(peers)
    try expectEqual(peers, SyncPeer.teams, ["1 \"Red\" 5.0", "2 \"X\" 4.0", "3 \"Y\" 1.0"])
    // A new row takes the unique value of an old one elsewhere.
    try peers[0].write("DELETE FROM team WHERE id = 1; INSERT INTO team VALUES (9, 'Red', 1)")
    try exchange(peers)
    try expectEqual(peers, "SELECT id FROM team ORDER BY id", ["2", "3", "9"])
  }
}
