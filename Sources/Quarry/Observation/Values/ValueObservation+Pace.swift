extension ValueObservation {
  /// Fetches when the database has not changed for some time.
  ///
  /// ```swift
  /// // One fetch after a burst of transactions.
  /// observation.debounce(for: .milliseconds(200))
  /// ```
  ///
  /// The first value is not delayed. Later ones are fetched after the transaction, even where they are usually fetched
  /// in it. Transactions that come one after the other without a pause put the fetch off for ever: see ``throttle(for:)``.
  public func debounce(for delay: Duration) -> Self {
    var observation = self
    observation.pace = .debounced(delay)
    return observation
  }

  /// Fetches once in some time at most.
  ///
  /// ```swift
  /// // No more than ten fetches a second.
  /// observation.throttle(for: .milliseconds(100))
  /// ```
  ///
  /// The first value is not delayed. The last change is always followed by a fetch.
  public func throttle(for interval: Duration) -> Self {
    var observation = self
    observation.pace = .throttled(interval)
    return observation
  }

  /// Does not report the first value: only what changes after the start.
  ///
  /// The first value is fetched all the same, since this shows what to observe, and it goes through the operators:
  /// ``removeDuplicates()`` compares the next one with it.
  public func dropInitial() -> Self {
    var observation = self
    observation.dropsInitialValue = true
    return observation
  }

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
  /// The operators go on as if nothing had happened. The first value after an error is fetched and reported whatever has changed.
  ///
  /// - Parameter delay: Returns how long to wait, or nil to fail. It gets the error, and the count of errors since the last
  ///   value that was reported. It runs on any thread.
  public func retry(
    _ delay: @escaping @Sendable (_ error: any Error, _ failureCount: Int) -> Duration?
  ) -> Self {
    var observation = self
    observation.retry = delay
    return observation
  }
}
