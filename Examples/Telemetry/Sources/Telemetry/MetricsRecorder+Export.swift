import Metrics
import QuarryMetrics

extension MetricsRecorder {
  /// Hands the metrics over to swift-metrics, again and again, until the task is canceled.
  ///
  /// - parameter name: The first part of the names of all metrics.
  public func export(as name: String, every interval: Duration) async {
    for await metrics in values(every: interval) { metrics.export(as: name) }
  }
}

extension QuarryMetrics.Metrics {
  /// Adds these numbers, which are those of one interval, to the counters of swift-metrics.
  public func export(as name: String) {
    for (kind, accesses) in [("read", reads), ("write", writes)] {
      let labels = [("kind", kind)]
      add(accesses.count, to: "\(name)_accesses_total", labels)
      add(accesses.failureCount, to: "\(name)_access_failures_total", labels)
      add(accesses.running.total, to: "\(name)_access_seconds_total", labels)
      add(accesses.waiting.total, to: "\(name)_access_wait_seconds_total", labels)
      if let wait = accesses.waiting.percentile(99) {
        Gauge(label: "\(name)_access_wait_p99_seconds", dimensions: labels).record(wait.seconds)
      }
    }
    add(statements.count, to: "\(name)_statements_total")
    add(statements.compiledCount, to: "\(name)_statements_compiled_total")
    add(statements.scannedRowCount, to: "\(name)_rows_scanned_total")
    add(statements.sortCount, to: "\(name)_sorts_total")
    let pages = [
      ("hit", pageCache.hits), ("miss", pageCache.misses), ("write", pageCache.writes),
      ("spill", pageCache.spills),
    ]
    for (outcome, count) in pages { add(count, to: "\(name)_pages_total", [("outcome", outcome)]) }
  }

  private func add(_ count: Int, to label: String, _ dimensions: [(String, String)] = []) {
    Counter(label: label, dimensions: dimensions).increment(by: count)
  }

  private func add(_ duration: Duration, to label: String, _ dimensions: [(String, String)]) {
    FloatingPointCounter(label: label, dimensions: dimensions).increment(by: duration.seconds)
  }
}

extension Duration {
  var seconds: Double { self / .seconds(1) }
}
