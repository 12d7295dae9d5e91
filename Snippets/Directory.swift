// One database for each tenant, and a read-only copy of a database.

import Foundation
import Quarry
import QuarryDirectory

struct Invoice: Codable, FetchableRecord, MutablePersistableRecord {
  var id: Int64?
  var amount: Int

  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

let folder = NSTemporaryDirectory() + "/quarry-tenants-\(UUID().uuidString)"
try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)

// snippet.open
var migrator = DatabaseMigrator()
migrator.registerMigration("invoice") { db in
  try db.create(table: "invoice") { t in
    t.autoIncrementedPrimaryKey("id")
    t.column("amount", .integer).notNull()
  }
}
var options = DirectoryOptions()
options.limit = 200
options.idleDuration = .seconds(60)
let directory = try DatabaseDirectory(path: folder, options: options, migrator: migrator) {
  _, path in
  try DatabasePool(path: path)
}
// snippet.end

// snippet.access
try directory.create("acme")
try directory.create("Umbrella Ltd.")
try directory.write("acme") { db in
  var invoice = Invoice(amount: 120)
  try invoice.insert(db)
}
let amounts = try directory.read("acme") { db in
  try Invoice.fetchAll(db).map(\.amount)
}
print(amounts)  // [120]
print(try directory.keys())  // ["Umbrella Ltd.", "acme"]
print(try directory.path(for: "../Acme").hasSuffix("/%2e.%2f%41cme.sqlite"))  // true
// snippet.end

// snippet.tasks
func total(_ key: String) async throws -> Int {
  try await directory.read(key) { db in
    try Invoice.fetchAll(db).map(\.amount).reduce(0, +)
  }
}
// snippet.end
let acmeTotal = try await total("acme")
precondition(acmeTotal == 120)

// snippet.errors
do {
  _ = try directory.write("acmee") { db in try Invoice.deleteAll(db) }
} catch let error as DirectoryError where error.code == .missing {
  print(error.key ?? "")  // acmee
}
// snippet.end

// snippet.lease
let lease = try directory.lease("acme")
let observation = ValueObservation.tracking { db in try Invoice.fetchCount(db) }
for try await count in observation.values(in: lease.database) {
  print("invoices: \(count)")
  if count == 1 { break }
}
lease.release()
// snippet.end

migrator.registerMigration("due date") { db in
  try db.alter(table: "invoice") { t in
    t.add(column: "due", .date)
  }
}

// snippet.migrate
do {
  try directory.migrate(with: migrator, concurrency: 4) { progress in
    print("\(progress.completedCount) of \(progress.count)")
  }
} catch let error as DirectoryError where error.code == .migration {
  for (key, error) in error.failures { print(key, error) }
}
// snippet.end

// snippet.remove
try directory.remove("Umbrella Ltd.")
try directory.close()
// snippet.end
precondition(directory.openKeys.isEmpty)

// snippet.follower
func openFollower(_ path: String) throws -> DatabaseQueue {
  var configuration = Configuration()
  configuration.readonly = true
  configuration.busyMode = .timeout(5)
  let follower = try DatabaseQueue(path: path, configuration: configuration)
  let mode = try follower.read { db in try String.fetchOne(db, sql: "PRAGMA journal_mode") }
  guard mode != "wal" else {
    try follower.close()
    throw DatabaseError(
      resultCode: .SQLITE_BUSY,
      message: "litestream has not applied any transaction to \(path) yet: try again later")
  }
  return follower
}
// snippet.end
let copy = try DatabaseQueue(path: folder + "/copy")
try migrator.migrate(copy)
let follower = try openFollower(copy.path)
let copiedCount = try follower.read { db in try Invoice.fetchCount(db) }
precondition(copiedCount == 0)
try follower.close()
let acmePath = try directory.path(for: "acme")
do {
  _ = try openFollower(acmePath)
  preconditionFailure("a file in WAL mode")
} catch DatabaseError.SQLITE_BUSY {}
try FileManager.default.removeItem(atPath: folder)
