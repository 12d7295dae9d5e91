// Records of scopes, and of prefetched rows.

extension Row {
  /// The record of a scope.
  ///
  /// ```swift
  /// let author: Author = row["author"]
  /// ```
  public subscript<Record: FetchableRecord>(_ scope: String) -> Record {
    do {
      return try decode(Record.self, forKey: scope)
    } catch {
      return fail(error)
    }
  }

  /// The record of a scope, or nil when there is no such scope, or when it is all NULL.
  ///
  /// ```swift
  /// let author: Author? = row["author"]
  /// ```
  public subscript<Record: FetchableRecord>(_ scope: String) -> Record? {
    do {
      return try decodeIfPresent(Record.self, forKey: scope)
    } catch {
      rememberOrStop(error)
      return nil
    }
  }

  /// The records of prefetched rows.
  ///
  /// ```swift
  /// let books: [Book] = row["books"]
  /// ```
  @inlinable public subscript<Records>(_ key: String) -> Records
  where Records: RangeReplaceableCollection, Records.Element: FetchableRecord {
    do {
      return try decode(Records.self, forKey: key)
    } catch {
      rememberOrStop(error)
      return Records()
    }
  }

  /// The records of prefetched rows.
  public subscript<Record: FetchableRecord & Hashable>(_ key: String) -> Set<Record> {
    do {
      return try decode(Set<Record>.self, forKey: key)
    } catch {
      rememberOrStop(error)
      return []
    }
  }

  /// Decodes the record of a scope, or nil when there is no such scope, or when it is all NULL.
  ///
  /// - Throws: the error of the record's initialiser.
  public func decodeIfPresent<Record: FetchableRecord>(
    _ type: Record.Type = Record.self, forKey scope: String
  ) throws -> Record? {
    guard let row = self.scope(forProperty: scope), row.containsNonNullValue else { return nil }
    return row.isLink
      ? try row.decodeLink(Record.decodeWithErrors) : try Record.decodeWithErrors(from: row)
  }

  /// Decodes the record of a scope.
  ///
  /// - Throws: ``RowDecodingError`` when there is no such scope, or when it is all NULL; the error
  ///   of the record's initialiser.
  public func decode<Record: FetchableRecord>(
    _ type: Record.Type = Record.self, forKey scope: String
  ) throws -> Record {
    guard let row = self.scope(forProperty: scope) else { throw missingScopeError(scope) }
    guard row.containsNonNullValue else {
      throw RowDecodingError(.scopeIsNull(scope), decodingContext())
    }
    return try Record.decodeWithErrors(from: row)
  }

  /// Decodes the records of prefetched rows.
  ///
  /// - Throws: ``RowDecodingError`` when nothing was prefetched for the key; the error of the
  ///   records' initialiser.
  @inlinable public func decode<Collection>(
    _ type: Collection.Type = Collection.self, forKey key: String
  ) throws -> Collection
  where Collection: RangeReplaceableCollection, Collection.Element: FetchableRecord {
    let group = try requiredPrefetchedGroup(key)
    var records = Collection()
    records.reserveCapacity(group.count)
    try group.forEachRow { records.append(try Collection.Element.decoded(from: $0)) }
    return records
  }

  /// Decodes the records of prefetched rows.
  ///
  /// - Throws: ``RowDecodingError`` when nothing was prefetched for the key; the error of the
  ///   records' initialiser.
  public func decode<Record: FetchableRecord & Hashable>(
    _ type: Set<Record>.Type = Set<Record>.self, forKey key: String
  ) throws -> Set<Record> {
    let group = try requiredPrefetchedGroup(key)
    var records = Set<Record>(minimumCapacity: group.count)
    try group.forEachRow { records.insert(try Record.decoded(from: $0)) }
    return records
  }

  /// The rows of an association.
  @usableFromInline func requiredPrefetchedGroup(_ key: String) throws -> PrefetchedGroup {
    guard let group = prefetchedGroup(forProperty: key) else { throw missingRowsError(key) }
    return group
  }

  func missingRowsError(_ key: String) -> RowDecodingError {
    RowDecodingError(
      .prefetchedRowsNotFound(key, available: prefetchedRows.keys.sorted()), decodingContext())
  }

  func missingScopeError(_ name: String) -> RowDecodingError {
    RowDecodingError(
      .scopeNotFound(name, available: scopesTree.names.sorted()), decodingContext())
  }

  /// Decodes a record or a structure from a link. Nil if it takes none of the associations that the
  /// link leads to.
  func decodeLink<T>(_ decode: (Row) throws -> T) throws -> T? {
    if T.self is any TableRecord.Type { return nil }
    let hadFailed = rootHasFailed
    let extras = makeExtras()
    extras.feedsProperties = false
    let value = Result { try decode(self) }
    if extras.feedsProperties || PropertyProbe.takesAssociation(of: self, T.self) {
      return try value.get()
    }
    if !hadFailed { root.use { $0.forgetFailure() } }
    return nil
  }
}
