import Quarry
import QuarryChanges
import Testing

/// A database with the tables of a small shop.
func makeShop(_ sql: String = "", _ configuration: Configuration = Configuration()) throws
  -> DatabaseQueue
{
  let queue = try DatabaseQueue(configuration: configuration)
  try queue.write { db in
    try db.execute(
      sql: """
        CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE book (
          id INTEGER PRIMARY KEY, authorId INTEGER REFERENCES author, title TEXT, price REAL);
        \(sql)
        """)
  }
  return queue
}

/// Some rows of the shop.
let shopRows = """
  INSERT INTO author VALUES (1, 'Jane Austen');
  INSERT INTO book VALUES (1, 1, 'Emma', 9), (2, 1, 'Persuasion', 8);
  """

/// The changeset of SQL in a shop with some rows.
func shopChanges(_ sql: String, rows: String = shopRows, schema: String = "") throws -> Changeset {
  try makeShop(schema + rows).write { db in try db.changes(sql) }
}

extension Database {
  /// The changeset of SQL.
  func changes(_ sql: String, in tables: [String]? = nil, schema: String = "main") throws
    -> Changeset
  {
    try recordChanges(in: tables, schema: schema) { try execute(sql: sql) }
  }

  /// All rows of the ordinary tables, by table.
  func snapshot(besides excluded: Set<String> = []) throws -> [String: [Row]] {
    let tables = try String.fetchAll(
      self,
      sql: """
        SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0
        AND name NOT LIKE 'sqlite_%'
        """)
    var rows: [String: [Row]] = [:]
    for table in tables where !excluded.contains(table) {
      let name = table.quotedDatabaseIdentifier
      let columns = try columns(in: table).indices.map { "\($0 + 1)" }.joined(separator: ", ")
      rows[table] = try Row.fetchAll(self, sql: "SELECT * FROM \(name) ORDER BY \(columns)")
    }
    return rows
  }
}

/// The message of the error of a changeset.
func changesetError(_ body: () throws -> Void) -> ChangesetError? {
  do {
    try body()
    return nil
  } catch {
    return error as? ChangesetError
  }
}
