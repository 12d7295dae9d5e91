import Foundation
import Quarry
import QuarryTestSupport
import Testing

/// Tasks that observe, and are canceled at random moments, also before their observation has begun,
/// while the tasks are the last to have the database.
///
/// The moments of single instructions are too rare to be met here: for executors,
/// `AccessSourceTests` stretches them. What each run sees is an observation that does not end, an
/// error that nobody has caused, and a database that is kept.
///
/// `QUARRY_RANDOM_SECONDS` sets how long each test runs: see `Scripts/sanitize`.
@Suite("Storms of canceled observations", .serialized)
struct ValueStormTests {
  /// The ways to observe in a task.
  private enum Way: CaseIterable {
    case values, latestValues, shared, changes

    func run(in writer: any DatabaseWriter, _ received: @Sendable () -> Void) async throws {
      switch self {
      case .values: for try await _ in authorCount.values(in: writer) { received() }
      case .latestValues:
        let values = constantAuthorCount.values(in: writer, bufferingPolicy: .bufferingNewest(1))
        for try await _ in values { received() }
      case .shared:
        for try await _ in constantAuthorCount.shared(in: writer, scheduling: .task).values() {
          received()
        }
      case .changes:
        let observation = DatabaseRegionObservation(tracking: Table("author"))
        for try await _ in observation.changes(in: writer) { received() }
      }
    }
  }

  @Test(arguments: [false, true])
  func `each observation ends with its task, and the last one with the database`(
    isPool: Bool
  ) async throws {
    let run = RandomRun("Storms of canceled observations")
    try await run.repeated(seconds: 0.3) { generator in
      var writer: (any DatabaseWriter)? = try makeShop(isPool: isPool)
      weak let released = writer
      let errors = ValueRecorder<any Error>()
      var tasks: [Task<Void, Never>] = []
      for _ in 0..<40 {
        let way = generator.pick(Way.allCases)
        let writes = generator.chance(3)
        guard let writer else { break }
        let task = Task {
          do {
            if writes {
              try await writer.write { db in
                try db.execute(sql: "INSERT INTO author DEFAULT VALUES")
              }
            }
            try await way.run(in: writer) {}
          } catch is CancellationError {
          } catch {
            errors.append(error)
          }
        }
        if generator.chance(3) { await Task.yield() }
        tasks.append(task)
        if generator.chance(2) { tasks[generator.below(tasks.count)].cancel() }
      }
      writer = nil
      for task in tasks { task.cancel() }
      for task in tasks { await task.value }
      tasks = []
      #expect(errors.elements.isEmpty)
      // What still runs on queues keeps the database for a moment.
      for _ in 0..<1000 where released != nil { try await Task.sleep(for: .milliseconds(5)) }
      #expect(released == nil)
    }
  }
}
