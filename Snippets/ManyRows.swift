// Many rows: import, streams, batches.

import Foundation
import Quarry
import QuarryAccess

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

// snippet.lines
/// Calls a function with each line of a file, which is read in parts.
func forEachLine(ofFile path: String, _ body: (String) throws -> Void) throws {
  let file = try FileHandle(forReadingFrom: URL(filePath: path))
  defer { try? file.close() }
  var rest = Data()
  while let part = try file.read(upToCount: 65_536), !part.isEmpty {
    rest.append(part)
    var lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    rest = Data(lines.removeLast())
    for line in lines { try body(String(decoding: line, as: UTF8.self)) }
  }
  if !rest.isEmpty { try body(String(decoding: rest, as: UTF8.self)) }
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
    try forEachLine(ofFile: path) { line in
      let fields = line.split(separator: ";")
      guard fields.count == 2, let price = Double(fields[1]) else { return }
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
let long = (1...20_000).map { "978-\($0);1" }.joined(separator: "\n")
try long.write(toFile: file, atomically: true, encoding: .utf8)
var lineCount = 0
try forEachLine(ofFile: file) { line in lineCount += line.hasSuffix(";1") ? 1 : 0 }
print("read", lineCount)  // read 20000
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

func report(_ count: Int) async throws { print(count) }

// snippet.batches
let batches = shop.batches(of: 4_000) { db in
  try Sale.filter(Column("price") > 20).fetchCursor(db)
}
for try await sales in batches {
  try await report(sales.count)  // 4000, 750
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
