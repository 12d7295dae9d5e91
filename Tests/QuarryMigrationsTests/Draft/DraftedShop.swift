import Quarry
import QuarryMigrations
import QuarryTestSupport
import Testing

/// The schema of a shop, and rows.
let shopSQL = """
  CREATE TABLE author (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL);
  CREATE TABLE book (
    id INTEGER PRIMARY KEY, title TEXT NOT NULL, year INTEGER,
    authorId INTEGER REFERENCES author ON DELETE CASCADE);
  CREATE INDEX book_author ON book (authorId);
  CREATE VIEW recent AS SELECT title FROM book WHERE year > 2000;
  INSERT INTO author VALUES (1, 'Franz Kafka'), (5, 'Flann O''Brien');
  DELETE FROM author WHERE id = 5;
  INSERT INTO book VALUES (1, 'The Trial', 1925, 1), (2, 'The Castle', NULL, 1);
  """

/// Drafts a migration, rehearses it, and runs its SQL.
func draft(
  from old: String = shopSQL, _ new: String, renaming: [String: String] = [:],
  values: [String: String] = [:], allowing permissions: MigrationDraft.Permissions = [],
  check: (Database) throws -> Void = { _ in }
) throws -> MigrationDraft {
  let queue = try makeDatabase(sql: old)
  let draft = try MigrationDraft(
    from: queue, toSchema: new, renaming: renaming, values: values, allowing: permissions)
  let rehearsal = try draft.rehearse(queue)
  #expect(rehearsal.isSuccessful, "\(rehearsal)")
  var migrator = DatabaseMigrator()
  migrator.registerMigration("draft") { try $0.execute(sql: draft.sql) }
  try migrator.migrate(queue)
  try #expect(MigrationDraft(from: queue, toSchema: new).isEmpty)
  try queue.read(check)
  return draft
}

/// The schema of the shop with other tables or columns.
func shop(replacing old: String, with new: String) -> String {
  String(shopSQL.split(separator: "INSERT INTO")[0]).replacing(old, with: new)
}
