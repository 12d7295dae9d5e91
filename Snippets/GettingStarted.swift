// A table, a record, and what can be done with them.

import Foundation
import Quarry

// snippet.record
struct Place: Codable, FetchableRecord, MutablePersistableRecord {
  var id: Int64?
  var name: String
  var isFavorite: Bool
  var visited: Date?

  enum Columns {
    static let id = Column(CodingKeys.id)
    static let name = Column(CodingKeys.name)
    static let isFavorite = Column(CodingKeys.isFavorite)
    static let visited = Column(CodingKeys.visited)
  }

  mutating func didInsert(_ inserted: InsertionSuccess) {
    id = inserted.rowID
  }
}
// snippet.end

// snippet.table
let queue = try DatabaseQueue()

try queue.write { db in
  try db.create(table: "place") { t in
    t.autoIncrementedPrimaryKey("id")
    t.column("name", .text).notNull()
    t.column("isFavorite", .boolean).notNull().defaults(to: false)
    t.column("visited", .datetime)
  }
}
// snippet.end

try queue.write { db in db.trace { print($0, $0.expandedDescription, separator: "\n") } }

// snippet.write
// A write is one transaction: all of it or nothing.
try queue.write { db in
  var lisbon = Place(name: "Lisbon", isFavorite: true)
  try lisbon.insert(db)
  lisbon.visited = Date()
  try lisbon.update(db)

  var turku = Place(name: "Turku", isFavorite: false)
  try turku.insert(db)
}
// snippet.end

// snippet.read
try queue.read { db in
  // SELECT * FROM "place" WHERE "isFavorite" = 1 ORDER BY "name"
  let favorites = try Place.filter { $0.isFavorite == true }.order { $0.name }.fetchAll(db)
  print(favorites.map(\.name))

  // SELECT COUNT(*) FROM "place" WHERE "visited" IS NULL
  print(try Place.filter { $0.visited == nil }.fetchCount(db))

  // SELECT * FROM "place" WHERE "id" = 1
  print(try Place.find(db, key: 1).name)  // Lisbon

  // SQL, where it says it better.
  let names = try String.fetchAll(
    db, sql: "SELECT UPPER(name) FROM place WHERE name LIKE ?", arguments: ["T%"])
  print(names)
}
// snippet.end
