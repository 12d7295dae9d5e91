/// The insertion of a set of columns: the statement, and where the rowid is.
final class InsertStatement {
  let conflict: Database.ConflictResolution
  let rowCount: Int
  /// The name of the rowid, if the statement returns it.
  let rowIDName: String?
  /// The view, whose triggers do the insertion. Nil for a table.
  let view: ViewInsert?
  private let sql: String
  @safe @exclusivity(unchecked) private var statement: Statement
  /// The column that is an alias of the rowid, and where containers have it.
  ///
  /// Resolved after the first insertion: if the table is missing, SQLite's own error is reported first.
  private var rowID: (column: String?, index: Int?)?

  init(
    columns: [String], _ conflict: Database.ConflictResolution,
    rowCount: Int = 1, returning rowIDName: String? = nil, table: String, _ db: Database
  ) throws {
    self.conflict = conflict
    self.rowCount = rowCount
    self.rowIDName = rowIDName
    let returning = rowIDName.map { SQLSelection(.expression(SQLExpression(.column($0)))) }
    sql = try RecordStatementWriter.insert(
      table: table, columns: columns, rowCount: rowCount,
      conflict: conflict.keyword, returning: returning.map { [$0] } ?? [], schema: db.schema
    ).sql
    statement = try db.makeInternalStatement(sql: sql)
    view = try ViewInsert(view: table, db)
  }

  /// The statement, or another one when an insertion is using it.
  func idleStatement(_ db: Database) throws -> Statement {
    if isKnownUniquelyReferenced(&statement) { return statement }
    return try db.makeInternalStatement(sql: sql)
  }

  /// The result of the insertion of a container.
  func success(
    _ container: consuming PersistenceContainer, rowID: Int64, _ cache: RecordTypeCache,
    _ db: Database
  ) throws -> InsertionSuccess {
    let (column, index) = try rowIDColumn(container, cache, db)
    if let index {
      container.replaceValue(at: index, with: DatabaseValue(storage: .int64(rowID)))
      return InsertionSuccess(rowID: rowID, rowIDColumn: column, persistenceContainer: container)
    }
    return InsertionSuccess(container, rowID: rowID, rowIDColumn: column)
  }

  private func rowIDColumn(
    _ container: borrowing PersistenceContainer, _ cache: RecordTypeCache, _ db: Database
  ) throws -> (column: String?, index: Int?) {
    if let rowID { return rowID }
    // A view without key has no rowid.
    let column = try cache.keyIfKnown(db)?.rowIDColumn
    let found = (column, column.flatMap { container.index(ofColumn: $0) })
    rowID = found
    return found
  }
}
