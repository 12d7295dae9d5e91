/// A value that is fetched from the database again whenever a transaction changes it.
///
/// ```swift
/// let observation = ValueObservation.tracking { db in
///   try Book.order { $0.title }.fetchAll(db)
/// }
/// let cancellable = observation.start(in: dbPool) { error in
///   print("Can't observe the books: \(error)")
/// } onChange: { books in
///   print("\(books.count) books")
/// }
/// ```
///
/// An observation is a description. Each start fetches and reports on its own, until it is canceled
/// or fails:
///
/// - The first value is always reported, and then a value after transactions that changed the
///   region of the fetch.
/// - Values are reported in the order of their states. Each one shows a committed state.
/// - After the last change, a value fetched after it is reported. States in between may be skipped,
///   and equal values may be reported: see ``removeDuplicates()``.
///
/// Changes by other processes are not noticed: the product `QuarryChanges` looks for them. Nor are
/// those that ``Database/notifyChanges(in:)`` lists. A read-only database reports the first value
/// only.
public struct ValueObservation<Reducer: ValueReducer>: Sendable {
  var reducer: Reducer
  var tracking: ObservedRegion
  var events = ObservationEvents()
  var pace: FetchPace = .immediate
  var retry: (@Sendable (any Error, Int) -> Duration?)?
  var dropsInitialValue = false
  /// Observations with equal keys share their fetches.
  var fetchKey: FetchKey?
  var clock: any ObservationClock = .dispatch
  /// See ``followingRows(_:)``.
  var followsRows: (@Sendable (Database) throws -> (any RowFollower)?)?

  /// Whether the fetch may write. False by default.
  ///
  /// It runs on the connection that writes then, in a transaction that is rolled back when the
  /// fetch throws. The changes that the fetch makes itself don't start it again.
  public var requiresWriteAccess = false

  /// The observation with another reducer. Packages beside the library have reducers of their own.
  package func mapReducer<Other: ValueReducer>(
    _ transform: (Reducer) -> Other
  ) -> ValueObservation<Other> {
    ValueObservation<Other>(
      reducer: transform(reducer), tracking: tracking, events: events, pace: pace, retry: retry,
      dropsInitialValue: dropsInitialValue, fetchKey: fetchKey, clock: clock,
      followsRows: followsRows, requiresWriteAccess: requiresWriteAccess)
  }
}

extension ValueObservation {
  /// The observation, whose fetch gets a follower of rows in ``Database/rowFollower``, on the
  /// connection that writes.
  ///
  /// - parameter make: Called before the first change is observed. Nil where all is fetched.
  package func followingRows(
    _ make: @escaping @Sendable (Database) throws -> (any RowFollower)?
  ) -> Self { setting(\.followsRows, make) }

  /// The observation with another value of a property.
  func setting<T>(_ property: WritableKeyPath<Self, T>, _ value: T) -> Self {
    var observation = self
    observation[keyPath: property] = value
    return observation
  }
}

/// The region whose changes an observation reports.
enum ObservedRegion: Sendable {
  /// The region of the last fetch.
  case ofLastFetch
  /// The region of the first fetch.
  case ofFirstFetch
  /// Regions that don't depend on the fetch. With `isRenewed`, each fetch asks for them again:
  /// those of a request depend on the schema, and on the tables that its closures read.
  case of([any DatabaseRegionConvertible], isRenewed: Bool = false)

  /// Whether each fetch determines the region.
  var isRenewed: Bool {
    switch self {
    case .ofLastFetch: true
    case .ofFirstFetch: false
    case .of(_, let isRenewed): isRenewed
    }
  }
}
