/// The way from what an observation fetches to what it reports.
///
/// It is public because Swift wants it so: you don't conform to it, you use the methods of ``ValueObservation``.
public protocol ValueReducer: Sendable {
  /// The type of what is fetched.
  associatedtype _Fetched: Sendable
  /// The type of what is reported.
  associatedtype Value: Sendable

  /// Fetches from the database, in an access.
  func _fetch(_ db: Database) throws -> _Fetched

  /// Computes what is reported, outside of accesses: nil when there is nothing to report.
  mutating func _value(_ fetched: _Fetched) throws -> Value?
}

/// The reducers of the methods of ``ValueObservation``.
public enum ValueReducers {}
