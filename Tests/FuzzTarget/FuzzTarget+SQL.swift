import CFuzz
import CSQLite
import Foundation
import Quarry
import QuarryMigrations

extension FuzzTarget {
  private static let schema = """
    CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT UNIQUE, c);
    CREATE TABLE u (a REFERENCES t(a), b DEFAULT 1, c CHECK (c <> 7));
    CREATE VIEW v AS SELECT t.a, u.b FROM t LEFT JOIN u ON u.a = t.a;
    INSERT INTO t VALUES (1, 'x', NULL), (2, 'é', 1.5), (3, '', X'00FF');
    INSERT INTO u VALUES (1, 2, 3), (NULL, 'y', 'z');
    """

  static func withDatabase(
    _ schema: String = "", instructionCount: Int32 = 200_000,
    _ body: (Database) throws -> Void
  ) throws {
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let queue = try DatabaseQueue(configuration: configuration)
    // The connection may be inside a transaction that the input has begun.
    defer { try? queue.close() }
    try queue.inDatabase { db in
      try db.execute(sql: schema)
      if let connection = db.sqliteConnection {
        quarry_fuzz_limit(UnsafeMutableRawPointer(connection), instructionCount)
      }
      try body(db)
    }
  }

  private static let rowLimit = 100

  /// Statements give the same rows, or the same error, as the C functions of SQLite.
  static let sql = FuzzTarget(name: "sql") { bytes in
    let sql = String(decoding: bytes, as: UTF8.self)
    var rows: [[DatabaseValue]] = []
    var code: ResultCode?
    var isComparable = true
    try withDatabase(schema) { db in
      do {
        let statements = try db.allStatements(sql: sql)
        while let statement = try statements.next() {
          if !statement.arguments.isEmpty { isComparable = false }
          _ = (statement.description, statement.isReadonly, statement.columnNames)
          let cursor = try Row.fetchCursor(statement)
          var count = 0
          while count < rowLimit, let row = try cursor.next() {
            rows.append(Array(row.databaseValues))
            count += 1
          }
        }
      } catch let error as DatabaseError {
        _ = "\(error)"
        code = error.resultCode
      }
    }
    guard isComparable, code != .SQLITE_INTERRUPT, code != .SQLITE_NOMEM, !dependsOnMoment(sql)
    else { return }
    try withDatabase(schema) { db in
      guard let expected = rowsOfSQLite(sql, db) else { return }
      if expected.code != (code?.rawValue ?? SQLITE_OK) {
        wrong("\(sql.debugDescription): code \(code?.rawValue ?? 0), not \(expected.code)")
      }
      if rows.count != expected.rows.count || !zip(rows, expected.rows).allSatisfy(isSame) {
        wrong("\(sql.debugDescription): \(rows) instead of \(expected.rows)")
      }
    }
  }

  /// Whether two executions may differ.
  private static func dependsOnMoment(_ sql: String) -> Bool {
    // The library refuses a NUL, where SQLite stops. Swift sees none before a combining character.
    if sql.utf8.contains(0) { return true }
    let text = sql.lowercased()
    return [
      "random", "date", "time", "now", "julian", "current", "explain", "pragma", "unixe",
    ].contains { text.contains($0) }
  }

  /// The rows of all statements up to an error. Nil for statements with arguments.
  private static func rowsOfSQLite(
    _ sql: String, _ db: Database
  ) -> (rows: [[DatabaseValue]], code: Int32)? {
    var rows: [[DatabaseValue]] = []
    return sql.withCString { start in
      var tail: UnsafePointer<CChar>? = start
      while let next = tail, next.pointee != 0 {
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v2(db.sqliteConnection, next, -1, &statement, &tail)
        guard code == SQLITE_OK else { return (rows, code & 0xFF) }
        guard let statement else { continue }
        defer { sqlite3_finalize(statement) }
        if sqlite3_bind_parameter_count(statement) > 0 { return nil }
        var count = 0
        while count < rowLimit {
          let code = sqlite3_step(statement)
          if code == SQLITE_DONE { break }
          guard code == SQLITE_ROW else { return (rows, code & 0xFF) }
          rows.append((0..<sqlite3_column_count(statement)).map { column(statement, $0) })
          count += 1
        }
      }
      return (rows, SQLITE_OK)
    }
  }

  private static func column(_ statement: OpaquePointer, _ index: Int32) -> DatabaseValue {
    switch sqlite3_column_type(statement, index) {
    case SQLITE_INTEGER: return sqlite3_column_int64(statement, index).databaseValue
    case SQLITE_FLOAT: return sqlite3_column_double(statement, index).databaseValue
    case SQLITE_NULL: return .null
    case SQLITE_TEXT:
      let text = sqlite3_column_text(statement, index)
      let count = Int(sqlite3_column_bytes(statement, index))
      return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
        .databaseValue
    default:
      let bytes = sqlite3_column_blob(statement, index)
      let count = Int(sqlite3_column_bytes(statement, index))
      return Data(UnsafeRawBufferPointer(start: bytes, count: count)).databaseValue
    }
  }

  /// Values come back as they were bound, by position and by name.
  static let arguments = FuzzTarget(name: "arguments") { bytes in
    var input = Input(bytes)
    let isNamed = input.byte() % 2 == 0
    let values = input.values(atMost: 12)
    guard !values.isEmpty else { return }
    // SQLite has no NaN.
    let expected = values.map { value in
      if case .double(let number) = value.storage, number.isNaN { return DatabaseValue.null }
      return value
    }
    let names = values.indices.map { isNamed ? ":n\($0)" : "?" }
    var named: [String: (any DatabaseValueConvertible)?] = [:]
    for (index, value) in values.enumerated() { named["n\(index)"] = value }
    let arguments = isNamed ? StatementArguments(named) : StatementArguments(values)
    try withDatabase { db in
      let list = names.joined(separator: ", ")
      let row = try Row.fetchOne(db, sql: "SELECT \(list)", arguments: arguments)
      let fetched = row.map { Array($0.databaseValues) } ?? []
      if !isSame(fetched, expected) { wrong("\(fetched) instead of \(expected)") }
      // SQL of the query interface, with the same values.
      let literal = values.map { SQL("\($0)") }.joined(separator: ",")
      let other = try SQLRequest<Row>(literal: "VALUES (\(literal))").fetchOne(db)
      let second = other.map { Array($0.databaseValues) } ?? []
      if !isSame(second, expected) { wrong("\(second) instead of \(expected)") }
    }
  }

  /// What an application asks for about a schema that it does not know.
  static let schemas = FuzzTarget(name: "schemas") { bytes in
    let sql = String(decoding: bytes, as: UTF8.self)
    try withDatabase { db in
      do { try db.execute(sql: sql) } catch is DatabaseError {}
      let names = try String.fetchAll(db, sql: "SELECT name FROM sqlite_master")
      for name in names.prefix(10) {
        tolerate { try inspect(name, db) }
      }
      _ = try db.schemaDescription()
      try db.dumpContent(to: Sink())
    }
  }

  private static func inspect(_ name: String, _ db: Database) throws {
    guard try db.tableExists(name) || db.viewExists(name) else { return }
    let columns = try db.columns(in: name).map(\.name)
    let fetched = try db.makeStatement(
      sql: "SELECT * FROM \(name.quotedDatabaseIdentifier)"
    ).columnNames
    // Those that a table hides are only listed.
    if fetched.count > columns.count || !fetched.allSatisfy(columns.contains) {
      wrong("the columns of \(name) are \(columns), not \(fetched)")
    }
    _ = try (db.primaryKey(name), db.indexes(on: name), db.foreignKeys(on: name))
    _ = try Table(name).limit(3).fetchAll(db) as [Row]
    _ = try Table(name).fetchCount(db)
  }
}

/// Drops what is written.
final class Sink: TextOutputStream {
  func write(_ string: String) {}
}
