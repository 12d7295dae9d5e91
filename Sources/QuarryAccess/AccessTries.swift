import Foundation
import Quarry

/// The tries of an access.
struct AccessTries {
  private let policy: RetryPolicy
  private let deadline: ContinuousClock.Instant?
  private var count = 1

  init(_ policy: RetryPolicy, before deadline: ContinuousClock.Instant?) throws {
    self.policy = policy
    self.deadline = deadline
    guard policy.maximumTryCount >= 1 else {
      throw DatabaseError.misuse(
        "a retry policy of \(policy.maximumTryCount) tries: there must be at least 1")
    }
  }

  /// The pause before the next try.
  ///
  /// - Throws: the error of the last one when there is no other.
  mutating func pause(after error: any Error) throws -> Duration {
    guard var error = error as? DatabaseError else { throw error }
    guard error.accessLimit == nil, error.isLock, policy.maximumTryCount > 1 else { throw error }
    guard count < policy.maximumTryCount else {
      error.accessLimit = .tries(count)
      error.addDetails(
        "the access was tried \(count) times: allow more tries, a longer pause, or a `busyMode` "
          + "that waits longer")
      throw error
    }
    var generator = SystemRandomNumberGenerator()
    let share = 0.5 + Double(generator.next() as UInt32) / 0x1p33
    let pause = nextPause * share
    if let deadline, .now + pause >= deadline {
      error.accessLimit = .deadline
      error.addDetails(
        "the deadline of the access would pass before try \(count + 1): set a later deadline")
      throw error
    }
    count += 1
    return pause
  }

  private var nextPause: Duration {
    guard policy.firstPause < .seconds(1) else { return policy.firstPause }
    return min(policy.firstPause * (1 << min(count - 1, 30)), .seconds(1))
  }
}

extension DatabaseError {
  /// Whether another connection has a lock that it will give back.
  fileprivate var isLock: Bool {
    resultCode == .SQLITE_BUSY || extendedResultCode == .SQLITE_LOCKED_SHAREDCACHE
  }
}

extension AccessTries {
  /// Runs an access until it succeeds, and waits for its end.
  static func run<T>(
    _ policy: RetryPolicy, before deadline: ContinuousClock.Instant?, _ access: () throws -> T
  ) throws -> T {
    var tries = try AccessTries(policy, before: deadline)
    while true {
      do {
        return try access()
      } catch {
        let pause = try tries.pause(after: error)
        Thread.sleep(forTimeInterval: pause / .seconds(1))
      }
    }
  }

  /// Runs an access until it succeeds.
  static func run<T: Sendable>(
    _ policy: RetryPolicy, before deadline: ContinuousClock.Instant?,
    _ access: @Sendable () async throws -> T
  ) async throws -> T {
    var tries = try AccessTries(policy, before: deadline)
    while true {
      do {
        return try await access()
      } catch {
        try await Task.sleep(for: tries.pause(after: error))
      }
    }
  }
}
