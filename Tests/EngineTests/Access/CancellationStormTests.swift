import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

/// Tasks that are canceled at random moments, also while they get into the line for a connection. A
/// task that is canceled there may be over, with all that it has owned, before its place is known
/// to the connection.
///
/// A use of freed memory between two instructions of an executor, which there was, shows itself
/// once in some seconds on a busy machine: half a second is for what happens more often. It is
/// `AccessSourceTests` that sees it each time, with a source that hesitates there.
///
/// `QUARRY_RANDOM_SECONDS` sets how long each test runs: see `Scripts/sanitize`.
@Suite("Storms of cancellations", .serialized)
struct CancellationStormTests {
  struct Failure: Error {}

  /// How an access ends.
  private enum Outcome: Hashable {
    case stored, read, failed, cancelled, closed
    case other(String)

    init(_ error: any Error) {
      switch error {
      case is CancellationError: self = .cancelled
      case is Failure: self = .failed
      case let error as DatabaseError where error.message == "Connection is closed":
        self = .closed
      default: self = .other("\(error)")
      }
    }
  }

  /// A task with an access, and the moment when it is canceled.
  private struct Step: Sendable {
    let access: AsyncAccess
    let fails: Bool
    let moment: Moment

    enum Moment {
      case never
      /// When the task is there: it gets into the line meanwhile.
      case atOnce
      /// After so many turns of a loop that begins with the access.
      case later(Int)
    }

    init(_ generator: inout SplitMix64) {
      access = generator.pick(AsyncAccess.allCases)
      fails = generator.chance(8)
      switch generator.below(8) {
      case 0: moment = .never
      case 1: moment = .later(generator.below(generator.pick([1, 20, 200, 2000])))
      default: moment = .atOnce
      }
    }

    /// Starts the task, and cancels it at its moment.
    func start(on writer: any DatabaseWriter) -> Task<Outcome, Never> {
      let hasBegun = Locked(false)
      let task = Task { [access, fails] () -> Outcome in
        do {
          hasBegun.withLock { $0 = true }
          return try await access.run(on: writer) { db in try Self.use(db, access, fails: fails) }
        } catch {
          return Outcome(error)
        }
      }
      switch moment {
      case .never: return task
      case .atOnce: break
      case .later(let count):
        // A thread that waits may be the one that the task needs.
        for _ in 0..<2000 where !hasBegun.withLock({ $0 }) { sched_yield() }
        for _ in 0..<count { withExtendedLifetime(task) {} }
      }
      task.cancel()
      return task
    }

    private static func use(
      _ db: Database, _ access: AsyncAccess, fails: Bool
    ) throws -> Outcome {
      if fails { throw Failure() }
      guard !access.isRead else {
        _ = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM loan")
        return .read
      }
      try db.execute(sql: "INSERT INTO loan DEFAULT VALUES")
      return .stored
    }
  }

  /// Starts the tasks on two threads, calls a function in between, and returns the ends of the
  /// tasks.
  private static func storm(
    _ steps: [Step], on writer: any DatabaseWriter, halfway: @escaping @Sendable () -> Void = {}
  ) async -> [Outcome] {
    let tasks = await withTaskGroup(of: [Task<Outcome, Never>].self) { group in
      for half in [steps.prefix(steps.count / 2), steps.dropFirst(steps.count / 2)] {
        group.addTask {
          await withCheckedContinuation { continuation in
            startThread {
              var tasks: [Task<Outcome, Never>] = []
              for (index, step) in half.enumerated() {
                if index == half.count / 2 { halfway() }
                tasks.append(step.start(on: writer))
              }
              continuation.resume(returning: tasks)
            }
          }
        }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
    var outcomes: [Outcome] = []
    for task in tasks { await outcomes.append(task.value) }
    return outcomes
  }

  private static func open(_ kind: ConnectionKind) throws -> any DatabaseWriter {
    let writer: any DatabaseWriter =
      kind == .pool
      ? try DatabasePool.temporary(configuration: readerCount(2)) : try DatabaseQueue()
    try writer.write { db throws in
      try db.execute(sql: "CREATE TABLE loan (id INTEGER PRIMARY KEY)")
    }
    return writer
  }

  @Test(arguments: [ConnectionKind.memory, .pool])
  func `each access ends once, and what ends well is stored`(kind: ConnectionKind) async throws {
    let run = RandomRun("Storms of cancellations")
    try await run.repeated(seconds: 0.5) { generator in
      let writer = try Self.open(kind)
      let steps = (1...400).map { _ in Step(&generator) }
      let outcomes = await Self.storm(steps, on: writer)
      #expect(outcomes.count == steps.count)
      #expect(Set(outcomes).isSubset(of: [.stored, .read, .failed, .cancelled]))
      let count = try await writer.read { db in
        try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM loan")
      }
      #expect(count == outcomes.count { $0 == .stored })
    }
  }

  @Test(arguments: [ConnectionKind.memory, .pool], [false, true])
  func `a database is released or closed in the storm`(
    kind: ConnectionKind, closes: Bool
  ) async throws {
    let run = RandomRun("Storms around the end of a database")
    try await run.repeated(seconds: 0.25) { generator in
      let steps = (1...40).map { _ in Step(&generator) }
      let writer = try Self.open(kind)
      let outcomes = await Self.storm(steps, on: writer) {
        if closes { try? writer.close() }
      }
      #expect(outcomes.count == steps.count)
      let expected: Set<Outcome> = [.stored, .read, .failed, .cancelled]
      #expect(Set(outcomes).isSubset(of: closes ? expected.union([.closed]) : expected))
    }
  }
}
