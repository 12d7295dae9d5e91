/// Whether to wait for the message of a commit: it comes right after the commit, if it comes.
struct Patience {
  private static let limit = Duration.milliseconds(15)
  private var start: ContinuousClock.Instant?
  /// False while others commit without messages: waiting would be in vain.
  private var hasHope = true

  mutating func waits() -> Bool {
    guard hasHope else { return false }
    guard let start else {
      start = .now
      return true
    }
    return .now - start < Self.limit
  }

  /// Called when the messages of all commits were there.
  mutating func renew() { self = Patience() }

  /// Called after a commit without message.
  mutating func gaveUp() { (start, hasHope) = (nil, start == nil && hasHope) }
}
