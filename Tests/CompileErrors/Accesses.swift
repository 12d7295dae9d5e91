import Quarry

func withoutTry(_ db: Database) {
  _ = Book.fetchAll(db)  // error: call can throw, but it is not marked with 'try'
}

func withoutAwait(_ queue: DatabaseQueue) async throws {
  try queue.write { db in try Book.deleteAll(db) }  // error: is not marked with 'await'
}

func capturedVariable(_ queue: DatabaseQueue) async throws {
  var count = 0
  try await queue.write { db in
    count += try Book.fetchCount(db)  // error: mutation of captured var 'count'
  }
  print(count)
}

final class Counter {
  var count = 0
}

func capturedObject(_ queue: DatabaseQueue) async throws {
  let counter = Counter()
  try await queue.write { _ in counter.count += 1 }  // error: non-Sendable type 'Counter'
}

func escapingCursor(_ queue: DatabaseQueue) async throws {
  let books = try await queue.read { db in  // error: does not conform to the 'Sendable' protocol
    try Book.fetchCursor(db)
  }
  print(books)
}

func insertedValue(_ db: Database) throws {
  try Book(title: "Emma", year: 1815).insert(db)  // error: cannot use mutating member
  print(try Book(title: "Emma", year: 1815).inserted(db))
}

func capturedRecord(_ queue: DatabaseQueue) async throws {
  var book = Book(title: "Emma", year: 1815)
  try await queue.write { db in
    try book.insert(db)  // error: mutation of captured var 'book'
  }
  // The way out: the closure returns the record.
  book = try await queue.write { [book] db in try book.inserted(db) }
  print(book)
}

func escapingRows(_ queue: DatabaseQueue) async throws {
  let rows = try await queue.read { db in  // error: does not conform to the 'Sendable'
    try Row.fetchAll(db, sql: "SELECT title FROM book")
  }
  print(rows)
}
