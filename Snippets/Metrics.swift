// How long accesses wait and run, and which statements are slow.

// snippet.record
import Quarry
import QuarryMetrics

let recorder = MetricsRecorder(slowerThan: .milliseconds(1)) { statement in
  // 0.012… seconds SELECT count(*) FROM "book" …
  // QUERY PLAN
  // `--SCAN book
  print(statement)
}
var configuration = Configuration()
configuration.record(in: recorder)
let queue = try DatabaseQueue(configuration: configuration)
// snippet.end

try queue.write { db in
  try db.create(table: "book") { t in
    t.autoIncrementedPrimaryKey("id")
    t.column("title", .text)
  }
}
try queue.read { db in
  _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM book")
}

// snippet.read
let metrics = recorder.metrics
print(metrics.reads.count, metrics.writes.failureCount)  // 1 0
print(metrics.reads.waiting.percentile(99) ?? .zero)
print(metrics.statements.scannedRowCount, metrics.pageCache.writes)
// snippet.end
