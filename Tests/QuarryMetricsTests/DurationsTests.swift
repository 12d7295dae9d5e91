import QuarryTestSupport
import Testing

@testable import QuarryMetrics

@Suite("Durations")
struct DurationsTests {
  private func durations(_ values: Duration...) -> Durations {
    var durations = Durations()
    for value in values { durations.record(value) }
    return durations
  }

  @Test func `of nothing there is no mean`() {
    let none = Durations()
    #expect(none.mean == nil)
    #expect(none.percentile(50) == nil)
    #expect(none.count == 0)
  }

  @Test func `mean, total and longest`() {
    let three = durations(.microseconds(10), .microseconds(20), .microseconds(60))
    #expect(three.count == 3)
    #expect(three.total == .microseconds(90))
    #expect(three.mean == .microseconds(30))
    #expect(three.longest == .microseconds(60))
  }

  @Test func `percentiles are powers of two, and at most the longest`() {
    let four = durations(.nanoseconds(1), .microseconds(3), .microseconds(5), .microseconds(100))
    #expect(four.percentile(25) == .microseconds(1))
    #expect(four.percentile(50) == .microseconds(4))
    #expect(four.percentile(75) == .microseconds(8))
    #expect(four.percentile(100) == .microseconds(100))
    #expect(four.percentile(0) == .microseconds(1))
    #expect(four.percentile(-5) == .microseconds(1))
    #expect(four.percentile(.nan) == .microseconds(100))
    #expect(four.percentile(1000) == .microseconds(100))
    #expect(durations(.seconds(100_000_000)).percentile(50) == .seconds(100_000_000))
  }

  @Test func `a clock that goes back counts as nothing`() {
    #expect(durations(.seconds(-1)).total == .zero)
  }

  /// No value is above its percentile, and half of it is exceeded.
  @Test func `percentiles of random durations`() {
    RandomRun("Durations").repeated(seconds: 0.2) { generator in
      var durations = Durations()
      var values: [Duration] = []
      for _ in 0...generator.below(50) {
        let value = Duration.nanoseconds(generator.below(1 << (1 + generator.below(40))))
        values.append(value)
        durations.record(value)
      }
      values.sort()
      for percentage in [1.0, 10, 50, 90, 99, 100] {
        let rank = max(1, Int((Double(values.count) * percentage / 100).rounded(.up)))
        let exact = values[rank - 1]
        let rounded = durations.percentile(percentage) ?? .zero
        #expect(rounded >= exact)
        #expect(rounded <= max(exact * 2, .microseconds(1)))
      }
    }
  }

  @Test func `a sum and a difference`() {
    let both = durations(.microseconds(1), .milliseconds(7))
    var sum = durations(.microseconds(1))
    sum.add(durations(.milliseconds(7)))
    #expect(sum == both)
    sum.subtract(durations(.microseconds(1)))
    #expect(sum.count == 1)
    #expect(sum.total == .milliseconds(7))
    #expect(sum.percentile(1) == .milliseconds(7))
    // In the wrong order
    var less = durations(.microseconds(1))
    less.subtract(both)
    #expect(less.count == -1)
    #expect(less.percentile(50) == nil)
    #expect(less.longest == .zero)
  }

  @Test func `equal durations have no difference`() {
    let earlier = durations(.milliseconds(66), .microseconds(3))
    var later = earlier
    later.subtract(earlier)
    #expect(later == Durations())
  }

  @Test func `counters of SQLite have no sign`() {
    #expect(Int(counter: 7) == 7)
    #expect(Int(counter: -1) == 4_294_967_295)
  }

  @Test func `the longest of a difference is one of those between`() {
    let earlier = durations(.milliseconds(66), .microseconds(3))
    func between(_ values: Duration...) -> Durations {
      var later = earlier
      for value in values { later.record(value) }
      later.subtract(earlier)
      return later
    }
    #expect(between().longest == .zero)
    #expect(between(.microseconds(3), .microseconds(5)).longest == .microseconds(8))
    #expect(between(.microseconds(3), .microseconds(5)).percentile(100) == .microseconds(8))
    #expect(between(.microseconds(3), .milliseconds(67)).longest == .milliseconds(67))
    // The next power of two is more than the longest one of all.
    #expect(between(.milliseconds(65)).longest == .microseconds(65_536))
    #expect(between(.microseconds(65_900)).longest == .milliseconds(66))
    #expect(between(.seconds(100_000_000)).longest == .seconds(100_000_000))
  }

  @Test func `the longest of random differences is at most rounded up`() {
    RandomRun("Differences").repeated(seconds: 0.2) { generator in
      func value() -> Duration { .nanoseconds(generator.below(1 << (1 + generator.below(40)))) }
      var later = Durations()
      for _ in 0...generator.below(10) { later.record(value()) }
      let earlier = later
      let values = (0...generator.below(5)).map { _ in value() }
      for value in values { later.record(value) }
      later.subtract(earlier)
      let exact = values.max() ?? .zero
      #expect(later.longest >= exact)
      #expect(later.longest <= max(exact * 2, .microseconds(1)))
      #expect(later.longest >= later.total / later.count)
    }
  }
}
