/// The values of an observation, as an asynchronous sequence.
///
/// ```swift
/// for try await books in observation.values(in: dbPool) {
///   print("\(books.count) books")
/// }
/// ```
///
/// Each iteration starts the observation on its own, when its iterator is made. It is canceled when
/// the loop is left, when the iterator is released, and when the task is canceled, which ends the
/// loop without an error.
public struct AsyncValueObservation<Element: Sendable>: AsyncSequence, Sendable {
  /// The policy for values that arrive before they are requested.
  public typealias BufferingPolicy = AsyncThrowingStream<Element, any Error>.Continuation
    .BufferingPolicy
  /// The type of iterators.
  public typealias AsyncIterator = Iterator

  typealias Start =
    @Sendable (
      _ onError: @escaping @Sendable (any Error) -> Void,
      _ onChange: @escaping @Sendable (Element) -> Void
    ) -> AnyDatabaseCancellable

  let bufferingPolicy: BufferingPolicy
  let start: Start

  /// Starts the observation.
  public func makeAsyncIterator() -> Iterator {
    let (stream, continuation) = AsyncThrowingStream<Element, any Error>.makeStream(
      bufferingPolicy: bufferingPolicy)
    let cancellable = start({ continuation.finish(throwing: $0) }, { continuation.yield($0) })
    return Iterator(base: stream.makeAsyncIterator(), cancellable: cancellable)
  }

  /// The values of an observation that has been started.
  public struct Iterator: AsyncIteratorProtocol {
    var base: AsyncThrowingStream<Element, any Error>.Iterator
    let cancellable: AnyDatabaseCancellable
    /// A stream throws its error again, after one that was waited for.
    var hasFailed = false

    /// Returns the next value, after waiting for a change if necessary.
    ///
    /// - Returns: nil after the cancellation of the task, or after an error.
    /// - Throws: the error of the observation, when the values before it have been returned.
    public mutating func next() async throws -> Element? {
      guard !hasFailed else { return nil }
      do {
        return try await withTaskCancellationHandler {
          try await base.next()
        } onCancel: { [cancellable] in
          cancellable.cancel()
        }
      } catch {
        hasFailed = true
        throw error
      }
    }
  }
}

extension ValueObservation {
  /// Returns the values as an asynchronous sequence. Nothing is started before it is iterated.
  ///
  /// - Parameters:
  ///   - reader: The database.
  ///   - scheduler: A task of its own by default.
  ///   - bufferingPolicy: By default, values are kept until they are asked for. With
  ///     `.bufferingNewest(1)`, a slow loop sees the last state only.
  public func values(
    in reader: any DatabaseReader, scheduling scheduler: some ValueObservationScheduler = .task,
    bufferingPolicy: AsyncValueObservation<Reducer.Value>.BufferingPolicy = .unbounded
  ) -> AsyncValueObservation<Reducer.Value> {
    AsyncValueObservation(bufferingPolicy: bufferingPolicy) { onError, onChange in
      start(in: reader, scheduling: scheduler, onError: onError, onChange: onChange)
    }
  }
}
