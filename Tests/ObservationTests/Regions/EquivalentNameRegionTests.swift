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

  @Test func `regions of other names are other regions`() throws {
    let regions = Self.names.map { DatabaseRegion(table: $0) }
    #expect(regions[0] != regions[1])
    #expect(regions[0].union(regions[1]).tables?.count == 2)
    #expect(regions[0].isModified(byEventsOfKind: .insert(tableName: Self.names[0])))
    #expect(!regions[0].isModified(byEventsOfKind: .insert(tableName: Self.names[1])))
  }
}
