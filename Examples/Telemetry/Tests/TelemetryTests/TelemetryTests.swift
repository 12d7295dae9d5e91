import InMemoryTracing
import Metrics
import MetricsTestKit
import Quarry
import QuarryMetrics
import Telemetry
import Testing
import Tracing

/// Both packages have one system for the whole process.
private enum Systems {
  static let metrics = TestMetrics()
  static let tracer = InMemoryTracer()

  static let start: Void = {
    MetricsSystem.bootstrap(metrics)
    InstrumentationSystem.bootstrap(tracer)
  }()
}

@Suite("Telemetry", .serialized)
struct TelemetryTests {
  private let recorder = MetricsRecorder()
  private let queue: DatabaseQueue

  init() throws {
    _ = Systems.start
    var configuration = Configuration()
    configuration.record(in: recorder)
    queue = try DatabaseQueue(configuration: configuration)
  }

  @Test func `accesses become counters`() async throws {
    let before = recorder.metrics
    for _ in 1...3 { try await queue.read { _ in } }
    try? await queue.write { db in try db.execute(sql: "INSERT INTO book VALUES (1)") }
    (recorder.metrics - before).export(as: "shop")

    let metrics = Systems.metrics
    #expect(try metrics.expectCounter("shop_accesses_total", [("kind", "read")]).totalValue == 3)
    #expect(try metrics.expectCounter("shop_accesses_total", [("kind", "write")]).totalValue == 1)
    #expect(
      try metrics.expectCounter("shop_access_failures_total", [("kind", "write")]).totalValue == 1)
    #expect(try metrics.expectCounter("shop_statements_total").totalValue >= 8)
    #expect(
      try metrics.expectGauge("shop_access_wait_p99_seconds", [("kind", "read")]).lastValue != nil)
  }

  @Test func `an export goes on until its task is canceled`() async throws {
    let recorder = recorder
    let export = Task { await recorder.export(as: "library", every: .milliseconds(2)) }
    try await queue.read { _ in }
    func count() -> Int64 {
      (try? Systems.metrics.expectCounter("library_accesses_total", [("kind", "read")]).totalValue)
        ?? 0
    }
    while count() < 1 { try await Task.sleep(for: .milliseconds(2)) }
    export.cancel()
    await export.value
    #expect(count() == 1)
  }

  @Test func `accesses become spans`() async throws {
    let value = try await queue.tracedRead("answer") { db in
      try Int.fetchOne(db, sql: "SELECT 42")
    }
    #expect(value == 42)
    await #expect(throws: DatabaseError.self) {
      try await queue.tracedWrite("failure") { db in try db.execute(sql: "DELETE FROM book") }
    }
    let spans = Systems.tracer.finishedSpans
    let answer = try #require(spans.first { $0.operationName == "answer" })
    #expect(answer.attributes["db.system.name"]?.toSpanAttribute() == .string("sqlite"))
    #expect(answer.errors.isEmpty)
    let failure = try #require(spans.first { $0.operationName == "failure" })
    #expect(failure.errors.count == 1)
  }
}
