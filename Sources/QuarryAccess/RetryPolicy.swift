import Dispatch
import Foundation

/// How often an access that meets the lock of another connection runs again.
///
/// ```swift
/// try dbQueue.write(retry: .whenLocked) { db in
///   try Author(id: 1, name: "Franz Kafka").insert(db)
/// }
/// ```
///
/// An access is repeated from its beginning, in a new transaction, after its own one has been
/// rolled back. So its closure runs several times: it must have no effects but those in the
/// database.
///
/// The codes that lead to another try are `SQLITE_BUSY` with all its extended codes, such as
/// `SQLITE_BUSY_SNAPSHOT`, and `SQLITE_LOCKED_SHAREDCACHE`. See
/// <https://www.sqlite.org/rescode.html#busy>.
public struct RetryPolicy: Hashable, Sendable {
  /// How often the closure runs at most.
  let maximumTryCount: Int
  /// The pause before the second try. It doubles with each one.
  let firstPause: Duration

  /// Each access runs once.
  public static let never = whenLocked(tries: 1)

  /// Up to ten tries, the second one after at most 10 milliseconds.
  public static let whenLocked = whenLocked(tries: 10)

  /// A number of tries.
  ///
  /// - parameter tries: How often the closure runs at most. Less than 1 is an error of the access.
  /// - parameter pause: The longest pause before the second try. It doubles with each further one,
  ///   up to a second, unless it is longer from the beginning. Pauses are shorter by a random part,
  ///   up to the half: connections that have met once would meet again. Negative ones are zero,
  ///   and none is longer than a day.
  public static func whenLocked(
    tries: Int, pause: Duration = .milliseconds(10)
  ) -> RetryPolicy {
    RetryPolicy(maximumTryCount: tries, firstPause: min(max(pause, .zero), .seconds(86_400)))
  }
}

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
