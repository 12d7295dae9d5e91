extension Database {
  /// Calls `body`, and returns its result with the region of all statements that began to be
  /// executed meanwhile.
  ///
  /// Requests of the query interface are limited to the rows that they name by their keys. The
  /// region is not reduced to the tables that exist: see ``DatabaseRegion/observed(in:)``. It is
  /// part of the region of an outer recording.
  func recordRegion<T>(_ body: () throws -> T) rethrows -> (T, DatabaseRegion) {
    let outer = broker.recordedRegion
    broker.recordedRegion = DatabaseRegion()
    updateObservation()
    defer {
      let region = broker.recordedRegion ?? DatabaseRegion()
      broker.recordedRegion = outer?.union(region)
      updateObservation()
    }
    let result = try body()
    return (result, broker.recordedRegion ?? DatabaseRegion())
  }

  /// Calls `body`, whose statements are no part of a region that is being recorded.
  func unrecorded<T>(_ body: () throws -> T) rethrows -> T {
    guard let outer = broker.recordedRegion else { return try body() }
    broker.recordedRegion = nil
    updateObservation()
    defer {
      broker.recordedRegion = outer
      updateObservation()
    }
    return try body()
  }

  /// Adds a region to those that an observation watches, in the closure that fetches its value.
  /// Does nothing elsewhere.
  ///
  /// ```swift
  /// let observation = ValueObservation.tracking { db in
  ///   try db.registerAccess(to: Table("author"))
  ///   return try Book.fetchCount(db)
  /// }
  /// ```
  ///
  /// - parameter region: evaluated only while a region is being recorded.
  /// - throws: the error of the region.
  public func registerAccess(to region: @autoclosure () -> some DatabaseRegionConvertible) throws {
    guard broker.recordsRegion else { return }
    let accessed = try region().databaseRegion(self)
    broker.recordedRegion?.formUnion(accessed)
  }

  /// Called before the execution of a statement that somebody may want to know of.
  func willExecuteObserved(_ statement: Statement) throws {
    try checkIsNotNotifying(sql: statement.sql)
    if !statement.effects.changedTables.isEmpty, engine == nil, !isReadOnly {
      try schema.verifyBeforeChange()
    }
    statement.renewEffects(self)
    try checkRecorders(statement.effects.changedMainTables)
    if !isReadOnly { _ = try announcedKinds(of: statement) }
    guard broker.recordsRegion else { return }
    // It may ask the schema, by statements that are recorded, too.
    let region = try statement.executedRegion()
    broker.recordedRegion?.formUnion(region)
  }

  /// True where requests attach their region to their statement.
  var wantsRequestRegions: Bool { broker.preparesRegions || broker.recordsRegion }

  /// Calls `body`, which prepares a request, and whose statement gets the region of the request.
  func preparingRegions<T>(_ body: () throws -> T) rethrows -> T {
    let outer = broker.preparesRegions
    broker.preparesRegions = true
    defer { broker.preparesRegions = outer }
    return try body()
  }
}
