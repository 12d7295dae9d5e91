extension ValueReducers {
  /// Reports transformed values. See ``ValueObservation/map(_:)``.
  public struct Map<Base: ValueReducer, Value: Sendable>: ValueReducer {
    var base: Base
    let transform: @Sendable (Base.Value) throws -> Value

    /// Fetches from the database.
    public func _fetch(_ db: Database) throws -> Base._Fetched { try base._fetch(db) }

    /// Transforms the value of the base.
    public mutating func _value(_ fetched: Base._Fetched) throws -> Value? {
      try base._value(fetched).map(transform)
    }
  }
}

extension ValueObservation {
  /// Reports transformed values.
  ///
  /// ```swift
  /// let titles = ValueObservation
  ///   .tracking { db in try Book.fetchAll(db) }
  ///   .map { books in books.map(\.title) }
  /// ```
  ///
  /// The function runs neither in a database access nor on the main thread, but for the first value
  /// of a start that reports it at once. An error that it throws ends the observation.
  public func map<T>(
    _ transform: @escaping @Sendable (Reducer.Value) throws -> T
  ) -> ValueObservation<ValueReducers.Map<Reducer, T>> {
    mapReducer { ValueReducers.Map(base: $0, transform: transform) }
  }
}
