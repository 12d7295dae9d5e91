public import Quarry

/// The use of a database of a directory: it stays open until the lease is released, or
/// deinitialized.
///
/// ```swift
/// let lease = try directory.lease("acme")
/// let observation = ValueObservation.tracking { db in try Player.fetchAll(db) }
/// let cancellable = observation.start(
///   in: lease.database, onError: { error in print(error) }, onChange: { print($0) })
/// // Later:
/// cancellable.cancel()
/// lease.release()
/// ```
///
/// For what lasts longer than one access, such as an observation. A database without a lease may be
/// closed at any time.
public final class DatabaseLease<Writer: DatabaseWriter>: Sendable {
  /// The key of the database.
  public var key: String { entry.key }

  /// The database.
  public let database: Writer

  private let entry: DirectoryEntry<Writer>
  private let directory: DatabaseDirectory<Writer>
  private let isReleased = Locked(false)

  init(_ directory: DatabaseDirectory<Writer>, _ entry: DirectoryEntry<Writer>, _ database: Writer)
  {
    self.directory = directory
    self.entry = entry
    self.database = database
  }

  deinit { release() }

  /// Ends the use. Does nothing the second time.
  public func release() {
    let isFirst = isReleased.withLock { isReleased in
      defer { isReleased = true }
      return !isReleased
    }
    if isFirst { directory.release(entry) }
  }
}
