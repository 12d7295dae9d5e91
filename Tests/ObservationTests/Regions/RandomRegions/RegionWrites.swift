import Foundation
import QuarryBlobs
import QuarryTestSupport

@testable import Quarry

private struct ParentRecord: Codable, PersistableRecord {
  static let databaseTableName = "p"
  var id: Int?
  var a: Int?
  var b: String?
}

private struct ShelfRecord: Codable, PersistableRecord {
  static let databaseTableName = "w"
  var k: Int
  var a: Int?
}

/// Writes at random, by all means there are. Writes may fail.
struct RegionWriter {
  var requests: RegionRequestGenerator
  /// What was written, to understand a failure.
  private(set) var log: [String] = []

  init(_ random: SplitMix64) {
    requests = RegionRequestGenerator(random: random)
  }

  private var random: SplitMix64 {
    get { requests.random }
    set { requests.random = newValue }
  }

  /// A write outside of transactions, a transaction, or a change of the schema.
  mutating func write(_ db: Database) {
    log = []
    switch random.below(12) {
    case 0 where random.chance(4): attempt(db) { writer, db in try writer.vacuum(db) }
    case 0: attempt(db) { writer, db in try writer.execute(writer.definition(), db) }
    case 1...5: attempt(db) { writer, db in try writer.change(db) }
    default: transaction(db)
    }
  }

  private mutating func attempt(
    _ db: Database, _ body: (inout RegionWriter, Database) throws -> Void
  ) {
    do { try body(&self, db) } catch { log.append("  failed: \(error)") }
  }

  private mutating func transaction(_ db: Database) {
    log.append("BEGIN")
    do {
      try db.inTransaction {
        for _ in 0...random.below(4) {
          if random.chance(4) {
            savepoint(db)
          } else if random.chance(12) {
            attempt(db) { writer, db in try writer.execute(writer.definition(), db) }
          } else {
            attempt(db) { writer, db in try writer.change(db) }
          }
        }
        let isCommitted = !random.chance(5)
        log.append(isCommitted ? "COMMIT" : "ROLLBACK")
        return isCommitted ? .commit : .rollback
      }
    } catch {
      log.append("  failed: \(error)")
      if db.isInsideTransaction { try? db.rollback() }
    }
  }

  private mutating func savepoint(_ db: Database) {
    attempt(db) { writer, db in
      writer.log.append("SAVEPOINT")
      try db.inSavepoint {
        for _ in 0...writer.random.below(2) {
          if writer.random.chance(4) {
            writer.savepoint(db)
          } else {
            writer.attempt(db) { writer, db in try writer.change(db) }
          }
        }
        let isReleased = writer.random.chance(2)
        writer.log.append(isReleased ? "RELEASE" : "ROLLBACK TO")
        return isReleased ? .commit : .rollback
      }
    }
  }

  private mutating func execute(_ sql: String, _ db: Database) throws {
    log.append(sql)
    try db.execute(sql: sql)
  }

  /// By SQL, which leaves full-text indexes behind, or by the library, which rebuilds them.
  private mutating func vacuum(_ db: Database) throws {
    if random.chance(2) { return try execute("VACUUM", db) }
    log.append("vacuum()")
    try db.vacuum()
  }

  private mutating func change(_ db: Database) throws {
    switch random.below(10) {
    case 0: try writeRecord(db)
    case 1: try writeRequest(db)
    case 2: try writeBlob(db)
    case 3:
      let sql = statement().replacingOccurrences(of: "'", with: "''")
      try execute("SELECT run('\(sql)')", db)
    case 4:
      let sql = "INSERT INTO n VALUES (\(random.below(4)), 'r'), (1, 's') RETURNING *"
      log.append(sql)
      _ = try random.chance(2) ? Row.fetchOne(db, sql: sql) : Row.fetchCursor(db, sql: sql).next()
    default: try execute(statement(), db)
    }
  }
}

extension RegionWriter {
  private mutating func writeRecord(_ db: Database) throws {
    let record = ParentRecord(
      id: random.chance(5) ? nil : random.below(4), a: random.below(4), b: "r\(random.below(3))")
    let shelf = ShelfRecord(k: random.below(4), a: random.below(3))
    let choice = random.below(9)
    log.append("record \(choice): \(record), \(shelf)")
    switch choice {
    case 0: try record.insert(db)
    case 1: try record.insert(db, onConflict: .replace)
    case 2: try record.update(db, columns: ["a"])
    case 3: try record.upsert(db)
    case 4: try record.save(db)
    case 5: try record.delete(db)
    case 6: try shelf.upsert(db)
    case 7: try shelf.save(db)
    default: try shelf.delete(db)
    }
  }

  private mutating func writeRequest(_ db: Database) throws {
    let request = requests.writableRequest()
    let column = ["p", "x", "n"].contains(request.relation.source.name) ? "a" : "b"
    let value = random.below(4)
    if random.chance(3) {
      log.append("deleteAll \(request.relation)")
      try request.deleteAll(db)
    } else {
      log.append("updateAll \(column) = \(value) \(request.relation)")
      try request.updateAll(db, onConflict: random.pick([.abort, .replace, .ignore])) { _ in
        [Column(column).set(to: value)]
      }
    }
  }

  private mutating func writeBlob(_ db: Database) throws {
    let rowID = Int64(random.below(4))
    let bytes = Data(random.bytes(1))
    log.append("blob \(rowID)")
    try db.withBlob(table: "p", column: "data", rowID: rowID, access: .readWrite) { blob in
      try blob.write(bytes)
    }
  }

  private mutating func statement() -> String {
    let (x, y, z) = (random.below(4), random.below(4), random.below(4))
    return random.pick([
      "INSERT INTO p (id, a, b, data) VALUES (\(x), \(y), 'b\(z)', zeroblob(2))",
      "INSERT OR REPLACE INTO p (id, a, b, data) VALUES (\(x), \(y), 'b\(z)', zeroblob(\(z)))",
      "INSERT OR IGNORE INTO p (id, a) VALUES (\(x), \(y)), (\(y), \(z))",
      "INSERT INTO p (id, a) VALUES (\(x), \(y)) ON CONFLICT DO UPDATE SET a = \(z), b = 'u'",
      "UPDATE p SET a = \(y) WHERE id = \(x)", "UPDATE OR REPLACE p SET a = \(y) WHERE id = \(x)",
      "UPDATE OR FAIL p SET a = \(y)", "UPDATE p SET b = 'b' WHERE a = \(x)",
      "UPDATE p SET data = zeroblob(\(y))",
      "UPDATE OR REPLACE p SET id = \(y) WHERE id = \(x)",
      "UPDATE p SET rowid = \(y) + 10 WHERE rowid = \(x)",
      "DELETE FROM p WHERE id = \(x)", "DELETE FROM p",
      "INSERT INTO c (id, p, b) VALUES (\(x), \(y), 'b\(z)')",
      "UPDATE c SET p = \(y) WHERE id = \(x)",
      "INSERT OR REPLACE INTO c (id, p) SELECT \(x), id FROM p LIMIT 1",
      "DELETE FROM c WHERE p = \(x)",
      "UPDATE c SET b = b || 'x'", "INSERT OR REPLACE INTO w (k, a) VALUES (\(x), \(y))",
      "UPDATE OR REPLACE w SET k = \(y) WHERE k = \(x)", "UPDATE w SET a = \(y)",
      "DELETE FROM w WHERE a = \(x)",
      "INSERT INTO o (rowid, oid, b) VALUES (\(x), \(y), \(z))",
      "UPDATE o SET rowid = \(y) WHERE b = \(x)",
      "UPDATE o SET oid = \(y) WHERE b = \(x)", "DELETE FROM o WHERE b = \(x)",
      "INSERT INTO n VALUES (\(x), 'b')", "UPDATE n SET a = \(y) WHERE rowid = \(x)",
      "DELETE FROM n WHERE a = \(x)",
      "INSERT INTO n SELECT id, b FROM p", "UPDATE att.n SET a = \(x)",
      "INSERT INTO main.n VALUES (\(x), 'm')",
      "INSERT OR REPLACE INTO x VALUES (\(x), \(y), 'x')", "UPDATE x SET b = \(z) WHERE id = \(x)",
      "DELETE FROM x",
      "INSERT INTO v (id, b) VALUES (\(x), 'v')", "UPDATE v SET a = \(y), b = \(z) WHERE id = \(x)",
      "DELETE FROM v WHERE id = \(x)", "INSERT INTO ft(rowid, b) VALUES (\(x), 'b\(z) r')",
      "UPDATE ft SET b = 'r\(z)' WHERE rowid = \(x)", "DELETE FROM ft WHERE rowid = \(x)",
      "INSERT INTO ft(ft) VALUES ('rebuild')", "INSERT INTO ft(ft) VALUES ('optimize')",
      "INSERT INTO fs(rowid, b) VALUES (\(x), 'b r')", "INSERT INTO fs(fs) VALUES ('delete-all')",
      "INSERT INTO m (rowid, a, b) VALUES (\(x), \(y), 'b')",
      "INSERT OR REPLACE INTO m VALUES (\(y), 'r')",
      "UPDATE OR REPLACE m SET a = \(y) WHERE rowid = \(x)",
      "UPDATE m SET rowid = \(y) WHERE rowid = \(x)",
      "DELETE FROM m WHERE a = \(x)",
      "DELETE FROM main.p WHERE id = \(x)", "UPDATE main.p SET a = \(y)",
      "INSERT INTO temp.p (id, a) VALUES (\(x), 7)",
    ])
  }

  private mutating func definition() -> String {
    let name = random.pick(["p", "c", "w", "n", "x", "m", "v", "o", "ft"])
    let columns = (RegionWorld.tables[name] ?? []).joined(separator: ", ")
    return random.pick([
      "CREATE TEMP TABLE IF NOT EXISTS \(name) (\(columns))",
      "CREATE TEMP TABLE \(name) AS SELECT \(columns) FROM \(name)",
      "CREATE TEMP VIEW \(name) AS SELECT \(columns) FROM \(name == "x" ? "att" : "main").\(name) LIMIT 1",
      "CREATE TEMP TABLE hidden (\(columns)); ALTER TABLE hidden RENAME TO \(name)",
      "DROP TABLE temp.\(name)", "DROP TABLE temp.\(name)", "DROP VIEW temp.\(name)",
      "ALTER TABLE temp.\(name) RENAME TO hidden; DROP TABLE hidden",
      "CREATE TABLE IF NOT EXISTS main.x (id INTEGER PRIMARY KEY, a, b)", "DROP TABLE main.x",
      "DROP TABLE main.n", "CREATE TABLE IF NOT EXISTS main.n (a, b)",
      "ALTER TABLE main.n ADD COLUMN e\(random.below(1000)) DEFAULT 1",
      "CREATE TABLE IF NOT EXISTS other (a)",
      "CREATE TEMP TRIGGER IF NOT EXISTS tt AFTER INSERT ON main.n BEGIN DELETE FROM x; END",
    ])
  }
}
