import Foundation

/// Seconds on the wall, and seconds of processor time of the whole process, which other programs
/// on the machine disturb less.
struct Clock: Encodable {
  var wall: Double
  var processor: Double

  static var now: Clock {
    Clock(wall: read(CLOCK_MONOTONIC), processor: read(CLOCK_PROCESS_CPUTIME_ID))
  }

  static func - (end: Clock, start: Clock) -> Clock {
    Clock(wall: end.wall - start.wall, processor: end.processor - start.processor)
  }

  private static func read(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

extension Collection<Double> {
  /// The middle value; of an even number of values, the mean of the two in the middle.
  var median: Double {
    let sorted = self.sorted()
    guard !sorted.isEmpty else { return .nan }
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }
}
