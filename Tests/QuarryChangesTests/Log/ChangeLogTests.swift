import Foundation
import Quarry
import QuarryChanges
import QuarryTestSupport
import Testing

@Suite("Logs of changes", .needs(.sessions))
struct ChangeLogTests {
  private struct Mine: Error {}

  @Test func `a commit that a reader has kept from ending is tried again beside a row with NULL`()
    throws
  {
    try withTemporaryDirectory { directory in
      let path = directory + "/books.sqlite"
      var configuration = Configuration()
      configuration.allowsUnsafeTransactions = true
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      try queue.write { db in
        try db.execute(
          sql: """
            CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, copies INTEGER DEFAULT 5);
            INSERT INTO book VALUES (1, 'Emma', NULL), (2, 'Beowulf', 6);
            """)
      }
      let log = try ChangeLog(queue, tables: ["book"])
      try DatabaseQueue(path: path).inDatabase { db in
        let cursor = try Int.fetchCursor(db, sql: "SELECT id FROM book")
        #expect(try cursor.next() == 1)
        try queue.writeWithoutTransaction { db in
          try db.execute(sql: "BEGIN; INSERT INTO book VALUES (3, 'Evelina', 7)")
          #expect(databaseError { try db.commit() }?.resultCode == .SQLITE_BUSY)
        }
        #expect(try cursor.next() == 2)
      }
      try queue.writeWithoutTransaction { db in try db.commit() }
      let transactions = try log.changes(after: 0).transactions
      #expect(transactions.map { $0.changes.description } == ["insert book [3]"])
    }
  }

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
    try expectEqual(peers, SyncPeer.teams, ["1 \"Red\" 3.0"])
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
    try expectEqual([twin], SyncPeer.teams, ["1 \"Red\" 5.0"])
    try twin.write("UPDATE team SET size = 6")
    try b.log.receive(twin.log.changes(after: 0))
    try expectEqual([b], SyncPeer.teams, ["1 \"Red\" 6.0"])
    try #expect(b.transactions().map(\.origin) == ["A", "A", "B", "A2"])
  }

  @Test func `a copy of a compacted log goes on where it was made`() throws {
    let peers = try makePeers(2)
    let (a, b) = (peers[0], peers[1])
    try a.write("INSERT INTO team VALUES (1, 'Red', 3)")
    try b.receive(a)
    try a.log.compact()
    let c = try SyncPeer("C", copying: a.queue)
    try #expect(c.log.cursor(of: "A") == 1)
    // B has received nothing from C yet.
    try #expect(c.log.acknowledgments == ["B": 0])
    try c.log.compact()
    try a.write("INSERT INTO team VALUES (2, 'Blue', 4)")
    try c.write("UPDATE team SET size = 5 WHERE id = 1")
    try exchange([a, b, c])
    try expectEqual([a, b, c], SyncPeer.teams, ["1 \"Red\" 5.0", "2 \"Blue\" 4.0"])
    // The first one has no changes: it shows what is gone.
    let transactions = try c.transactions()
    #expect(transactions.map(\.origin) == ["C", "C", "A"])
    #expect(transactions.map(\.changes.count) == [0, 1, 1])
    #expect(transactions[0].context == ["A": 1])
  }

  @Test func `a copy of a compacted log refuses a database that lacks what is gone`() throws {
    let (a, d) = (try SyncPeer("A"), try SyncPeer("D"))
    try a.write("INSERT INTO team VALUES (1, 'Red', 3)")
    try a.log.compact(byteLimit: 0)
    let c = try SyncPeer("C", copying: a.queue)
    // Also while the copy has nothing of its own to send.
    let error = changesetError { try d.receive(c) }
    #expect(error?.code == .order)
    #expect(error?.message.contains("comes after 1 of A") == true)
    try #expect(d.log.cursor(of: "C") == 0)
    let e = try SyncPeer("E", copying: c.queue)
    try e.write("UPDATE team SET size = 4")
    try exchange([a, c, e])
    try expectEqual([a, c, e], SyncPeer.teams, ["1 \"Red\" 4.0"])
  }

  @Test func `a copy that receives before it has an identity misses nothing of the original`()
    throws
  {
    let (a, b) = (try SyncPeer("A"), try SyncPeer("B"))
    try a.write("INSERT INTO team VALUES (1, 'Red', 3)")
    let copy = try DatabaseQueue()
    try a.queue.backup(to: copy)
    try a.write("INSERT INTO team VALUES (2, 'Blue', 4)")
    try b.write("INSERT INTO team VALUES (3, 'Green', 5)")
    let log = try ChangeLog(copy, tables: SyncPeer.tables)
    try log.receive(b.log.changes(after: 0))
    log.stop()
    // The transaction of B is the second one here, and that of the team 2 in the original.
    let c = try SyncPeer("C", copying: copy)
    try #expect(c.log.cursor(of: "A") == 1)
    try exchange([a, b, c])
    try expectEqual(
      [a, b, c], SyncPeer.teams, ["1 \"Red\" 3.0", "2 \"Blue\" 4.0", "3 \"Green\" 5.0"])
  }

  @Test func `a backup of a compacted log is restored under another identity`() throws {
    let peers = try makePeers(2)
    let (a, b) = (peers[0], peers[1])
    try a.write("INSERT INTO team VALUES (1, 'Red', 3)")
    try b.receive(a)
    try a.log.compact()
    let backup = try DatabaseQueue()
    try a.queue.backup(to: backup)
    try a.write("UPDATE team SET size = 4")
    try b.receive(a)
    let restored = try SyncPeer("A2", copying: backup)
    try exchange([b, restored])
    try expectEqual([b, restored], SyncPeer.teams, ["1 \"Red\" 4.0"])
    try restored.write("UPDATE team SET size = 5")
    try exchange([b, restored])
    try expectEqual([b, restored], SyncPeer.teams, ["1 \"Red\" 5.0"])
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
    try expectEqual([c], SyncPeer.teams, ["1 \"Red\" 4.0"])
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
    try expectEqual([b], SyncPeer.teams, ["1 \"Red\" 3.0"])
    b.clock.withLock { $0 += 10_000 }
    try b.receive(a)
    try expectEqual([b], SyncPeer.teams, ["1 \"Red\" 4.0"])
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
    try expectEqual([a], SyncPeer.teams, ["2 \"Green\" 1.0"])
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
    try expectEqual(peers, SyncPeer.teams, ["2 \"Green\" 8.0"])
  }

  @Test(.needs(.fullText))
  func `a trigger that refuses deletions does not run beside a full-text table`() throws {
    let (a, b) = (try SyncPeer("A"), try SyncPeer("B"))
    try b.queue.write { db in
      try db.create(virtualTable: "teamText", using: FTS5()) { t in
        t.synchronize(withTable: "team")
        t.column("name")
      }
      try db.execute(
        sql: """
          CREATE TRIGGER kept BEFORE DELETE ON team BEGIN SELECT RAISE(ABORT, 'no'); END
          """)
    }
    try a.write("INSERT INTO team VALUES (1, 'Red', 3)")
    try b.receive(a)
    // A unique value is changed by a deletion and an insertion.
    try a.write("UPDATE team SET name = 'Blue'")
    try b.receive(a)
    try expectEqual([b], SyncPeer.teams, ["1 \"Blue\" 3.0"])
    try #expect(b.rows("SELECT rowid FROM teamText WHERE teamText MATCH 'blue'") == ["1"])
    try #expect(b.rows("SELECT rowid FROM teamText WHERE teamText MATCH 'red'") == [])
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
    for peer in [a, b] { try #expect(peer.rows(SyncPeer.teams) == ["1 \"Red\" 9.0"]) }
    withExtendedLifetime(recorder) {}
  }
}
