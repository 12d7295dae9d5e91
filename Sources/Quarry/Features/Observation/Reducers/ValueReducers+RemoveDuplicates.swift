extension ValueReducers {
  /// Reports values that differ from the last one. See ``ValueObservation/removeDuplicates()``.
  public struct RemoveDuplicates<Base: ValueReducer>: ValueReducer {
    var base: Base
    /// One function may serve several starts of an observation: one at a time.
    private let comparison: Locked<Comparison>
    private var last: Base.Value?

    private struct Comparison {
      let areEqual: (Base.Value, Base.Value) -> Bool
    }

    init(base: Base, areEqual: sending @escaping (Base.Value, Base.Value) -> Bool) {
      self.base = base
      comparison = Locked(Comparison(areEqual: areEqual))
    }

    /// Fetches from the database.
    public func _fetch(_ db: Database) throws -> Base._Fetched { try base._fetch(db) }

    /// Compares the value of the base with the last one.
    public mutating func _value(_ fetched: Base._Fetched) throws -> Base.Value? {
      guard let value = try base._value(fetched) else { return nil }
      if let last, comparison.withLock({ $0.areEqual(last, value) }) { return nil }
      last = value
      return value
    }
  }
}

extension ValueObservation {
  /// Reports values that differ from the one that was reported last, by a function of yours.
  ///
  /// - Parameter predicate: Returns whether a new value, the second argument, is not worth a
  ///   report.
  public func removeDuplicates(
    by predicate: sending @escaping (Reducer.Value, Reducer.Value) -> Bool
  ) -> ValueObservation<ValueReducers.RemoveDuplicates<Reducer>> {
    let reducer = ValueReducers.RemoveDuplicates(base: reducer, areEqual: predicate)
    return mapReducer { _ in reducer }
  }
}

extension ValueObservation where Reducer.Value: Equatable {
  /// Reports values that differ from the one that was reported last.
  ///
  /// ```swift
  /// let count = ValueObservation
  ///   .tracking { db in try Book.fetchCount(db) }
  ///   .removeDuplicates()
  /// ```
  public func removeDuplicates() -> ValueObservation<ValueReducers.RemoveDuplicates<Reducer>> {
    removeDuplicates(by: ==)
  }
}
