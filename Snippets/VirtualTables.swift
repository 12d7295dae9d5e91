// Virtual tables: Swift values and files that SQL reads as tables.

import Foundation
import Quarry
import QuarryTables

let library = try DatabaseQueue()
try library.write { db in db.trace { print($0, $0.expandedDescription, separator: "\n") } }

// snippet.collection
struct Loan: Sendable {
  var isbn: String
  var member: String
  var days: Int
}

let loans = [
  Loan(isbn: "111", member: "Ann", days: 7), Loan(isbn: "222", member: "Bob", days: 30),
]

try library.write { db in
  try db.register(table: "loan", rows: loans) { t in
    t.column("isbn", isIndexed: true, \.isbn)
    t.column("member", \.member)
    t.column("days", \.days)
  }
}
// snippet.end

try library.write { db in
  try db.execute(
    sql: "CREATE TABLE book (isbn TEXT, title TEXT); INSERT INTO book VALUES ('222', 'Emma')")
}

// snippet.query
let overdue = try library.read { db in
  // SELECT "member" FROM "loan" WHERE "days" > 14
  try Table("loan").filter(Column("days") > 14)
    .select(Column("member"), as: String.self).fetchAll(db)
}
let titles = try library.read { db in
  try Row.fetchAll(db, sql: "SELECT member, title FROM loan JOIN book USING (isbn)")
}
// snippet.end
print(overdue, titles)

// snippet.function
try library.write { db in
  try db.register(table: "words", parameters: ["text"]) { arguments in
    (String.fromDatabaseValue(arguments[0]) ?? "").split(separator: " ")
  } columns: { t in
    t.column("word") { String($0) }
  }
}
let words = try library.read { db in
  try String.fetchAll(db, sql: "SELECT word FROM words('The Trial')")  // The, Trial
}
// snippet.end
print(words)

// snippet.table
/// The days of a year: a scan only visits those that a condition on the day allows.
struct Days: VirtualTable {
  let columns = [VirtualTableColumn("day", .integer), VirtualTableColumn("weekday", .text)]

  func plan(_ query: inout VirtualTableQuery) {
    query.estimatedRowCount = 365
    for constraint in query.constraints
    where constraint.column == 0 && constraint.operator == .equal {
      query.use(constraint)
      query.estimatedRowCount = 1
    }
  }

  func makeCursor(_ db: Database, for scan: VirtualTableScan) -> Cursor {
    Cursor(
      days: (1...365).filter { day in
        scan.conditions.allSatisfy { $0.mayHold(for: day.databaseValue) }
      })
  }

  struct Cursor: VirtualTableCursor {
    let days: [Int]
    var index = -1

    mutating func next() -> Bool {
      index += 1
      return index < days.count
    }

    func value(at column: Int) -> (any DatabaseValueConvertible)? {
      column == 0
        ? days[index] : ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"][days[index] % 7]
    }

    var rowID: Int64 { Int64(days[index]) }
  }
}

try library.write { db in try db.register(table: "calendar", Days()) }
// snippet.end
let weekday = try library.read { db in
  try String.fetchOne(db, sql: "SELECT weekday FROM calendar WHERE day = 3")
}
print(weekday ?? "")

// snippet.csv
let file = NSTemporaryDirectory() + "sales.csv"
try Data("isbn,price\r\n222,12.5\r\n222,7\r\n".utf8).write(to: URL(fileURLWithPath: file))

let revenue = try library.write { db in
  try db.register(table: "sale", CSVTable(path: file, types: ["price": .double]))
  return try Row.fetchAll(
    db, sql: "SELECT title, SUM(price) FROM sale JOIN book USING (isbn) GROUP BY title")
}
// snippet.end
print(revenue)

// snippet.configuration
var configuration = Configuration()
configuration.prepareDatabase { db in
  try db.register(table: "generate_series", GenerateSeries())
  try CSVModule.register(on: db)
}
// snippet.end
print(
  try DatabaseQueue(configuration: configuration).read { db in
    try Int.fetchAll(db, sql: "SELECT value FROM generate_series(1, 10, 3)")
  })
