import Quarry

/// What the writes of a graph do in conflicts: they fail, as far as SQLite can be made to.
///
/// A resolution that a statement gives overrides those of the table, and those in its triggers.
///
/// See <https://www.sqlite.org/lang_conflict.html>.
enum ConflictHandling {
  /// No constraint of the table resolves conflicts.
  case failing
  /// Statements override the clauses `ON CONFLICT` of the table.
  case overriding
  /// The clauses of the table apply, since triggers of the table resolve conflicts, too.
  case resolving

  /// `ABORT` is not written: `FAIL` says the same of one row.
  var resolution: Database.ConflictResolution { self == .overriding ? .fail : .abort }
}

extension GraphTable {
  func conflictHandling(_ db: Database) throws -> ConflictHandling {
    guard try db.constraintsResolveConflicts(of: name) else { return .failing }
    return try triggersResolveConflicts(db) ? .resolving : .overriding
  }

  /// Whether triggers may resolve conflicts, by algorithms that one of the statement that fires
  /// them would override.
  private func triggersResolveConflicts(_ db: Database) throws -> Bool {
    let key = try db.schema.resolve(name).id.name.identifierKey
    return db.schemaObjects(ofTables: [key])?.contains { object in
      object.type == "trigger"
        && ["IGNORE", "REPLACE"].contains { object.sql?.resolvesConflicts(by: $0) == true }
    } ?? true
  }

  /// Updates rows.
  ///
  /// - Throws: `DatabaseError`, also where the table ignores one.
  func update<T>(
    _ rows: [StoredRow], among all: QueryInterfaceRequest<T>, _ assignments: [ColumnAssignment],
    _ db: Database
  ) throws {
    let handling = try conflictHandling(db)
    var count = 0
    for request in requests(rows, among: all) {
      count += try request.updateAll(db, onConflict: handling.resolution, assignments)
    }
    if handling == .resolving, count < Set(rows.map(\.key)).count { throw ignoredRow("update") }
  }

  func ignoredRow(_ write: String) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_CONSTRAINT,
      message: """
        an \(write) of table \(name.quotedDatabaseIdentifier) was ignored by its clause ON CONFLICT: \
        a graph can't override it, since a trigger of the table resolves conflicts, too
        """)
  }
}
