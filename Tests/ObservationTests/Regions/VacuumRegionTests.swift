import QuarryTestSupport
import Testing

@testable import Quarry

/// `VACUUM` renumbers the rows of a table without `INTEGER PRIMARY KEY`.
@Suite struct VacuumRegionTests {
  private static let setUp = """
    CREATE TABLE note (text);
    CREATE TABLE book (id INTEGER PRIMARY KEY, title);
    INSERT INTO note VALUES ('a'), ('b'), ('c');
    INSERT INTO book VALUES (1, 'A');
    DELETE FROM note WHERE text = 'a';
    """

  /// The number of notifications of each region.
  private func counts(
    _ kind: ConnectionKind, _ regions: [any DatabaseRegionConvertible],
    _ change: (Database) throws -> Void
  ) throws -> [Int] {
    let writer: any DatabaseWriter =
      kind == .pool ? try DatabasePool.temporary() : try DatabaseQueue()
    try writer.write { db in try db.execute(sql: Self.setUp) }
    let log = Log<Int>()
    let observations = regions.enumerated().map { index, region in
      DatabaseRegionObservation(tracking: [region]).start(in: writer) {
        Issue.record($0)
      } onChange: { _ in
        log.append(index)
      }
    }
    defer { for observation in observations { observation.cancel() } }
    try writer.writeWithoutTransaction { db in try change(db) }
    return regions.indices.map { index in log.elements.count { $0 == index } }
  }

  @Test(arguments: [ConnectionKind.memory, .pool], ["VACUUM", "/* now */ vacuum;", "VACUUM main"])
  func `rows with other rowids are notified`(kind: ConnectionKind, sql: String) throws {
    let regions: [any DatabaseRegionConvertible] = [
      SQLRequest<Row>(sql: "SELECT rowid FROM note"), Table("note").filter(Column.rowID == 3),
      DatabaseRegion.fullDatabase, Table("book"),
    ]
    let counts = try counts(kind, regions) { db in
      #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM note") == [2, 3])
      try db.execute(sql: sql)
      #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM note") == [1, 2])
    }
    #expect(counts == [1, 1, 1, 0])
  }

  @Test(arguments: [("text TEXT", 1), ("text INTEGER PRIMARY KEY", 0)])
  func `rows of attached tables are notified, whatever table hides them`(
    column: String, count: Int
  ) throws {
    let queue = try DatabaseQueue()
    try queue.writeWithoutTransaction { db in
      try db.execute(
        sql: """
          ATTACH ':memory:' AS att;
          CREATE TABLE note (id INTEGER PRIMARY KEY);
          CREATE TABLE att.note (\(column));
          INSERT INTO att.note VALUES (1), (2), (3);
          DELETE FROM att.note WHERE text = 1;
          """)
      let request = SQLRequest<Int>(sql: "SELECT rowid FROM att.note")
      #expect(try notifications(request, in: db, ["VACUUM att"]) == [count])
      try #expect(request.fetchAll(db) == (count == 1 ? [1, 2] : [2, 3]))
    }
  }

  @Test func `what changes no rowid is not notified`() throws {
    let counts = try counts(.memory, [Table("note"), Table("book")]) { db in
      try db.execute(sql: "ANALYZE; REINDEX; EXPLAIN VACUUM")
      try db.inTransaction {
        #expect(throws: DatabaseError.self) { try db.execute(sql: "VACUUM") }
        return .commit
      }
    }
    #expect(counts == [0, 0])
  }

  @Test func `an observed value is fetched again`() async throws {
    let queue = try DatabaseQueue()
    try await queue.write { db in try db.execute(sql: Self.setUp) }
    let report = Report<[Int]>()
    let observation = ValueObservation.tracking { db in
      try Int.fetchAll(db, sql: "SELECT rowid FROM note")
    }
    let cancellable = observation.record(in: queue, into: report)
    try await report.values.first(1)
    try await queue.vacuum()
    #expect(try await report.values.first(2) == [[2, 3], [1, 2]])
    cancellable.cancel()
  }

  @Test func `observers of transactions get nothing`() throws {
    final class Observer: TransactionObserver {
      var lines: [String] = []
      func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
      func databaseDidChange(with event: DatabaseEvent) { lines.append("change") }
      func databaseWillCommit() { lines.append("will commit") }
      func databaseDidCommit(_ db: Database) { lines.append("commit") }
      func databaseDidRollback(_ db: Database) { lines.append("rollback") }
    }
    let observer = Observer()
    let counts = try counts(.memory, [Table("note")]) { db in
      db.add(transactionObserver: observer)
      try db.execute(sql: "VACUUM")
      #expect(observer.lines == [])
      try db.execute(sql: "UPDATE book SET title = 'B'")
      #expect(observer.lines == ["change", "will commit", "commit"])
    }
    #expect(counts == [1])
  }
}
