extension ValueObservation {
  /// Observes the result of a function that fetches.
  ///
  /// ```swift
  /// let observation = ValueObservation.tracking { db in
  ///   try Book.fetchAll(db)
  /// }
  /// ```
  ///
  /// Each fetch determines the region, so that the function may read different tables and rows each
  /// time. The function runs on the writer connection, right after each transaction that changed
  /// the region, and the writer waits for it. In a ``DatabasePool``, ``trackingConstantRegion(_:)``
  /// and ``tracking(region:_:fetch:)`` don't hold up the writer.
  ///
  /// An error ends the observation. A write throws `SQLITE_READONLY`, unless
  /// ``requiresWriteAccess`` is set.
  @preconcurrency public static func tracking<Value>(
    _ fetch: @escaping @Sendable (Database) throws -> Value
  ) -> Self where Reducer == ValueReducers.Fetch<Value> {
    Self(reducer: ValueReducers.Fetch(fetch: fetch), tracking: .ofLastFetch)
  }

  /// Observes the result of a function that always reads the same tables, columns, and rows.
  ///
  /// ```swift
  /// let observation = ValueObservation.trackingConstantRegion { db in
  ///   try Book.fetchCount(db)
  /// }
  /// ```
  ///
  /// In a ``DatabasePool``, values are fetched while others write, and several transactions may
  /// share one value. Changes outside of the region of the first fetch are not noticed. Debug
  /// builds report a fetch that reads more, through ``Database/logError`` or on the standard error:
  ///
  /// ```swift
  /// ValueObservation.trackingConstantRegion { db -> Book? in
  ///   // Not constant: without a favorite, no book is read.
  ///   guard let favorite = try Favorite.fetchOne(db) else { return nil }
  ///   return try Book.fetchOne(db, id: favorite.bookID)
  /// }
  /// ```
  @preconcurrency public static func trackingConstantRegion<Value>(
    _ fetch: @escaping @Sendable (Database) throws -> Value
  ) -> Self where Reducer == ValueReducers.Fetch<Value> {
    Self(reducer: ValueReducers.Fetch(fetch: fetch), tracking: .ofFirstFetch)
  }

  /// Observes the given regions, independently of what the function reads.
  ///
  /// ```swift
  /// let observation = ValueObservation.tracking(
  ///   region: Book.select(\.title), Author.all()
  /// ) { db in
  ///   try Book.fetchCount(db)
  /// }
  /// ```
  ///
  /// The regions are determined when the observation starts. In a ``DatabasePool``, values are
  /// fetched while others write, and several transactions may share one value.
  @preconcurrency public static func tracking<Value>(
    region: any DatabaseRegionConvertible, _ otherRegions: any DatabaseRegionConvertible...,
    fetch: @escaping @Sendable (Database) throws -> Value
  ) -> Self where Reducer == ValueReducers.Fetch<Value> {
    tracking(regions: [region] + otherRegions, fetch: fetch)
  }

  /// Observes the given regions, independently of what the function reads. See
  /// ``tracking(region:_:fetch:)``.
  @preconcurrency public static func tracking<Value>(
    regions: [any DatabaseRegionConvertible],
    fetch: @escaping @Sendable (Database) throws -> Value
  ) -> Self where Reducer == ValueReducers.Fetch<Value> {
    Self(reducer: ValueReducers.Fetch(fetch: fetch), tracking: .of(regions))
  }
}
