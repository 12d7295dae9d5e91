import QuarryTestSupport
import Testing

@testable import Quarry

/// Regions of tables and columns whose names are equal in Swift.
struct EquivalentNameRegionTests {
  private static let names = [Acute.composed, Acute.decomposed]

  private func inTables(_ body: (DatabaseQueue) throws -> Void) throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      for name in Self.names {
        try db.execute(
          sql: """
            CREATE TABLE "\(name)" (id INTEGER PRIMARY KEY, "\(Acute.composed)", "\(Acute.decomposed)");
            INSERT INTO "\(name)" VALUES (1, 1, 1);
            """)
      }
    }
    try body(queue)
  }

  /// The number of notifications for a region.
  private func count(
    _ sql: String, of table: String, column: String, in queue: DatabaseQueue
  ) throws -> Int {
    let log = Log<Int>()
    let request = SQLRequest<Int>(sql: "SELECT \"\(column)\" FROM \"\(table)\"")
    let cancellable = DatabaseRegionObservation(tracking: request)
      .start(in: queue) { _ in
        Issue.record("no error")
      } onChange: { _ in
        log.append(1)
      }
    defer { cancellable.cancel() }
    try queue.write { db in try db.execute(sql: sql) }
    return log.elements.count
  }

  @Test(arguments: names, names)
  func `a change of a column is one of its table, and of this column`(
    _ table: String, _ column: String
  ) throws {
    try inTables { queue throws in
      for changedTable in Self.names {
        for changedColumns in [[Self.names[0]], [Self.names[1]], Self.names] {
          let assignments = changedColumns.map { "\"\($0)\" = 2" }.joined(separator: ", ")
          // Without the preupdate hook, any update may have set the rowid.
          let isConcerned =
            table.hasSameBytes(as: changedTable)
            && (changedColumns.containsText(column) || !SQLiteFeature.preUpdateHook.isAvailable)
          let count = try count(
            "UPDATE \"\(changedTable)\" SET \(assignments)", of: table, column: column, in: queue)
          #expect(count == (isConcerned ? 1 : 0), "\(changedColumns.count)")
        }
      }
    }
  }

  /// The names of the columns whose observations are notified of what `change` does.
  private func notified(
    _ sql: String, columns: String, by change: (Database) throws -> Void
  ) throws -> [String] {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, \(columns)); \(sql)")
    }
    let log = Log<String>()
    let observations = Self.names.map { name in
      DatabaseRegionObservation(
        tracking: SQLRequest<Int>(sql: "SELECT \"\(name)\" FROM t")
      ).start(in: queue) { _ in
        Issue.record("no error")
      } onChange: { _ in
        log.append(name)
      }
    }
    defer { for observation in observations { observation.cancel() } }
    try queue.write { db in try change(db) }
    return log.elements
  }

  @Test func `observers are asked for each of the columns that are reported`() throws {
    final class Observer: TransactionObserver {
      var columns: [String] = []
      func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool {
        if case .update(_, let names) = eventKind { columns += names.sorted() }
        return false
      }
      func databaseDidChange(with event: DatabaseEvent) {}
      func databaseDidCommit(_ db: Database) {}
      func databaseDidRollback(_ db: Database) {}
    }
    for reported in [[Self.names[0]], [Self.names[1]], Self.names] {
      try inTables { queue throws in
        let observer = Observer()
        queue.add(transactionObserver: observer)
        let list = reported.map { "\"\($0)\"" }.joined(separator: ", ")
        try queue.write { db in
          try db.notifyChanges(in: SQLRequest<Row>(sql: "SELECT \(list) FROM \"\(Self.names[0])\""))
        }
        #expect(
          Set(observer.columns.map { BinaryText($0) }) == Set(reported.map { BinaryText($0) }))
        #expect(observer.columns.count == reported.count)
      }
    }
  }

  @Test func `an update changes each of the generated columns`() throws {
    let columns = Self.names.map { "\"\($0)\" AS (a + 1)" }.joined(separator: ", ")
    let notified = try notified("INSERT INTO t (id, a) VALUES (1, 1)", columns: columns) { db in
      try db.execute(sql: "UPDATE t SET a = 2")
    }
    #expect(notified.hasSameTexts(as: Self.names))
  }

  @Test func `regions of other names are other regions`() throws {
    let regions = Self.names.map { DatabaseRegion(table: $0) }
    #expect(regions[0] != regions[1])
    #expect(regions[0].union(regions[1]).tables?.count == 2)
    #expect(regions[0].isModified(byEventsOfKind: .insert(tableName: Self.names[0])))
    #expect(!regions[0].isModified(byEventsOfKind: .insert(tableName: Self.names[1])))
  }
}
