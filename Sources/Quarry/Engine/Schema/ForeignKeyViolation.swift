/// A row that references a row that does not exist.
///
/// ```swift
/// let violations = try db.foreignKeyViolations()
/// while let violation = try violations.next() {
///   // FOREIGN KEY constraint violation - from book to author, in rowid 1
///   print(violation)
/// }
/// ```
///
/// See <https://www.sqlite.org/pragma.html#pragma_foreign_key_check>.
public struct ForeignKeyViolation: CustomStringConvertible, Sendable {
  /// The table of the row at fault.
  public var originTable: String

  /// The schema of both tables. Nil where the connection has neither temporary tables nor attached
  /// databases: SQLite's pragma does not report it.
  public var originSchema: String?

  /// The rowid of the row at fault, nil in a `WITHOUT ROWID` table.
  public var originRowID: Int64?

  /// The table that is referenced.
  public var destinationTable: String

  /// The foreign key: see ``ForeignKeyInfo/id``.
  public var foreignKeyId: Int

  /// Creates a violation from a row of `PRAGMA foreign_key_check`.
  public init(row: Row) {
    originTable = row["table"]
    originSchema = row["schema"]
    originRowID = row["rowid"]
    destinationTable = row["parent"]
    foreignKeyId = row["fkid"]
  }

  /// `FOREIGN KEY constraint violation - from book to author, in rowid 1`
  public var description: String {
    Self.text(from: originName, to: destinationTable, in: originRowID.map { "rowid \($0)" })
  }

  /// Describes the violation with its columns, and the content of the row at fault.
  ///
  /// ```swift
  /// // FOREIGN KEY constraint violation - from book(authorId) to author(id), in [id:1 authorId:77]
  /// try violation.failureDescription(db)
  /// ```
  ///
  /// - throws: A ``DatabaseError`` when the schema or the row can't be read.
  public func failureDescription(_ db: Database) throws -> String {
    try failureDescription(db, showsRow: true)
  }

  private func failureDescription(_ db: Database, showsRow: Bool) throws -> String {
    guard let foreignKey = try declaredKey(db) else { return description }
    return try Self.text(
      from: ForeignKeyInfo.reference(originName, foreignKey.originColumns),
      to: ForeignKeyInfo.reference(destinationTable, foreignKey.destinationColumns),
      in: (showsRow ? originRow(db)?.description : nil) ?? originRowID.map { "rowid \($0)" })
  }

  /// The violation as an error with the code `SQLITE_CONSTRAINT_FOREIGNKEY`.
  ///
  /// Its message has the content of the row. Its description has the rowid instead, unless
  /// ``Configuration/publicStatementArguments`` is set.
  public func databaseError(_ db: Database) -> DatabaseError {
    var error = DatabaseError(
      resultCode: .SQLITE_CONSTRAINT_FOREIGNKEY,
      message: (try? failureDescription(db)) ?? description,
      publicStatementArguments: db.configuration.publicStatementArguments)
    error.redactedMessage = (try? failureDescription(db, showsRow: false)) ?? description
    error.constraint =
      (try? declaredKey(db)).map { db.schema.constraint($0, from: originTable, in: originSchema) }
      ?? DatabaseError.Constraint(.foreignKey, table: originTable)
    return error
  }

  /// `book`, or `archive.book`
  private var originName: String {
    guard let originSchema, DatabaseSchemaID(sqlName: originSchema) != .main else {
      return originTable
    }
    return "\(originSchema).\(originTable)"
  }

  private func declaredKey(_ db: Database) throws -> ForeignKeyInfo? {
    try db.foreignKeys(on: originTable, in: originSchema).first { $0.id == foreignKeyId }
  }

  /// Nil where columns have all names of the rowid.
  private func originRow(_ db: Database) throws -> Row? {
    guard let originRowID else { return nil }
    let alias = try db.primaryKey(originTable, in: originSchema).rowIDColumn
    let columns = try db.columns(in: originTable, in: originSchema)
    let name = columns.freeRowIDName(besides: alias) ?? alias?.quotedDatabaseIdentifier
    guard let name else { return nil }
    let schema = originSchema.map { "\($0.quotedDatabaseIdentifier)." } ?? ""
    let table = schema + originTable.quotedDatabaseIdentifier
    return try Row.fetchOne(db, sql: "SELECT * FROM \(table) WHERE \(name) = \(originRowID)")
  }

  private static func text(from origin: String, to destination: String, in row: String?) -> String {
    let text = "FOREIGN KEY constraint violation - from \(origin) to \(destination)"
    return row.map { "\(text), in \($0)" } ?? text
  }
}
