// A library whose books are read while they are lent.

import Dispatch
import Quarry
import QuarryAccess

// snippet.open
var configuration = Configuration()
configuration.maximumReaderCount = 4  // 5 by default
configuration.busyMode = .timeout(5)  // for writes of other processes

let library = try DatabasePool(path: "library.sqlite", configuration: configuration)

try library.write { db in
  try db.create(table: "loan", ifNotExists: true) { t in
    t.autoIncrementedPrimaryKey("id")
    t.column("title", .text).notNull()
  }
}
// snippet.end

// snippet.access
func lend(_ title: String) async throws -> Int {
  // A transaction: all of it is committed, or nothing.
  try await library.write { db in
    try db.execute(sql: "INSERT INTO loan (title) VALUES (?)", arguments: [title])
    return try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM loan") ?? 0
  }
}

func loans() async throws -> [String] {
  // One state of the database, whatever is written meanwhile. It waits for no write.
  try await library.read { db in
    try String.fetchAll(db, sql: "SELECT title FROM loan ORDER BY id")
  }
}
// snippet.end

// snippet.concurrent
try library.writeWithoutTransaction { db in
  try db.inTransaction {
    try db.execute(sql: "DELETE FROM loan")
    return .commit
  }
  // Returns when the read has its state: no loan.
  library.spawnConcurrentRead { result in
    let count = try? Int.fetchOne(result.get(), sql: "SELECT COUNT(*) FROM loan")
    print("loans:", count ?? 0)
  }
  try db.execute(sql: "INSERT INTO loan (title) VALUES ('The Trial')")
}
// snippet.end

// snippet.snapshot
let evening = try library.makeSnapshot()
_ = try await lend("Invisible Cities")
let before = try evening.read { db in
  try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM loan")  // without the new loan
}
// snippet.end

// snippet.warm
try library.openReaders(2)
// snippet.end

// snippet.deadline
do {
  let titles = try library.read(deadline: .now + .seconds(2)) { db in
    try String.fetchAll(db, sql: "SELECT title FROM loan")
  }
  print(titles.count)
} catch let error as DatabaseError where error.accessLimit == .deadline {
  // The error names the statement that was running.
  print("The library is busy: \(error)")
}
// snippet.end

// snippet.retry
try library.write(retry: .whenLocked, deadline: .now + .seconds(10)) { db in
  try db.execute(sql: "DELETE FROM loan WHERE title = 'The Trial'")
}
// snippet.end

print(try await loans(), before ?? 0)
try library.erase()
try library.close()

// snippet.tests
let pool = try DatabasePool.temporary()  // the file goes with the pool
// snippet.end
