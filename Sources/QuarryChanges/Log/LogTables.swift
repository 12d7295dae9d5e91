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
// A version has the content of its row where the table of the application does not: in a conflict of
// several versions, and while the row is hidden (see `VisibleRows`). Deletions stay as versions
// without a row.

/// A version of a row.
struct LogVersion {
  let origin: String
  let sequence: Int64
  let time: Int64
  /// Nil for a deletion.
  let values: [DatabaseValue]?

  /// Whether the version wins over another one.
  func isNewer(than other: LogVersion) -> Bool {
    time == other.time
      ? other.origin.utf8.lexicographicallyPrecedes(origin.utf8) : time > other.time
  }
}

/// The tables of a log.
struct LogTables {
  let name: String
  private let log: String
  private let version: String
  private let peer: String
  private let state: String

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
          time INTEGER NOT NULL, context TEXT NOT NULL, changes BLOB NOT NULL,
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

  func setIdentity(_ identity: String, _ db: Database) throws {
    try db.execute(sql: "UPDATE \(state) SET identity = ?, sequence = 0", arguments: [identity])
  }

  func setClock(_ time: Int64, _ db: Database) throws {
    try db.execute(sql: "UPDATE \(state) SET time = max(time, ?)", arguments: [time])
  }

  func setSequence(_ sequence: Int64, _ db: Database) throws {
    try db.execute(sql: "UPDATE \(state) SET sequence = ?", arguments: [sequence])
  }
}

// The log itself.
extension LogTables {
  func lastPosition(_ db: Database) throws -> Int64 {
    let last = try Int64.fetchOne(
      db, sql: "SELECT seq FROM main.sqlite_sequence WHERE name = ?", arguments: [name])
    return last ?? 0
  }

  func append(_ changes: LoggedChanges, _ db: Database) throws {
    let context = String(decoding: try Self.encoder.encode(changes.context), as: UTF8.self)
    try db.cachedStatement(
      sql: """
        INSERT INTO \(log) (origin, sequence, time, context, changes) VALUES (?, ?, ?, ?, ?)
        """
    ).execute(
      arguments: [changes.origin, changes.sequence, changes.time, context, changes.changes])
  }

  private static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return encoder
  }

  /// Calls a function with the transactions after a position, until it returns false.
  func forEach(
    after position: Int64, _ db: Database, _ body: (Int64, LoggedChanges) throws -> Bool
  ) throws {
    let rows = try Row.fetchCursor(
      db, sql: "SELECT * FROM \(log) WHERE position > ? ORDER BY position", arguments: [position])
    while let row = try rows.next() {
      let context: String = row["context"]
      let changes = LoggedChanges(
        origin: row["origin"], sequence: row["sequence"], time: row["time"],
        context: try JSONDecoder().decode([String: Int64].self, from: Data(context.utf8)),
        // The bytes are checked: anybody may write to the table.
        changes: try Changeset(data: row["changes"]))
      guard try body(row["position"], changes) else { return }
    }
  }

  /// Removes the transactions up to a position.
  func drop(through position: Int64, _ db: Database) throws {
    try db.execute(sql: "DELETE FROM \(log) WHERE position <= ?", arguments: [position])
    try db.execute(
      sql: "UPDATE \(state) SET dropped = max(dropped, ?)", arguments: [position])
  }

  /// The last position whose removal leaves no more than so many bytes of changes.
  func position(leaving byteCount: Int, _ db: Database) throws -> Int64? {
    try Int64.fetchOne(
      db,
      sql: """
        SELECT max(position) FROM (
          SELECT position, sum(length(changes)) OVER (ORDER BY position DESC) AS size FROM \(log))
        WHERE size > ?
        """, arguments: [byteCount])
  }
}

// Other databases.
extension LogTables {
  /// For each of them, the last transaction of it that was received.
  func received(_ db: Database) throws -> [String: Int64] {
    let rows = try Row.fetchAll(db, sql: "SELECT name, received FROM \(peer) WHERE received > 0")
    return Dictionary(uniqueKeysWithValues: rows.map { ($0["name"], $0["received"]) })
  }

  func cursor(_ name: String, _ db: Database) throws -> Int64 {
    let cursor = try Int64.fetchOne(
      db, sql: "SELECT cursor FROM \(peer) WHERE name = ?", arguments: [name])
    return cursor ?? 0
  }

  func acknowledged(_ db: Database) throws -> [String: Int64] {
    let rows = try Row.fetchAll(
      db, sql: "SELECT name, acknowledged FROM \(peer) WHERE acknowledged IS NOT NULL")
    return Dictionary(uniqueKeysWithValues: rows.map { ($0["name"], $0["acknowledged"]) })
  }

  enum PeerColumn: String { case received, cursor, acknowledged }

  /// Notes a number of a database, which does not go back.
  func raise(_ column: PeerColumn, of name: String, to value: Int64, _ db: Database) throws {
    let column = column.rawValue
    try db.execute(
      sql: """
        INSERT INTO \(peer) (name, \(column)) VALUES (?, ?)
        ON CONFLICT (name) DO UPDATE SET \(column) = max(coalesce(\(column), 0), excluded.\(column))
        """, arguments: [name, value])
  }

  func forgetAcknowledgment(of name: String, _ db: Database) throws {
    try db.execute(sql: "UPDATE \(peer) SET acknowledged = NULL WHERE name = ?", arguments: [name])
  }
}

// Versions of rows.
extension LogTables {
  /// The versions of a row, whose content is nil where it is the row of the table.
  func versions(_ key: RowKey, _ db: Database) throws -> [(LogVersion, isInTable: Bool)] {
    let statement = try db.cachedStatement(
      sql: """
        SELECT origin, sequence, time, isDeleted, content FROM \(version)
        WHERE tableName = ? AND rowKey = ?
        """)
    return try Row.fetchAll(statement, arguments: [key.table, Data(key.bytes)]).map { row in
      let content = try (row["content"] as Data?).map { try Changeset(data: $0).rowValues }
      let found = LogVersion(
        origin: row["origin"], sequence: row["sequence"], time: row["time"], values: content)
      return (found, isInTable: content == nil && row["isDeleted"] == false)
    }
  }

  func hiddenKeys(_ db: Database) throws -> [RowKey] {
    try Row.fetchAll(
      db, sql: "SELECT DISTINCT tableName, rowKey FROM \(version) WHERE isHidden"
    ).map { RowKey(table: $0["tableName"], bytes: Array($0["rowKey"] as Data)) }
  }

  func hasHidden(_ db: Database) throws -> Bool {
    try Row.fetchOne(db, sql: "SELECT 1 FROM \(version) WHERE isHidden LIMIT 1") != nil
  }

  /// Sets the only version of a row, which this database has written.
  func setVersion(
    _ key: RowKey, isDeleted: Bool, _ identity: String, _ sequence: Int64, _ time: Int64,
    _ db: Database
  ) throws {
    try db.cachedStatement(
      sql: "DELETE FROM \(version) WHERE tableName = ? AND rowKey = ? AND origin <> ?"
    ).execute(arguments: [key.table, Data(key.bytes), identity])
    try insert(key, identity, sequence, time, isDeleted: isDeleted, isHidden: false, nil, db)
  }

  /// Sets the versions of a row.
  ///
  /// - parameter isInTable: Whether the row of the table is that of the only version.
  func setVersions(
    _ key: RowKey, _ versions: [LogVersion], of table: LogTable, isHidden: Bool, isInTable: Bool,
    _ db: Database
  ) throws {
    try db.cachedStatement(
      sql: "DELETE FROM \(version) WHERE tableName = ? AND rowKey = ?"
    ).execute(arguments: [key.table, Data(key.bytes)])
    for version in versions {
      let content = version.values.flatMap { isInTable ? nil : Changeset(row: $0, of: table) }
      try insert(
        key, version.origin, version.sequence, version.time, isDeleted: version.values == nil,
        isHidden: isHidden, content, db)
    }
  }

  private func insert(
    _ key: RowKey, _ origin: String, _ sequence: Int64, _ time: Int64, isDeleted: Bool,
    isHidden: Bool, _ content: Changeset?, _ db: Database
  ) throws {
    try db.cachedStatement(
      sql: "INSERT OR REPLACE INTO \(version) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
    ).execute(
      arguments: [
        key.table, Data(key.bytes), origin, sequence, time, isDeleted, isHidden, content,
      ])
  }
}

extension Changeset {
  /// A row as an insertion.
  fileprivate init(row values: [DatabaseValue], of table: LogTable) {
    var writer = ChangesetWriter()
    let positions = Array(table.keyPositions.prefix(values.count))
    writer.append(of: table.name, positions, from: nil, to: values)
    self.init(checked: writer.bytes, isPatchset: false)
  }

  /// The row of an insertion.
  fileprivate var rowValues: [DatabaseValue] {
    (changes.first?.newValues ?? []).map { $0 ?? .null }
  }
}
