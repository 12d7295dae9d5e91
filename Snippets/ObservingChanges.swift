// A library that notices what is written to it.

import Quarry

struct Book: Codable, Identifiable, FetchableRecord, PersistableRecord {
  var id: Int64
  var title: String
  var year: Int
}

let library = try DatabaseQueue()
try library.write { db in
  try db.create(table: "book") { t in
    t.primaryKey("id", .integer)
    t.column("title", .text).notNull()
    t.column("year", .integer).notNull()
  }
}

// snippet.region
let observation = DatabaseRegionObservation(tracking: Book.filter(Column("year") < 1900))
let cancellable = observation.start(in: library) { error in
  print("Can't observe the books: \(error)")
} onChange: { db in
  print("The old books have changed")
}
// snippet.end

// snippet.observer
final class BookLog: TransactionObserver {
  private var changes: [DatabaseEvent] = []

  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool {
    eventKind.tableName == "book"
  }

  func databaseDidChange(with event: DatabaseEvent) {
    changes.append(event.copy())
  }

  func databaseDidCommit(_ db: Database) {
    for change in changes { print("\(change.kind) \(change.rowID)") }  // insert 1
    changes = []
  }

  func databaseDidRollback(_ db: Database) {
    changes = []
  }
}

let log = BookLog()
library.add(transactionObserver: log)
// snippet.end

// snippet.after
try library.write { db in
  try Book(id: 1, title: "Emma", year: 1815).insert(db)
  db.afterNextTransaction { db in
    print("Emma is there for good")
  }
}
// snippet.end

// snippet.regions
try library.read { db in
  print(try Book.filter(id: 1).databaseRegion(db))  // book(id,title,year)[1]
  print(try Book.select(Column("title")).databaseRegion(db))  // book(title)
  print(try db.makeStatement(sql: "SELECT COUNT(*) FROM book").databaseRegion)  // book(*)
}
// snippet.end

// snippet.sessions
var configuration = Configuration()
configuration.usesPreUpdateHook = false
let recorded = try DatabaseQueue(configuration: configuration)
// snippet.end
withExtendedLifetime(recorded) {}
cancellable.cancel()
