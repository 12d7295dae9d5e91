import Quarry

/// Passes conflicts to the application, and its errors on.
///
/// SQLite tries a change again that replaces something. It knows a row that is still as it was as
/// one that has other values, and then as a missing one: a clause `ON CONFLICT IGNORE`, or a
/// trigger, has left the change out.
final class ConflictHandler {
  private let db: Database
  private var onConflict: ((ChangesetConflict) throws -> ChangesetConflict.Resolution)?
  private(set) var error: (any Error)?
  /// The last update or deletion that is made though the row has other values.
  private var overwriting: Change?
  /// The hashes of the insertions for which rows with their keys are deleted.
  private var replacing: Set<Int> = []
  /// By the names of tables: nil where SQLite has the values in the order of changes.
  private var queries: [String: String?] = [:]

  init(
    _ db: Database,
    _ onConflict: @escaping (ChangesetConflict) throws -> ChangesetConflict.Resolution
  ) {
    self.db = db
    self.onConflict = onConflict
  }

  /// The closure does not escape.
  func end() { onConflict = nil }

  /// - parameter conflict: A conflict as SQLite has it.
  func resolve(_ conflict: ChangesetConflict?) -> CInt {
    do {
      guard let onConflict, let conflict else { throw Self.corruption }
      let found = try corrected(conflict)
      let resolution = try onConflict(found)
      try check(resolution, found)
      note(resolution, found)
      return resolution.rawValue
    } catch {
      self.error = error
      return ChangesetConflict.Resolution.abort.rawValue
    }
  }

  private func corrected(_ conflict: ChangesetConflict) throws -> ChangesetConflict {
    guard let change = conflict.change else { return conflict }
    let values = try conflict.currentValues.map { try currentValues(for: change) ?? $0 }
    let isIgnored =
      switch conflict.kind {
      case .data: values.map(change.expects) ?? false
      case .notFound: change == overwriting
      case .conflict, .constraint, .foreignKey: false
      }
    return ChangesetConflict(
      kind: isIgnored ? .constraint : conflict.kind, change: change,
      currentValues: isIgnored ? nil : values, violationCount: 0)
  }

  private func check(
    _ resolution: ChangesetConflict.Resolution, _ conflict: ChangesetConflict
  ) throws {
    switch (resolution, conflict.kind) {
    case (.abort, _): throw conflict.error
    case (.replace, .notFound), (.replace, .constraint), (.replace, .foreignKey):
      throw ChangesetError(
        .conflict,
        "a conflict of the kind \(conflict.kind) can't be resolved by `.replace`: use `.omit` or "
          + "`.abort`. It was: \(conflict)", table: conflict.change?.table, conflict: conflict)
    case (.omit, .constraint):
      guard let change = conflict.change, replacing.contains(change.hashValue) else { return }
      throw ChangesetError(
        .conflict,
        "nothing of the changeset is applied: \(conflict), after a conflict of the kind conflict that "
          + "was resolved by `.replace`: the row that it replaces would be lost. Use `.omit` for both, "
          + "or `.abort`", table: change.table, conflict: conflict)
    default: break
    }
  }

  private func note(_ resolution: ChangesetConflict.Resolution, _ conflict: ChangesetConflict) {
    guard resolution == .replace, let change = conflict.change else { return }
    if conflict.kind == .conflict {
      replacing.insert(change.hashValue)
    } else {
      overwriting = change
    }
  }

  private static var corruption: DatabaseError {
    DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a conflict without a change")
  }
}

// Current values. SQLite numbers the columns of `SELECT *`, which has generated columns.
extension ConflictHandler {
  /// The values of the row with the key of a change. Nil where SQLite has them.
  private func currentValues(for change: Change) throws -> [DatabaseValue]? {
    let query = try queries[change.table] ?? makeQuery(for: change)
    queries[change.table] = .some(query)
    guard let query else { return nil }
    let row = try Row.fetchOne(
      db.cachedStatement(sql: query), arguments: StatementArguments(change.key))
    guard let row else { throw Self.corruption }
    return Array(row.databaseValues)
  }

  private func makeQuery(for change: Change) throws -> String? {
    let columns = try db.plainColumns(of: change.table).map(\.name.quotedDatabaseIdentifier)
    let hasGenerated = try Bool.fetchOne(
      db, sql: "SELECT max(hidden > 0) FROM pragma_table_xinfo(?, 'main') WHERE cid < ?",
      arguments: [change.table, change.columnCount])
    guard hasGenerated == true else { return nil }
    let condition = change.keyColumns.map { "\(columns[$0]) = ?" }.joined(separator: " AND ")
    return "SELECT \(columns.prefix(change.columnCount).joined(separator: ", ")) "
      + "FROM main.\(change.table.quotedDatabaseIdentifier) WHERE \(condition)"
  }
}

extension Change {
  /// Whether a row has the values that the change expects.
  fileprivate func expects(_ values: [DatabaseValue]) -> Bool {
    zip(oldValues ?? [], values).allSatisfy { old, value in old.map { $0 == value } ?? true }
  }
}
