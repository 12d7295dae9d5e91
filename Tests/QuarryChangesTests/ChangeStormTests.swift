import Foundation
import Quarry
import QuarryTestSupport
import Testing

@testable import QuarryChanges

/// A recorder, a log and an undo stack, which many tasks use, some of which fail, are canceled, or
/// find the connection closed. Afterwards, the log has what the database has.
///
/// `QUARRY_RANDOM_SECONDS` sets how long the test runs.
@Suite("Storms of recorded changes", .needs(.sessions), .serialized)
struct ChangeStormTests {
  private struct Mine: Error {}

  /// What the tasks use.
  private struct World: Sendable {
    let writer: any DatabaseWriter
    let log: ChangeLog
    let undo: UndoStack
    let recorder: Locked<ChangeRecorder?>
    let recorded: Locked<[Changeset]>

    init(_ writer: any DatabaseWriter) throws {
      self.writer = writer
      try writer.write { db in
        try db.execute(
          sql: "CREATE TABLE item (id INTEGER PRIMARY KEY, n INTEGER NOT NULL, code TEXT UNIQUE)")
      }
      log = try ChangeLog(writer, tables: ["item"], identity: "A")
      undo = try UndoStack(writer, tables: ["item"], storage: .table("step"))
      let recorded = Locked<[Changeset]>([])
      self.recorded = recorded
      recorder = try Locked(
        ChangeRecorder(writer, tables: ["item"]) { changeset, _ in
          recorded.withLock { $0.append(changeset) }
        })
    }

    func change(_ db: Database, _ numbers: inout SplitMix64) throws {
      let id = numbers.below(40)
      switch numbers.below(4) {
      case 0, 1:
        try db.execute(
          sql: "REPLACE INTO item VALUES (?, 1, ?)",
          arguments: [id, numbers.pick(["a", "b", "c", nil])])
      case 2: try db.execute(sql: "UPDATE item SET n = n + 1 WHERE id > ?", arguments: [id])
      default: try db.execute(sql: "DELETE FROM item WHERE id = ?", arguments: [id])
      }
    }

    /// One use, at random.
    func use(_ numbers: inout SplitMix64) async throws {
      var inner = numbers
      switch numbers.below(10) {
      case 0..<3:
        try await writer.write { [inner] db in
          var numbers = inner
          for _ in 0..<3 { try change(db, &numbers) }
          if numbers.chance(5) { throw Mine() }
        }
      case 3: try undo.record("step") { db in try change(db, &inner) }
      case 4: _ = try undo.undo { $0.kind == .data || $0.kind == .conflict ? .replace : .omit }
      case 5: _ = try undo.redo { $0.kind == .data || $0.kind == .conflict ? .replace : .omit }
      case 6:
        try await writer.writeWithoutTransaction { [inner] db in
          var numbers = inner
          // Refused: it has no transaction.
          #expect(throws: (any Error).self) {
            try db.execute(sql: "REPLACE INTO item VALUES (1, 1, 'x')")
          }
          try db.inTransaction {
            _ = try db.recordChanges { try change(db, &numbers) }
            return numbers.chance(4) ? .rollback : .commit
          }
        }
      case 7:
        let batch = try log.changes(after: 0, limit: 5)
        try log.acknowledge(batch.position, by: "B")
      case 8 where numbers.chance(20): recorder.withLock { $0 = nil }
      default:
        _ = try await writer.read { db in try Int.fetchOne(db, sql: "SELECT sum(n) FROM item") }
      }
    }
  }

  /// The errors of uses that are canceled, fail, or find the connection closed.
  private static func isExpected(_ error: any Error) -> Bool {
    switch error {
    case is CancellationError, is Mine: true
    case let error as DatabaseError:
      error.message == "Connection is closed" || error.resultCode == .SQLITE_INTERRUPT
        || error.resultCode == .SQLITE_CONSTRAINT
    case let error as ChangesetError: error.code == .conflict
    default: false
    }
  }

  private static func storm(_ world: World, _ numbers: inout SplitMix64, closes: Bool) async {
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<6 {
        var own = SplitMix64(seed: numbers.next())
        group.addTask {
          for _ in 0..<25 {
            var inner = SplitMix64(seed: own.next())
            let task = Task { try await world.use(&inner) }
            if own.chance(4) {
              for _ in 0..<own.below(2000) { withExtendedLifetime(task) {} }
              task.cancel()
            }
            if case .failure(let error) = await task.result, !isExpected(error) {
              Issue.record("unexpected: \(error)")
            }
          }
        }
      }
      guard closes else { return }
      let writer = world.writer
      let pause = numbers.below(20)
      group.addTask {
        try? await Task.sleep(for: .milliseconds(pause))
        try? writer.close()
      }
    }
  }

  private static func rows(_ reader: some DatabaseReader) throws -> [Row] {
    try reader.read { db in try Row.fetchAll(db, sql: "SELECT * FROM item ORDER BY id") }
  }

  private static func texts(_ changeset: Changeset) -> [String] {
    changeset.changes.map(\.description).sorted()
  }

  @Test(arguments: [ConnectionKind.queue, .pool])
  func `the log has what is committed, and a recorder reports it in order`(kind: ConnectionKind)
    async throws
  {
    let run = RandomRun("Storms of recorded changes, \(kind)")
    try await run.repeated(seconds: 1) { numbers in
      let closes = numbers.chance(2)
      try await withTemporaryDirectory { directory in
        let world = try World(kind.open(in: directory))
        await Self.storm(world, &numbers, closes: closes)
        try? world.writer.close()
        // Opened again.
        let queue = try DatabaseQueue(path: directory + "/library.sqlite")
        let log = try ChangeLog(queue, tables: ["item"])
        let copy = try DatabaseQueue()
        try await copy.write { db in
          try db.execute(
            sql: "CREATE TABLE item (id INTEGER PRIMARY KEY, n INTEGER NOT NULL, code TEXT UNIQUE)")
        }
        let other = try ChangeLog(copy, tables: ["item"], identity: "B")
        try other.receive(log.changes(after: 0, limit: .max))
        try #expect(Self.rows(copy) == Self.rows(queue), "\(run.seed)")
        let transactions = try log.changes(after: 0, limit: .max).transactions
        #expect(transactions.map(\.sequence) == Array(1..<Int64(transactions.count + 1)))
        guard world.recorder.withLock({ $0 }) != nil else { return }
        let recorded = world.recorded.withLock { $0 }
        #expect(
          recorded.map(Self.texts) == transactions.map { Self.texts($0.changes) }, "\(run.seed)")
      }
    }
  }
}
