import Dispatch
import Foundation
import Quarry
import QuarryDirectory
import QuarryTestSupport
import Testing

@Suite("Migration of all databases")
struct DirectoryMigrationTests {
  /// A migration that fails for databases with the book `Bad`.
  private static let yearMigrator: DatabaseMigrator = {
    var migrator = bookMigrator
    migrator.registerMigration("year") { db in
      if try titles(db).contains("Bad") { throw Fault(name: "year") }
      try db.execute(sql: "ALTER TABLE book ADD COLUMN year INTEGER")
    }
    return migrator
  }()

  private static func hasYear(_ db: Database) throws -> Bool {
    try db.columns(in: "book").contains { $0.name == "year" }
  }

  private func makeTenants(_ folder: String, _ count: Int) throws -> DatabaseDirectory<
    DatabaseQueue
  > {
    let directory = try makeDirectory(folder, .limit(3))
    for number in 0..<count { try directory.create("t\(number)") }
    return directory
  }

  @Test(arguments: [true, false])
  func `all databases are migrated, with progress`(isBlocking: Bool) async throws {
    try await withTemporaryDirectory { folder in
      let directory = try makeTenants(folder, 12)
      let log = Log<DirectoryMigrationProgress>()
      let migrator = Self.yearMigrator
      let count =
        isBlocking
        ? try await onOwnThread { try directory.migrate(with: migrator) { log.append($0) } }
        : try await directory.migrate(with: migrator, concurrency: 5) { log.append($0) }
      #expect(count == 12)
      #expect(log.elements.map(\.completedCount) == Array(1...12))
      #expect(Set(log.elements.map(\.key)) == Set((0..<12).map { "t\($0)" }))
      #expect(log.elements.allSatisfy { $0.count == 12 && $0.error == nil })
      for key in try directory.keys() { #expect(try await directory.read(key, Self.hasYear)) }
      #expect(directory.openKeys.count == 3)
      #expect(directory.keysInUse == [])
      #expect(try await directory.migrate(with: migrator) == 12)
    }
  }

  @Test(arguments: [true, false])
  func `errors are collected by keys, and stop no other database`(isBlocking: Bool) async throws {
    try await withTemporaryDirectory { folder in
      let directory = try makeTenants(folder, 8)
      for key in ["t2", "t5"] { try await directory.write(key, addBook("Bad")) }
      let log = Log<DirectoryMigrationProgress>()
      let migrator = Self.yearMigrator
      let error = await #expect(throws: DirectoryError.self) {
        if isBlocking {
          try await onOwnThread { try directory.migrate(with: migrator) { log.append($0) } }
        } else {
          try await directory.migrate(with: migrator) { log.append($0) }
        }
      }
      #expect(error?.code == .migration)
      #expect(error.map { Set($0.failures.keys) } == ["t2", "t5"])
      #expect(error?.failures["t5"] as? Fault == Fault(name: "year"))
      #expect(error?.message.contains("2 of 8") == true)
      #expect(log.elements.filter { $0.error != nil }.map(\.key).sorted() == ["t2", "t5"])
      #expect(log.elements.count == 8)
      for number in 0..<8 {
        #expect(try await directory.read("t\(number)", Self.hasYear) == ![2, 5].contains(number))
      }
    }
  }

  @Test func `some keys only, each once`() async throws {
    try await withTemporaryDirectory { folder in
      let directory = try makeTenants(folder, 4)
      let error = await #expect(throws: DirectoryError.self) {
        try await directory.migrate(with: Self.yearMigrator, keys: ["t1", "missing", "t1", "t3"])
      }
      #expect(error.map { Array($0.failures.keys) } == ["missing"])
      #expect((error?.failures["missing"] as? DirectoryError)?.code == .missing)
      // A migration creates no database.
      #expect(try directory.keys() == ["t0", "t1", "t2", "t3"])
      #expect(
        try directory.keys().map { try directory.read($0, Self.hasYear) } == [
          false, true, false, true,
        ])
      #expect(try await directory.migrate(with: Self.yearMigrator, keys: []) == 0)
      #expect(try await directory.migrate(with: Self.yearMigrator, keys: ["t0"]) == 1)
    }
  }

  @Test func `at most as many at once as is said`() async throws {
    try await withTemporaryDirectory { folder in
      let directory = try makeTenants(folder, 10)
      let running = Log<Int>()
      let most = Log<Int>()
      var migrator = bookMigrator
      migrator.registerMigration("slow") { _ in
        running.append(1)
        most.append(running.elements.reduce(0, +))
        Thread.sleep(forTimeInterval: 0.002)
        running.append(-1)
      }
      try await directory.migrate(with: migrator, concurrency: 2)
      #expect(most.elements.count == 10)
      #expect(most.elements.allSatisfy { $0 <= 2 })
      let error = await #expect(throws: DirectoryError.self) {
        try await directory.migrate(with: migrator, concurrency: 0)
      }
      #expect(error?.code == .invalidOption)
    }
  }

  @Test func `an error of progress stops the migrations`() async throws {
    try await withTemporaryDirectory { folder in
      let directory = try makeTenants(folder, 10)
      for isBlocking in [true, false] {
        await #expect(throws: Fault(name: "stop")) {
          let stop: @Sendable (DirectoryMigrationProgress) throws -> Void = { progress in
            if progress.completedCount == 3 { throw Fault(name: "stop") }
          }
          if isBlocking {
            _ = try await onOwnThread {
              try directory.migrate(with: Self.yearMigrator, concurrency: 1, progress: stop)
            }
          } else {
            try await directory.migrate(with: Self.yearMigrator, concurrency: 1, progress: stop)
          }
        }
        let migrated = try directory.keys().filter { try directory.read($0, Self.hasYear) }
        #expect(migrated == ["t0", "t1", "t2"])
      }
    }
  }

  @Test func `a task that is canceled rolls the migration back that runs`() async throws {
    try await withTemporaryDirectory { folder in
      let directory = try makeTenants(folder, 3)
      let started = DispatchSemaphore(value: 0)
      var migrator = bookMigrator
      migrator.registerMigration("endless") { db in
        try db.execute(sql: "ALTER TABLE book ADD COLUMN year INTEGER")
        started.signal()
        // SQLite works until it is interrupted.
        _ = try Int.fetchOne(
          db,
          sql: """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n
            """)
      }
      let endless = migrator
      let task = Task { try await directory.migrate(with: endless, concurrency: 1) }
      await waitOnThread(for: started)
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(try directory.keys().allSatisfy { try !directory.read($0, Self.hasYear) })
      #expect(directory.keysInUse == [])
    }
  }
}
