// Databases that become equal again after each was changed.

import Foundation
import Quarry
import QuarryChanges

struct Book: Codable, FetchableRecord, PersistableRecord {
  var id: String
  var title: String
  var price: Double
}

func makeShop() throws -> DatabaseQueue {
  let shop = try DatabaseQueue()
  try shop.write { db in
    try db.create(table: "book") { t in
      t.primaryKey("id", .text)
      t.column("title", .text).notNull()
      t.column("price", .double).notNull()
    }
  }
  return shop
}

let (shop, branch) = (try makeShop(), try makeShop())

// snippet.open
let shopLog = try ChangeLog(shop, tables: ["book"], identity: "shop")
let branchLog = try ChangeLog(branch, tables: ["book"], identity: "branch")
try shop.write { db in try Book(id: "e", title: "Emma", price: 9).insert(db) }
try branch.write { db in try Book(id: "p", title: "Persuasion", price: 8).insert(db) }
// snippet.end

// snippet.exchange
func send(from log: ChangeLog, to other: ChangeLog) throws {
  let (sender, receiver) = (try log.identity, try other.identity)
  while true {
    let batch = try log.changes(after: other.cursor(of: sender), for: receiver, limit: 100)
    try other.receive(batch)
    try log.acknowledge(batch.position, by: receiver)
    if batch.isLast { return }
  }
}

try send(from: shopLog, to: branchLog)
try send(from: branchLog, to: shopLog)
let titles = try shop.read { db in
  try String.fetchAll(db, sql: "SELECT title FROM book ORDER BY title")
}
print(titles)  // ["Emma", "Persuasion"]
// snippet.end
let branchTitles = try branch.read { db in
  try String.fetchAll(db, sql: "SELECT title FROM book ORDER BY title")
}
precondition(branchTitles == titles)

// snippet.compact
try shopLog.compact()
// snippet.end

// snippet.policy
let policy = ConflictPolicy { conflict in
  // One that was not deleted by all stays, at the lowest price.
  let books = try conflict.versions.compactMap { version in try version.row.map(Book.init(row:)) }
  guard var book = books.last else { return nil }
  book.price = books.map(\.price).min() ?? book.price
  return try Row(book.databaseDictionary)
}
// snippet.end
shopLog.stop()
branchLog.stop()
let logs = try [shop, branch].map { try ChangeLog($0, tables: ["book"], policy: policy) }
try shop.write { db in
  try db.execute(sql: "UPDATE book SET price = 5, title = 'Emma I' WHERE id = 'e'")
}
try branch.write { db in
  try db.execute(sql: "UPDATE book SET price = 7, title = 'Emma II' WHERE id = 'e'")
}
try send(from: logs[0], to: logs[1])
try send(from: logs[1], to: logs[0])
for database in [shop, branch] {
  let book = try database.read { db in try Book.fetchOne(db, key: "e") }
  precondition(book?.price == 5 && book?.title == "Emma II")
}
