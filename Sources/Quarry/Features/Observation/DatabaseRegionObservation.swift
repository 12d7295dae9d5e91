/// Observes the transactions that modify a region.
///
/// ```swift
/// let observation = DatabaseRegionObservation(tracking: Book.all(), Table("author"))
/// let cancellable = observation.start(in: dbQueue) { error in
///   print("the observation could not start: \(error)")
/// } onChange: { db in
///   print("books or authors were changed")
/// }
/// ```
///
/// It lasts until it is canceled, or until the cancellable is released. It does not keep the
/// connection alive.
public struct DatabaseRegionObservation: Sendable {
  private let regions: [any DatabaseRegionConvertible]

  /// Observes the union of some regions.
  public init(tracking regions: any DatabaseRegionConvertible...) { self.regions = regions }

  /// Observes the union of some regions.
  public init(tracking regions: [any DatabaseRegionConvertible]) { self.regions = regions }

  /// Starts the observation after waiting for the writer connection. In a write access, it starts
  /// immediately: the earlier changes of the transaction are not observed.
  ///
  /// - parameter writer: The observed database.
  /// - parameter onError: called before this method returns, with the error of a region or of a
  ///   closed connection. Nothing is observed then.
  /// - parameter onChange: called after each commit of a transaction that modified the region,
  ///   outside of the transaction, before any other access can write. It can use the database; what
  ///   it writes is not reported to the observation itself. Writes of other observers meanwhile
  ///   are, and so are those of functions of
  ///   ``Database/afterNextTransaction(onCommit:onRollback:)``.
  @preconcurrency public func start(
    in writer: any DatabaseWriter, onError: @escaping @Sendable (any Error) -> Void,
    onChange: @escaping @Sendable (Database) -> Void
  ) -> AnyDatabaseCancellable {
    do {
      let observer = try writer.unsafeReentrantWrite { db throws -> RegionObserver in
        let region = try regions.databaseRegion(db).observed(in: db)
        let observer = RegionObserver(region, onCommit: onChange)
        db.add(observer)
        return observer
      }
      return AnyDatabaseCancellable { observer.cancel() }
    } catch {
      onError(error)
      return AnyDatabaseCancellable {}
    }
  }

  /// The changes of the region, one element for one transaction, or for several ones that were
  /// committed since the last element.
  ///
  /// ```swift
  /// for try await _ in observation.changes(in: dbPool) {
  ///   let count = try await dbPool.read { db in try Book.fetchCount(db) }
  /// }
  /// ```
  ///
  /// The observation starts immediately: see ``start(in:onError:onChange:)``. It ends with the
  /// loop, or with its task.
  public func changes(in writer: any DatabaseWriter) -> AsyncThrowingStream<Void, any Error> {
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let cancellable = start(
        in: writer, onError: { continuation.finish(throwing: $0) },
        onChange: { _ in continuation.yield() })
      continuation.onTermination = { _ in cancellable.cancel() }
    }
  }
}
