package import Foundation

/// Dates with other texts than those of milliseconds: the library `QuarryValues` has them.
///
/// They belong to the process, and not to a connection: requests, keys, and the columns that
/// `databaseChanges` compares are made of values before any connection is known. A date that is
/// rounded in a condition, and not in a column, is not found. So it is decided once, at the latest
/// by the first conversion.
package struct ExactDates: Sendable {
  let write: @Sendable (Date) -> DatabaseValue
  let read: @Sendable (_ milliseconds: Int64, _ text: String) -> Date?

  private static let chosen = Locked<ExactDates?>(nil)
  /// Zero before the decision, 2 for exact dates.
  private static let decision = AtomicWord()

  /// - parameter write: The text of a date, or the reason why there is none.
  /// - parameter read: The date of the text of a date, nil for that of the milliseconds since 1970.
  package init(
    write: @escaping @Sendable (Date) -> DatabaseValue,
    read: @escaping @Sendable (Int64, String) -> Date?
  ) {
    self.write = write
    self.read = read
  }

  /// The dates of the process, nil for those of milliseconds.
  static var ofProcess: ExactDates? {
    if decision.value == 0 { decide(nil) }
    return decision.value == 2 ? chosen.withLock { $0 } : nil
  }

  /// Makes all dates of the process exact. Returns false when it is too late.
  package static func choose(_ dates: ExactDates) -> Bool {
    decide(dates)
    return decision.value == 2
  }

  private static func decide(_ dates: ExactDates?) {
    chosen.withLock { chosen in
      guard decision.value == 0 else { return }
      chosen = dates
      decision.value = dates == nil ? 1 : 2
    }
  }
}
