import Foundation
import Quarry
import QuarryTestSupport
import Testing

/// Random observations of random transactions: started inside of them and outside, with all
/// schedulers and operators, and with fetches that fail now and then.
///
/// `QUARRY_OBSERVATION_RUNS` sets the number of runs, 100 by default, and `QUARRY_RANDOM_SEED` the
/// seed of the first one.
@Suite struct ValueModelTests {
  @Test func `values are committed states, in order, and the last one is the state`() async throws {
    let run = RandomRun("Model of value observations")
    let count = ProcessInfo.processInfo.environment["QUARRY_OBSERVATION_RUNS"].flatMap { Int($0) }
    for index in 0..<UInt64(count ?? 100) {
      let seed = run.seed &+ index
      let generator = SplitMix64(seed: seed)
      let kind = ConnectionKind.allCases[Int(seed % UInt64(ConnectionKind.allCases.count))]
      var configuration = Configuration()
      configuration.maximumReaderCount = 1 + Int(seed % 3)
      try await kind.withDatabase(configuration) { writer async throws in
        let model = try ObservationModel(writer, generator)
        try await model.run()
        #expect(model.failures == [], "QUARRY_RANDOM_SEED=\(seed), \(kind)")
      }
    }
  }
}

/// A database that is written at random, the states that it had, and those who observe it.
private final class ObservationModel {
  private let writer: any DatabaseWriter
  private var random: SplitMix64
  private let requests = ModelRequest.all
  /// The values of each request after each commit.
  private var history: [[String]] = []
  private var watchers: [ModelWatcher] = []
  private var shared: [Int: SharedValueObservation<String>] = [:]
  private(set) var failures: [String] = []

  init(_ writer: any DatabaseWriter, _ random: SplitMix64) throws {
    self.writer = writer
    self.random = random
    try createTables()
    try access { _ in nil }
  }

  private var isUnique = false

  private func createTables() throws {
    isUnique = random.chance(2)
    let action = random.pick(["CASCADE", "SET NULL"])
    let trigger = """
      CREATE TRIGGER log AFTER INSERT ON p BEGIN INSERT INTO n VALUES (new.id, 'log'); END;
      """
    try writer.run(
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY, a INTEGER \(isUnique ? "UNIQUE" : ""), b);
      CREATE TABLE c (
        id INTEGER PRIMARY KEY, p INTEGER REFERENCES p(id) ON DELETE \(action), b);
      CREATE TABLE w (k INTEGER PRIMARY KEY, b) WITHOUT ROWID;
      CREATE TABLE n (a, b);
      \(random.chance(3) ? trigger : "")
      """)
  }

  func run() async throws {
    for _ in 0..<Int.random(in: 5...15, using: &random) {
      switch random.below(6) {
      case 0, 1: await startObservation()
      case 2: cancelObservation()
      default: break
      }
      try writeSomething()
    }
    try await end()
  }

  private func end() async throws {
    for watcher in watchers where !watcher.isCancelled {
      let last = history[history.count - 1][watcher.request]
      do {
        try await watcher.wait(forLast: last)
      } catch {
        failures.append("\(watcher.name): \(watcher.values.elements.last ?? "nil"), not \(last)")
      }
    }
    for watcher in watchers {
      failures += watcher.failures(in: history)
      watcher.cancel()
    }
  }
}

// Observations.
extension ObservationModel {
  private func startObservation() async {
    let watcher = makeWatcher(.random(&random))
    if watcher.options.needsMainActor {
      await MainActor.run { [writer] in watcher.startOnMainActor(in: writer) }
    } else {
      watcher.start(in: writer, &shared)
    }
  }

  /// In an access that writes.
  private func startObservationInTransaction() {
    makeWatcher(.randomInTransaction(&random)).start(in: writer, &shared)
  }

  private func makeWatcher(_ options: ModelOptions) -> ModelWatcher {
    let index = random.below(requests.count)
    let watcher = ModelWatcher(
      requests[index], at: index, startedAt: history.count - 1, number: watchers.count, options,
      seed: random.next())
    watchers.append(watcher)
    return watcher
  }

  private func cancelObservation() {
    guard !watchers.isEmpty else { return }
    random.pick(watchers).cancel()
  }
}

// Writes.
extension ObservationModel {
  /// Runs an access that returns the touched rows of `p`, or nil for all, and remembers the state
  /// afterwards.
  private func access(_ body: (Database) throws -> Set<Int>?) throws {
    try writer.accessNow { db throws -> Void in
      let counts = watchers.map(\.changeCount)
      let touched = try body(db)
      for (watcher, count) in zip(watchers, counts) where watcher.changeCount != count {
        // Without the preupdate hook, and on a cluster, any update may concern any row.
        if SQLiteFeature.preUpdateHook.isAvailable, !isOnCluster,
          let row = requests[watcher.request].row,
          touched?.contains(row) == false
        {
          failures.append("\(watcher.name): notified of \(touched ?? [])")
        }
      }
      history.append(try requests.map { try $0.fetch(db) })
    }
  }

  private func writeSomething() throws {
    switch random.below(8) {
    case 0: try access { db in try? self.execute(db) }
    case 1:
      try access { db in
        try db.execute(sql: self.definition())
        return nil
      }
    case 2: try transaction { _ in .rollback }
    case 3:
      try access { db in
        // SQLite itself rolls back.
        try? db.inTransaction {
          try db.execute(sql: "INSERT INTO p (id) VALUES (1), (2)")
          try db.execute(sql: "INSERT OR ROLLBACK INTO p (id) VALUES (1)")
          return .commit
        }
        return nil
      }
    default: try transaction { _ in .commit }
    }
  }

  private func definition() -> String {
    switch random.below(4) {
    case 0: "CREATE TABLE IF NOT EXISTS other (a); DROP TABLE other"
    case 1: "CREATE INDEX IF NOT EXISTS i ON p (b)"
    case 2: "DROP INDEX IF EXISTS i"
    default: "BEGIN; DROP TABLE n; CREATE TABLE n (a, b); INSERT INTO n VALUES (1, 'new'); COMMIT"
    }
  }

  private func transaction(
    _ completion: (Database) -> Database.TransactionCompletion
  ) throws {
    try access { db in
      var touched: Set<Int>? = []
      try db.inTransaction {
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          let more = self.random.chance(3) ? try self.savepoint(db) : try? self.execute(db)
          touched = touched.flatMap { touched in more.map { touched.union($0) } }
          if self.random.chance(8) { self.startObservationInTransaction() }
        }
        return completion(db)
      }
      return touched
    }
  }

  private func savepoint(_ db: Database) throws -> Set<Int>? {
    var touched: Set<Int>? = []
    let completion: Database.TransactionCompletion = random.chance(2) ? .commit : .rollback
    try db.inSavepoint {
      for _ in 0..<2 {
        let more = self.random.chance(4) ? try self.savepoint(db) : try? self.execute(db)
        touched = touched.flatMap { touched in more.map { touched.union($0) } }
        if self.random.chance(12) { self.startObservationInTransaction() }
      }
      return completion
    }
    return touched
  }

  /// Executes a statement, which may fail, and returns the rows of `p` that it touches.
  private func execute(_ db: Database) throws -> Set<Int>? {
    let (x, y, value) = (random.below(5), random.below(5), random.below(4))
    let (sql, rows) = statement(x, y, value)
    try db.execute(sql: sql)
    return rows
  }

  private func statement(_ x: Int, _ y: Int, _ value: Int) -> (String, Set<Int>?) {
    switch random.below(15) {
    case 0:
      ("INSERT OR REPLACE INTO p VALUES (\(x), \(value), 'r\(y)')", isUnique ? nil : [x])
    case 1: ("UPDATE p SET b = 'u\(value)' WHERE id = \(x)", [x])
    case 2: ("UPDATE OR REPLACE p SET a = \(value) WHERE id = \(x)", isUnique ? nil : [x])
    case 3: ("UPDATE p SET id = \(y) WHERE id = \(x)", [x, y])
    case 4: ("UPDATE OR REPLACE p SET rowid = \(y) WHERE id = \(x)", [x, y])
    case 5: ("DELETE FROM p WHERE id = \(x)", [x])
    case 6: ("DELETE FROM p", nil)
    case 7: ("INSERT INTO p (id, b) VALUES (\(x), 'a'), (\(y), 'b')", [x, y])
    case 8: ("INSERT OR IGNORE INTO p (id, a) VALUES (\(x), \(value))", [x])
    case 9: ("INSERT OR REPLACE INTO c VALUES (\(x), \(y), 'r\(value)')", [])
    case 10: ("UPDATE c SET b = 'u\(value)' WHERE p = \(x)", [])
    case 11: ("INSERT OR REPLACE INTO w VALUES (\(x), 'r\(value)')", [])
    case 12: ("DELETE FROM w", [])
    case 13: ("INSERT INTO n VALUES (\(x), 'r\(value)')", [])
    default: ("UPDATE n SET b = 'u\(value)' WHERE a = \(x)", [])
    }
  }
}

/// A request that is observed: its value is a text.
struct ModelRequest: Sendable {
  let name: String
  let regions: [any DatabaseRegionConvertible]
  /// Whether it always reads the same.
  var isConstant = true
  /// The only row of `p` that it reads.
  var row: Int?
  let fetch: @Sendable (Database) throws -> String

  static let all: [ModelRequest] = [
    query("SELECT id, a, b FROM p ORDER BY id", [Table("p")]),
    query("SELECT b FROM p ORDER BY id", [SQLRequest<Row>(sql: "SELECT id, b FROM p")]),
    query("SELECT COUNT(*) FROM c", [Table("c")]),
    query("SELECT k, b FROM w ORDER BY k", [Table("w")]),
    query("SELECT a, b FROM n ORDER BY rowid", [Table("n")]),
    query(
      "SELECT c.id, p.b FROM c LEFT JOIN p ON p.id = c.p ORDER BY c.id", [Table("p"), Table("c")]),
    row(1), row(3),
    ModelRequest(name: "varying", regions: [.fullDatabase], isConstant: false) { db in
      let isEven = try db.count("p").isMultiple(of: 2)
      return try text(db, isEven ? "SELECT * FROM w" : "SELECT * FROM c ORDER BY id")
    },
  ]

  private static func text(_ db: Database, _ sql: String) throws -> String {
    try Row.fetchAll(db, sql: sql).map(\.description).joined()
  }

  private static func query(
    _ sql: String, _ regions: [any DatabaseRegionConvertible]
  ) -> ModelRequest {
    ModelRequest(name: sql, regions: regions) { db in try text(db, sql) }
  }

  private static func row(_ id: Int) -> ModelRequest {
    let request = Table("p").filter(Column("id") == id)
    return ModelRequest(name: "row \(id)", regions: [request], row: id) { db in
      try Row.fetchAll(db, request).map(\.description).joined()
    }
  }
}
