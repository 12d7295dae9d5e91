import Foundation
import Quarry

// The log itself.
extension LogTables {
  func lastPosition(_ db: Database) throws -> Int64 {
    let last = try Int64.fetchOne(
      db, sql: "SELECT seq FROM main.sqlite_sequence WHERE name = ? COLLATE NOCASE",
      arguments: [name])
    return last ?? 0
  }

  /// The position of the last transaction of an origin, 0 where the log has none.
  func lastPosition(of origin: String, _ db: Database) throws -> Int64 {
    let last = try Int64.fetchOne(
      db, sql: "SELECT max(position) FROM \(log) WHERE origin = ?", arguments: [origin])
    return last ?? 0
  }

  func append(_ changes: LoggedChanges, _ db: Database) throws {
    let context = try String(json: changes.context)
    let columns = try changes.columns.map { try String(json: $0) }
    try db.cachedStatement(
      sql: """
        INSERT INTO \(log) (origin, sequence, time, context, changes, columns)
        VALUES (?, ?, ?, ?, ?, ?)
        """
    ).execute(
      arguments: [
        changes.origin, changes.sequence, changes.time, context, changes.changes, columns,
      ])
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
        changes: try Changeset(data: row["changes"]),
        columns: try RecordedColumns(json: row["columns"]))
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
    return Dictionary(rows.map { ($0["name"], $0["received"]) }, uniquingKeysWith: max)
  }

  func cursor(_ name: String, _ db: Database) throws -> Int64 {
    let cursor = try Int64.fetchOne(
      db, sql: "SELECT cursor FROM \(peer) WHERE name = ?", arguments: [name])
    return cursor ?? 0
  }

  func acknowledged(_ db: Database) throws -> [String: Int64] {
    let rows = try Row.fetchAll(
      db, sql: "SELECT name, acknowledged FROM \(peer) WHERE acknowledged IS NOT NULL")
    return Dictionary(rows.map { ($0["name"], $0["acknowledged"]) }, uniquingKeysWith: min)
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
