import Foundation
import QuarryTables
import QuarryTestSupport

@testable import Quarry

// A random database, random requests, and random writes: a request whose rows change must be
// notified. After each write, all requests are fetched again, notified or not.
//
// | table | what it is for |
// | --- | --- |
// | `p` | keys of all kinds, unique values, blobs, generated columns |
// | `c` | its children: cascades |
// | `w` | `WITHOUT ROWID` |
// | `o` | columns that are called as the rowid |
// | `n` | no key; written by triggers; there is another one in the attached database |
// | `x` | in an attached database |
// | `v` | a view with `INSTEAD OF` triggers |
// | `ft`, `fs` | full-text tables: the one follows `p`, the other stores no text |
// | `m` | a virtual table in Swift |
//
// Temporary tables and views with the same names come and go. Some databases have a session, and do
// without the preupdate hook.

/// The choices of a database.
struct RegionWorld {
  let seed: UInt64
  let keyOfP: String
  let module: String
  let isPool: Bool
  /// Whether a session has the preupdate hook.
  let hasSession: Bool
  private let setUp: String
  let shelf = ModelShelf()

  /// The tables, with their columns.
  static let tables: [String: [String]] = [
    "p": ["id", "a", "b", "g", "h", "data"], "c": ["id", "p", "b"], "w": ["k", "a", "g"],
    "o": ["rowid", "oid", "b"], "n": ["a", "b"], "x": ["id", "a", "b"], "v": ["id", "a", "b", "g"],
    "ft": ["b"], "m": ["a", "b"],
  ]

  static let names = tables.keys.sorted()

  init(_ seed: UInt64, _ random: inout SplitMix64) {
    self.seed = seed
    isPool = random.chance(6)
    hasSession = random.chance(4)
    module = random.pick(["fts5", "fts4"])
    keyOfP = random.pick([
      "INTEGER PRIMARY KEY", "INTEGER PRIMARY KEY", "INT PRIMARY KEY", "INTEGER UNIQUE",
      "INTEGER PRIMARY KEY DESC", "TEXT PRIMARY KEY",
    ])
    setUp = Self.tables(keyOfP, &random) + Self.others(&random)
  }

  private static func tables(_ key: String, _ random: inout SplitMix64) -> String {
    func storage() -> String { random.pick(["VIRTUAL", "STORED"]) }
    let action = random.pick(["CASCADE", "SET NULL", "SET DEFAULT"])
    let odd = random.pick([
      "rowid, _rowid_, oid, b", "rowid INTEGER, oid, b", "oid INTEGER PRIMARY KEY, rowid, b",
      "rowid INTEGER PRIMARY KEY, oid, b", "rowid TEXT PRIMARY KEY, oid, b",
    ])
    return """
      CREATE TABLE p (
        id \(key), a INTEGER \(random.chance(2) ? "UNIQUE" : ""), b TEXT, data BLOB,
        g AS (a + 1) \(storage()), h TEXT AS (b || coalesce(g, '-') || length(data)) \(storage()));
      CREATE TABLE c (
        id INTEGER PRIMARY KEY, b,
        p REFERENCES p(id) ON DELETE \(action) ON UPDATE CASCADE DEFERRABLE INITIALLY DEFERRED);
      CREATE TABLE w (k INTEGER PRIMARY KEY, a, g AS (a * 2) \(storage())) WITHOUT ROWID;
      CREATE TABLE o (\(odd));
      CREATE TABLE n (a, b);
      ATTACH ':memory:' AS att;
      CREATE TABLE att.x (id INTEGER PRIMARY KEY, a, b);
      CREATE TABLE att.n (a, b);
      INSERT INTO p (id, a, b, data) VALUES (0, 3, 'b0', zeroblob(2)), (1, 2, 'b1', x'01'), (2, 1, NULL, NULL);
      INSERT INTO c (id, p, b) VALUES (0, 1, 'b0'), (1, 2, 'b1');
      INSERT INTO w (k, a) VALUES (0, 1), (2, 3);
      INSERT INTO o (rowid, oid, b) VALUES (1, 2, 0), (3, 1, 2);
      INSERT INTO n VALUES (1, 'b'), (2, 'b'), (2, 'c');
      INSERT INTO att.x VALUES (1, 1, 'x'), (2, 3, 'y');
      INSERT INTO att.n VALUES (1, 'att');
      CREATE VIEW v AS SELECT c.id AS id, p.a AS a, c.b AS b, p.g AS g FROM c LEFT JOIN p ON p.id = c.p;
      CREATE TRIGGER vInsert INSTEAD OF INSERT ON v BEGIN
        INSERT OR IGNORE INTO c (id, b) VALUES (new.id, new.b);
      END;
      CREATE TRIGGER vUpdate INSTEAD OF UPDATE ON v BEGIN
        UPDATE p SET a = new.a WHERE id = (SELECT p FROM c WHERE id = old.id);
        UPDATE c SET b = new.b WHERE id = old.id;
      END;
      CREATE TRIGGER vDelete INSTEAD OF DELETE ON v BEGIN DELETE FROM c WHERE id = old.id; END;

      """
  }

  private static func others(_ random: inout SplitMix64) -> String {
    let triggers = [
      "CREATE TRIGGER t1 AFTER INSERT ON p BEGIN INSERT INTO n VALUES (new.id, 'log'); END;",
      """
      CREATE TRIGGER t2 AFTER UPDATE OF a ON p BEGIN
        INSERT OR REPLACE INTO w (k, a) VALUES (new.a, new.b);
      END;
      """,
      "CREATE TRIGGER t3 AFTER DELETE ON c BEGIN UPDATE p SET b = b || 'd' WHERE id = old.p; END;",
      "CREATE TRIGGER t4 BEFORE UPDATE ON w BEGIN DELETE FROM n WHERE a = old.k; END;",
    ]
    let stores = random.pick(["columnsize=0, content=''", "content=''"])
    return triggers.filter { _ in random.chance(2) }.joined(separator: "\n")
      + "CREATE VIRTUAL TABLE fs USING fts5(b, \(stores));"
  }

  /// Opens the database.
  func open(in directory: String) throws -> any DatabaseWriter {
    var configuration = Configuration()
    configuration.usesPreUpdateHook = !hasSession
    configuration.prepareDatabase { [shelf] db in
      try db.register(table: "m", shelf)
      if isPool, db.configuration.readonly {
        try db.execute(sql: "ATTACH '\(directory)/att.sqlite' AS att")
      }
    }
    let writer: any DatabaseWriter =
      isPool
      ? try DatabasePool(path: directory + "/p.sqlite", configuration: configuration)
      : try DatabaseQueue(configuration: configuration)
    try writer.writeWithoutTransaction { db in
      db.addRunFunction()
      let file = isPool ? "\(directory)/att.sqlite" : ":memory:"
      try db.execute(
        sql: setUp.replacingOccurrences(of: "':memory:'", with: "'\(file)'"))
      try createIndex(db)
    }
    return writer
  }

  private func createIndex(_ db: Database) throws {
    guard keyOfP == "INTEGER PRIMARY KEY" else {
      return try db.execute(sql: "CREATE VIRTUAL TABLE ft USING \(module)(b)")
    }
    if module == "fts5" {
      try db.create(virtualTable: "ft", using: FTS5()) { t in
        t.synchronize(withTable: "p")
        t.column("b")
      }
    } else {
      try db.create(virtualTable: "ft", using: FTS4()) { t in
        t.synchronize(withTable: "p")
        t.column("b")
      }
    }
  }
}

/// A virtual table in memory, with unique values in its first column, which takes part in
/// transactions.
final class ModelShelf: TransactionalVirtualTable {
  let columns = [VirtualTableColumn("a", .integer), VirtualTableColumn("b", .text)]
  private let state = Locked(State())

  private struct State {
    var rows: [Int64: [DatabaseValue]] = [:]
    var snapshots: [(level: Int, rows: [Int64: [DatabaseValue]])] = []
  }

  struct Cursor: VirtualTableCursor {
    var rows: [(key: Int64, value: [DatabaseValue])]
    var position = -1

    mutating func next() -> Bool {
      position += 1
      return position < rows.count
    }

    func value(at column: Int) -> (any DatabaseValueConvertible)? { rows[position].value[column] }
    var rowID: Int64 { rows[position].key }
  }

  func makeCursor(_ db: Database, for scan: VirtualTableScan) -> Cursor {
    Cursor(rows: state.withLock { $0.rows }.sorted { $0.key < $1.key })
  }

  func insert(_ row: VirtualTableRow) throws -> Int64 {
    try state.withLock { state in
      let rowID = row.rowID ?? (state.rows.keys.max() ?? 0) + 1
      try Self.store(row, as: rowID, &state)
      return rowID
    }
  }

  func update(_ key: DatabaseValue, to row: VirtualTableRow) throws {
    try state.withLock { state in
      guard let old = Int64.fromDatabaseValue(key), let new = row.rowID else { return }
      let former = state.rows.removeValue(forKey: old)
      do {
        try Self.store(row, as: new, &state)
      } catch {
        state.rows[old] = former
        throw error
      }
    }
  }

  func delete(_ key: DatabaseValue) {
    state.withLock { state in
      if let rowID = Int64.fromDatabaseValue(key) { state.rows[rowID] = nil }
    }
  }

  private static func store(
    _ row: VirtualTableRow, as rowID: Int64, _ state: inout State
  ) throws {
    let others = state.rows.filter { $0.key == rowID || $0.value[0] == row[0] }.keys
    guard others.isEmpty || row.conflictResolution == .replace else {
      throw DatabaseError(resultCode: .SQLITE_CONSTRAINT_UNIQUE, message: "a row is in the way")
    }
    for other in others { state.rows[other] = nil }
    state.rows[rowID] = row.values
  }

  func begin() { state.withLock { $0.snapshots = [(-1, $0.rows)] } }
  func rollback() { state.withLock { $0.rows = $0.snapshots[0].rows } }
  func savepoint(_ level: Int) { state.withLock { $0.snapshots.append((level, $0.rows)) } }
  func release(_ level: Int) { state.withLock { $0.snapshots.removeAll { $0.level >= level } } }

  func rollback(to level: Int) {
    state.withLock { state in
      state.snapshots.removeAll { $0.level > level }
      if let snapshot = state.snapshots.last { state.rows = snapshot.rows }
    }
  }
}
