extension ValueObservation {
  /// Starts the observation, and reports its values on the main actor.
  ///
  /// ```swift
  /// let cancellable = observation.start(in: dbPool) { error in
  ///   show(error)
  /// } onChange: { books in
  ///   show(books)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - reader: It stays alive until the observation is canceled or fails.
  ///   - scheduler: `.mainActor` by default. With `.immediate`, which must be used on the main
  ///     thread, the first value is reported before the method returns.
  ///   - onError: Called once, when the observation fails: with the first error of a fetch, an
  ///     operator, or the database.
  ///   - onChange: Called with each value.
  /// - Returns: An object that stops the observation when it is canceled or released. No call
  ///   begins after that.
  @preconcurrency public func start(
    in reader: any DatabaseReader,
    scheduling scheduler: some ValueObservationMainActorScheduler = .mainActor,
    onError: @escaping @MainActor (any Error) -> Void,
    onChange: @escaping @MainActor (Reducer.Value) -> Void
  ) -> AnyDatabaseCancellable {
    let onError = { @Sendable error in
      // The error of a start that is not on the main thread.
      guard MainQueue.isCurrent else { return MainQueue.schedule { onError(error) } }
      MainActor.assumeIsolated { onError(error) }
    }
    let onChange = { @Sendable value in MainActor.assumeIsolated { onChange(value) } }
    return run(in: reader, scheduler, onError, onChange)
  }

  /// Starts the observation, and reports its values on a scheduler.
  ///
  /// ```swift
  /// let cancellable = observation.start(in: dbPool, scheduling: .async(onQueue: queue)) { error in
  ///   log(error)
  /// } onChange: { books in
  ///   index(books)
  /// }
  /// ```
  ///
  /// See ``start(in:scheduling:onError:onChange:)-(_,ValueObservationMainActorScheduler,_,_)``.
  @preconcurrency public func start(
    in reader: any DatabaseReader,
    scheduling scheduler: some ValueObservationScheduler,
    onError: @escaping @Sendable (any Error) -> Void,
    onChange: @escaping @Sendable (Reducer.Value) -> Void
  ) -> AnyDatabaseCancellable { run(in: reader, scheduler, onError, onChange) }

  private func run(
    in reader: any DatabaseReader, _ scheduler: any ValueObservationScheduler,
    _ onError: @escaping @Sendable (any Error) -> Void,
    _ onChange: @escaping @Sendable (Reducer.Value) -> Void
  ) -> AnyDatabaseCancellable {
    let callbacks = RunningObservation<Reducer>.Callbacks(onError: onError, onChange: onChange)
    return RunningObservation(self, in: reader, scheduling: scheduler, callbacks: callbacks)
      .start()
  }
}
