// A library that shows its books while others lend them.

import Dispatch
import Foundation
import Quarry
import QuarryChanges

struct Book: Codable, Equatable, Identifiable, Sendable, FetchableRecord, PersistableRecord {
  var id: Int64
  var title: String
}

let library = try DatabasePool.temporary()
try library.write { db in
  try db.create(table: "book") { t in
    t.primaryKey("id", .integer)
    t.column("title", .text).notNull()
  }
}

// snippet.start
let observation = ValueObservation.tracking { db in
  try Book.order(Column("title")).fetchAll(db)
}

let cancellable = observation.start(in: library, scheduling: .task) { error in
  print("Can't observe the books: \(error)")
} onChange: { books in
  // [] at first, and ["The Trial"] later.
  print(books.map(\.title))
}
// snippet.end

// snippet.sequence
let reader = Task {
  for try await books in observation.values(in: library) {
    if !books.isEmpty { return books }
  }
  return []
}
// snippet.end

// snippet.regions
// Nobody waits for these fetches: they run beside the writes that come next.
let titles = ValueObservation.tracking(region: Book.select(Column("title"))) { db in
  try String.fetchAll(db, sql: "SELECT title FROM book ORDER BY title")
}
// snippet.end

// snippet.operators
let shown =
  titles
  .removeDuplicates()
  .map { titles in titles.joined(separator: ", ") }
  .throttle(for: .milliseconds(100))
// snippet.end

// snippet.differences
let changes = observation.differences().start(in: library, scheduling: .task) { error in
  print(error)
} onChange: { change in
  for case .insert(let offset, let book, _) in change.difference {
    print("\(book.title) is number \(offset)")
  }
}
// snippet.end

// snippet.shared
let shared = observation.shared(in: library, scheduling: .task)
let list = shared.start(onError: { _ in }, onChange: { books in print("a list", books.count) })
let badge = shared.start(onError: { _ in }, onChange: { books in print("a badge", books.count) })
// snippet.end

// snippet.others
let polling = library.notifyChangesOfOtherConnections(every: .seconds(1)) { error in
  print("Can't look for changes: \(error)")
}
// snippet.end

try library.write { db in try Book(id: 1, title: "The Trial").insert(db) }
print(try await reader.value)
for started in [cancellable, changes, list, badge, polling] { started.cancel() }
