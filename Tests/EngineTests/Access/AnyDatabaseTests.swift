import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

@Suite("Readers and writers whose type is hidden")
struct AnyDatabaseTests {
  private let recorder = SQLRecorder()
  private let queue: DatabaseQueue

  init() throws {
    var configuration = recorder.recording()
    configuration.label = "hidden"
    queue = try DatabaseQueue(configuration: configuration)
    try queue.write { db in try db.execute(sql: "CREATE TABLE t (a)") }
    _ = recorder.take()
  }

  private static let read = ["BEGIN DEFERRED TRANSACTION", "SELECT 1", "COMMIT TRANSACTION"]

  private static let write = ["BEGIN IMMEDIATE TRANSACTION", "SELECT 1", "COMMIT TRANSACTION"]

  /// What an access does: the statements that it runs.
  private func expect(
    _ statements: [String] = ["SELECT 1"], sourceLocation: SourceLocation = #_sourceLocation,
    _ access: ((Database) throws -> Int) throws -> Int
  ) throws {
    let result = try access { db in try Int.fetchOne(db, sql: "SELECT 1") ?? 0 }
    #expect(result == 1, sourceLocation: sourceLocation)
    #expect(recorder.take() == statements, sourceLocation: sourceLocation)
  }

  /// Waits for what is scheduled.
  private func expectLater(
    _ statements: [String] = ["SELECT 1"], sourceLocation: SourceLocation = #_sourceLocation,
    _ schedule: (@escaping @Sendable (Database) throws -> Void) -> Void
  ) throws {
    schedule { db in _ = try Int.fetchOne(db, sql: "SELECT 1") }
    try queue.unsafeRead { _ throws in }
    #expect(recorder.take() == statements, sourceLocation: sourceLocation)
  }

  private func checkReads(_ reader: some DatabaseReader) throws {
    #expect(reader.path == ":memory:")
    #expect(reader.configuration.label == "hidden")
    try expect(Self.read) { try reader.read($0) }
    try expect { try reader.unsafeRead($0) }
    try expect { try reader.unsafeReentrantRead($0) }
    try expectLater(Self.read) { body in reader.asyncRead { try? body($0.get()) } }
    try expectLater { body in reader.asyncUnsafeRead { try? body($0.get()) } }
  }

  private func checkTaskReads(_ reader: some DatabaseReader) async throws {
    let one = try await reader.read { db in try Int.fetchOne(db, sql: "SELECT 1") }
    #expect(one == 1)
    #expect(recorder.take() == Self.read)
    let two = try await reader.unsafeRead { db in try Int.fetchOne(db, sql: "SELECT 2") }
    #expect(two == 2)
    #expect(recorder.take() == ["SELECT 2"])
  }

  @Test func `a reader forwards`() throws {
    try checkReads(AnyDatabaseReader(queue))
  }

  @Test func `a reader forwards from tasks`() async throws {
    try await checkTaskReads(AnyDatabaseReader(queue))
    try await checkTaskReads(AnyDatabaseWriter(queue))
  }

  @Test func `a writer forwards`() throws {
    let writer = AnyDatabaseWriter(queue)
    try checkReads(writer)
    try expect(Self.write) { try writer.write($0) }
    try expect { try writer.writeWithoutTransaction($0) }
    try expect { try writer.barrierWriteWithoutTransaction($0) }
    try expect { try writer.unsafeReentrantWrite($0) }
    #expect(writer.writeWithoutTransaction { db in db.changesCount } == 0)
    #expect(writer.unsafeReentrantWrite { db in db.changesCount } == 0)
    try expectLater { body in writer.asyncWriteWithoutTransaction { try? body($0) } }
    try expectLater { body in
      writer.asyncBarrierWriteWithoutTransaction { try? body($0.get()) }
    }
    try expectLater(Self.read) { body in
      writer.writeWithoutTransaction { _ in writer.spawnConcurrentRead { try? body($0.get()) } }
    }
  }

  @Test func `a writer forwards from tasks`() async throws {
    let writer = AnyDatabaseWriter(queue)
    try await writer.write { db in try db.execute(sql: "SELECT 1") }
    #expect(recorder.take() == Self.write)
    try await writer.writeWithoutTransaction { db in try db.execute(sql: "SELECT 1") }
    #expect(recorder.take() == ["SELECT 1"])
    try await writer.barrierWriteWithoutTransaction { db in try db.execute(sql: "SELECT 1") }
    #expect(recorder.take() == ["SELECT 1"])
  }

  @Test func `statements are interrupted, and the connection is closed`() throws {
    let reader = AnyDatabaseReader(queue)
    let writer = AnyDatabaseWriter(queue)
    for interrupt in [reader.interrupt, writer.interrupt] {
      let error = databaseError {
        try queue.inDatabase { db throws in
          db.add(
            function: DatabaseFunction("stop", argumentCount: 0) { _ in
              interrupt()
              return nil
            })
          try db.execute(
            sql: "WITH RECURSIVE n(i) AS (SELECT stop() UNION ALL SELECT 1 FROM n) SELECT * FROM n")
        }
      }
      #expect(error?.resultCode == .SQLITE_INTERRUPT)
    }
    try reader.close()
    try writer.close()
    #expect(databaseError { try queue.read { _ in } }?.message == "Connection is closed")
  }
}

@Suite("Accesses of closures that don't throw")
struct NonThrowingAccessTests {
  @Test func `closures that don't throw need no try`() throws {
    let queue = try DatabaseQueue()
    #expect(queue.unsafeRead { db in db.changesCount } == 0)
    #expect(queue.unsafeReentrantRead { db in db.changesCount } == 0)
    #expect(queue.unsafeReentrantWrite { db in db.changesCount } == 0)
    #expect(queue.writeWithoutTransaction { db in db.changesCount } == 0)
    #expect(queue.inDatabase { db in db.changesCount } == 0)
  }

  @Test func `the reentrant ones work inside any access`() throws {
    let queue = try DatabaseQueue()
    queue.inDatabase { outer in
      queue.unsafeReentrantRead { db in #expect(db === outer) }
      queue.unsafeReentrantWrite { db in #expect(db === outer) }
    }
  }

  @Test func `a transaction that is left open is rolled back, as there is no way to throw`() throws
  {
    let queue = try DatabaseQueue()
    queue.unsafeReentrantWrite { db in
      #expect(throws: Never.self) { try db.beginTransaction() }
    }
    #expect(queue.unsafeRead { db in db.isInsideTransaction } == false)
  }

  @Test func `a closed connection is given all the same: its statements throw`() throws {
    let queue = try DatabaseQueue()
    try queue.close()
    let error = queue.unsafeRead { db in databaseError { try db.execute(sql: "SELECT 1") } }
    #expect(error?.message == "Connection is closed")
  }
}
