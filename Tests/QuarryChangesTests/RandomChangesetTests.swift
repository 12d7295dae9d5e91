import Foundation
import Quarry
import QuarryChanges
import QuarryTestSupport
import Testing

/// Random tables, and random statements that change them.
struct RandomWorld {
  struct Table {
    let name: String
    let sql: String
    let columns: [String]
    /// The columns after the key, which updates change.
    let keyCount: Int
  }

  let tables: [Table]

  /// - parameter keysFirst: Whether the columns of keys are declared before the others.
  init(_ numbers: inout SplitMix64, isTriggered: Bool = false, keysFirst: Bool = true) {
    var tables: [Table] = []
    for index in 0..<(1 + numbers.below(3)) {
      let name = numbers.pick(["t", "a b", "\"q\"", "É"]) + "\(index)"
      let keyCount = 1 + numbers.below(2)
      let count = keyCount + 1 + numbers.below(4)
      let columns = (0..<count).map { "c\($0)" }
      var definitions = columns.enumerated().map { index, column in
        let type = numbers.pick(
          ["", "TEXT", "INTEGER", "BLOB", "TEXT COLLATE NOCASE", index < keyCount ? "INT" : "REAL"])
        return "\(column) \(type)\(index < keyCount ? " NOT NULL" : "")"
      }
      let isRowID = keyCount == 1 && numbers.chance(2)
      if isRowID { definitions[0] = "c0 INTEGER PRIMARY KEY" }
      if !keysFirst { definitions.shuffle(using: &numbers) }
      if !isRowID {
        let key = columns.prefix(keyCount).reversed().joined(separator: ", ")
        definitions.append("PRIMARY KEY (\(key))")
      }
      if numbers.chance(3) { definitions.append("UNIQUE (c\(count - 1))") }
      let rowID = isRowID || numbers.chance(2) ? "" : " WITHOUT ROWID"
      let quoted = name.quotedDatabaseIdentifier
      var sql = "CREATE TABLE \(quoted) (\(definitions.joined(separator: ", ")))\(rowID);"
      if isTriggered {
        sql += """
          CREATE TRIGGER "i\(index)" AFTER INSERT ON \(quoted) BEGIN
            INSERT INTO log (text) VALUES (new.c0);
            UPDATE counter SET n = n + 1;
          END;
          CREATE TRIGGER "d\(index)" AFTER DELETE ON \(quoted) BEGIN
            UPDATE counter SET n = n - 1;
            DELETE FROM log WHERE text = old.c0;
          END;
          CREATE TRIGGER "u\(index)" AFTER UPDATE ON \(quoted) BEGIN
            INSERT INTO log (text) VALUES (old.c0), (new.c\(count - 1));
          END;
          """
      }
      tables.append(Table(name: quoted, sql: sql, columns: columns, keyCount: keyCount))
    }
    if isTriggered {
      let first = """
        CREATE TABLE log (id INTEGER PRIMARY KEY, text);
        CREATE TABLE counter (id INTEGER PRIMARY KEY, n); INSERT INTO counter VALUES (1, 0);
        CREATE TABLE parent (c0 INTEGER PRIMARY KEY, c1);
        CREATE TABLE child (
          c0 INTEGER PRIMARY KEY, c1 REFERENCES parent ON DELETE CASCADE ON UPDATE SET NULL);
        """
      tables.append(Table(name: "parent", sql: first, columns: ["c0", "c1"], keyCount: 1))
      tables.append(Table(name: "child", sql: "", columns: ["c0", "c1"], keyCount: 1))
    }
    self.tables = tables
  }

  func create(_ db: Database) throws {
    for table in tables.reversed() where table.sql.contains("CREATE TABLE log") {
      try db.execute(sql: table.sql)
    }
    for table in tables where !table.sql.contains("CREATE TABLE log") && !table.sql.isEmpty {
      try db.execute(sql: table.sql)
    }
  }

  private func value(_ numbers: inout SplitMix64, small: Bool) -> DatabaseValue {
    if small { return numbers.below(8).databaseValue }
    switch numbers.below(6) {
    case 0: return .null
    case 1: return numbers.int64().databaseValue
    case 2: return Double(numbers.below(1000)).databaseValue
    case 3: return numbers.text().databaseValue
    case 4: return Data(numbers.bytes(numbers.below(200))).databaseValue
    default: return numbers.below(8).databaseValue
    }
  }

  /// Changes a table. Violated constraints change nothing.
  func change(_ db: Database, _ numbers: inout SplitMix64) throws {
    let table = numbers.pick(tables)
    var values = table.columns.indices.map { index in
      value(
        &numbers, small: index < table.keyCount || table.name == "child" && !numbers.chance(4))
    }
    let isReplace = numbers.chance(3)
    let sql: String
    switch numbers.below(5) {
    case 0, 1:
      let marks = table.columns.map { _ in "?" }.joined(separator: ", ")
      let columns = table.columns.joined(separator: ", ")
      sql =
        "\(isReplace ? "REPLACE" : "INSERT") INTO \(table.name) (\(columns)) VALUES (\(marks))"
    case 2:
      values = [values[0]]
      sql = "DELETE FROM \(table.name) WHERE c0 = ?"
    case 3 where numbers.chance(6):
      values = []
      sql = "DELETE FROM \(table.name)"
    default:
      let column = numbers.below(table.columns.count)
      values = [values[column], values[0]]
      sql =
        "UPDATE \(isReplace ? "OR REPLACE " : "")\(table.name) SET c\(column) = ? WHERE c0 >= ?"
    }
    do {
      try db.execute(sql: sql, arguments: StatementArguments(values))
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
    } catch let error as DatabaseError where error.resultCode == .SQLITE_MISMATCH {}
  }
}

@Suite("Changesets of random writes", .needs(.sessions))
struct RandomChangesetTests {
  @Test(arguments: [false, true])
  func `applying makes a copy equal, the inverse brings the old rows back, and two are one`(
    isTriggered: Bool
  ) throws {
    let run = RandomRun("changesets")
    try run.repeated(seconds: 1) { numbers in
      let seed = numbers
      let world = RandomWorld(&numbers, isTriggered: isTriggered, keysFirst: numbers.chance(2))
      let (origin, copy) = (try DatabaseQueue(), try DatabaseQueue())
      for queue in [origin, copy] { try queue.write { db in try world.create(db) } }
      func record() throws -> (Changeset, patchset: Changeset) {
        try origin.write { db in
          var patchset = Changeset()
          let changeset = try db.recordChanges {
            patchset = try db.recordPatchset {
              for _ in 0..<numbers.below(12) { try world.change(db, &numbers) }
            }
          }
          return (changeset, patchset)
        }
      }
      /// Nil for a table whose numbers SQLite 3.40 mistakes.
      func changes() throws -> (Changeset, patchset: Changeset)? {
        do { return try record() } catch let error as ChangesetError where error.column != nil {
          let isMistaken = world.tables.contains {
            $0.sql.contains("WITHOUT ROWID") && $0.sql.contains("REAL")
          }
          #expect(isMistaken && SQLiteBuild.version < 3_053_000, "\(error), \(world.tables)")
          return nil
        }
      }
      func rows(_ queue: DatabaseQueue) throws -> [String: [Row]] {
        try queue.read { db in try db.snapshot() }
      }
      let empty = try rows(copy)
      guard let (first, _) = try changes() else { return }
      let afterFirst = try rows(origin)
      guard let (second, patchset) = try changes() else { return }
      let afterSecond = try rows(origin)
      for changeset in [first, second, patchset] {
        try #expect(Changeset(data: changeset.data) == changeset)
      }
      func check(_ expected: [String: [Row]], _ step: String, _ change: Changeset) throws {
        do { try copy.write { db in try change.apply(to: db) } } catch {
          Issue.record("\(step): \(error); \(world.tables.map(\.sql)) \(change)")
          throw error
        }
        let found = try rows(copy)
        #expect(found == expected, "\(step), \(run.seed), \(seed), \(change)")
      }
      try check(afterFirst, "first", first)
      try check(afterSecond, "second", second)
      try check(afterFirst, "inverse of second", second.inverted())
      try check(afterSecond, "patchset", patchset)
      let both = try first.combined(with: second)
      try check(empty, "inverse of both", both.inverted())
      try check(afterSecond, "both", both)
      let inverses = try second.inverted().combined(with: first.inverted())
      try check(empty, "both inverses", inverses)
      try #expect(both.combined(with: both.inverted()).isEmpty)
    }
  }

  @Test func `damaged bytes throw, and never crash`() throws {
    let run = RandomRun("damaged changesets")
    var (thrown, applied) = (0, 0)
    let count = try run.repeated(seconds: 1) { numbers in
      let world = RandomWorld(&numbers)
      let (origin, copy) = (try DatabaseQueue(), try DatabaseQueue())
      for queue in [origin, copy] { try queue.write { db in try world.create(db) } }
      let changeset = try origin.write { db in
        for _ in 0..<5 { try world.change(db, &numbers) }
        let isPatchset = numbers.chance(3)
        let changes = { for _ in 0..<6 { try world.change(db, &numbers) } }
        return try isPatchset
          ? db.recordPatchset(in: nil, changes) : db.recordChanges(in: nil, changes)
      }
      guard !changeset.isEmpty else { return }
      for _ in 0..<40 {
        var data = changeset.data
        switch numbers.below(4) {
        case 0: data.removeLast(1 + numbers.below(data.count))
        case 1: data[numbers.below(data.count)] = UInt8.random(in: 0...255, using: &numbers)
        case 2: data[numbers.below(data.count)] ^= 1 << UInt8(numbers.below(8))
        default: data.insert(contentsOf: numbers.bytes(3), at: numbers.below(data.count))
        }
        do {
          let damaged = try Changeset(data: data)
          _ = damaged.description
          try copy.write { db in
            try damaged.apply(to: db) {
              $0.kind == .data || $0.kind == .conflict ? .replace : .omit
            }
            try? damaged.inverted().apply(to: db) { _ in .omit }
            _ = try? damaged.combined(with: changeset)
            throw Undo()
          }
        } catch is Undo {
          applied += 1
        } catch {
          #expect(error is ChangesetError || error is DatabaseError)
          thrown += 1
        }
      }
    }
    print("damaged changesets: \(count) runs, \(thrown) thrown, \(applied) applied")
    #expect(thrown > 0)
  }

  private struct Undo: Error {}
}
