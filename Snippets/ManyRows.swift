// Many rows: import, streams, batches.

import Foundation
import Quarry

let shop = try DatabaseQueue()
try shop.write { db in db.trace { print($0) } }

struct Sale: Codable, FetchableRecord, PersistableRecord {
  var isbn: String
  var price: Double
}

try shop.write { db in
  try db.create(table: "sale") { t in
    t.column("isbn", .text).notNull()
    t.column("price", .double).notNull()
  }
}

// snippet.insert
let sales = (1...10_000).map { Sale(isbn: "978-\($0 % 500)", price: Double($0 % 40)) }

try shop.write { db in
  // INSERT INTO "sale" ("isbn", "price") VALUES (?,?),(?,?),(?,?)…
  try Sale.insert(db, contentsOf: sales)
}
// snippet.end

// snippet.import
func importFile(_ path: String, progress: (Int) -> Void) throws {
  try shop.write { db in
    var chunk: [Sale] = []
    var count = 0
    func flush() throws {
      try Sale.insert(db, contentsOf: chunk)
      count += chunk.count
      chunk.removeAll(keepingCapacity: true)
      progress(count)
    }
    for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") {
      let fields = line.split(separator: ";")
      guard fields.count == 2, let price = Double(fields[1]) else { continue }
      chunk.append(Sale(isbn: String(fields[0]), price: price))
      if chunk.count == 5_000 { try flush() }
    }
    try flush()
  }
}
// snippet.end
let file = NSTemporaryDirectory() + "sales-\(UUID()).txt"
try "978-1;12\n978-2;9.5\nbroken\n".write(toFile: file, atomically: true, encoding: .utf8)
try importFile(file) { print($0, "lines") }  // 2 lines
try FileManager.default.removeItem(atPath: file)

// snippet.stream
try shop.read { db in
  // One record at a time in memory
  let sales = try Sale.fetchCursor(db, sql: "SELECT * FROM sale")
  var total = 0.0
  while let sale = try sales.next() { total += sale.price }
  print(total)  // 195021.5
}
// snippet.end

// snippet.sets
try shop.read { db in
  let prices = try Set(Sale.select(Column("price"), as: Double.self).fetchCursor(db))
  let byISBN = try Dictionary(grouping: Sale.fetchCursor(db), by: \.isbn)
  print(prices.count, byISBN.count)  // 41 500
}
// snippet.end

// snippet.batch
try shop.write { db in
  // One statement each, however many rows
  let raised = try Sale.filter(Column("price") < 1).updateAll(db, Column("price").set(to: 1))
  let deleted = try Sale.filter(Column("isbn") == "978-7").deleteAll(db)
  print(raised, deleted)  // 250 20
}
// snippet.end
