import Quarry
import QuarryTestSupport

/// Creates the tables of the tests of observations.
func makeShopTables(_ writer: any DatabaseWriter) throws {
  try writer.write { db in
    try db.execute(
      sql: """
        CREATE TABLE author (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT, country TEXT);
        CREATE TABLE book (
          id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT, year INTEGER, price DOUBLE,
          authorId INTEGER REFERENCES author(id) ON DELETE CASCADE);
        CREATE TABLE country (code TEXT NOT NULL PRIMARY KEY, name TEXT);
        CREATE TABLE shelf (
          room TEXT NOT NULL, num INTEGER NOT NULL, label TEXT, PRIMARY KEY (room, num)
        ) WITHOUT ROWID;
        CREATE TABLE note (text TEXT);
        """)
  }
}

extension ConnectionKind {
  /// Calls `body` with a new shop.
  func withShop<T>(
    _ configuration: Configuration = Configuration(),
    _ body: (any DatabaseWriter) async throws -> T
  ) async throws -> T {
    try await withDatabase(configuration) { writer in
      try makeShopTables(writer)
      return try await body(writer)
    }
  }

  static let queueAndPool: [ConnectionKind] = [.queue, .pool]
}

/// Opens a new shop: a pool, or a queue in memory.
func makeShop(isPool: Bool) throws -> any DatabaseWriter {
  let writer: any DatabaseWriter = isPool ? try DatabasePool.temporary() : try DatabaseQueue()
  try makeShopTables(writer)
  return writer
}

extension DatabaseReader {
  /// Reads without a transaction, and waits: also where the asynchronous method would be preferred.
  func readNow<T>(_ value: (Database) throws -> T) throws -> T { try unsafeRead(value) }
}

extension DatabaseWriter {
  /// Writes in a transaction, and waits: also where the asynchronous method would be preferred.
  func writeNow<T>(_ updates: (Database) throws -> T) throws -> T { try write(updates) }

  /// Writes without a transaction, and waits.
  func accessNow<T>(_ updates: (Database) throws -> T) throws -> T {
    try writeWithoutTransaction(updates)
  }

  /// Executes SQL in a transaction.
  func run(_ sql: String) throws {
    try write { db in try db.execute(sql: sql) }
  }
}

extension Database {
  func count(_ table: String) throws -> Int {
    try Int.fetchOne(self, sql: "SELECT COUNT(*) FROM \(table)") ?? 0
  }
}

/// The number of authors.
let authorCount = ValueObservation.tracking { db in try db.count("author") }

/// The number of authors, whose region does not change.
let constantAuthorCount = ValueObservation.trackingConstantRegion { db in try db.count("author") }

/// Something that went wrong on purpose.
struct Mishap: Error, Equatable, CustomStringConvertible {
  var description: String { "Mishap()" }
}

/// The values and the errors of an observation that is started.
final class Report<Value: Sendable>: Sendable {
  let values = ValueRecorder<Value>()
  let errors = ValueRecorder<any Error>()
}

extension ValueObservation {
  /// Starts the observation, and records what it reports.
  func record(
    in reader: any DatabaseReader, scheduling scheduler: some ValueObservationScheduler = .task,
    into report: Report<Reducer.Value>
  ) -> AnyDatabaseCancellable {
    start(
      in: reader, scheduling: scheduler, onError: { report.errors.append($0) },
      onChange: { report.values.append($0) })
  }

  /// Starts the observation, and waits until it observes commits: a pool reports the first value
  /// before that, and what is committed meanwhile shares the second one.
  func recordCommits(
    in reader: any DatabaseReader, scheduling scheduler: some ValueObservationScheduler = .task,
    into report: Report<Reducer.Value>
  ) async throws -> AnyDatabaseCancellable {
    let regions = ValueRecorder<DatabaseRegion>()
    let cancellable = handleEvents(willTrackRegion: { regions.append($0) })
      .record(in: reader, scheduling: scheduler, into: report)
    try await regions.first(1)
    return cancellable
  }

  /// The observation, whose events are written to a recorder.
  func logging(
    to log: ValueRecorder<String>, _ prefix: String = ""
  ) -> ValueObservation<ValueReducers.Trace<Reducer>> {
    print(prefix, to: RecorderStream(recorder: log))
  }
}
