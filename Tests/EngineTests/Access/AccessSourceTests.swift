import Dispatch
import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

/// Lends a connection only when the task has ended: the access is canceled while it gets into the
/// line.
private final class SlowSource: AccessSource {
  let hasBegun = DispatchSemaphore(value: 0)
  let mayGoOn = DispatchSemaphore(value: 0)
  let hasEnded = DispatchSemaphore(value: 0)
  /// Whether the source and the turn are there when the task is not.
  let isAlive: Log<Bool>
  private let connection: SerialConnection

  init(_ connection: SerialConnection, _ isAlive: Log<Bool>) {
    self.connection = connection
    self.isAlive = isAlive
  }

  func schedule(_ turn: AccessTurn) {
    weak let source = self
    weak let weakTurn = turn
    let (log, end) = (isAlive, hasEnded)
    hasBegun.signal()
    mayGoOn.wait()
    log.append(source != nil && weakTurn?.isOver == true)
    end.signal()
  }

  func turnWasCancelled() {}
}

/// Threads of its own, for a task that blocks one of them: with as few threads as Swift has, the
/// task could block the last one that other tests wait for.
private final class OwnThreads: TaskExecutor {
  private let queue = DispatchQueue(label: "tasks that block", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

/// Lends a connection as if the thread that gets into its line were stopped for a moment there.
private final class HesitantSource: AccessSource {
  private let connection: SerialConnection

  init(_ connection: SerialConnection) {
    self.connection = connection
  }

  func schedule(_ turn: AccessTurn) {
    usleep(.random(in: 0..<200))
    connection.schedule(turn)
  }

  func turnWasCancelled() { connection.turnWasCancelled() }
}

@Suite(.timeLimit(.minutes(10)))
struct AccessSourceTests {
  @Test func `the line is there as long as a task gets into it, also when the task is canceled`()
    async throws
  {
    let connection = try SerialConnection(
      path: ":memory:", label: "library", configuration: Configuration())
    let isAlive = Log<Bool>()
    var source: SlowSource? = SlowSource(connection, isAlive)
    let (hasBegun, mayGoOn, hasEnded) = try {
      let source = try #require(source)
      return (source.hasBegun, source.mayGoOn, source.hasEnded)
    }()
    var task = source.map { source in
      Task(executorPreference: OwnThreads()) { try await source.run(.none) { _ in } }
    }
    source = nil
    waitFor(hasBegun)
    task?.cancel()
    await #expect(throws: CancellationError.self) { try await task?.value }
    task = nil
    mayGoOn.signal()
    waitFor(hasEnded)
    #expect(isAlive.elements == [true])
  }

  /// A random moment of a real line. `Scripts/test` has memory that is freed overwritten, so that
  /// its use is seen.
  @Test func `tasks that are canceled on their way into the line end once`() async throws {
    let run = RandomRun("Accesses that hesitate")
    try await run.repeated(seconds: 0.5) { generator in
      let source = HesitantSource(
        try SerialConnection(path: ":memory:", label: "line", configuration: Configuration()))
      var tasks: [Task<Bool, any Error>] = []
      for _ in 0..<40 {
        let task = Task {
          do {
            return try await source.run(.none) { _ in true }
          } catch is CancellationError {
            return false
          }
        }
        usleep(UInt32(generator.below(300)))
        task.cancel()
        tasks.append(task)
      }
      for task in tasks { _ = try await task.value }
    }
  }

  @Test func `a turn ends once`() throws {
    let connection = try SerialConnection(
      path: ":memory:", label: "library", configuration: Configuration())
    let log = Log<Bool>()
    let turn = AccessTurn { result in log.append((try? result.get()) != nil) }
    #expect(!turn.isOver)
    turn.begin(with: connection, since: nil)
    turn.begin(with: connection, since: nil)
    turn.fail(CancellationError())
    #expect(turn.isOver)
    #expect(log.elements == [true])
  }
}
