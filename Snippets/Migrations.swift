// A schema that grows with the versions of an application.

import Quarry

// snippet.register
var migrator = DatabaseMigrator()

migrator.registerMigration("1.0: notes") { db in
  try db.create(table: "note") { t in
    t.autoIncrementedPrimaryKey("id")
    t.column("text", .text).notNull()
  }
}

// A migration that was released is never changed: the next version adds another one.
migrator.registerMigration("1.1: folders") { db in
  try db.create(table: "folder") { t in
    t.autoIncrementedPrimaryKey("id")
    t.column("name", .text).notNull().unique()
  }
  try db.execute(sql: "INSERT INTO folder (name) VALUES ('Inbox')")
  try db.execute(sql: "ALTER TABLE note ADD COLUMN folderId INTEGER REFERENCES folder(id)")
  try db.execute(sql: "UPDATE note SET folderId = (SELECT id FROM folder)")
}
// snippet.end

// snippet.migrate
let queue = try DatabaseQueue()

// An old database gets what it lacks, each migration in a transaction of its own.
try migrator.migrate(queue, upTo: "1.0: notes")
try queue.write { db in
  try db.execute(sql: "INSERT INTO note (text) VALUES (?)", arguments: ["Buy milk"])
}
try migrator.migrate(queue)

try queue.read { db in
  print(try migrator.appliedMigrations(db))
  let sql = "SELECT text, name AS folder FROM note JOIN folder ON folder.id = folderId"
  print(try Row.fetchAll(db, sql: sql))
}
// snippet.end
