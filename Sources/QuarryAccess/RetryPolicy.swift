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
  public static func whenLocked(tries: Int, pause: Duration = .milliseconds(10)) -> RetryPolicy {
    RetryPolicy(maximumTryCount: tries, firstPause: min(max(pause, .zero), .seconds(86_400)))
  }
}
