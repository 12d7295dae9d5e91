public import Quarry

// Insertions of the rows of a request.

extension FetchRequest {
  /// Inserts the rows of the request into a table.
  ///
  /// ```swift
  /// // INSERT INTO "archive" ("id", "title", "year")
  /// // SELECT "id", "title", "year" FROM "book" WHERE "year" < ?
  /// let old = Book.filter(Column("year") < 1900)
  /// let count = try old.select(Column("id"), Column("title"), Column("year"))
  ///   .insertAll(db, into: "archive")
  ///
  /// // INSERT OR IGNORE INTO "name" ("text") SELECT "title" FROM "book"
  /// try Book.select(Column("title"))
  ///   .insertAll(db, into: "name", columns: ["text"], onConflict: .ignore)
  /// ```
  ///
  /// Values of included associations are inserted, too. An adapter (`adapted(_:)`, or that of an
  /// `SQLRequest`) names and leaves out values, as in fetched rows: it leaves out those of
  /// associations, which the main row doesn't show, unless it adds scopes only. See
  /// <https://www.sqlite.org/lang_insert.html>.
  ///
  /// - parameter db: A connection.
  /// - parameter table: The name of the table or view, which may begin with that of a schema.
  /// - parameter columns: The columns that get the selected values, in their order. By default,
  ///   those with the names of the selected values.
  /// - parameter conflictResolution: What happens when a constraint is violated: nil for what the
  ///   constraint says, which is `.abort` unless it has a clause `ON CONFLICT`.
  /// - returns: the number of inserted rows.
  /// - throws: `InvalidRequest` if the selected values don't fit the columns, `DatabaseError`.
  @discardableResult
  public func insertAll(
    _ db: Database, into table: String, columns: [String]? = nil,
    onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws -> Int {
    let text = try insertion(db, into: table, columns, conflictResolution, returning: [])
    let statement = try db.internalStatement(sql: text.sql)
    try statement.setArguments(text.arguments)
    try db.guardPlan(of: statement)
    return try db.countChanges(of: statement, in: .table(table))
  }

  /// Inserts the rows of the request into the table of a record type.
  ///
  /// ```swift
  /// // INSERT INTO "archivedBook" ("id", "title") SELECT "id", "title" FROM "book"
  /// try Book.select(Column("id"), Column("title")).insertAll(db, into: ArchivedBook.self)
  /// ```
  ///
  /// No record is created, so that no callback is called. Conflicts are resolved as by the
  /// insertions of the record type, by default. See
  /// ``insertAll(_:into:columns:onConflict:)-(_,String,_,_)``.
  @discardableResult
  public func insertAll<Record: TableRecord>(
    _ db: Database, into type: Record.Type, columns: [String]? = nil,
    onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws -> Int {
    try insertAll(
      db, into: Record.databaseTableName, columns: columns,
      onConflict: conflictResolution ?? type.insertResolution)
  }

  /// Inserts the rows of the request, and returns the inserted records.
  ///
  /// ```swift
  /// // INSERT INTO "archivedBook" ("id", "title") SELECT "id", "title" FROM "book" RETURNING *
  /// let archived = try Book.select(Column("id"), Column("title"))
  ///   .insertAndFetchAll(db, into: ArchivedBook.self)
  /// ```
  ///
  /// - returns: the records, in no order. Rows that a conflict resolution skips are left out.
  /// - throws: See ``insertAll(_:into:columns:onConflict:)-(_,String,_,_)``. `InvalidRequest` for
  ///   a view or a virtual table, which report no rows.
  public func insertAndFetchAll<Record: FetchableRecord & TableRecord>(
    _ db: Database, into type: Record.Type, columns: [String]? = nil,
    onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws -> [Record] {
    if try db.schema.hidesReturnedRows(Record.databaseTableName) {
      throw InvalidRequest(
        "SQLite does not report the rows inserted into \(Record.databaseTableName), a view or a "
          + "virtual table: use insertAll, and fetch them")
    }
    let text = try insertion(
      db, into: Record.databaseTableName, columns, conflictResolution ?? type.insertResolution,
      returning: Record.databaseSelection)
    return try Record.fetchAll(db.makeStatement(sql: text.sql), arguments: text.arguments)
  }

  private func insertion(
    _ db: Database, into table: String, _ columns: [String]?,
    _ resolution: Database.ConflictResolution?, returning: [any SQLSelectable]
  ) throws -> SQLText {
    let context = PlanningContext(db)
    let query = try insertedQuery(db, context, into: table)
    let columns = try SelectedValues(table: table, names: query.names, schema: db.schema)
      .columns(columns).quotedDatabaseIdentifiers
    let conflict = resolution.map { "OR \($0.rawValue) " } ?? ""
    var insertion: SQL =
      "INSERT \(sql: conflict)INTO \(Table<Row>(table)) (\(sql: columns)) \(query.sql)"
    if !returning.isEmpty {
      insertion += " RETURNING " + returning.map { "\($0)" }.joined(separator: ", ")
    }
    return try SQLWriter.write(
      literal: insertion, in: context, source: .table(table))
  }
}

extension TableRecord {
  /// The resolution of insertions, nil for the one of the table.
  fileprivate static var insertResolution: Database.ConflictResolution? {
    let resolution = (self as? any MutablePersistableRecord.Type)?
      .persistenceConflictPolicy.conflictResolutionForInsert
    return resolution == .abort ? nil : resolution
  }
}

/// The columns that get the values of a query.
private struct SelectedValues {
  let table: String
  let names: [String]
  let schema: any SchemaReader

  /// The columns that get the values.
  ///
  /// - parameter columns: nil for those with the names of the values.
  func columns(_ columns: [String]?) throws -> [String] {
    let known = try schema.columns(of: table)
    if names.isEmpty {
      throw InvalidRequest(
        "Can't insert into \(table.debugDescription): the adapter of the request shows no column")
    }
    if let columns, columns.count != names.count {
      throw InvalidRequest(
        "Can't insert \(count(names, "value")) into \(count(columns, "column")) of "
          + "\(table.debugDescription): the request selects \(list(names)), the columns are "
          + "\(list(columns))")
    }
    if columns == nil { try check(known) }
    let columns = columns ?? names
    for (index, column) in columns.enumerated()
    where columns[..<index].contains(where: column.isSameIdentifier) {
      throw InvalidRequest(
        "Can't insert two values into the column \(column.debugDescription) of "
          + "\(table.debugDescription): the request selects \(list(names))")
    }
    return columns
  }

  /// Checks that the values have the names of columns.
  private func check(_ known: [ColumnInfo]) throws {
    let columns = known.filter { !$0.isGenerated }.map(\.name)
    for name in names where !columns.contains(where: name.isSameIdentifier) {
      let isGenerated = known.contains { $0.name.isSameIdentifier(as: name) }
      let fault = isGenerated ? "this column is generated" : "there is no such column"
      let advice =
        "select columns of the table, name values with forKey(_:), or list the columns in insertAll"
      let suggestion = NameSuggestion.text(for: name, among: columns, orList: "the columns are")
      throw InvalidRequest(
        "Can't insert the selected value \(name.debugDescription): in "
          + "\(table.debugDescription), \(fault)",
        details: isGenerated ? advice : suggestion.map { "\($0); \(advice)" } ?? advice)
    }
  }

  private func count(_ names: [String], _ noun: String) -> String {
    names.count == 1 ? "1 \(noun)" : "\(names.count) \(noun)s"
  }

  private func list(_ names: [String]) -> String {
    names.map(\.debugDescription).joined(separator: ", ")
  }
}
