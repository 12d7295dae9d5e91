extension ValueReducers {
  /// Reports events. See ``ValueObservation/print(_:to:)``.
  public struct Trace<Base: ValueReducer>: ValueReducer {
    var base: Base
    let willFetch: @Sendable () -> Void
    let didReceiveValue: @Sendable (Base.Value) -> Void

    /// Fetches from the database.
    public func _fetch(_ db: Database) throws -> Base._Fetched {
      willFetch()
      return try base._fetch(db)
    }

    /// Shows the value of the base.
    public mutating func _value(_ fetched: Base._Fetched) throws -> Base.Value? {
      let value = try base._value(fetched)
      if let value { didReceiveValue(value) }
      return value
    }
  }
}
