// Migrations as SQL files, with a way down; a migration that is drafted; drift.

import Foundation
import Quarry
import QuarryMigrations

let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }
let files = [
  "1-authors.sql": "CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);",
  "2-books.sql": """
  CREATE TABLE book (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, authorId INTEGER REFERENCES author(id));
  """,
  "2-books.down.sql": "DROP TABLE book;",
]
for (name, sql) in files {
  try Data(sql.utf8).write(to: folder.appendingPathComponent(name))
}

// snippet.files
// 1-authors.sql, 2-books.sql, 2-books.down.sql
var migrator = DatabaseMigrator()
try migrator.registerMigrations(in: folder)

let queue = try DatabaseQueue()
try migrator.migrate(queue)
print(migrator.migrations)  // ["1-authors", "2-books"]
// snippet.end

// snippet.down
try migrator.migrateDown(queue, to: "1-authors")
try migrator.migrate(queue)
// snippet.end

// snippet.swift
migrator.registerMigration("3-index") { db in
  try db.create(indexOn: "book", columns: ["authorId"])
} down: { db in
  try db.drop(indexOn: "book", columns: ["authorId"])
}
// snippet.end

// snippet.drift
// In a test, or in the check of a deployment
let drift = try queue.read { try migrator.drift($0) }
print(drift)  // migration "3-index" has not run
// snippet.end

try queue.write { db in
  try db.execute(sql: "INSERT INTO book VALUES (1, 'The Trial', NULL), (2, 'The Castle', NULL)")
}

// snippet.draft
let schema = """
  CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
  CREATE TABLE book (
    id INTEGER PRIMARY KEY, title TEXT NOT NULL, authorId INTEGER REFERENCES author(id),
    pages INTEGER NOT NULL DEFAULT 0);
  """
let draft = try MigrationDraft(from: queue, toSchema: schema, renaming: ["book.name": "title"])
print(draft.swift(identifier: "4-titles"))
// snippet.end

// snippet.rehearse
let rehearsal = try draft.rehearse(queue)
print(rehearsal.isSuccessful)  // true
print(rehearsal.rowCounts.map(\.table))  // ["author", "book"]
// snippet.end

// snippet.records
struct Author: Codable, FetchableRecord, PersistableRecord {
  var id: Int64
  var name: String
  var born: Date?
}

struct Authorship: Codable, FetchableRecord, PersistableRecord {
  var authorId: Int64
  var bookId: Int64
}

let recordDraft = try MigrationDraft(
  from: queue, to: [Author.self, Authorship.self],
  definitions: ["authorship": "PRIMARY KEY (authorId, bookId)"])
print(recordDraft.swift(identifier: "5-authorships"))
// snippet.end
