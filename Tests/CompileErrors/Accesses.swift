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
