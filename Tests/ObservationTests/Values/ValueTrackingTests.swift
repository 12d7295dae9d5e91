import Quarry
import QuarryTestSupport
import Testing

/// The region that an observation tracks.
@Suite struct ValueTrackingTests {
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

  /// Whether a statement notifies the observation that was started.
  private func notifies(_ sql: String, _ writer: any DatabaseWriter) throws -> Bool {
    log.takeAll()
    try writer.accessNow { db in try db.execute(sql: sql) }
    return log.elements.contains("database did change")
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `a constant region is the one of the first fetch`(kind: ConnectionKind) async throws {
    try await kind.withShop { writer async throws in
      let observation = ValueObservation.trackingConstantRegion { db in
        try db.count("note") == 0 ? 0 : try db.count("country")
      }
      let cancellable = try await start(observation, in: writer)
      #expect(log.elements.contains("tracked region: note(*)"))
      #expect(try notifies("INSERT INTO note VALUES ('a')", writer))
      #expect(try await report.values.first(2) == [0, 0])
      #expect(try !notifies("INSERT INTO country VALUES ('FR', 'France')", writer))
      cancellable.cancel()
    }
  }

  @Test(.needs(.preUpdateHook), arguments: ConnectionKind.queueAndPool)
  func `explicit regions are what is observed, and nothing else`(kind: ConnectionKind)
    async throws
  {
    try await kind.withShop { writer async throws in
      let observation = ValueObservation.tracking(
        region: SQLRequest<Row>(sql: "SELECT title FROM book"), Table("note")
      ) { db in
        try db.registerAccess(to: Table("country"))
        return try db.count("author")
      }
      let cancellable = try await start(observation, in: writer)
      #expect(log.elements.contains("tracked region: book(title),note(*)"))
      #expect(try !notifies("INSERT INTO author DEFAULT VALUES", writer))
      #expect(try !notifies("INSERT INTO country VALUES ('FR', 'France')", writer))
      #expect(try notifies("INSERT INTO book (year) VALUES (2000)", writer))
      #expect(try await report.values.first(2) == [0, 1])
      #expect(try !notifies("UPDATE book SET year = 2001", writer))
      #expect(try notifies("UPDATE book SET title = 'a'", writer))
      #expect(try notifies("INSERT INTO note VALUES ('a')", writer))
      cancellable.cancel()
    }
  }

  private struct Author: FetchableRecord, TableRecord, Sendable {
    static var databaseTableName: String { "author" }
    init(row: Row) {}
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `the tables that the closure of a request comes to read are observed`(
    kind: ConnectionKind
  ) async throws {
    try await kind.withShop { writer async throws in
      try writer.run("INSERT INTO author (id) VALUES (1), (2)")
      let request = Author.all().filterWhenConnected { db in
        if try db.count("note") == 0 { return Column("id") > 0 }
        return try Int64.fetchAll(db, sql: "SELECT authorId FROM book").contains(Column("id"))
      }
      let cancellable = try await start(ValueObservation.tracking(countOf: request), in: writer)
      try writer.run("INSERT INTO note VALUES ('those with books')")
      try await report.values.wait { $0.last == 0 }
      try writer.run("INSERT INTO book (authorId) VALUES (2)")
      try await report.values.wait { $0.last == 1 }
      #expect(log.elements.count { $0.hasPrefix("tracked region") } == 2)
      cancellable.cancel()
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `a list of regions may be empty, and the full database hears everything`(
    kind: ConnectionKind
  ) async throws {
    try await kind.withShop { writer async throws in
      let none = ValueObservation.tracking(regions: []) { db in try db.count("author") }
      let cancellable = try await start(none, in: writer)
      #expect(log.elements.contains("tracked region: empty"))
      #expect(try !notifies("INSERT INTO author DEFAULT VALUES", writer))
      log.takeAll()
      try writer.writeNow { db in try db.notifyChanges(in: .fullDatabase) }
      #expect(log.elements == [])
      cancellable.cancel()
      log.takeAll()
      let all = ValueObservation.tracking(region: .fullDatabase) { db in try db.count("author") }
      let other = try await start(all, in: writer)
      #expect(try notifies("INSERT INTO note VALUES ('a')", writer))
      other.cancel()
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `the schema is not observed`(kind: ConnectionKind) async throws {
    try await kind.withShop { writer async throws in
      let observation = ValueObservation.tracking { db in
        try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM sqlite_master") ?? 0
      }
      let cancellable = try await start(observation, in: writer)
      #expect(log.elements.contains("tracked region: empty"))
      #expect(try !notifies("CREATE TABLE other (a)", writer))
      cancellable.cancel()
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `a table that is dropped and created again is still observed`(kind: ConnectionKind)
    async throws
  {
    try await kind.withShop { writer async throws in
      let cancellable = try await start(constantAuthorCount, in: writer)
      try writer.run("DROP TABLE book; DROP TABLE author; CREATE TABLE author (name)")
      #expect(try notifies("INSERT INTO author VALUES ('a')", writer))
      try await report.values.wait { $0.last == 1 }
      cancellable.cancel()
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `rows that REPLACE removes, new keys, and tables without rowid are observed`(
    kind: ConnectionKind
  ) async throws {
    try await kind.withShop { writer async throws in
      try writer.run(
        """
        CREATE TABLE member (id INTEGER PRIMARY KEY, email TEXT UNIQUE);
        INSERT INTO member VALUES (1, 'a'), (2, 'b');
        INSERT INTO shelf VALUES ('attic', 1, 'Poetry');
        """)
      let second = Table("member").filter(Column("id") == 2)
      let members = ValueObservation.trackingConstantRegion { db in try second.fetchCount(db) }
      var cancellable = try await start(members, in: writer)
      #expect(log.elements.contains("tracked region: member(*)[2]"))
      #expect(try notifies("INSERT OR REPLACE INTO member VALUES (3, 'b')", writer))
      try await report.values.wait { $0.last == 0 }
      #expect(try notifies("UPDATE member SET id = 2 WHERE id = 1", writer))
      try await report.values.wait { $0.last == 1 }
      #expect(try notifies("UPDATE member SET rowid = 4 WHERE id = 2", writer))
      try await report.values.wait { $0.last == 0 }
      log.takeAll()
      cancellable = try await start(
        ValueObservation.tracking { db in try db.count("shelf") }, in: writer)
      #expect(try notifies("DELETE FROM shelf", writer))
      cancellable.cancel()
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `a missing row is observed, and other rows are not`(kind: ConnectionKind) async throws {
    try await kind.withShop { writer async throws in
      let observation = ValueObservation.tracking { db in
        try Table("author").filter(Column("id") == 7).fetchCount(db)
      }
      let cancellable = try await start(observation, in: writer)
      #expect(try !notifies("INSERT INTO author (id) VALUES (6)", writer))
      #expect(try notifies("INSERT INTO author (id) VALUES (7)", writer))
      #expect(try await report.values.first(2) == [0, 1])
      cancellable.cancel()
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `what matches rows is a change, even without effect, and what matches none is not`(
    kind: ConnectionKind
  ) async throws {
    try await kind.withShop { writer async throws in
      try writer.run("INSERT INTO author (id, name) VALUES (1, 'a')")
      let observation = ValueObservation.tracking { db in
        try Row.fetchAll(db, sql: "SELECT * FROM author").count
      }
      let cancellable = try await start(observation, in: writer)
      #expect(try notifies("UPDATE author SET name = name", writer))
      #expect(
        try notifies(
          "BEGIN; INSERT INTO author DEFAULT VALUES; DELETE FROM author WHERE id > 1; COMMIT",
          writer))
      #expect(try !notifies("UPDATE author SET name = 'b' WHERE id = 999", writer))
      #expect(try !notifies("INSERT OR IGNORE INTO author (id) VALUES (1)", writer))
      cancellable.cancel()
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `a statement that fails is no change`(kind: ConnectionKind) async throws {
    try await kind.withShop { writer async throws in
      let cancellable = try await start(authorCount, in: writer)
      log.takeAll()
      try writer.writeNow { db in
        _ = #expect(throws: DatabaseError.self) {
          try db.execute(sql: "INSERT INTO author (id) VALUES (1), (2), (1)")
        }
      }
      #expect(log.elements == [])
      cancellable.cancel()
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `a write in the notification of another observer is a change`(kind: ConnectionKind)
    async throws
  {
    try await kind.withShop { writer async throws in
      let cancellable = try await start(constantAuthorCount, in: writer)
      try writer.writeNow { db in
        try db.execute(sql: "INSERT INTO author DEFAULT VALUES")
        db.afterNextTransaction { db in
          try? db.execute(sql: "INSERT INTO author DEFAULT VALUES")
        }
      }
      try await report.values.wait { $0.last == 2 }
      cancellable.cancel()
    }
  }
}
