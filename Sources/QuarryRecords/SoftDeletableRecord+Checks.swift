public import Quarry

// A type has one conformance to a record protocol. One that is older than that to
// `SoftDeletableRecord` (of a superclass, or of another module) knows of no column of deletions.
// The methods of this file are those of the library, and throw for such a type.

extension DatabaseError {
  static func conformance(of type: Any.Type, to name: String) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_MISUSE,
      message: """
        \(type) can't be a \(name): its superclass is a record already, or another module has made \
        it a record. To fix this error, declare all conformances to record protocols on the type \
        itself, in its module
        """)
  }
}

extension SoftDeletableRecord {
  /// - Throws: `DatabaseError` for a type whose requests don't know the column.
  static func checkMarking() throws {
    func column<Record: TableRecord>(_ type: Record.Type) -> String? { type._deletionColumn }
    guard column(Self.self) == nil else { return }
    throw DatabaseError.conformance(of: Self.self, to: "SoftDeletableRecord")
  }

  /// All records that are not deleted.
  public static func all() -> QueryInterfaceRequest<Self> {
    func records<Record: TableRecord>(_: Record.Type) -> QueryInterfaceRequest<Record> {
      Record.all()
    }
    do {
      try checkMarking()
      return records(Self.self)
    } catch {
      return records(Self.self).filterWhenConnected { _ in throw error }
    }
  }

  /// Marks all rows as deleted. Returns their number.
  @discardableResult
  public static func deleteAll(_ db: Database) throws -> Int { try all().deleteAll(db) }

  /// Marks the rows with one of the keys as deleted. Returns their number.
  @discardableResult
  public static func deleteAll(
    _ db: Database, keys: some Collection<some DatabaseValueConvertible>
  ) throws -> Int {
    if keys.isEmpty { return 0 }
    return try all().filter(keys: keys).deleteAll(db)
  }

  /// Marks the row with a key as deleted. Returns whether there was one.
  @discardableResult
  public static func deleteOne(_ db: Database, key: some DatabaseValueConvertible) throws -> Bool {
    if key.databaseValue.isNull { return false }
    return try deleteAll(db, keys: CollectionOfOne(key)) > 0
  }
}

extension QueryInterfaceRequest where RowDecoder: SoftDeletableRecord {
  /// Marks the rows of the request as deleted. Returns their number.
  @discardableResult
  public func deleteAll(_ db: Database) throws -> Int {
    try RowDecoder.checkMarking()
    func delete(_ request: QueryInterfaceRequest<some Any>) throws -> Int {
      try request.deleteAll(db)
    }
    return try delete(self)
  }

  /// A statement that marks the rows of the request as deleted and returns values of them.
  public func deleteAndFetchStatement(
    _ db: Database, selection: [any SQLSelectable]
  ) throws -> Statement {
    try RowDecoder.checkMarking()
    func statement(_ request: QueryInterfaceRequest<some Any>) throws -> Statement {
      try request.deleteAndFetchStatement(db, selection: selection)
    }
    return try statement(self)
  }

  /// Marks the rows of the request as deleted, and returns their identifiers.
  public func deleteAndFetchIds(_ db: Database) throws -> Set<RowDecoder.ID>
  where
    RowDecoder: Identifiable,
    RowDecoder.ID: Hashable & DatabaseValueConvertible & StatementColumnConvertible
  {
    try RowDecoder.checkMarking()
    func ids<T: TableRecord & Identifiable>(_ request: QueryInterfaceRequest<T>) throws -> Set<T.ID>
    where T.ID: Hashable & DatabaseValueConvertible & StatementColumnConvertible {
      try request.deleteAndFetchIds(db)
    }
    return try ids(self)
  }
}

extension QueryInterfaceRequest where RowDecoder: FetchableRecord & SoftDeletableRecord {
  /// A cursor over the deleted records. Rows are marked at its first step; those of a view, before
  /// it is returned.
  public func deleteAndFetchCursor(_ db: Database) throws -> RecordCursor<RowDecoder> {
    try RowDecoder.checkMarking()
    func cursor<T: FetchableRecord & TableRecord>(
      _ request: QueryInterfaceRequest<T>
    ) throws -> RecordCursor<T> { try request.deleteAndFetchCursor(db) }
    return try cursor(self)
  }

  /// Marks the rows of the request as deleted, and returns the deleted records.
  public func deleteAndFetchAll(_ db: Database) throws -> [RowDecoder] {
    try Array(deleteAndFetchCursor(db))
  }

  /// See `deleteAndFetchAll(_:)`.
  public func deleteAndFetchSet(_ db: Database) throws -> Set<RowDecoder>
  where RowDecoder: Hashable { try Set(deleteAndFetchCursor(db)) }
}
