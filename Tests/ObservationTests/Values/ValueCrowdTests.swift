import Foundation
import Quarry
import QuarryTestSupport
import Testing

/// Observations that are started and cancelled by several threads, while others write.
@Suite struct ValueCrowdTests {
  @Test(arguments: ConnectionKind.queueAndPool)
  func `observations come and go`(kind: ConnectionKind) async throws {
    let run = RandomRun("Crowd of observations")
    var configuration = Configuration()
    configuration.maximumReaderCount = 2
    try await kind.withShop(configuration) { writer async throws in
      let errors = ValueRecorder<any Error>()
      await withTaskGroup(of: Void.self) { group in
        for task in 0..<4 {
          group.addTask {
            var random = SplitMix64(seed: run.seed &+ UInt64(task))
            var cancellables: [AnyDatabaseCancellable] = []
            for _ in 0..<50 {
              let observation = random.chance(2) ? authorCount : constantAuthorCount
              cancellables.append(
                observation.start(
                  in: writer, scheduling: .task, onError: { errors.append($0) }, onChange: { _ in })
              )
              if random.chance(2) {
                cancellables.remove(at: random.below(cancellables.count)).cancel()
              }
              do {
                try await writer.write { db in
                  try db.execute(sql: "INSERT INTO author DEFAULT VALUES")
                }
              } catch {
                errors.append(error)
              }
            }
          }
        }
      }
      let report = Report<Int>()
      let cancellable = authorCount.record(in: writer, into: report)
      let values = try await report.values.first(1)
      #expect(values == [200])
      cancellable.cancel()
      #expect(errors.elements.isEmpty)
    }
  }

  @Test func `a thousand observations of a pool with one reader`() async throws {
    var configuration = Configuration()
    configuration.maximumReaderCount = 1
    try await ConnectionKind.pool.withShop(configuration) { writer async throws in
      let reports = (0..<1000).map { _ in Report<Int>() }
      let cancellables = reports.map { constantAuthorCount.record(in: writer, into: $0) }
      for report in reports { try await report.values.first(1) }
      try writer.run("INSERT INTO author DEFAULT VALUES")
      for report in reports { try await report.values.wait { $0.last == 1 } }
      for cancellable in cancellables { cancellable.cancel() }
      #expect(reports.allSatisfy { $0.errors.elements.isEmpty })
    }
  }

  @Test func `a thousand observations come and go in many threads, on one reader`() async throws {
    let run = RandomRun("Crowd of threads")
    var configuration = Configuration()
    configuration.maximumReaderCount = 1
    try await ConnectionKind.pool.withShop(configuration) { writer async throws in
      let report = Report<Int>()
      let crowd = Crowd(threads: 8)
      for thread in 0..<8 {
        Thread.detachNewThread {
          var random = SplitMix64(seed: run.seed &+ UInt64(thread))
          var cancellables: [AnyDatabaseCancellable] = []
          for _ in 0..<125 {
            let observation = random.chance(2) ? authorCount : constantAuthorCount
            cancellables.append(
              observation.start(
                in: writer, scheduling: .async(onQueue: .global()),
                onError: { report.errors.append($0) }, onChange: { report.values.append($0) }))
            if random.chance(2) {
              cancellables.remove(at: random.below(cancellables.count)).cancel()
            }
            if random.chance(4) {
              do {
                try writer.run("INSERT INTO author DEFAULT VALUES")
              } catch {
                report.errors.append(error)
              }
            }
          }
          crowd.end(cancellables)
        }
      }
      let cancellables = try await crowd.wait()
      let last = try writer.readNow { db in try db.count("author") }
      let witness = Report<Int>()
      let cancellable = authorCount.record(in: writer, into: witness)
      #expect(try await witness.values.first(1) == [last])
      // All that are left are notified.
      let before = report.values.elements.count(where: { $0 == last + 1 })
      try writer.run("INSERT INTO author DEFAULT VALUES")
      try await report.values.wait {
        $0.count { $0 == last + 1 } >= before + cancellables.count
      }
      for cancellable in cancellables { cancellable.cancel() }
      cancellable.cancel()
      #expect(report.errors.elements.isEmpty)
    }
  }
}

/// Threads, and the observations that they have left.
private final class Crowd: Sendable {
  private let ends = ValueRecorder<[AnyDatabaseCancellable]>()
  private let threads: Int

  init(threads: Int) {
    self.threads = threads
  }

  func end(_ cancellables: [AnyDatabaseCancellable]) {
    ends.append(cancellables)
  }

  func wait() async throws -> [AnyDatabaseCancellable] {
    try await ends.first(threads).flatMap { $0 }
  }
}
