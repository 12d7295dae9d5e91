import Foundation
import Quarry
import QuarryTestSupport
import Testing

/// Each kind of access of a task, cancelled at each moment, on a queue and on a pool.
@Suite(.timeLimit(.minutes(10)))
struct PoolCancellationTests {
  /// A kind of access on a kind of connection.
  struct Case: CustomTestStringConvertible, Sendable {
    let kind: ConnectionKind
    let access: AsyncAccess
    var testDescription: String { "\(access) on \(kind)" }

    static let all = [ConnectionKind.memory, .pool].flatMap { kind in
      AsyncAccess.allCases.map { Case(kind: kind, access: $0) }
    }

    static let transactions = all.filter { $0.access == .read || $0.access == .write }

    func withDatabase(
      _ configuration: Configuration = Configuration(),
      _ body: (any DatabaseWriter) async throws -> Void
    ) async throws {
      var configuration = configuration
      configuration.maximumReaderCount = 1
      try await kind.withDatabase(configuration) { writer in
        try await writer.write { db in
          try db.execute(sql: "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT)")
        }
        try await body(writer)
        // The next accesses are not affected.
        try await writer.write { db in try db.insertNote() }
        _ = try await writer.read { db in try db.noteCount() }
        let isInside = try await writer.writeWithoutTransaction { db in db.isInsideTransaction }
        #expect(!isInside)
      }
    }
  }

  private static func cancelCurrentTask() {
    withUnsafeCurrentTask { task in task?.cancel() }
  }

  private func expectCancellation(
    _ task: Task<some Sendable, any Error>, sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    await #expect(throws: CancellationError.self, sourceLocation: sourceLocation) {
      _ = try await task.value
    }
  }

  @Test(arguments: Case.all)
  func `cancelled before the access, the closure does not run`(_ test: Case) async throws {
    try await test.withDatabase { writer async throws in
      let log = Log<Int>()
      let task = Task {
        Self.cancelCurrentTask()
        try await test.access.run(on: writer) { _ in log.append(1) }
      }
      await expectCancellation(task)
      #expect(log.elements.isEmpty)
    }
  }

  @Test(arguments: Case.all)
  func `cancelled while it waits, the access ends at once, and its closure does not run`(
    _ test: Case
  ) async throws {
    try await test.withDatabase { writer async throws in
      let log = Log<Int>()
      // The writer and the only reader are in use.
      let write = SteppedRead { pause in
        try writer.writeWithoutTransaction { _ throws in pause() }
      }
      var read: SteppedRead?
      if test.kind == .pool {
        read = SteppedRead { pause in try writer.unsafeRead { _ throws in pause() } }
      }
      let task = Task { try await test.access.run(on: writer) { _ in log.append(1) } }
      task.cancel()
      await expectCancellation(task)
      #expect(write.finish() == nil)
      if let read { #expect(read.finish() == nil) }
      #expect(log.elements.isEmpty)
    }
  }

  @Test(arguments: Case.all)
  func `cancelled while a statement runs, it is interrupted`(_ test: Case) async throws {
    try await test.withDatabase { writer async throws in
      let task = Task {
        try await test.access.run(on: writer) { db in
          db.trace { _ in Self.cancelCurrentTask() }
          defer { db.trace() }
          _ = try Int.fetchOne(db, sql: endlessSQL)
        }
      }
      await expectCancellation(task)
    }
  }

  @Test(arguments: Case.all)
  func `cancelled between two statements, the second does not run`(_ test: Case) async throws {
    try await test.withDatabase { writer async throws in
      let log = Log<Int?>()
      let task = Task {
        try await test.access.run(on: writer) { db in
          log.append(try Int.fetchOne(db, sql: "SELECT 1"))
          Self.cancelCurrentTask()
          log.append(try Int.fetchOne(db, sql: "SELECT 2"))
        }
      }
      await expectCancellation(task)
      #expect(log.elements == [1])
    }
  }

  @Test(arguments: Case.all)
  func `cancelled between two rows, the cursor ends`(_ test: Case) async throws {
    try await test.withDatabase { writer async throws in
      let task = Task {
        try await test.access.run(on: writer) { db in
          let cursor = try Int.fetchCursor(db, sql: "VALUES (1), (2)")
          #expect(try cursor.next() == 1)
          Self.cancelCurrentTask()
          _ = try cursor.next()
        }
      }
      await expectCancellation(task)
    }
  }

  @Test(arguments: Case.all)
  func `cancelled after the last statement, all but a transaction that writes succeed`(
    _ test: Case
  ) async throws {
    try await test.withDatabase { writer async throws in
      let task = Task {
        try await test.access.run(on: writer) { db in
          if !test.access.isRead { try db.insertNote() }
          let count = try db.noteCount()
          Self.cancelCurrentTask()
          return count
        }
      }
      if test.access == .write {
        await expectCancellation(task)
      } else {
        #expect(try await task.value == (test.access.isRead ? 0 : 1))
      }
      let count = try await writer.read { db in try db.noteCount() }
      #expect(count == (test.access.isRead || test.access == .write ? 0 : 1))
    }
  }

  @Test(arguments: Case.transactions)
  func `a closure that swallows the cancellation can't commit`(_ test: Case) async throws {
    try await test.withDatabase { writer async throws in
      let ends = Log<String>()
      let task = Task {
        try await test.access.run(on: writer) { db in
          if !test.access.isRead {
            try db.insertNote()
            db.afterNextTransaction(
              onCommit: { _ in ends.append("commit") }, onRollback: { _ in ends.append("rollback") }
            )
          }
          Self.cancelCurrentTask()
          try? db.execute(sql: "SELECT 1")
        }
      }
      if test.access == .write {
        await expectCancellation(task)
        #expect(ends.elements == ["rollback"])
      } else {
        try await task.value
      }
      #expect(try await writer.read { db in try db.noteCount() } == 0)
    }
  }

  @Test(arguments: Case.all)
  func `cancelled after its end, the access has succeeded`(_ test: Case) async throws {
    try await test.withDatabase { writer async throws in
      let task = Task {
        let value = try await test.access.run(on: writer) { db in
          try Int.fetchOne(db, sql: "SELECT 1")
        }
        Self.cancelCurrentTask()
        return value
      }
      #expect(try await task.value == 1)
    }
  }

  @Test(arguments: [ConnectionKind.memory, .pool])
  func `once a transaction is committed, the functions that wait for it run undisturbed`(
    kind: ConnectionKind
  ) async throws {
    try await Case(kind: kind, access: .write).withDatabase { writer async throws in
      let log = Log<Int?>()
      let task = Task {
        try await writer.write { db in
          try db.insertNote()
          db.afterNextTransaction { db in
            Self.cancelCurrentTask()
            log.append(try? db.noteCount())
          }
        }
      }
      try await task.value
      #expect(log.elements == [1])
    }
  }

  @Test(arguments: [ConnectionKind.memory, .pool])
  func `a synchronous access ignores the cancellation of its task`(kind: ConnectionKind)
    async throws
  {
    try await Case(kind: kind, access: .write).withDatabase { writer async throws in
      let task = Task {
        Self.cancelCurrentTask()
        for access in SyncAccess.allCases {
          try access.run(on: writer) { db in try db.execute(sql: "SELECT 1") }
        }
      }
      try await task.value
    }
  }

  @Test(arguments: [ConnectionKind.memory, .pool])
  func `an interruption is another error than a cancellation`(kind: ConnectionKind) async throws {
    try await Case(kind: kind, access: .read).withDatabase { writer async throws in
      let task = Task {
        try await writer.read { db in
          db.trace { _ in writer.interrupt() }
          defer { db.trace() }
          _ = try Int.fetchOne(db, sql: endlessSQL)
        }
      }
      let error = await errorText { try await task.value }
      #expect(error?.hasPrefix("SQLite error 9: interrupted") == true)
    }
  }

  @Test(arguments: [ConnectionKind.memory, .pool])
  func `an interrupted write ends its transaction, and an interrupted query does not`(
    kind: ConnectionKind
  ) async throws {
    try await Case(kind: kind, access: .write).withDatabase { writer async throws in
      try checkInterruptions(of: writer)
    }
  }

  private func checkInterruptions(of writer: any DatabaseWriter) throws {
    let text = errorText {
      try writer.write { db throws in
        try db.insertNote()
        db.trace { _ in writer.interrupt() }
        try? db.execute(sql: "INSERT INTO note (text) \(endlessSQL)")
        db.trace()
      }
    }
    #expect(text == "SQLite error 4: Transaction was aborted")
    try writer.write { db throws in
      try db.insertNote()
      db.trace { _ in writer.interrupt() }
      #expect(throws: DatabaseError.self) { try db.execute(sql: endlessSQL) }
      db.trace()
    }
    #expect(try writer.noteCount() == 1)
  }

  @Test(arguments: AsyncAccess.allCases)
  func `the values of a task are visible on a pool`(access: AsyncAccess) async throws {
    try await withPool { pool async throws in
      let name = try await TaskName.$current.withValue("reading") {
        try await access.run(on: pool) { _ in TaskName.current }
      }
      #expect(name == "reading")
    }
  }
}

private enum TaskName {
  @TaskLocal static var current = "none"
}
