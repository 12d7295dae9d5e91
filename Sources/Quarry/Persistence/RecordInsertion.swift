/// The insertion of the columns of a layout: the statement, and where the rowid is.
final class RecordInsertion {
  let conflict: Database.ConflictResolution
  let rowCount: Int
  /// The name of the rowid, if the statement returns it.
  let rowIDName: String?
  /// What is known of a view, whose triggers do the insertion.
  let view: ViewInsertion?
  private let sql: String
  @safe @exclusivity(unchecked) private var statement: Statement
  /// Found after the first insertion: it tells a missing table better than the schema does.
  @safe @exclusivity(unchecked) private var rowID: RowIDPlace?

  /// The column that is an alias of the rowid, and where containers have it.
  private struct RowIDPlace {
    var column: String?
    var index: Int?
  }

  init(
    columns: [String], _ conflict: Database.ConflictResolution,
    rowCount: Int = 1, returning rowIDName: String? = nil, table: String, _ db: Database
  ) throws {
    self.conflict = conflict
    self.rowCount = rowCount
    self.rowIDName = rowIDName
    let returning = rowIDName.map { SQLSelection(.expression(SQLExpression(.column($0)))) }
    sql = try RecordWriter.insert(
      table: table, columns: columns, rowCount: rowCount,
      conflict: conflict.keyword, returning: returning.map { [$0] } ?? [], schema: db.schema
    ).sql
    statement = try db.makeInternalStatement(sql: sql)
    view = try ViewInsertion(view: table, db)
  }

  /// The statement, or another one when an insertion is using it.
  func idleStatement(_ db: Database) throws -> Statement {
    if isKnownUniquelyReferenced(&statement) { return statement }
    return try db.makeInternalStatement(sql: sql)
  }

  /// What the insertion of a container did.
  func success(
    _ container: consuming PersistenceContainer, rowID: Int64, plan: PersistencePlan,
    _ db: Database
  ) throws -> InsertionSuccess {
    let place = try rowIDPlace(container, plan, db)
    guard let index = place.index else {
      return InsertionSuccess(container, rowID: rowID, rowIDColumn: place.column)
    }
    container.replaceValue(at: index, with: DatabaseValue(storage: .int64(rowID)))
    return InsertionSuccess(
      rowID: rowID, rowIDColumn: place.column, persistenceContainer: container)
  }

  private func rowIDPlace(
    _ container: borrowing PersistenceContainer, _ plan: PersistencePlan, _ db: Database
  ) throws -> RowIDPlace {
    if let rowID { return rowID }
    // A view without key has no rowid.
    let column = try plan.keyIfKnown(db)?.rowIDColumn
    let place = RowIDPlace(
      column: column, index: column.flatMap { container.index(ofColumn: $0) })
    rowID = place
    return place
  }
}
