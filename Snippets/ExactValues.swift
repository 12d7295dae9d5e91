// Exact conversions, exact dates, durations, integers of 128 bits, and bytes.

import Foundation
import Quarry
import QuarryValues

// snippet.dates
// At the start of the program.
try Date.storeExactDates()
// snippet.end

// snippet.conversions
var configuration = Configuration()
configuration.conversions = .exact
// snippet.end
configuration.prepareDatabase { db in db.trace { print($0.expandedDescription) } }
let queue = try DatabaseQueue(configuration: configuration)

// snippet.refused
try queue.read { db in
  do {
    _ = try Int.fetchAll(db, sql: "SELECT '120' AS price")
  } catch {
    // could not decode Int from database value "120"
    // `Configuration.conversions` is `.exact`: TEXT "120" is no stored form of Int; …
    print(error)
  }
}
// snippet.end

try queue.write { db in
  try db.create(table: "event") { t in
    t.primaryKey("id", .integer)
    t.column("date", .datetime).notNull()
  }
}

// snippet.event
struct Event: Codable, FetchableRecord, PersistableRecord {
  var id: Int64
  var date: Date

  enum Columns {
    static let date = Column(CodingKeys.date)
  }
}

// INSERT INTO "event" ("id", "date") VALUES (1,'2024-03-01 12:30:00.1234567')
let event = Event(
  id: 1, date: Date(timeIntervalSinceReferenceDate: 730_989_000.1234567))
try queue.write { db in try event.insert(db) }
try queue.read { db in
  // SELECT * FROM "event" WHERE "date" = '2024-03-01 12:30:00.1234567' LIMIT 1
  let found = try Event.filter { $0.date == event.date }.fetchOne(db)
  print(found?.date == event.date)  // true
}
// snippet.end

// snippet.track
struct Track: Codable, FetchableRecord, PersistableRecord {
  var id: Int64
  var length: Duration  // an integer number of nanoseconds
  var plays: UInt128  // a blob of 16 bytes
  @Bytes var fingerprint: [UInt8]  // a blob

  enum Columns {
    static let length = Column(CodingKeys.length)
    static let plays = Column(CodingKeys.plays)
  }
}

try queue.write { db in
  try db.create(table: "track", options: .strict) { t in
    t.primaryKey("id", .integer)
    t.column("length", .integer).notNull()
    t.column("plays", .blob).notNull()
    t.column("fingerprint", .blob).notNull()
  }
  // INSERT INTO "track" … VALUES (1,180000000000,x'0000000000000000000000000000002a',x'010203')
  try Track(id: 1, length: .seconds(180), plays: 42, fingerprint: [1, 2, 3]).insert(db)
}
try queue.read { db in
  // SELECT * FROM "track" WHERE ("length" >= 60000000000)
  // AND ("plays" > x'00000000000000000000000000000029')
  let long = Track.filter { $0.length >= Duration.seconds(60) && $0.plays > UInt128(41) }
  print(try long.fetchAll(db).count)  // 1
  let total = try Duration.fetchOne(db, sql: "SELECT SUM(length) FROM track")
  print(total ?? .zero)  // 180.0 seconds
}
// snippet.end

// snippet.part
let part = Duration.seconds(10) / 3  // 3333333333333333333 attoseconds
do {
  try queue.write { db in
    try db.execute(sql: "UPDATE track SET length = ?", arguments: [part])
  }
} catch {
  print(error)  // … could not store the duration 3.33… it has a part of a nanosecond. …
}
try queue.write { db in
  // UPDATE track SET length = 3333333333
  try db.execute(
    sql: "UPDATE track SET length = ?", arguments: [part.roundedToNanoseconds()])
}
// snippet.end

try queue.write { db in
  try db.execute(sql: "CREATE TABLE film (id INTEGER PRIMARY KEY, length)")
  try db.execute(sql: "INSERT INTO film VALUES (1, '[9,13979303336614035456]')")
}

// snippet.migration
struct Film: Codable, FetchableRecord, PersistableRecord {
  var id: Int64
  var length: Duration
}

// On a connection with `.lossless` conversions.
var migrator = DatabaseMigrator()
migrator.registerMigration("durations are integers") { db in
  // UPDATE "film" SET "length"=180000000000 WHERE "id"=1
  for film in try Film.fetchAll(db, sql: "SELECT * FROM film WHERE typeof(length) = 'text'") {
    try film.update(db)
  }
}
// snippet.end
configuration.conversions = .lossless
let file = NSTemporaryDirectory() + "film-\(UUID().uuidString).sqlite"
defer { try? FileManager.default.removeItem(atPath: file) }
let films = try DatabaseQueue(path: file, configuration: configuration)
try queue.backup(to: films)
try migrator.migrate(films)
