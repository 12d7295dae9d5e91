import Foundation
import Quarry
import QuarryTestSupport
import Testing

@testable import QuarryChanges

@Suite("Applied files of changes", .needs(.sessions))
struct ApplyingFilesTests {
  private struct Mine: Error {}

  private static let rows = """
    INSERT INTO author VALUES (1, 'Jane Austen');
    INSERT INTO book VALUES (1, 1, 'Emma', 9), (2, 1, 'Persuasion', 8);
    """

  private func changes(_ sql: String) throws -> Changeset {
    try makeShop(Self.rows).write { db in try db.changes(sql) }
  }

  /// Calls a function with a file.
  private func withFile(_ data: Data, _ body: (URL) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      let url = URL(fileURLWithPath: directory + "/a.changes")
      try data.write(to: url)
      try body(url)
    }
  }

  /// The application of bytes that come in pieces of some sizes.
  private func application(
    _ data: Data, pieceSize: Int = 1, _ sizes: @escaping () -> Int,
    onPiece: @escaping () throws -> Void = {}
  ) -> ChangesetApplication {
    ChangesetApplication {
      var rest = data
      return ChangesetReader(byteCount: data.count, pieceSize: pieceSize) {
        try onPiece()
        let piece = rest.prefix(sizes())
        rest = rest.dropFirst(piece.count)
        return piece
      }
    }
  }

  @Test func `a file is applied, with its conflicts, to those who observe`() throws {
    let changeset = try changes(
      "UPDATE book SET price = 10 WHERE id = 1; DELETE FROM book WHERE id = 2")
    try withFile(changeset.data) { url in
      let shop = try makeShop(Self.rows)
      let log = EventLog()
      shop.add(transactionObserver: log)
      try shop.write { db in try db.applyChanges(contentsOf: url) }
      #expect(!log.events.isEmpty)
      try shop.read { db in
        try #expect(
          Row.fetchAll(db, sql: "SELECT id, price FROM book") == [["id": 1, "price": 10.0]])
      }
      // Again: nothing fits any more.
      let error = changesetError {
        try shop.write { db in try db.applyChanges(contentsOf: url) }
      }
      #expect(error?.code == .conflict)
      #expect(error?.conflict?.change?.table == "book")
      var kinds: Set<ChangesetConflict.Kind> = []
      let rebase = try shop.write { db in
        try db.applyChangesNotingConflicts(contentsOf: url) { conflict in
          kinds.insert(conflict.kind)
          return conflict.kind == .data ? .replace : .omit
        }
      }
      #expect(kinds == [.data, .notFound])
      #expect(!rebase.isEmpty)
      #expect(throws: Mine.self) {
        try shop.write { db in
          try db.applyChanges(contentsOf: url) { _ in throw Mine() }
        }
      }
    }
  }

  @Test func `other tables, and triggers, are refused and respected as in memory`() throws {
    let changeset = try changes("INSERT INTO author VALUES (2, 'B'); DELETE FROM book")
    try withFile(changeset.data) { url in
      let other = try DatabaseQueue()
      try other.write { db in
        try db.execute(sql: "CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT)")
      }
      let messages = [
        changesetError { try other.write { db in try db.applyChanges(contentsOf: url) } },
        changesetError { try other.write { db in try changeset.apply(to: db) } },
      ].map { $0?.message }
      #expect(messages[0] != nil)
      #expect(messages[0] == messages[1])
      try other.read { db in try #expect(Int.fetchOne(db, sql: "SELECT count(*) FROM author") == 0)
      }

      let trigger = """
        CREATE TABLE note (id INTEGER PRIMARY KEY);
        CREATE TRIGGER t AFTER DELETE ON book BEGIN INSERT INTO note VALUES (old.id); END;
        """
      for (runs, count) in [(false, 0), (true, 2)] {
        let shop = try makeShop(Self.rows + trigger)
        try shop.write { db in
          try db.applyChanges(contentsOf: url, runsTriggers: runs)
          try #expect(Int.fetchOne(db, sql: "SELECT count(*) FROM note") == count)
          try #expect(Int.fetchOne(db, sql: "SELECT count(*) FROM author") == 2)
        }
      }
    }
  }

  @Test func `an empty file changes nothing, others that can't be read throw`() throws {
    let shop = try makeShop(Self.rows)
    try withFile(Data()) { url in
      try shop.write { db in try db.applyChanges(contentsOf: url) }
      let others = [url.deletingLastPathComponent(), url.appendingPathExtension("missing")]
      for other in others {
        #expect(throws: (any Error).self, "\(other)") {
          try shop.write { db in try db.applyChanges(contentsOf: other) }
        }
      }
      try Data("not a changeset".utf8).write(to: url)
      let error = changesetError {
        try shop.write { db in try db.applyChanges(contentsOf: url) }
      }
      #expect(error?.code == .malformed)
      #expect(error?.message.contains("a table is expected, at byte 0 of 15") == true)
      // The header of a table without changes.
      try Data([0x54, 1, 1, 0x61, 0]).write(to: url)
      try shop.write { db in try db.applyChanges(contentsOf: url) }
    }
  }

  @Test func `a file that is cut off anywhere is not applied at all`() throws {
    let changeset = try changes(
      """
      INSERT INTO author VALUES (2, 'Mary Shelley'), (3, 'B'); DELETE FROM book WHERE id = 2;
      UPDATE book SET title = 'x' WHERE id = 1
      """)
    let shop = try makeShop(Self.rows)
    let before = try shop.read { try $0.snapshot() }
    try withFile(changeset.data) { url in
      for count in 1..<changeset.byteCount {
        let data = changeset.data.prefix(count)
        guard let expected = changesetError({ _ = try Changeset(data: data) }) else { continue }
        try data.write(to: url)
        let error = changesetError {
          try shop.write { db in try db.applyChanges(contentsOf: url) }
        }
        #expect(error?.code == .malformed)
        #expect(error?.message == expected.message)
      }
    }
    try #expect(shop.read { try $0.snapshot() } == before)
  }

  @Test func `a large file is read in pieces`() throws {
    try withTemporaryDirectory { directory in
      let url = URL(fileURLWithPath: directory + "/a.changes")
      #expect(FileManager.default.createFile(atPath: url.path, contents: nil))
      let file = try FileHandle(forWritingTo: url)
      let shop = try makeShop()
      try shop.write { db in
        try db.recordChanges(to: file) {
          try db.execute(
            sql: """
              WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000)
              INSERT INTO author SELECT i, hex(randomblob(40)) FROM n;
              INSERT INTO author VALUES (0, hex(randomblob(500000)));
              """)
        }
      }
      try file.close()
      let copy = try makeShop()
      try copy.write { db in try db.applyChanges(contentsOf: url) }
      let (copied, recorded) = try (
        copy.read { try $0.snapshot() }, shop.read { try $0.snapshot() }
      )
      #expect(copied == recorded)

      let handle = try FileHandle(forReadingFrom: url)
      let byteCount = try Int(handle.seekToEnd())
      #expect(byteCount > 5_000_000)
      try handle.seek(toOffset: 0)
      var reader = ChangesetReader(byteCount: byteCount, pieceSize: 4096) {
        try handle.read(upToCount: 4096) ?? Data()
      }
      var counts: [Int] = []
      while try reader.next() != nil { counts.append(reader.keptCount) }
      #expect(counts.count == 50_001)
      // But for the row of a million bytes.
      #expect(counts.filter { $0 > 3 * 4096 }.count < 100)
      #expect((counts.max() ?? 0) < 1_020_000)
    }
  }

  @Test func `a text that is longer than the file is not looked for`() throws {
    var pieces = 0
    let data = Data([0x54, 1, 1, 0x61, 0, 18, 0, 3, 0x87, 0xff, 0xff, 0xff, 0x7f])
    let application = application(data + Data(count: 100)) {
      pieces += 1
      return 20
    }
    let error = try makeShop().write { db in
      changesetError {
        _ = try application.apply(to: db, runsTriggers: false) { _ in .abort }
      }
    }
    #expect(error?.message.contains("a value is cut off, at byte 7 of 113") == true)
    #expect(pieces == 1)
  }

  @Test func `tables without changes are passed over, any number of them`() throws {
    let changeset = try changes("INSERT INTO author VALUES (2, 'B')")
    let table = Data([0x54, 1, 1, 0x61, 0])
    let tables = Data(repeatElement(table, count: 50_000).joined())
    let data = tables + changeset.data + tables
    var rest = data
    var reader = ChangesetReader(byteCount: data.count, pieceSize: 1000) {
      let piece = rest.prefix(1000)
      rest = rest.dropFirst(1000)
      return piece
    }
    try #expect(reader.next()?.kind == .insert)
    #expect(reader.keptCount < 4000)
    try #expect(reader.next()?.kind == nil)
    #expect(reader.keptCount < 4000)
    try withFile(data) { url in
      try makeShop(Self.rows).write { db in
        try db.applyChanges(contentsOf: url)
        try #expect(String.fetchAll(db, sql: "SELECT name FROM author WHERE id = 2") == ["B"])
      }
    }
  }

  @Test func `a name without an end is not looked for in the whole file`() throws {
    var count = 0
    let data = Data([0x54, 1, 1]) + Data(repeating: 0x61, count: 3_000_000)
    let application = application(data, pieceSize: 65_536) {
      count += 65_536
      return 65_536
    }
    let error = try makeShop().write { db in
      changesetError {
        _ = try application.apply(to: db, runsTriggers: false) { _ in .abort }
      }
    }
    #expect(error?.message.contains("the table has no name, at byte 3 of 3000003") == true)
    #expect(count < 1_200_000)
  }

  @Test func `an error of the file in the middle leaves nothing applied`() throws {
    let changeset = try changes(
      "INSERT INTO author VALUES (2, 'B'), (3, 'C'), (4, 'D'); UPDATE book SET price = 1")
    let shop = try makeShop(Self.rows)
    let before = try shop.read { try $0.snapshot() }
    var hasEnded = false
    var failing = 0
    while !hasEnded {
      failing += 1
      var number = 0
      let application = application(changeset.data, { 10 }) {
        number += 1
        if number == failing { throw Mine() }
      }
      do {
        try shop.write { db in
          _ = try application.apply(to: db, runsTriggers: false) { _ in .abort }
          throw CancellationError()
        }
      } catch is Mine {
      } catch is CancellationError {
        hasEnded = true
      }
      try #expect(shop.read { try $0.snapshot() } == before)
    }
    // Both times that the pieces are read.
    #expect(failing > 2 * changeset.byteCount / 10)
  }

  @Test func `a file that changes between the checks and the end is not applied`() throws {
    let changeset = try changes("INSERT INTO author VALUES (2, 'B')")
    let others = try [
      changes("INSERT INTO author VALUES (2, 'C')").data, changeset.data.dropLast(3), Data(),
      changes("INSERT INTO book VALUES (7, NULL, 'x', 1)").data, Data([7]),
    ]
    let shop = try makeShop(Self.rows)
    let before = try shop.read { try $0.snapshot() }
    for other in others {
      var contents = [changeset.data, Data(other)]
      let application = ChangesetApplication {
        var rest: Data? = contents.removeFirst()
        return ChangesetReader(byteCount: changeset.byteCount, pieceSize: 1) {
          rest.take() ?? Data()
        }
      }
      let error = try shop.write { db in
        changesetError { _ = try application.apply(to: db, runsTriggers: false) { _ in .abort } }
      }
      #expect(error?.code == .malformed, "\(other.count)")
      try #expect(shop.read { try $0.snapshot() } == before)
    }
  }

  @Test func `pieces of any size have the same result as the whole, damaged ones too`() throws {
    let run = RandomRun("files of changes")
    var (applied, thrown) = (0, 0)
    try run.repeated(seconds: 1) { numbers in
      let world = RandomWorld(&numbers)
      let (origin, copy) = (try DatabaseQueue(), try DatabaseQueue())
      for queue in [origin, copy] { try queue.write { db in try world.create(db) } }
      var data = try origin.write { db in
        for _ in 0..<5 { try world.change(db, &numbers) }
        let isPatchset = numbers.chance(3)
        let changes = { for _ in 0..<12 { try world.change(db, &numbers) } }
        return try
          (isPatchset
          ? db.recordPatchset(in: nil, changes) : db.recordChanges(in: nil, changes)).data
      }
      guard !data.isEmpty else { return }
      if numbers.chance(2) {
        data[numbers.below(data.count)] = UInt8.random(in: 0...255, using: &numbers)
      }
      try copy.write { db in for _ in 0..<5 { try world.change(db, &numbers) } }

      /// What an application does, which is undone.
      func result(
        _ apply: (Database, (ChangesetConflict) throws -> ChangesetConflict.Resolution) throws ->
          ChangesetRebase
      ) throws -> [String] {
        try copy.writeWithoutTransaction { db in
          var texts: [String] = []
          try db.inTransaction {
            do {
              let rebase = try apply(db) { conflict in
                texts.append("\(conflict)")
                return conflict.kind == .data || conflict.kind == .conflict ? .replace : .omit
              }
              let rows = try db.snapshot().sorted { $0.key < $1.key }
              texts += ["\(rebase.bytes)", "\(rows)"]
            } catch {
              texts.append("\(error)")
            }
            return .rollback
          }
          return texts
        }
      }
      let whole = try result { db, onConflict in
        try Changeset(data: data).applyNotingConflicts(to: db, onConflict: onConflict)
      }
      let (size, kept) = (1 + numbers.below(60), 1 + numbers.below(100))
      var sizes = SplitMix64(seed: numbers.next())
      let pieces = try result { db, onConflict in
        let application = application(data, pieceSize: kept) { 1 + sizes.below(size) }
        return try application.apply(to: db, runsTriggers: false, onConflict: onConflict)
      }
      #expect(pieces == whole, "\(run.seed)")
      if whole.count > 1 { applied += 1 } else { thrown += 1 }
    }
    #expect(applied > 0)
    print("files of changes: \(applied) applied, \(thrown) thrown")
  }
}
