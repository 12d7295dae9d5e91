extension ValueObservation {
  /// Observes the region of a request, which each fetch determines.
  package static func tracking<Value>(
    regionOf request: any DatabaseRegionConvertible,
    fetch: @escaping @Sendable (Database) throws -> Value
  ) -> Self where Reducer == ValueReducers.Fetch<Value> {
    Self(reducer: ValueReducers.Fetch(fetch: fetch), tracking: .of([request], isRenewed: true))
  }

  /// Observes all records of a request.
  ///
  /// ```swift
  /// let observation = ValueObservation.tracking(all: Book.order { $0.title })
  /// ```
  ///
  /// Observations of equal requests share their fetches: where a hundred views show the same list,
  /// it is fetched once after each change. Each fetch determines the region, which changes with the
  /// schema, and with what closures of the request read. In a ``DatabasePool``, values are fetched
  /// while others write.
  public static func tracking<Record>(
    all request: QueryInterfaceRequest<Record>
  ) -> Self where Reducer == ValueReducers.Fetch<[Record]>, Record: FetchableRecord & Sendable {
    tracking(request) { db in try request.fetchAll(db) }
  }

  /// Observes the first record of a request. See ``tracking(all:)``.
  public static func tracking<Record>(
    one request: QueryInterfaceRequest<Record>
  ) -> Self where Reducer == ValueReducers.Fetch<Record?>, Record: FetchableRecord & Sendable {
    tracking(request) { db in try request.fetchOne(db) }
  }

  /// Observes the number of rows of a request. See ``tracking(all:)``.
  public static func tracking<Record>(
    countOf request: QueryInterfaceRequest<Record>
  ) -> Self where Reducer == ValueReducers.Fetch<Int> {
    tracking(request) { db in try request.fetchCount(db) }
  }

  private static func tracking<Record, Value>(
    _ request: QueryInterfaceRequest<Record>,
    fetch: @escaping @Sendable (Database) throws -> Value
  ) -> Self where Reducer == ValueReducers.Fetch<Value> {
    var observation = tracking(regionOf: request, fetch: fetch)
    observation.fetchKey = FetchKey(request.relation, as: Value.self)
    return observation
  }
}
