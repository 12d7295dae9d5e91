public import Quarry

/// The elements of a cursor, in batches that are fetched while a task works on those before.
///
/// See `batches(of:timeLimit:_:)`.
public struct DatabaseBatches<Element: Sendable>: AsyncSequence, Sendable {
  let start: @Sendable (BatchChannel<Element>) -> Task<Void, Never>

  /// An iterator that fetches nothing before the first batch is asked for.
  public func makeAsyncIterator() -> Iterator { Iterator(start: start) }

  /// The iterator over the batches. Its release ends the access.
  public struct Iterator: AsyncIteratorProtocol {
    let start: @Sendable (BatchChannel<Element>) -> Task<Void, Never>
    private var fetch: Fetch?

    init(start: @escaping @Sendable (BatchChannel<Element>) -> Task<Void, Never>) {
      self.start = start
    }

    /// Returns the next batch, or nil at the end.
    ///
    /// - Throws: the error of the closure or of an element, once; `CancellationError` when the task
    ///   is canceled.
    public mutating func next() async throws -> [Element]? {
      let fetch = self.fetch ?? Fetch(start)
      self.fetch = fetch
      return try await withTaskCancellationHandler {
        try await fetch.channel.receive()
      } onCancel: { [channel = fetch.channel] in
        channel.cancel()
      }
    }
  }

  private final class Fetch: Sendable {
    let channel = BatchChannel<Element>()

    init(_ start: (BatchChannel<Element>) -> Task<Void, Never>) {
      let task = start(channel)
      channel.onCancel { task.cancel() }
    }

    deinit { channel.cancel() }
  }
}

extension DatabaseReader {
  /// Returns the elements of a cursor as an asynchronous sequence of batches.
  ///
  /// ```swift
  /// // SELECT * FROM "book"
  /// let batches = dbPool.batches(of: 500) { db in try Book.fetchCursor(db) }
  /// for try await books in batches {
  ///   try await upload(books)
  /// }
  /// ```
  ///
  /// The access begins with the first batch, and ends with the loop. Its connection reads one batch
  /// ahead, and then waits until the loop asks for it. All batches show one state of the database,
  /// also those that are fetched after later commits.
  ///
  /// The loop may use the database. A reader of a pool is held meanwhile: it counts among the
  /// readers, and neither the write-ahead log nor a barrier gets past it. Reads wait for a barrier
  /// that waits: in a loop that reads, beside `releaseMemory()` or a barrier, until its time limit.
  /// Loops leave one reader of their pool to others: when they hold all the other readers, and on a
  /// `DatabaseQueue` or a `DatabaseSnapshot`, which have one connection, an access fetches all
  /// elements, and ends before the first batch. There, a cursor must have an end.
  ///
  /// - parameters:
  ///   - size: The number of elements in a batch, but for the last one, which may have fewer.
  ///   - timeLimit: How long the access may last, with its wait for a connection and with the time
  ///     that the loop takes. One minute by default; nil: as long as the loop lasts.
  ///     `Configuration.accessTimeLimit` applies, too.
  ///   - cursor: Makes the cursor, and is called once for each loop. Elements that are not
  ///     `Sendable`, such as rows, are converted with `map`.
  /// - Throws: The loop throws the error of the closure or of an element; `DatabaseError` for a
  ///   size less than one, and one whose `accessLimit` is `deadline` after the time
  ///   limit; `CancellationError` when its task is canceled.
  public func batches<C: Cursor & SendableMetatype>(
    of size: Int = 512, timeLimit: Duration? = .seconds(60),
    _ cursor: @escaping @Sendable (Database) throws -> C
  ) -> DatabaseBatches<C.Element> where C.Element: Sendable {
    DatabaseBatches { channel in
      let deadline = timeLimit.map { ContinuousClock.now.advanced(by: $0) }
      return Task { [self] in
        let source = _readingSource
        let hasBegun = Locked(false)
        let kept = Locked<[[C.Element]]>([])
        do {
          guard size > 0 else {
            throw DatabaseError.misuse("batches(of: \(size)): a batch has at least one element")
          }
          try await read(before: deadline) { db in
            hasBegun.withLock { $0 = true }
            let end = db.configuration.accessTimeLimit.map { ContinuousClock.now.advanced(by: $0) }
            let limit = [deadline, end].compactMap { $0 }.min() ?? .distantFuture
            try source.withHold { isHeld in
              try cursor(db).forEachBatch(size) { batch in
                if isHeld {
                  try channel.send(batch, before: limit)
                } else {
                  kept.withLock { $0.append(batch) }
                }
              }
            }
          }
          channel.finish(kept.withLock { $0 }, nil)
        } catch {
          channel.finish(kept.withLock { $0 }, hasBegun.withLock { $0 } ? error.ofBatches : error)
        }
      }
    }
  }
}

extension Cursor {
  /// Calls a function with at most so many elements at a time: also with those before an error.
  fileprivate func forEachBatch(_ size: Int, _ body: ([Element]) throws -> Void) throws {
    var batch: [Element] = []
    do {
      while let element = try next() {
        batch.append(element)
        guard batch.count == size else { continue }
        defer { batch = [] }
        try body(batch)
      }
    } catch {
      if !batch.isEmpty { try body(batch) }
      throw error
    }
    if !batch.isEmpty { try body(batch) }
  }
}

extension ContinuousClock.Instant {
  fileprivate static var distantFuture: Self { .now.advanced(by: .seconds(1_000_000_000)) }
}

extension Error {
  /// The error of an access whose time is over, for the reader of `batches(of:timeLimit:_:)`.
  fileprivate var ofBatches: any Error {
    guard var error = self as? DatabaseError, error.accessLimit == .deadline else { return self }
    error.details =
      "the loop over the batches has held its connection for longer than their `timeLimit`, or than "
      + "`accessTimeLimit`: set longer ones, or do less in the loop"
    return error
  }
}
