/// The transformation from the fetched values of an observation to the reported ones.
///
/// It is public because Swift wants it so: you don't conform to it, you use the methods of
/// ``ValueObservation``.
public protocol ValueReducer: Sendable {
  /// The type of the fetched values.
  associatedtype _Fetched: Sendable
  /// The type of the reported values.
  associatedtype Value: Sendable

  /// Fetches from the database, in an access.
  func _fetch(_ db: Database) throws -> _Fetched

  /// Returns the value to report, or nil for none. Called outside of accesses.
  mutating func _value(_ fetched: _Fetched) throws -> Value?
}

/// The reducers of the methods of ``ValueObservation``.
public enum ValueReducers {}
