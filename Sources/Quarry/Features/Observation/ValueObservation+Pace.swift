extension ValueObservation {
  /// Fetches once the database has not changed for a given time.
  ///
  /// ```swift
  /// // One fetch after a burst of transactions.
  /// observation.debounce(for: .milliseconds(200))
  /// ```
  ///
  /// The first value is not delayed. Later ones are fetched after the transaction, even where they
  /// are usually fetched in it. Transactions without a pause between them delay the fetch
  /// indefinitely: see ``throttle(for:)``.
  public func debounce(for delay: Duration) -> Self { setting(\.pace, .debounced(delay)) }

  /// Fetches at most once per interval.
  ///
  /// ```swift
  /// // No more than ten fetches a second.
  /// observation.throttle(for: .milliseconds(100))
  /// ```
  ///
  /// The first value is not delayed. The last change is always followed by a fetch.
  public func throttle(for interval: Duration) -> Self { setting(\.pace, .throttled(interval)) }

  /// Does not report the first value, but only the values after later changes.
  ///
  /// The first value is still fetched, since this determines the region, and the operators still
  /// receive it: ``removeDuplicates()`` compares the next one with it.
  public func dropInitial() -> Self { setting(\.dropsInitialValue, true) }

  /// Starts again after an error.
  ///
  /// ```swift
  /// // Three attempts, when other processes lock the database for too long.
  /// observation.retry { error, failureCount in
  ///   guard case DatabaseError.SQLITE_BUSY = error, failureCount < 3 else { return nil }
  ///   return .seconds(failureCount)
  /// }
  /// ```
  ///
  /// The first value after an error is always fetched. The operators keep their state:
  /// ``removeDuplicates()`` withholds a value that equals the last one, and ``dropInitial()`` the
  /// first one of all.
  ///
  /// - Parameter delay: Returns how long to wait, or nil to fail. It gets the error, and the count
  ///   of errors since the last value that was reported. It runs on any thread.
  public func retry(
    _ delay: @escaping @Sendable (_ error: any Error, _ failureCount: Int) -> Duration?
  ) -> Self { setting(\.retry, delay) }
}
