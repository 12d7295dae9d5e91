import Quarry

// The newest trigger runs first. Where one of the application changes the row at once, its change
// is recorded before the one that it belongs to, whose NEW is no longer the row, and whose OLD
// may be there again. So entries are made from the table: that of a row by its rowid, which no null
// and no collation makes ambiguous.

/// The triggers that record the changes of a table.
struct HistoryTriggers {
  private let table: HistoryTable
  private let key: [KeyColumn]
  /// The name of the rowids that is no column. Nil without them, and where a column shows them.
  private let rowIDName: String?

  /// - Throws: `DatabaseError` for a table whose rows can't be found.
  init(_ table: HistoryTable, _ db: Database) throws {
    self.table = table
    let info = try db.primaryKey(table.table, in: table.schema)
    key = table.key.map { name in
      KeyColumn(name: name, collation: info.keyCollations[name.identifierKey])
    }
    rowIDName = info.isRowID ? nil : info.rowIDName
    let mayBeNull = table.columns.first { column in
      !column.isNotNull && table.key.contains { $0.isSameIdentifier(as: column.name) }
    }
    guard !info.isRowID, rowIDName == nil, let mayBeNull else { return }
    throw HistoryTable.error(
      table.table,
      "the column \(mayBeNull.name.quotedDatabaseIdentifier) of its primary key may be null, and its "
        + "rowid has no name, since its columns have all of them: declare the key as NOT NULL, or "
        + "rename one of the columns rowid, oid and _rowid_")
  }

  var statements: [String] {
    [
      trigger("insert", [rowEntry("insert")]),
      // A row whose key changes is another one.
      trigger("update", [deletionEntry + " AND (\(keyChanges))", rowEntry("update")]),
      trigger("delete", [deletionEntry]),
    ]
  }

  private func trigger(_ event: String, _ statements: [String]) -> String {
    """
    CREATE TRIGGER \(table.qualified("\(table.history)_\(event)")) AFTER \(event.uppercased()) \
    ON \(table.table.quotedDatabaseIdentifier) BEGIN \(statements.map { $0 + "; " }.joined())END
    """
  }

  private var keyChanges: String {
    keyComparisons("OLD", "IS NOT", "NEW").joined(separator: " OR ")
  }

  /// The entry of the row that was inserted or updated, as it is. None where it is gone already.
  private func rowEntry(_ operation: String) -> String {
    let condition =
      rowIDName.map { "saved.\($0) = NEW.\($0)" }
      ?? keyComparisons("saved", "IS", "NEW").joined(separator: " AND ")
    return entry(of: "saved", operation) + " " + source(condition)
  }

  /// The entry of a row that was deleted, and is not back.
  private var deletionEntry: String {
    // A null equals none: two rows may have it in their keys.
    let condition = keyComparisons("saved", "=", "OLD").joined(separator: " AND ")
    return entry(of: "OLD", "delete") + " WHERE NOT EXISTS (SELECT 1 \(source(condition)))"
  }

  private func entry(of row: String, _ operation: String) -> String {
    table.insertion(into: table.history.quotedDatabaseIdentifier, of: row, operation)
  }

  /// Rows of the table, which has an alias, since it may be named `new`.
  private func source(_ condition: String) -> String {
    "FROM \(table.table.quotedDatabaseIdentifier) AS saved WHERE \(condition)"
  }

  private func keyComparisons(_ left: String, _ operation: String, _ right: String) -> [String] {
    key.map { column in
      let name = column.name.quotedDatabaseIdentifier
      let collation = column.collation.map { " COLLATE \($0.quotedDatabaseIdentifier)" } ?? ""
      return "\(left).\(name) \(operation) \(right).\(name)\(collation)"
    }
  }
}

/// A column of the primary key.
private struct KeyColumn {
  let name: String
  /// The collation by which keys are equal. Nil for that of the column.
  let collation: String?
}
