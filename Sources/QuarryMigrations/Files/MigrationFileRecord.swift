import Quarry

/// The text of a file that has run.
///
/// Names with the prefix `grdb_` belong to the library, so that the table is no part of
/// the schema that migrations make. Databases without migrations from files don't have it.
struct MigrationFileRecord {
  static let table = "grdb_migration_files"

  let identifier: String
  let sql: String

  func save(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE IF NOT EXISTS main.\(Self.table) (
          identifier TEXT NOT NULL PRIMARY KEY, sql TEXT NOT NULL)
        """)
    try MigrationRunner.forget([identifier], in: Self.table, db)
    try db.execute(
      sql: "INSERT INTO main.\(Self.table) (identifier, sql) VALUES (?, ?)",
      arguments: [identifier, sql])
  }

  static func delete(_ identifier: String, _ db: Database) throws {
    guard try db.tableExists(table, in: "main") else { return }
    try MigrationRunner.forget([identifier], in: table, db)
  }

  /// The texts by identifier.
  static func all(_ db: Database) throws -> [String: String] {
    guard try db.tableExists(table, in: "main") else { return [:] }
    let rows = try Row.fetchAll(db, sql: "SELECT identifier, sql FROM main.\(table)")
    return try rows.reduce(into: [:]) { texts, row in
      texts[try row.decode(String.self, atIndex: 0)] = try row.decode(String.self, atIndex: 1)
    }
  }
}
