import Quarry

/// The rows that one save has written and removed.
final class GraphSession {
  let db: Database
  private var saved: [GraphRow: [SavedRow]] = [:]
  private var removed: [GraphRow: String] = [:]
  private var owned: [GraphRow: String] = [:]
  private var tables: [String: GraphTable] = [:]
  private var hasRemoved = false

  init(_ db: Database) { self.db = db }

  /// Notes rows that are removed, or may be, by a foreign key action.
  func noteRemoved(_ rows: [StoredRow], from table: GraphTable, at path: String) {
    for row in rows { removed[GraphRow(table.name, row.key)] = path }
    hasRemoved = true
  }

  /// Notes that rows were changed which the value does not contain.
  func noteChanged() { hasRemoved = true }

  /// The place whose removals have removed a row.
  func removal(of key: [DatabaseValue], from table: GraphTable) -> String? {
    removed[GraphRow(table.name, key)]
  }

  func noteSaved(_ row: SavedRow, _ key: [DatabaseValue], in table: GraphTable) {
    tables[table.name] = table
    saved[GraphRow(table.name, key), default: []].append(row)
  }

  /// What has been saved in a row.
  func saved(_ key: [DatabaseValue], in table: GraphTable) -> [SavedRow] {
    saved[GraphRow(table.name, key)] ?? []
  }

  /// Notes that the rows of some parents are those of one property.
  ///
  /// - Throws: ``GraphSaveError`` for rows of another property, which would be missing in this one.
  func claim(_ step: ForeignKeyStep, of parents: [[DatabaseValue]], at paths: [String]) throws {
    let source = step.table + ([""] + step.columns).joined(separator: "\0")
    for (parent, path) in zip(parents, paths) where !parent.contains(where: \.isNull) {
      let path = "\(path).\(step.name)"
      guard let other = owned.updateValue(path, forKey: GraphRow(source, parent)) else { continue }
      throw GraphSaveError(
        .graph, at: path, step.table,
        "the value has the same rows at \(other), by the same columns "
          + step.columns.quotedDatabaseIdentifiers + ": one property must have all of them")
    }
  }

  /// Checks that removals have not changed what was saved, by a foreign key action or a trigger.
  func checkSavedRows() throws {
    guard hasRemoved else { return }
    for table in tables.values {
      let entries = saved.filter { $0.key.table == GraphRow(table.name, []).table }.map { $0 }
      var found = [StoredRow?](repeating: nil, count: entries.count)
      for row in try table.rows(where: table.comparedKey, equal: entries.map(\.key.key), db) {
        found[row.index] = row
      }
      for (entry, row) in zip(entries, found) {
        for saved in entry.value { try saved.check(row, in: table) }
      }
    }
  }
}

/// A record that has been saved, with the columns that it had before.
struct SavedRow {
  let path: String
  let columns: PersistenceContainer
  let record: Any

  /// A column that both store with different values.
  func conflict(with other: PersistenceContainer) -> String? {
    other.first { column, value in columns.encoded(column).map { $0 != value.stored } ?? false }?.0
  }

  /// Whether all columns are stored already.
  func has(_ other: PersistenceContainer) -> Bool {
    other.allSatisfy { column, value in columns.encoded(column) == value.stored }
  }

  fileprivate func check(_ row: StoredRow?, in table: GraphTable) throws {
    let isMarked = row.map(table.isMarked) ?? false
    let marksItself = table.deletionColumn.map { columns.encoded($0)?.isNull == false } ?? false
    guard let row, !isMarked || marksItself else {
      throw GraphSaveError(
        .removedRow, at: path, table.name,
        "the row was removed with rows that the value does not contain: leave the record out, or "
          + "keep those")
    }
    let lost = columns.first { column, value in
      !value.stored.isNull && row[column]?.isNull == true
    }
    guard let lost else { return }
    throw GraphSaveError(
      .removedRow, at: "\(path).\(lost.0)", table.name,
      "the column was set to NULL by the removal of rows that the value does not contain: set it to "
        + "nil, or keep those")
  }
}

private struct GraphRow: Hashable {
  let table: String
  let key: [DatabaseValue]

  init(_ table: String, _ key: [DatabaseValue]) {
    self.table = table.lowercased()
    self.key = key
  }
}
