import Foundation
import Quarry
import QuarryMigrations
import QuarryTestSupport
import Testing

@Suite(.onQueueAndPool)
struct MigrationProgressTests {
  private struct Stop: Error {}

  /// Three migrations: the second one works for a while.
  private static func makeMigrator() -> DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("one") { db in
      try db.execute(sql: "CREATE TABLE one (id INTEGER PRIMARY KEY)")
    }
    migrator.registerMigration("two") { db in
      try db.execute(
        sql: """
          CREATE TABLE two (id INTEGER PRIMARY KEY);
          INSERT INTO two
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000)
            SELECT i FROM n;
          """)
    }
    migrator.registerMigration("three") { db in
      try db.execute(sql: "CREATE TABLE three (id INTEGER PRIMARY KEY)")
    }
    return migrator
  }

  @Test
  func `progress is reported before, during and after each migration`() throws {
    let queue = try makeEmptyDatabase()
    let log = Log<MigrationProgress>()
    try Self.makeMigrator().migrate(queue, upTo: "two") { log.append($0) }
    let entries = log.elements.filter { $0.phase != .running }
    #expect(entries.map(\.identifier) == ["one", "one", "two", "two"])
    #expect(entries.map(\.index) == [0, 0, 1, 1])
    #expect(entries.map(\.count) == [2, 2, 2, 2])
    #expect(entries.map(\.phase) == [.started, .completed, .started, .completed])
    #expect(log.elements.contains { $0.phase == .running && $0.identifier == "two" })
    #expect(log.elements.allSatisfy { $0.duration >= 0 })
    let rest = Log<MigrationProgress>()
    try Self.makeMigrator().migrate(queue) { rest.append($0) }
    #expect(rest.elements.map(\.identifier) == ["three", "three"])
    #expect(rest.elements.map(\.count) == [1, 1])
  }

  @Test(arguments: [
    (MigrationProgress.Phase.started, ["one"]), (.running, ["one"]),
    (.completed, ["one", "two"]),
  ])
  func `an error of the callback stops the migrations`(
    _ phase: MigrationProgress.Phase, applied: [String]
  ) throws {
    let queue = try makeEmptyDatabase()
    #expect(throws: Stop.self) {
      try Self.makeMigrator().migrate(queue) { progress in
        if progress.identifier == "two", progress.phase == phase { throw Stop() }
      }
    }
    try queue.read { db in
      try #expect(Self.makeMigrator().appliedMigrations(db) == applied)
      try #expect(db.tableExists("two") == applied.contains("two"))
      try #expect(!db.tableExists("three"))
      try #expect(Bool.fetchOne(db, sql: "PRAGMA foreign_keys") == true)
    }
    // What was stopped goes on.
    try Self.makeMigrator().migrate(queue)
    try queue.read { db in try #expect(Self.makeMigrator().hasCompletedMigrations(db)) }
  }

  @Test
  func `a migration that ignores its interruption is rolled back, and the last one`() throws {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("stubborn") { db in
      try db.execute(sql: "CREATE TABLE loan (id INTEGER PRIMARY KEY)")
      try? db.execute(
        sql: """
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000)
          SELECT count(*) FROM n
          """)
    }
    migrator.registerMigration("next") { _ in }
    let queue = try makeEmptyDatabase()
    let final = migrator
    #expect(throws: Stop.self) {
      try final.migrate(queue) { if $0.phase == .running { throw Stop() } }
    }
    try queue.read { db in
      try #expect(final.appliedMigrations(db) == [])
      try #expect(!db.tableExists("loan"))
    }
    try final.migrate(queue)
    try queue.read { db in try #expect(final.hasCompletedMigrations(db)) }
  }

  /// Two processes may migrate at the same time.
  @Test func `a migration that another connection has run meanwhile is passed over`() throws {
    try withTemporaryDirectory { directory in
      let queues = try (1...2).map { _ in try DatabaseQueue(path: directory + "/library.sqlite") }
      let migrator = Self.makeMigrator()
      try migrator.migrate(queues[0]) { progress in
        if progress.phase == .started { try migrator.migrate(queues[1]) }
      }
      try queues[0].read { db throws in
        try #expect(migrator.appliedMigrations(db) == ["one", "two", "three"])
      }
    }
  }
}
