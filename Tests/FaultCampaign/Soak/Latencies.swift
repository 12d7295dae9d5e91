/// Durations, in classes of which each is a fifth longer than the one before.
struct Latencies: Sendable {
  private static let factor = 1.2
  private var counts = [Int](repeating: 0, count: 140)
  private(set) var count = 0
  private(set) var longest = Duration.zero

  mutating func add(_ duration: Duration) {
    var bound = 1.0
    var index = 0
    let microseconds = Double(duration / .microseconds(1))
    while bound < microseconds, index < counts.count - 1 {
      bound *= Self.factor
      index += 1
    }
    counts[index] += 1
    count += 1
    longest = max(longest, duration)
  }

  /// The duration that a share of all does not exceed, within a fifth.
  func quantile(_ share: Double) -> Duration {
    var rest = Double(count) * share
    var bound = 1.0
    for count in counts {
      rest -= Double(count)
      if rest <= 0 { break }
      bound *= Self.factor
    }
    return min(longest, .microseconds(Int64(bound)))
  }

  var summary: String {
    func text(_ duration: Duration) -> String {
      let microseconds = duration / .microseconds(1)
      return microseconds < 10_000
        ? "\(Int(microseconds)) µs" : "\(Int(microseconds / 1000)) ms"
    }
    let parts = [("half", 0.5), ("99%", 0.99), ("99.9%", 0.999)]
      .map { "\($0.0) within \(text(quantile($0.1)))" }
    return "\(count), \(parts.joined(separator: ", ")), longest \(text(longest))"
  }
}

extension Duration {
  fileprivate static func / (duration: Duration, unit: Duration) -> Double {
    let (seconds, attoseconds) = duration.components
    let (unitSeconds, unitAttoseconds) = unit.components
    return (Double(seconds) * 1e18 + Double(attoseconds))
      / (Double(unitSeconds) * 1e18 + Double(unitAttoseconds))
  }
}
