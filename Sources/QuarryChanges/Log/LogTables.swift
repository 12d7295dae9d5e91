import Foundation
import Quarry

// The tables of a log, whose names begin with that of the log:
//
// | table | a row is |
// | --- | --- |
// | log | a transaction, its own or one that was received, by position |
// | log_version | a version of a row of the application, by its key: the last one, or those of a conflict |
// | log_peer | another database: what was received from it, and what it has acknowledged |
// | log_state | the only row: who the database is, its last transaction, its clock |
//
// A version has the content of its row where the table of the application does not: in a conflict
// of several versions, and while the row is hidden (see `VisibleRows`). Deletions stay as versions
// without a row.

/// A version of a row.
struct LogVersion {
  let origin: String
  let sequence: Int64
  let time: Int64
  /// Nil for a deletion.
  let values: [DatabaseValue]?
  /// The columns of the values when they were stored in the log. Nil for those of the table, and
  /// where an earlier version has stored them.
  var columns: [String]?

  /// Whether the version wins over another one.
  func isNewer(than other: LogVersion) -> Bool {
    time == other.time
      ? other.origin.utf8.lexicographicallyPrecedes(origin.utf8) : time > other.time
  }
}

/// The tables of a log.
struct LogTables {
  let name: String
  let log: String
  let version: String
  let peer: String
  let state: String

  init(_ name: String) {
    self.name = name
    func quoted(_ suffix: String) -> String { "main.\((name + suffix).quotedDatabaseIdentifier)" }
    log = quoted("")
    version = quoted("_version")
    peer = quoted("_peer")
    state = quoted("_state")
  }

  var names: [String] { ["", "_version", "_peer", "_state"].map { name + $0 } }

  func create(_ db: Database, identity: String) throws {
    try db.execute(
      sql: """
        CREATE TABLE IF NOT EXISTS \(log) (
          position INTEGER PRIMARY KEY AUTOINCREMENT, origin TEXT NOT NULL, sequence INTEGER NOT NULL,
          time INTEGER NOT NULL, context TEXT NOT NULL, changes BLOB NOT NULL, columns TEXT,
          UNIQUE (origin, sequence));
        CREATE TABLE IF NOT EXISTS \(version) (
          tableName TEXT NOT NULL, rowKey BLOB NOT NULL, origin TEXT NOT NULL,
          sequence INTEGER NOT NULL, time INTEGER NOT NULL, isDeleted INTEGER NOT NULL,
          isHidden INTEGER NOT NULL, content BLOB,
          PRIMARY KEY (tableName, rowKey, origin)) WITHOUT ROWID;
        CREATE INDEX IF NOT EXISTS main.\((name + "_hidden").quotedDatabaseIdentifier)
          ON \((name + "_version").quotedDatabaseIdentifier) (tableName, rowKey) WHERE isHidden;
        CREATE TABLE IF NOT EXISTS \(peer) (
          name TEXT PRIMARY KEY NOT NULL, received INTEGER NOT NULL DEFAULT 0,
          cursor INTEGER NOT NULL DEFAULT 0, acknowledged INTEGER);
        CREATE TABLE IF NOT EXISTS \(state) (
          id INTEGER PRIMARY KEY CHECK (id = 1), identity TEXT NOT NULL, sequence INTEGER NOT NULL,
          time INTEGER NOT NULL, dropped INTEGER NOT NULL);
        """)
    try db.addRecordedColumns(to: name, in: "main")
    try db.execute(
      sql: "INSERT OR IGNORE INTO \(state) VALUES (1, ?, 0, 0, 0)", arguments: [identity])
  }
}

// The state.
extension LogTables {
  struct State {
    let identity: String
    let sequence: Int64
    let time: Int64
    let dropped: Int64
  }

  func state(_ db: Database) throws -> State {
    let row = try Row.fetchOne(db, sql: "SELECT identity, sequence, time, dropped FROM \(state)")
    guard let row else {
      throw ChangesetError(
        .identity, "the table \(name)_state of the log is empty: restore the database",
        table: "\(name)_state")
    }
    return State(
      identity: row["identity"], sequence: row["sequence"], time: row["time"],
      dropped: row["dropped"])
  }

  /// Others begin at the position 0 of the new identity.
  func setIdentity(_ identity: String, _ db: Database) throws {
    try db.execute(
      sql: "UPDATE \(state) SET identity = ?, sequence = 0, dropped = 0", arguments: [identity])
    try db.execute(sql: "UPDATE \(peer) SET acknowledged = 0 WHERE acknowledged IS NOT NULL")
  }

  func setClock(_ time: Int64, _ db: Database) throws {
    try db.execute(sql: "UPDATE \(state) SET time = max(time, ?)", arguments: [time])
  }

  func setSequence(_ sequence: Int64, _ db: Database) throws {
    try db.execute(sql: "UPDATE \(state) SET sequence = ?", arguments: [sequence])
  }
}
