import CSQLite
import Foundation
import Quarry
import QuarryChanges
import QuarryTestSupport

/// Random transactions of connections with and without signals, and the content of the tables,
/// which determines the tables that a signal must have named.
final class SignalModel {
  static let schema = """
    CREATE TABLE a (id INTEGER PRIMARY KEY, v INTEGER);
    CREATE TABLE b (k INTEGER PRIMARY KEY, v INTEGER) WITHOUT ROWID;
    CREATE TABLE c (id INTEGER PRIMARY KEY, v INTEGER);
    CREATE TABLE log (v INTEGER);
    CREATE TRIGGER logged AFTER INSERT ON c WHEN new.v % 2 BEGIN
      INSERT INTO log VALUES (new.v);
    END;
    CREATE TABLE parent (id INTEGER PRIMARY KEY, v INTEGER);
    CREATE TABLE child (
      id INTEGER PRIMARY KEY, v INTEGER, parentId INTEGER REFERENCES parent ON DELETE CASCADE);
    CREATE TABLE auto (id INTEGER PRIMARY KEY AUTOINCREMENT, v INTEGER);
    CREATE VIEW shown AS SELECT v FROM a;
    CREATE TRIGGER showing INSTEAD OF INSERT ON shown BEGIN
      INSERT INTO a (v) VALUES (new.v);
      DELETE FROM log;
    END;
    """
  static let tables = ["a", "b", "c", "log", "parent", "child", "auto"]

  /// The rows of each table.
  static func contents(_ db: Database) throws -> [String: String] {
    try tables.reduce(into: [:]) { contents, table in
      let columns = table == "child" ? "v, parentId" : "v"
      let rows = try Row.fetchAll(db, sql: "SELECT \(columns) FROM \(table) ORDER BY 1")
      contents[table] = "\(rows)"
    }
  }

  static func difference(_ old: [String: String], _ new: [String: String]) -> Set<String> {
    Set(tables.filter { old[$0] != new[$0] })
  }

  /// A statement, by chance.
  static func statement(_ random: inout SplitMix64) -> String {
    let v = Int.random(in: 0..<1000, using: &random)
    let id = Int.random(in: 1...6, using: &random)
    let size = Int.random(in: 1...10, using: &random) == 1 ? 300 : 3
    return [
      "INSERT OR REPLACE INTO a VALUES (\(id), \(v))",
      "UPDATE a SET v = \(v) WHERE id = \(id)",
      "DELETE FROM a",
      "INSERT OR REPLACE INTO b VALUES (\(id), \(v))",
      "UPDATE b SET v = v + 1 WHERE k < \(id)",
      "DELETE FROM b",
      "INSERT INTO c (v) VALUES (\(v))",
      "DELETE FROM c",
      "INSERT OR IGNORE INTO parent VALUES (\(id), \(v))",
      "INSERT INTO child (v, parentId) SELECT \(v), id FROM parent LIMIT 1",
      "DELETE FROM parent WHERE id = \(id)",
      "REPLACE INTO parent VALUES (\(id), \(v))",
      "INSERT INTO auto (v) VALUES (\(v))",
      "DELETE FROM auto",
      "INSERT INTO shown VALUES (\(v))",
      "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT \(size)) "
        + "INSERT INTO c (v) SELECT 2 * i FROM n",
      "SAVEPOINT s; UPDATE b SET v = v + 1; ROLLBACK TO s; RELEASE s",
    ].randomElement(using: &random)!
  }

  struct Stop: Error {}

  /// Executes a random transaction, or something else that happens to a database.
  static func act(
    on queue: DatabaseQueue, path: String, _ random: inout SplitMix64,
    inTransaction body: (Database) throws -> Void = { _ in }
  ) throws {
    var statements = (0..<Int.random(in: 1...3, using: &random)).map { _ in statement(&random) }
    switch Int.random(in: 0..<100, using: &random) {
    case ..<60:
      try queue.inTransaction(.immediate) { db in
        try body(db)
        for sql in statements { try db.execute(sql: sql) }
        return .commit
      }
    case ..<70:
      try queue.inTransaction(.immediate) { db in
        try body(db)
        for sql in statements { try db.execute(sql: sql) }
        return .rollback
      }
    case ..<80:
      // Some of them by C.
      try queue.inTransaction(.immediate) { db in
        try body(db)
        try db.executeInC(statements.removeLast())
        for sql in statements { try db.execute(sql: sql) }
        return .commit
      }
    case ..<94:
      let mode = [Database.CheckpointMode.passive, .full, .restart, .truncate]
        .randomElement(using: &random)!
      queue.writeWithoutTransaction { db in
        // Others may be in the way.
        _ = sqlite3_wal_checkpoint_v2(db.sqliteConnection, "main", mode.rawValue, nil, nil)
      }
    case ..<97:
      let trigger = Bool.random(using: &random) ? "a" : "b"
      try queue.inTransaction(.immediate) { db in
        try body(db)
        try db.execute(
          sql: """
            DROP TRIGGER IF EXISTS extra;
            CREATE TRIGGER extra AFTER UPDATE ON \(trigger) BEGIN
              INSERT INTO log VALUES (new.v);
            END;
            """)
        return .commit
      }
    case ..<98:
      try queue.inTransaction(.immediate) { db in
        try body(db)
        try db.execute(sql: "PRAGMA user_version = \(Int.random(in: 0...9, using: &random))")
        return .commit
      }
    case ..<99:
      // A process that is killed while it writes messages, or a file that was damaged.
      let handle = FileHandle(forUpdatingAtPath: path + "-signals")
      try handle?.seek(toOffset: UInt64.random(in: 0..<20_000, using: &random))
      let count = Int.random(in: 1...2000, using: &random)
      handle?.write(Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }))
    default:
      try queue.inTransaction(.immediate) { db in
        try body(db)
        try db.execute(sql: "DELETE FROM c; DELETE FROM log; DELETE FROM child; DELETE FROM auto")
        return .commit
      }
    }
  }
}
