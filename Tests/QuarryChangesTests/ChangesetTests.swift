import Foundation
import Quarry
import QuarryChanges
import QuarryTestSupport
import Testing

@Suite("Changesets as values", .needs(.sessions))
struct ChangesetTests {
  private func changes(_ sql: String, after rows: String = "") throws -> Changeset {
    try makeShop(rows).write { db in try db.changes(sql) }
  }

  @Test func `changesets are coded, compared, and stored in the database`() throws {
    let changeset = try changes("INSERT INTO author VALUES (1, 'A')")
    let decoded = try JSONDecoder().decode(
      [Changeset].self, from: JSONEncoder().encode([changeset, Changeset()]))
    #expect(decoded == [changeset, Changeset()])
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([Changeset].self, from: JSONEncoder().encode([Data([1, 2])]))
    }
    try makeShop("CREATE TABLE log (id INTEGER PRIMARY KEY, changes BLOB)").write { db in
      try db.execute(sql: "INSERT INTO log VALUES (1, ?)", arguments: [changeset])
      try #expect(Changeset.fetchOne(db, sql: "SELECT changes FROM log") == changeset)
    }
  }

  @Test func `a patchset without its changes is an empty changeset`() throws {
    let patchset = try makeShop().write { db in
      try db.recordPatchset { try db.execute(sql: "INSERT INTO author VALUES (1, 'A')") }
    }
    let empty = patchset.filtered { _ in false }
    #expect(empty == Changeset())
    #expect(!empty.isPatchset)
    try #expect(Changeset(data: empty.data) == empty)
    try #expect(empty.inverted() == empty)
  }

  @Test func `two changesets become one`() throws {
    let shop = try makeShop()
    let (first, second) = try shop.write { db in
      try (
        db.changes("INSERT INTO author VALUES (1, 'A'), (2, 'B')"),
        db.changes("UPDATE author SET name = 'C' WHERE id = 1; DELETE FROM author WHERE id = 2")
      )
    }
    let both = try first.combined(with: second)
    #expect(both.changes.map(\.description) == ["insert author [1]"])
    #expect(both.changes[0].newValues == [1.databaseValue, "C".databaseValue])
    try #expect(first.combined(with: Changeset()) == first)
    try #expect(Changeset.combining([]) == Changeset())
  }

  @Test func `a key that SQLite takes for that of a deleted row is applied and undone`() throws {
    for name in ["ann", "bob", "kim", "zoe"] {
      let sql = """
        CREATE TABLE reader (name TEXT NOT NULL PRIMARY KEY COLLATE NOCASE, loans INTEGER);
        INSERT INTO reader VALUES ('\(name)', 1);
        """
      try makeShop(sql).write { db in
        let before = try db.snapshot()
        let first = try db.changes("DELETE FROM reader")
        let second = try db.changes("INSERT INTO reader VALUES ('\(name.capitalized)', 2)")
        let after = try db.snapshot()
        let both = try first.combined(with: second)
        try both.inverted().apply(to: db)
        try #expect(db.snapshot() == before)
        try both.apply(to: db)
        try #expect(db.snapshot() == after)
      }
    }
  }

  @Test func `changesets that don't fit throw`() throws {
    let changeset = try changes("INSERT INTO author VALUES (1, 'A')")
    let patchset = try makeShop().write { db in
      try db.recordPatchset { try db.execute(sql: "INSERT INTO author VALUES (1, 'A')") }
    }
    #expect(changesetError { _ = try changeset.combined(with: patchset) }?.code == .patchset)
    #expect(changesetError { _ = try patchset.inverted() }?.code == .patchset)
    #expect(changesetError { _ = try patchset.rebased(on: []) }?.code == .patchset)
    let other = try makeShop("ALTER TABLE author ADD COLUMN born").write { db in
      try db.changes("INSERT INTO author VALUES (2, 'A', 1)")
    }
    let error = changesetError { _ = try changeset.combined(with: other) }
    #expect(error?.code == .schema)
    #expect(error?.message.contains("author: 2 and 3") == true)
  }

  @Test func `a filter keeps tables, kinds and rows`() throws {
    let changeset = try changes(
      "INSERT INTO author VALUES (1, 'A'), (2, 'B'); INSERT INTO book VALUES (1, 1, 'x', 1)")
    #expect(changeset.filtered { _ in true } == changeset)
    #expect(changeset.filtered { _ in false } == Changeset())
    let second = changeset.filtered { $0.key == [2.databaseValue] }
    #expect(second.changes.map(\.description) == ["insert author [2]"])
    try #expect(Changeset(data: second.data) == second)
  }

  @Test func `changesets go to files and come back, also piece by piece`() throws {
    try withTemporaryDirectory { directory in
      let url = URL(fileURLWithPath: directory + "/a.changes")
      let changeset = try changes("INSERT INTO author VALUES (1, 'A')")
      try changeset.write(to: url)
      try #expect(Changeset(contentsOf: url) == changeset)

      #expect(FileManager.default.createFile(atPath: url.path, contents: nil))
      let file = try FileHandle(forWritingTo: url)
      let shop = try makeShop()
      let sql = """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
        INSERT INTO author SELECT i, hex(randomblob(20)) FROM n
        """
      try shop.write { db in try db.recordChanges(to: file) { try db.execute(sql: sql) } }
      try file.close()
      let read = try Changeset(contentsOf: url)
      #expect(read.count == 20_000)
      let copy = try makeShop()
      try copy.write { db in try read.apply(to: db) }
      let (copied, recorded) = try (
        copy.read { try $0.snapshot() }, shop.read { try $0.snapshot() }
      )
      #expect(copied == recorded)

      try Data("not a changeset".utf8).write(to: url)
      #expect(changesetError { _ = try Changeset(contentsOf: url) }?.code == .malformed)
      let closed = try FileHandle(forReadingFrom: url)
      #expect(throws: (any Error).self) {
        try shop.write { db in
          try db.recordChanges(to: closed) {
            try db.execute(sql: "UPDATE author SET name = 'x'")
          }
        }
      }
    }
  }

  @Test func `a rebased changeset gives the same result on both sides`() throws {
    let rows = "INSERT INTO author VALUES (1, 'A')"
    let mine = try changes("UPDATE author SET name = 'mine'", after: rows)
    let theirs = try changes("UPDATE author SET name = 'theirs'", after: rows)
    // Here, mine are made already, and win.
    let here = try makeShop(rows)
    let rebase = try here.write { db in
      try mine.apply(to: db)
      return try theirs.applyNotingConflicts(to: db) { _ in .omit }
    }
    #expect(!rebase.isEmpty)
    let rebased = try mine.rebased(on: [rebase])
    let there = try makeShop(rows)
    try there.write { db in
      try theirs.apply(to: db)
      try rebased.apply(to: db)
    }
    let (left, right) = try (here.read { try $0.snapshot() }, there.read { try $0.snapshot() })
    #expect(left == right)
  }

  /// Here, the row is inserted already, and wins or loses.
  private func rebasedInsertion(
    _ resolution: ChangesetConflict.Resolution
  ) throws -> (Changeset, theirs: Changeset) {
    let mine = try changes("INSERT INTO author VALUES (3, 'mine')")
    let theirs = try changes("INSERT INTO author VALUES (3, 'theirs')")
    let rebase = try makeShop("INSERT INTO author VALUES (3, 'mine')").write { db in
      try theirs.applyNotingConflicts(to: db) { _ in resolution }
    }
    return try (mine.rebased(on: [rebase]), theirs)
  }

  @Test func `an insertion of a row that is there is rebased to an update`() throws {
    let (rebased, theirs) = try rebasedInsertion(.omit)
    #expect(rebased.changes.map(\.description) == ["update author [3]"])
    #expect(rebased.changes.first?.newValues == [nil, "mine".databaseValue])
    try #expect(Changeset(data: rebased.data) == rebased)
    try makeShop().write { db in
      try theirs.apply(to: db)
      try rebased.apply(to: db)
      try #expect(String.fetchAll(db, sql: "SELECT name FROM author") == ["mine"])
    }
  }

  @Test func `an insertion of a row that is there, and is all key, is rebased to nothing`() throws {
    let schema = "CREATE TABLE link (a INTEGER, b INTEGER, PRIMARY KEY (a, b));"
    let insertion = "INSERT INTO link VALUES (1, 2);"
    let theirs = try changes(insertion, after: schema)
    let mine = try changes(insertion + "INSERT INTO link VALUES (3, 4)", after: schema)
    let rebase = try makeShop(schema + insertion).write { db in
      try theirs.applyNotingConflicts(to: db) { _ in .omit }
    }
    try #expect(theirs.rebased(on: [rebase]).isEmpty)
    let rebased = try mine.rebased(on: [rebase])
    #expect(rebased.changes.map(\.description) == ["insert link [3, 4]"])
    try #expect(Changeset(data: rebased.data) == rebased)
  }

  @Test func `a rebase without any change left is empty`() throws {
    let (rebased, _) = try rebasedInsertion(.replace)
    #expect(rebased.isEmpty)
    #expect(rebased == Changeset())
    #expect(rebased.description == "no changes")
    let header = try Changeset(data: Data([0x54, 1, 1, 0x61, 0]))
    #expect(header.isEmpty)
    #expect(header == Changeset())
  }

  @Test(arguments: [true, false])
  func `a rebase with other columns throws`(isOlder: Bool) throws {
    let migration = "ALTER TABLE author ADD COLUMN born; ALTER TABLE author ADD COLUMN note;"
    let insertion = { (name: String) in "INSERT INTO author (id, name) VALUES (3, '\(name)');" }
    let theirs = try changes(insertion("theirs"), after: isOlder ? "" : migration)
    let mine = try changes(insertion("mine"), after: isOlder ? migration : "")
    let rebase = try makeShop(migration + insertion("mine")).write { db in
      try theirs.applyNotingConflicts(to: db) { _ in .omit }
    }
    #expect(!rebase.isEmpty)
    let error = changesetError { _ = try mine.rebased(on: [rebase]) }
    #expect(error?.code == .schema)
    #expect(error?.table == "author")
    #expect(error?.message.contains("author: \(isOlder ? "4 and 2" : "2 and 4")") == true)
    // Other tables have no conflict.
    let books = try changes("INSERT INTO book VALUES (1, NULL, 'Emma', 9)")
    try #expect(books.rebased(on: [rebase]) == books)
  }

  @Test(arguments: [
    ([], nil),
    ([0x54], "a number is cut off"),
    ([0x54, 1, 0, 0x61, 0], "the table has no primary key"),
    ([0x54, 1, 1, 0], "the table has no name"),
    ([0x54, 1, 1, 0xff, 0], "the table has no name"),
    ([0x54, 1, 1, 0x61, 0], nil),
    ([0x54, 1, 1, 0x61, 0, 18], "lacks its second byte"),
    ([0x54, 1, 1, 0x61, 0, 18, 0], "is cut off"),
    ([0x54, 1, 1, 0x61, 0, 18, 0, 0], "a value of the key of a is wrong"),
    ([0x54, 1, 1, 0x61, 0, 18, 0, 5], nil),
    ([0x54, 1, 1, 0x61, 0, 18, 0, 6], "6 is no type of a value"),
    ([0x54, 1, 1, 0x61, 0, 18, 0, 1, 0, 0], "a value is cut off"),
    ([0x54, 1, 1, 0x61, 0, 18, 0, 3, 9, 0], "a value is cut off"),
    ([0x54, 1, 1, 0x61, 0, 18, 0, 3, 0xff, 0xff, 0xff, 0xff, 0x7f], "too large"),
    ([0x54, 1, 1, 0x61, 0, 18, 0, 3, 0x87, 0xff, 0xff, 0xff, 0x7f], "a value is cut off"),
    ([0x54, 1, 1, 0x61, 0, 7, 0, 5], "7 is no operation"),
    ([0x54, 1, 1, 0x61, 0, 18, 2, 5], "lacks its second byte"),
    ([0x54, 1, 1, 0x61, 0, 23, 0, 5, 5], "a value of the key of a is wrong"),
    ([0x54, 1, 1, 0x61, 0, 0x50, 1, 1, 0x61, 0], "changeset and patchset are mixed"),
    ([18, 0, 5], "a table is expected"),
  ])
  func `bytes that are no changeset throw, and say where`(bytes: [UInt8], message: String?) {
    let error = changesetError { _ = try Changeset(data: Data(bytes)) }
    #expect(error?.code == message.map { _ in .malformed })
    if let message { #expect(error?.message.contains(message) == true) }
  }
}
