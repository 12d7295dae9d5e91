// A program to kill: it migrates a database and commits transactions, and tells on its standard
// output what is done. Tests/EngineTests/Durability/KillTests.swift kills it, and looks at what is
// left.
//
//     KillTarget <path of the database> wal|rollback
//
// Migration n creates the table "t<n>" with 50 + n rows and an index, then makes it anew. Each
// transaction adds ten rows to "entry", and one to "counter". Lines: "m <n>", "t <n>", "done".

import Foundation
import Quarry

/// Written at once: each reported line is done, whatever happens next.
func tell(_ line: String) {
  FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}

func makeMigrator() -> DatabaseMigrator {
  var migrator = DatabaseMigrator()
  migrator.registerMigration("m0") { db in
    try db.execute(
      sql: """
        CREATE TABLE entry (id INTEGER PRIMARY KEY, number INTEGER NOT NULL, text TEXT NOT NULL);
        CREATE TABLE counter (value INTEGER NOT NULL);
        INSERT INTO counter VALUES (0);
        """)
  }
  for number in 1...8 {
    migrator.registerMigration("m\(number)") { db in
      try migrate(db, number)
    }
  }
  return migrator
}

func migrate(_ db: Database, _ number: Int) throws {
  let table = "t\(number)"
  try db.create(table: table) { t in
    t.primaryKey("id", .integer)
    t.column("value", .text)
    t.column("parentId", .integer).references(table)
  }
  for id in 1...(50 + number) {
    try db.execute(
      sql: "INSERT INTO \(table) (id, value, parentId) VALUES (?, ?, ?)",
      arguments: [id, String(repeating: "v", count: 200), id > 1 ? id - 1 : nil])
  }
  try db.create(index: "\(table)_value", on: table, columns: ["value", "id"])
  try db.rebuild(table: table) { t in
    t.primaryKey("id", .integer)
    t.column("value", .text).notNull()
    t.column("parentId", .integer).references(table)
  }
}

func commit(_ queue: DatabaseQueue, _ number: Int) throws {
  try queue.write { db in
    for _ in 1...10 {
      try db.execute(
        sql: "INSERT INTO entry (number, text) VALUES (?, ?)",
        arguments: [number, String(repeating: "e", count: 300)])
    }
    try db.execute(sql: "UPDATE counter SET value = value + 1")
  }
}

let arguments = CommandLine.arguments
if arguments.count > 3, arguments[1] == "peer" {
  try Peer.run(Array(arguments.dropFirst(2)))
  exit(0)
}
guard arguments.count == 3 else {
  FileHandle.standardError.write(Data("usage: KillTarget <path> wal|rollback\n".utf8))
  exit(2)
}
var configuration = Configuration()
if arguments[2] == "wal" { configuration.journalMode = .wal }
let queue = try DatabaseQueue(path: arguments[1], configuration: configuration)
let migrator = makeMigrator()
// A killed process is followed by another one, which does the rest.
let applied = try queue.read(migrator.appliedIdentifiers)
var transaction = 0
for migration in migrator.migrations {
  if !applied.contains(migration) { try migrator.migrate(queue, upTo: migration) }
  tell("m \(migration.dropFirst())")
  for _ in 1...6 {
    transaction += 1
    try commit(queue, transaction)
    tell("t \(transaction)")
  }
}
tell("done")
