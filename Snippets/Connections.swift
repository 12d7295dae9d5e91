// Databases: files, memory, copies, and what is set up for each connection.

import Foundation
import Quarry

let folder = FileManager.default.temporaryDirectory.appending(path: "quarry-\(UUID())")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)

// snippet.open
let path = folder.appending(path: "library.sqlite").path

var configuration = Configuration()
configuration.busyMode = .timeout(5)  // seconds that a statement waits for other processes
configuration.journalMode = .wal  // readers of other processes don't wait for writes
configuration.prepareDatabase { db in
  db.add(
    function: DatabaseFunction("initial", argumentCount: 1, pure: true) { values in
      String.fromDatabaseValue(values[0])?.first.map(String.init)
    })
}

let library = try DatabaseQueue(path: path, configuration: configuration)
// snippet.end

// snippet.access
try library.write { db in
  try db.execute(
    sql: """
      CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
      INSERT INTO book (title) VALUES ('The Trial'), ('Emma');
      """)
}
let initials = try library.read { db in
  try String.fetchAll(db, sql: "SELECT initial(title) FROM book")
}
print(initials)  // ["T", "E"]
// snippet.end

// snippet.rollback
struct OutOfStock: Error {}

do {
  try library.write { db in
    try db.execute(sql: "DELETE FROM book")
    throw OutOfStock()
  }
} catch is OutOfStock {
  let count = try library.read { db in try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM book") }
  print(count ?? 0)  // 2
}
// snippet.end

// snippet.savepoint
try library.write { db in
  try db.execute(sql: "INSERT INTO book (title) VALUES ('Persuasion')")
  try db.inSavepoint {
    try db.execute(sql: "INSERT INTO book (title) VALUES ('A mistake')")
    return .rollback
  }
  let titles = try String.fetchAll(db, sql: "SELECT title FROM book")
  print(titles)  // ["The Trial", "Emma", "Persuasion"]
}
// snippet.end

// snippet.memory
let scratch = try DatabaseQueue()  // in memory, for this queue alone
let shared = try DatabaseQueue(named: "library")  // in memory, for all queues of this name
let copy = try DatabaseQueue.inMemoryCopy(fromPath: path)  // a file, read into memory
// snippet.end
print(try copy.read { db in try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM book") } ?? 0)  // 3

// snippet.readonly
var reading = Configuration()
reading.readonly = true
let catalog = try DatabaseQueue(path: path, configuration: reading)
// snippet.end
print(try catalog.read { db in try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM book") } ?? 0)  // 3

// snippet.untrusted
let received = try DatabaseQueue(path: path, configuration: .untrusted)
let titles = try received.read { db in
  try String.fetchAll(db, sql: "SELECT title FROM book")
}
print(titles)  // ["The Trial", "Emma", "Persuasion"]
// snippet.end

// snippet.backup
let backup = try DatabaseQueue(path: folder.appending(path: "backup.sqlite").path)
try library.backup(to: backup)

// A copy without free pages
try library.vacuum(into: folder.appending(path: "compact.sqlite").path)
// snippet.end
print(try backup.read { db in try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM book") } ?? 0)  // 3

// snippet.attach
try library.writeWithoutTransaction { db in
  try db.execute(
    sql: "ATTACH DATABASE ? AS archive",
    arguments: [folder.appending(path: "compact.sqlite").path])
  print(try Table("archive.book").fetchCount(db))  // 3
}
// snippet.end

try library.close()
try FileManager.default.removeItem(at: folder)
