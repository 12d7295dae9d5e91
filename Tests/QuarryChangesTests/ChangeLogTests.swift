import Foundation
import Quarry
import QuarryChanges
import QuarryTestSupport
import Testing

@Suite("Logs of changes", .needs(.sessions))
struct ChangeLogTests {
  private struct Mine: Error {}

  private func makePeers(
    _ count: Int, policy: ConflictPolicy = .lastWriterWins
  ) throws -> [SyncPeer] {
    try ["A", "B", "C"].prefix(count).map { try SyncPeer($0, policy: policy) }
  }

  private func expectEqual(_ peers: [SyncPeer], _ sql: String, _ rows: [String]) throws {
    for peer in peers { try #expect(peer.rows(sql) == rows, "\(peer.name)") }
  }

  private let teams = "SELECT id, name, size FROM team ORDER BY id"
  private let members = "SELECT id, teamId, email, note FROM member ORDER BY id"

  @Test func `each committed transaction is in the log, and no other one`() throws {
    let peer = try SyncPeer("A")
    try #expect(peer.log.lastPosition == 0)
    try peer.write("INSERT INTO team VALUES (1, 'Red', 3)")
    try? peer.queue.write { db in
      try db.execute(sql: "INSERT INTO team VALUES (2, 'Blue', 4)")
      throw Mine()
    }
    try peer.queue.write { db in
      try db.inSavepoint {
        try db.execute(sql: "INSERT INTO team VALUES (2, 'Blue', 4)")
        return .rollback
      }
    }
    try peer.queue.write { db in try db.execute(sql: "CREATE TABLE other (id INTEGER PRIMARY KEY)")
    }
    try peer.write("UPDATE team SET size = 5")
    let batch = try peer.log.changes(after: 0)
    #expect(batch.sender == "A")
    #expect(batch.isLast)
    #expect(batch.position == 2)
    #expect(batch.transactions.map(\.sequence) == [1, 2])
    #expect(batch.transactions.map(\.origin) == ["A", "A"])
    #expect(batch.transactions[0].time < batch.transactions[1].time)
    #expect(batch.transactions[0].date == Date(timeIntervalSince1970: 1_000_001))
    // Updates have all columns.
    let update = try #require(batch.transactions[1].changes.changes.first)
    #expect(update.oldValues == [1.databaseValue, "Red".databaseValue, 3.0.databaseValue])
    #expect(update.newValues == [nil, "Red".databaseValue, 5.0.databaseValue])
    let copy = try JSONDecoder().decode(
      ChangeBatch.self, from: JSONEncoder().encode(batch))
    #expect(copy == batch)
  }

  @Test func `the log goes on where it has stopped`() throws {
    let peer = try SyncPeer("A")
    try peer.write("INSERT INTO team VALUES (1, 'Red', 3)")
    try peer.open()
    try peer.write("UPDATE team SET size = 4")
    try #expect(peer.transactions().map(\.sequence) == [1, 2])
    peer.log.stop()
    try peer.write("UPDATE team SET size = 5")
    try #expect(peer.transactions().count == 2)
    // The identity is that of the beginning.
    let log = try ChangeLog(peer.queue, tables: SyncPeer.tables, identity: "Z")
    try #expect(log.identity == "A")
  }

  @Test func `what is received is not sent back, and goes on to others`() throws {
    let peers = try makePeers(3)
    let (a, b, c) = (peers[0], peers[1], peers[2])
    try a.write("INSERT INTO team VALUES (1, 'Red', 3)")
    try b.receive(a)
    try #expect(b.log.changes(after: 0, for: "A").transactions.isEmpty)
    try #expect(b.log.changes(after: 0, for: "A").position == 1)
    try c.receive(b)
    try expectEqual(peers, teams, ["1 \"Red\" 3.0"])
    try #expect(c.transactions() == a.transactions())
    // From the origin itself, it is known already.
    try c.receive(a)
    try #expect(c.log.lastPosition == 1)
    try #expect(c.log.cursor(of: "A") == 1)
    try #expect(a.log.acknowledgments == ["B": 1, "C": 1])
  }

  @Test func `a batch that comes again, in parts or late changes nothing`() throws {
    let peers = try makePeers(2)
    let (a, b) = (peers[0], peers[1])
    for id in 1...5 { try a.write("INSERT INTO team VALUES (\(id), 'T\(id)', 1)") }
    let all = try a.log.changes(after: 0)
    let two = try a.log.changes(after: 0, limit: 2)
    #expect(two.transactions.count == 2)
    #expect(!two.isLast)
    let later = try a.log.changes(after: two.position)
    // Not the first ones.
    #expect(changesetError { try b.log.receive(later) }?.code == .order)
    try b.log.receive(two)
    try b.log.receive(all)
    try b.write("DELETE FROM team WHERE id = 1; UPDATE team SET size = 2 WHERE id = 2")
    for batch in [two, all, later, two] { try b.log.receive(batch) }
    try #expect(b.log.cursor(of: "A") == 5)
    try #expect(b.rows("SELECT id, size FROM team") == ["2 2.0", "3 1.0", "4 1.0", "5 1.0"])
    try #expect(b.transactions().count == 6)
  }

  @Test func `batches have limits`() throws {
    let peer = try SyncPeer("A")
    for id in 1...4 {
      try peer.write(
        "INSERT INTO team VALUES (?, ?, 1)", [id, String(repeating: "x", count: id * 100)])
    }
    let first = try peer.log.changes(after: 0, byteLimit: 10)
    #expect(first.transactions.count == 1)
    let sizes = try peer.transactions().map(\.changes.byteCount)
    let batch = try peer.log.changes(after: 1, byteLimit: sizes[1] + sizes[2])
    #expect(batch.transactions.map(\.sequence) == [2, 3])
    #expect(!batch.isLast)
    try #expect(peer.log.changes(after: 4).transactions.isEmpty)
    try #expect(peer.log.changes(after: 0, limit: 0).transactions.count == 1)
  }

  @Test func `the last writer wins, and a tie has a winner`() throws {
    let peers = try makePeers(2)
    let (a, b) = (peers[0], peers[1])
    try a.write("INSERT INTO team VALUES (1, 'Red', 3)")
    try exchange(peers)
    b.clock.withLock { $0 += 100 }
    try b.write("UPDATE team SET size = 4")
    try a.write("UPDATE team SET size = 5, name = 'Blue'")
    try exchange(peers)
    try expectEqual(peers, teams, ["1 \"Red\" 4.0"])
    // What was written after a received change is later, whatever the clock says.
    try a.write("UPDATE team SET size = 6")
    try exchange(peers)
    try expectEqual(peers, teams, ["1 \"Red\" 6.0"])
    // At the same time: B comes after A.
    for peer in peers { peer.clock.withLock { $0 = Date(timeIntervalSince1970: 2_000_000) } }
    try a.write("UPDATE team SET size = 7")
    try b.write("UPDATE team SET size = 8")
    try exchange(peers)
    try expectEqual(peers, teams, ["1 \"Red\" 8.0"])
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
    try expectEqual(peers, teams, ["1 \"Red\" 4.0"])
    try a.write("INSERT INTO team VALUES (2, 'Green', 1)")
    try exchange(peers)
    try expectEqual(peers, teams, ["1 \"Red\" 4.0", "2 \"Green\" 1.0"])
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
    try expectEqual(peers, teams, ["1 \"RED\" 1.0"])
    // There is room for it again.
    try b.write("UPDATE team SET name = 'Blue' WHERE id = 1")
    try expectEqual([b], teams, ["1 \"Blue\" 1.0", "2 \"red\" 2.0"])
    try exchange(peers)
    try expectEqual(peers, teams, ["1 \"Blue\" 1.0", "2 \"red\" 2.0"])
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
    try expectEqual([a], teams, ["1 \"Red\" 210.0"])
    try c.write("DELETE FROM team")
    try exchange(peers)
    try expectEqual(peers, teams, ["1 \"Red\" 210.0"])
    // One that has seen all replaces all.
    try b.write("UPDATE team SET size = 5")
    try exchange(peers)
    try expectEqual(peers, teams, ["1 \"Red\" 5.0"])
    // Deletions only.
    try b.write("DELETE FROM team")
    try a.write("DELETE FROM team")
    try exchange(peers)
    try expectEqual(peers, teams, [])
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

  @Test func `versions have their origin and date`() throws {
    let seen = Locked<[String]>([])
    let policy = ConflictPolicy { conflict in
      let versions = conflict.versions.map { version in
        "\(version.origin) \(version.date.timeIntervalSince1970) \(version.row?["size"] as Double? ?? 0)"
      }
      seen.withLock { $0 = [conflict.table] + versions }
      return conflict.versions.last?.row
    }
    let peers = try makePeers(2, policy: policy)
    try peers[1].write("INSERT INTO team VALUES (1, 'Blue', 2)")
    peers[0].clock.withLock { $0 += 10 }
    try peers[0].write("INSERT INTO team VALUES (1, 'Red', 1)")
    try exchange(peers)
    #expect(seen.withLock { $0 } == ["team", "B 1000001.0 2.0", "A 1000011.0 1.0"])
  }

  @Test func `the log is compacted as far as all have acknowledged`() throws {
    let peers = try makePeers(3)
    let (a, b, c) = (peers[0], peers[1], peers[2])
    for id in 1...4 { try a.write("INSERT INTO team VALUES (\(id), 'T\(id)', 1)") }
    try a.log.compact()
    try #expect(a.transactions().count == 4)
    try a.log.acknowledge(0, by: "C")
    try b.receive(a)
    try a.log.compact()
    try #expect(a.transactions().count == 4)
    try a.log.acknowledge(3, by: "C")
    try a.log.acknowledge(2, by: "C")
    try #expect(a.log.acknowledgments == ["B": 4, "C": 3])
    try a.log.compact()
    #expect(changesetError { _ = try a.log.changes(after: 2) }?.code == .compacted)
    try #expect(a.log.changes(after: 3).transactions.map(\.sequence) == [4])
    try a.log.forget("C")
    try a.log.compact()
    #expect(changesetError { _ = try a.log.changes(after: 3) }?.code == .compacted)
    try #expect(a.log.changes(after: 4).transactions.isEmpty)
    // Positions go on.
    try a.write("DELETE FROM team WHERE id = 1")
    try b.receive(a)
    try expectEqual([a, b], "SELECT id FROM team", ["2", "3", "4"])
    #expect(changesetError { try c.receive(a) }?.code == .compacted)
    #expect(changesetError { try a.log.acknowledge(9, by: "C") }?.code == .identity)
  }

  @Test func `a log that is too large drops what some lack`() throws {
    let peer = try SyncPeer("A")
    try peer.log.acknowledge(0, by: "B")
    for id in 1...4 { try peer.write("INSERT INTO team VALUES (\(id), 'T\(id)', 1)") }
    let sizes = try peer.transactions().map(\.changes.byteCount)
    try peer.log.compact(byteLimit: sizes[2] + sizes[3])
    try #expect(peer.transactions(after: 2).map(\.sequence) == [3, 4])
    #expect(changesetError { _ = try peer.log.changes(after: 0) }?.code == .compacted)
    try peer.log.compact(byteLimit: 0)
    try #expect(peer.transactions(after: 4).isEmpty)
  }

  @Test func `an older copy of a database, and one with the same identity, are found`() throws {
    let peers = try makePeers(2)
    let (a, b) = (peers[0], peers[1])
    try a.write("INSERT INTO team VALUES (1, 'Red', 3)")
    // A twin, which is A itself.
    let twin = try SyncPeer("A")
    #expect(changesetError { try twin.receive(a) }?.code == .identity)
    try a.write("UPDATE team SET size = 4")
    try b.receive(a)
    try b.write("UPDATE team SET size = 5")
    // A is replaced by a copy with its first transaction only.
    try twin.write("INSERT INTO team VALUES (1, 'Red', 3)")
    let error = changesetError { try twin.receive(b) }
    #expect(error?.code == .identity)
    #expect(error?.message.contains("replaced by an older copy") == true)
    #expect(changesetError { try b.receive(twin) }?.code == .identity)
    try twin.log.renewIdentity("A2")
    try #expect(twin.log.identity == "A2")
    #expect(changesetError { try twin.log.renewIdentity("A2") }?.code == .identity)
    #expect(changesetError { try twin.log.renewIdentity("A") }?.code == .identity)
    try twin.log.receive(b.log.changes(after: 0))
    try expectEqual([twin], teams, ["1 \"Red\" 5.0"])
    try twin.write("UPDATE team SET size = 6")
    try b.log.receive(twin.log.changes(after: 0))
    try expectEqual([b], teams, ["1 \"Red\" 6.0"])
    try #expect(b.transactions().map(\.origin) == ["A", "A", "B", "A2"])
  }

  @Test func `a transaction whose predecessors are missing is refused`() throws {
    let peers = try makePeers(3)
    let (a, b, c) = (peers[0], peers[1], peers[2])
    try a.write("INSERT INTO team VALUES (1, 'Red', 3)")
    try b.receive(a)
    try b.write("UPDATE team SET size = 4")
    // Without what B has seen of A.
    let batch = try b.log.changes(after: 0, for: "A")
    let error = changesetError { try c.log.receive(batch) }
    #expect(error?.code == .order)
    #expect(error?.message.contains("comes after 1 of A") == true)
    try #expect(c.log.lastPosition == 0)
    try c.receive(b)
    try expectEqual([c], teams, ["1 \"Red\" 4.0"])
  }

  @Test func `a clock in the future is refused`() throws {
    let peers = try makePeers(2)
    let (a, b) = (peers[0], peers[1])
    a.clock.withLock { $0 += 86_000 }
    try a.write("INSERT INTO team VALUES (1, 'Red', 3)")
    try b.receive(a)
    a.clock.withLock { $0 += 1000 }
    try a.write("UPDATE team SET size = 4")
    let error = changesetError { try b.receive(a) }
    #expect(error?.code == .clock)
    #expect(error?.message.contains("a transaction of A") == true)
    try expectEqual([b], teams, ["1 \"Red\" 3.0"])
    b.clock.withLock { $0 += 10_000 }
    try b.receive(a)
    try expectEqual([b], teams, ["1 \"Red\" 4.0"])
  }

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

  @Test func `a commit that is refused leaves nothing in the log`() throws {
    let schema = """
      CREATE TABLE p (id INTEGER PRIMARY KEY);
      CREATE TABLE c (
        id INTEGER PRIMARY KEY, p INTEGER REFERENCES p DEFERRABLE INITIALLY DEFERRED)
      """
    let peer = try SyncPeer("A", schema: schema) { ["p", "c"] }
    try peer.queue.writeWithoutTransaction { db in
      try db.beginTransaction()
      try db.execute(sql: "INSERT INTO c VALUES (1, 1)")
      #expect(changesetError { try db.commit() }?.code == .conflict)
      try db.execute(sql: "DELETE FROM c; INSERT INTO p VALUES (2)")
      try db.commit()
    }
    let batch = try peer.log.changes(after: 0)
    #expect(batch.transactions.map(\.changes.changes.count) == [1])
    #expect(batch.transactions.first?.sequence == 1)
  }

  @Test func `a commit that the policy refuses can be tried again, and is logged once`() throws {
    let isRefused = Locked(false)
    let policy = ConflictPolicy { conflict in
      if isRefused.withLock({ $0 }) { throw Mine() }
      return conflict.versions.last?.row
    }
    let peers = try makePeers(3, policy: policy)
    let (a, b, c) = (peers[0], peers[1], peers[2])
    try a.write("INSERT INTO team VALUES (1, 'Red', 3)")
    try exchange(peers)
    // Two versions of the team 1, which the team 2 of the same name hides.
    try a.write("UPDATE team SET name = 'Blue'")
    b.clock.withLock { $0 += 50 }
    try b.write("UPDATE team SET name = 'Green'")
    try a.receive(b)
    c.clock.withLock { $0 += 100 }
    try c.write("INSERT INTO team VALUES (2, 'Green', 1)")
    try a.receive(c)
    try expectEqual([a], teams, ["2 \"Green\" 1.0"])
    let position = try a.log.lastPosition

    try a.queue.writeWithoutTransaction { db in
      try db.beginTransaction()
      try db.execute(sql: "UPDATE team SET size = 7")
      isRefused.withLock { $0 = true }
      #expect(throws: Mine.self) { try db.commit() }
      #expect(throws: Mine.self) { try db.commit() }
      // It may be changed, too.
      try db.execute(sql: "UPDATE team SET size = 8")
      isRefused.withLock { $0 = false }
      try db.commit()
    }
    let transactions = try a.transactions(after: position)
    #expect(transactions.map(\.sequence) == [3])
    let sizes = transactions.flatMap(\.changes.changes).map { $0.newValues?[2] }
    #expect(sizes == [Double(8).databaseValue])
    try a.queue.writeWithoutTransaction { db in
      try db.execute(sql: "SAVEPOINT grdb; DELETE FROM team")
      isRefused.withLock { $0 = true }
      #expect(throws: Mine.self) { try db.execute(sql: "RELEASE grdb") }
      try db.rollback()
      isRefused.withLock { $0 = false }
    }
    try exchange(peers)
    try expectEqual(peers, teams, ["2 \"Green\" 8.0"])
  }

  @Test(arguments: [Int64.min, -1, 0, .max])
  func `a time that is no date is refused`(time: Int64) throws {
    let (a, b) = (try SyncPeer("A"), try SyncPeer("B"))
    try a.write("INSERT INTO team VALUES (1, 'Red', 3)")
    let sent = try JSONEncoder().encode(a.log.changes(after: 0))
    let text = String(decoding: sent, as: UTF8.self)
      .replacing(/"time":[0-9]+/, with: "\"time\":\(time)")
    let batch = try JSONDecoder().decode(ChangeBatch.self, from: Data(text.utf8))
    #expect(changesetError { try b.log.receive(batch) }?.code == .clock)
  }

  @Test(arguments: [
    ("CREATE TABLE t (a)", "declares no primary key"),
    ("CREATE TABLE t (a TEXT PRIMARY KEY)", "which may be null"),
    ("CREATE TABLE t (a TEXT PRIMARY KEY NOT NULL COLLATE NOCASE)", "the collation NOCASE"),
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
    let other = try ChangeLog(queue, tables: ["t"], name: "other")
    first.stop()
    var second: ChangeLog? = try ChangeLog(queue, tables: ["t"], name: "log")
    try #expect(second?.changes(after: 0).transactions.count == 1)
    // One that is released has stopped.
    second = nil
    let third = try ChangeLog(queue, tables: ["t"], name: "log")
    try queue.write { db in try db.execute(sql: "INSERT INTO t VALUES (2)") }
    try #expect(third.changes(after: 0).transactions.map(\.sequence) == [1, 2])
    try #expect(other.changes(after: 0).transactions.count == 1)
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

  @Test func `observers see what is received, recorders do, and triggers don't run again`() throws {
    let (a, b) = (try SyncPeer("A"), try SyncPeer("B"))
    for peer in [a, b] {
      try peer.queue.write { db in
        try db.execute(
          sql: """
            CREATE TRIGGER t AFTER INSERT ON team BEGIN
              INSERT INTO member (id, teamId) VALUES (new.name, new.id);
            END
            """)
      }
    }
    try a.write("INSERT INTO team VALUES (1, 'Red', 3)")
    let events = EventLog()
    b.queue.add(transactionObserver: events)
    let recorded = Locked<[String]>([])
    let recorder = try ChangeRecorder(b.queue, tables: SyncPeer.tables) { changeset, db in
      recorded.withLock { $0 += changeset.changes.map(\.description).sorted() }
      // A transaction of its own, which is logged.
      try? db.inTransaction {
        try db.execute(sql: "UPDATE team SET size = 9 WHERE size = 3")
        return .commit
      }
    }
    try b.receive(a)
    #expect(events.events.contains("insert team 1"))
    #expect(
      recorded.withLock { $0 } == ["insert member [\"Red\"]", "insert team [1]", "update team [1]"])
    try #expect(b.transactions().map(\.origin) == ["A", "B"])
    try a.receive(b)
    for peer in [a, b] { try #expect(peer.rows(teams) == ["1 \"Red\" 9.0"]) }
    withExtendedLifetime(recorder) {}
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
    try expectEqual(peers, teams, ["1 \"Red\" 5.0", "2 \"X\" 4.0", "3 \"Y\" 1.0"])
    // A new row takes the unique value of an old one elsewhere.
    try peers[0].write("DELETE FROM team WHERE id = 1; INSERT INTO team VALUES (9, 'Red', 1)")
    try exchange(peers)
    try expectEqual(peers, "SELECT id FROM team ORDER BY id", ["2", "3", "9"])
  }
}
