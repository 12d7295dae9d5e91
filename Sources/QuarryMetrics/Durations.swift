/// How long things took: their number, their sum, the longest, and a distribution.
public struct Durations: Hashable, Sendable, Codable {
  /// The number of things.
  public private(set) var count = 0
  /// The sum of their durations.
  public private(set) var total = Duration.zero
  /// The longest duration. That of a difference is rounded up as a percentile is, unless it is the
  /// longest since the creation of the recorder.
  public private(set) var longest = Duration.zero
  /// The number of durations of up to 1, 2, 4, 8, … microseconds.
  private var counts: [Int] = []

  /// Creates the durations of nothing.
  public init() {}

  /// The mean duration, or nil without any.
  public var mean: Duration? { count == 0 ? nil : total / count }

  /// A duration that this part of all durations does not exceed, or nil without any.
  ///
  /// ```swift
  /// print(recorder.metrics.reads.waiting.percentile(99))
  /// ```
  ///
  /// It is rounded up to a power of two in microseconds, but is not longer than ``longest``.
  ///
  /// - parameter percentage: More than 0, and up to 100: other values are moved there.
  public func percentile(_ percentage: Double) -> Duration? {
    guard count > 0 else { return nil }
    let part = percentage.isNaN ? 100 : min(max(percentage, 0), 100)
    let rank = max(1, (Double(count) * part / 100).rounded(.up))
    var sum = 0
    for (exponent, count) in counts.enumerated() {
      sum += count
      guard Double(sum) >= rank, exponent < Self.last else { continue }
      return min(.microseconds(Int64(1) << exponent), longest)
    }
    return longest
  }

  mutating func record(_ duration: Duration) {
    let duration = max(duration, .zero)
    count += 1
    total += duration
    longest = max(longest, duration)
    let exponent = Self.exponent(of: duration)
    while counts.count <= exponent { counts.append(0) }
    counts[exponent] += 1
  }

  mutating func add(_ other: Durations) {
    count += other.count
    total += other.total
    longest = max(longest, other.longest)
    while counts.count < other.counts.count { counts.append(0) }
    for (exponent, count) in other.counts.enumerated() { counts[exponent] += count }
  }

  mutating func subtract(_ earlier: Durations) {
    count -= earlier.count
    total -= earlier.total
    while counts.count < earlier.counts.count { counts.append(0) }
    for (exponent, count) in earlier.counts.enumerated() { counts[exponent] -= count }
    // Equal durations have equal counts.
    while counts.last == 0 { counts.removeLast() }
    // The longest one of all may be an earlier one: the distribution knows a limit.
    let exponent = count > 0 ? counts.lastIndex { $0 > 0 } : nil
    guard let exponent else { return longest = .zero }
    if exponent < Self.last { longest = min(longest, .microseconds(Int64(1) << exponent)) }
  }

  /// The exponent of all durations from twelve days on.
  private static let last = 40

  /// The least exponent whose power of two is as long, in microseconds.
  private static func exponent(of duration: Duration) -> Int {
    let (seconds, attoseconds) = duration.components
    guard seconds < 1 << 20 else { return last }
    let rest = attoseconds % 1_000_000_000_000
    let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000 + (rest == 0 ? 0 : 1)
    return microseconds <= 1 ? 0 : min(64 - (microseconds - 1).leadingZeroBitCount, last)
  }
}
