import Dispatch
import Quarry
import QuarryTestSupport
import Testing

/// What happens to an observation when its tables, or the whole database, become others.
@Suite struct ValueSchemaTests {
  private let log = ValueRecorder<String>()
  private let report = Report<Int>()

  /// Starts an observation, and waits until it observes.
  private func start<Reducer>(
    _ observation: ValueObservation<Reducer>, in writer: any DatabaseWriter
  ) async throws -> AnyDatabaseCancellable where Reducer.Value == Int {
    let cancellable = observation.logging(to: log).record(in: writer, into: report)
    try await report.values.first(1)
    try await log.wait { $0.contains { $0.hasPrefix("tracked") } }
    return cancellable
  }

  /// Whether a call notifies the observation that was started.
  private func notifies(_ body: () throws -> Void) rethrows -> Bool {
    log.takeAll()
    try body()
    return log.elements.contains("database did change")
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `a table that gets another name is no longer observed`(kind: ConnectionKind) async throws {
    try await kind.withShop { writer async throws in
      let observation = ValueObservation.tracking(region: Table("author")) { db in
        try db.count("note")
      }
      let cancellable = try await start(observation, in: writer)
      #expect(try !notifies { try writer.run("ALTER TABLE author RENAME TO writer") })
      #expect(try !notifies { try writer.run("INSERT INTO writer DEFAULT VALUES") })
      try writer.run("ALTER TABLE country RENAME TO author")
      #expect(try notifies { try writer.run("INSERT INTO author VALUES ('FR', 'France')") })
      cancellable.cancel()
    }
  }

  /// The number of authors who are 40 years old, where authors have an age.
  @Sendable private static func countOfAge40(_ db: Database) throws -> Int {
    try Row.fetchAll(db, sql: "SELECT * FROM author").count { row in
      row.hasColumn("age") && row["age"] as Int? == 40
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `a column that is added is observed once it is fetched`(kind: ConnectionKind) async throws {
    try await kind.withShop { writer async throws in
      try writer.run("INSERT INTO author DEFAULT VALUES")
      let observation = ValueObservation.tracking(Self.countOfAge40)
      let cancellable = try await start(observation, in: writer)
      #expect(log.elements.contains("tracked region: author(country,id,name)"))
      // The table is altered: its rows may be others.
      #expect(try notifies { try writer.run("ALTER TABLE author ADD COLUMN age INTEGER") })
      #expect(log.elements.contains("tracked region: author(age,country,id,name)"))
      #expect(try notifies { try writer.run("UPDATE author SET age = 40") })
      try await report.values.wait { $0.last == 1 }
      cancellable.cancel()
    }
  }

  private struct Author: FetchableRecord, TableRecord, Sendable {
    static var databaseTableName: String { "author" }
    let age: Int?
    init(row: Row) { age = row["age"] }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `a column that is added is observed where a request is`(kind: ConnectionKind) async throws {
    try await kind.withShop { writer async throws in
      try writer.run("INSERT INTO author (id) VALUES (1)")
      let (all, one) = (Report<[Author]>(), Report<Author?>())
      let cancellable = try await ValueObservation.tracking(all: Author.all())
        .recordCommits(in: writer, into: all)
      let other = try await ValueObservation.tracking(one: Author.filter(key: 1))
        .recordCommits(in: writer, into: one)
      try writer.run("ALTER TABLE author ADD COLUMN age INTEGER")
      for age in [40, 41] {
        try writer.run("UPDATE author SET age = \(age)")
        try await all.values.wait { $0.last?.map(\.age) == [age] }
        try await one.values.wait { $0.last??.age == age }
      }
      cancellable.cancel()
      other.cancel()
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `a column that another connection has added before the start is observed`(
    kind: ConnectionKind
  ) async throws {
    try await kind.withShop { writer async throws in
      try writer.run("INSERT INTO author (id) VALUES (1)")
      _ = try writer.writeNow { db in try Author.all().databaseRegion(db) }
      try DatabaseQueue(path: writer.path).run("ALTER TABLE author ADD COLUMN age INTEGER")
      let all = Report<[Author]>()
      let cancellable = try await ValueObservation.tracking(all: Author.all())
        .recordCommits(in: writer, into: all)
      try writer.run("UPDATE author SET age = 40")
      try await all.values.wait { $0.last?.map(\.age) == [40] }
      cancellable.cancel()
    }
  }

  @Test func `values are fetched while a new region waits for the writer`() async throws {
    try await ConnectionKind.pool.withShop { writer async throws in
      try writer.run("INSERT INTO author (id) VALUES (1)")
      let isFetched = DispatchSemaphore(value: 0)
      let observation = ValueObservation.tracking(all: Author.all()).map { authors -> Int in
        isFetched.signal()
        return authors.first?.age ?? 0
      }
      let cancellable = try await observation.recordCommits(in: writer, into: report)
      try writer.accessNow { db throws in
        #expect(isFetched.wait(timeout: .now() + 60) == .success)
        for sql in [
          "ALTER TABLE author ADD COLUMN age INTEGER", "UPDATE author SET name = 'Ann'",
          "UPDATE author SET name = 'Bob'",
        ] {
          try db.execute(sql: sql)
          #expect(isFetched.wait(timeout: .now() + 60) == .success)
        }
        try db.execute(sql: "UPDATE author SET age = 40")
      }
      // The region of the former columns was observed until now.
      try await report.values.wait { $0.last == 40 }
      try writer.run("UPDATE author SET age = 41")
      try await report.values.wait { $0.last == 41 }
      cancellable.cancel()
    }
  }

  @Test(.needs(.preUpdateHook), arguments: ConnectionKind.queueAndPool)
  func `a column that is added is not observed by a constant region`(kind: ConnectionKind)
    async throws
  {
    try await kind.withShop { writer async throws in
      try writer.run("INSERT INTO author DEFAULT VALUES")
      let columns = SQLRequest<Row>(sql: "SELECT id, name, country FROM author")
      let observation = ValueObservation.tracking(region: columns, fetch: Self.countOfAge40)
      let cancellable = try await start(observation, in: writer)
      try writer.run("ALTER TABLE author ADD COLUMN age INTEGER")
      #expect(try !notifies { try writer.run("UPDATE author SET age = 40") })
      #expect(try notifies { try writer.run("UPDATE author SET name = 'Ann'") })
      try await report.values.wait { $0.last == 1 }
      cancellable.cancel()
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `an index, a view and a trigger are no changes`(kind: ConnectionKind) async throws {
    try await kind.withShop { writer async throws in
      let cancellable = try await start(authorCount, in: writer)
      #expect(
        try !notifies {
          try writer.run(
            """
            CREATE INDEX names ON author (name);
            CREATE VIEW v AS SELECT name FROM author;
            CREATE TRIGGER t AFTER INSERT ON author BEGIN SELECT 1; END;
            DROP TRIGGER t; DROP VIEW v; DROP INDEX names;
            """)
        })
      cancellable.cancel()
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `an erasure is not seen, but what is written afterwards is`(kind: ConnectionKind)
    async throws
  {
    try await kind.withShop { writer async throws in
      try writer.run("INSERT INTO author DEFAULT VALUES")
      let cancellable = try await start(constantAuthorCount, in: writer)
      #expect(try !notifies { try Self.erase(writer) })
      try makeShopTables(writer)
      #expect(report.values.elements == [1])
      #expect(
        try notifies { try writer.run("INSERT INTO author (name) VALUES ('a'), ('b')") })
      #expect(try await report.values.first(2) == [1, 2])
      cancellable.cancel()
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `a backup into the database is not seen before a notification`(kind: ConnectionKind)
    async throws
  {
    try await kind.withShop { writer async throws in
      let other = try makeShop(isPool: false)
      try other.run("INSERT INTO author (name) VALUES ('a'), ('b')")
      let cancellable = try await start(constantAuthorCount, in: writer)
      #expect(try !notifies { try Self.backUp(other, to: writer) })
      #expect(
        try notifies {
          try writer.writeNow { db in try db.notifyChanges(in: Table("author")) }
        })
      #expect(try await report.values.first(2) == [0, 2])
      cancellable.cancel()
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `a vacuum is no change`(kind: ConnectionKind) async throws {
    try await kind.withShop { writer async throws in
      try writer.run("INSERT INTO author (name) VALUES ('a'), ('b'); DELETE FROM author")
      let cancellable = try await start(authorCount, in: writer)
      #expect(try !notifies { try Self.vacuum(writer) })
      #expect(try notifies { try writer.run("INSERT INTO author DEFAULT VALUES") })
      #expect(try await report.values.first(2) == [0, 1])
      cancellable.cancel()
    }
  }

  // Where a function may be suspended, Swift prefers the methods that suspend.
  private static func erase(_ writer: any DatabaseWriter) throws { try writer.erase() }
  private static func vacuum(_ writer: any DatabaseWriter) throws { try writer.vacuum() }
  private static func backUp(_ source: any DatabaseWriter, to writer: any DatabaseWriter) throws {
    try source.backup(to: writer)
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `the rows that go with a dropped table are observed, statistics are not`(
    kind: ConnectionKind
  ) async throws {
    try await kind.withShop { writer async throws in
      try writer.run(
        """
        CREATE INDEX byYear ON book (year);
        INSERT INTO author (id) VALUES (1);
        INSERT INTO book (id, year, authorId) VALUES (10, 2000, 1), (11, 2001, NULL);
        """)
      let observation = ValueObservation.trackingConstantRegion { db in try db.count("book") }
      let cancellable = try await start(observation, in: writer)
      #expect(try !notifies { try writer.run("ANALYZE") })
      #expect(try notifies { try writer.run("DROP TABLE author") })
      try await report.values.wait { $0.last == 1 }
      cancellable.cancel()
    }
  }
}
