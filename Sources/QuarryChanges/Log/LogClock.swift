import Foundation
import Quarry

/// The times of transactions: microseconds since 1970, each later than all before that the database
/// knows of, its own and those of others. So a later version of a row has a later time, whatever
/// the clocks say.
struct LogClock: Sendable {
  let tolerance: Duration
  let now: @Sendable () -> Date

  /// The time after another one.
  func time(after last: Int64) -> Int64 { max(last + 1, microseconds) }

  private var microseconds: Int64 {
    Int64(clamping: Int((now().timeIntervalSince1970 * 1_000_000).rounded()))
  }

  /// Throws for a time that a clock can't have that is right.
  func check(_ changes: LoggedChanges) throws {
    guard changes.time > 0, changes.time < Int64.max / 2 else {
      throw ChangesetError(
        .clock, "a transaction of \(changes.origin) has the time \(changes.time), which is no date")
    }
    let ahead = Duration.microseconds(changes.time - microseconds)
    guard ahead > tolerance else { return }
    throw ChangesetError(
      .clock,
      "a transaction of \(changes.origin) has the date \(changes.date), which is \(ahead) ahead of the "
        + "clock here. Set both clocks, or allow more with `clockTolerance`")
  }
}
