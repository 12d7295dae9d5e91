extension Table where RowDecoder: FetchableRecord {
  /// A cursor over all records, read from the database when it moves.
  public func fetchCursor(_ db: Database) throws -> RecordCursor<RowDecoder> {
    try all().fetchCursor(db)
  }

  /// All records.
  public func fetchAll(_ db: Database) throws -> [RowDecoder] {
    try all().fetchAll(db)
  }

  /// The first of the records.
  public func fetchOne(_ db: Database) throws -> RowDecoder? {
    try all().fetchOne(db)
  }

  /// All records, without duplicates.
  public func fetchSet(_ db: Database) throws -> Set<RowDecoder> where RowDecoder: Hashable {
    try all().fetchSet(db)
  }
}

extension Table where RowDecoder == Row {
  /// A cursor over all rows, read from the database when it moves.
  public func fetchCursor(_ db: Database) throws -> RowCursor {
    try all().fetchCursor(db)
  }

  /// All rows.
  public func fetchAll(_ db: Database) throws -> [Row] {
    try all().fetchAll(db)
  }

  /// The first of the rows.
  public func fetchOne(_ db: Database) throws -> Row? {
    try all().fetchOne(db)
  }

  /// All rows, without duplicates.
  public func fetchSet(_ db: Database) throws -> Set<Row> {
    try all().fetchSet(db)
  }
}

extension Table where RowDecoder: DatabaseValueConvertible {
  /// A cursor over all values of the first column, read from the database when it moves.
  public func fetchCursor(_ db: Database) throws -> DatabaseValueCursor<RowDecoder> {
    try all().fetchCursor(db)
  }

  /// All values of the first column.
  public func fetchAll(_ db: Database) throws -> [RowDecoder] {
    try all().fetchAll(db)
  }

  /// The first of the values of the first column.
  public func fetchOne(_ db: Database) throws -> RowDecoder? {
    try all().fetchOne(db)
  }

  /// All values of the first column, without duplicates.
  public func fetchSet(_ db: Database) throws -> Set<RowDecoder> where RowDecoder: Hashable {
    try all().fetchSet(db)
  }
}

extension Table where RowDecoder: DatabaseValueConvertible & StatementColumnConvertible {
  /// A cursor over all values of the first column, read from the database when it moves.
  public func fetchCursor(_ db: Database) throws -> FastDatabaseValueCursor<RowDecoder> {
    try all().fetchCursor(db)
  }

  /// All values of the first column.
  public func fetchAll(_ db: Database) throws -> [RowDecoder] {
    try all().fetchAll(db)
  }

  /// The first of the values of the first column.
  public func fetchOne(_ db: Database) throws -> RowDecoder? {
    try all().fetchOne(db)
  }

  /// All values of the first column, without duplicates.
  public func fetchSet(_ db: Database) throws -> Set<RowDecoder> where RowDecoder: Hashable {
    try all().fetchSet(db)
  }
}
