extension ValueReducers {
  /// Reports all values that are fetched.
  public struct Fetch<Value: Sendable>: ValueReducer {
    let fetch: @Sendable (Database) throws -> Value

    /// Fetches from the database.
    public func _fetch(_ db: Database) throws -> Value { try fetch(db) }

    /// Reports the fetched values.
    public func _value(_ fetched: Value) -> Value? { fetched }
  }
}
