// Full-text tables have shadow tables, whose changes SQLite reports, but for some. Whether a
// statement changes one of these is asked of SQLite, which has just compiled it: a query of the
// schema would lock all databases, and could not wait for a lock in a deferred transaction.

/// The full-text tables that SQLite does not report all changes of, by their keys.
typealias SilentTables = [BinaryText: FullTextSilence]

/// The changes of a full-text table that SQLite reports too late, or not at all.
enum FullTextSilence: Comparable {
  /// FTS3 empties its tables when the last row goes, and SQLite does not report that. FTS4 also
  /// writes its sizes, which SQLite does.
  case deletions
  /// FTS5 keeps changes in memory until their transaction is committed, where it stores neither a
  /// text nor a size for each row.
  ///
  /// See <https://www.sqlite.org/fts5.html#contentless_tables>.
  case changes
}

extension Database {
  /// The tables that a statement changes, and that SQLite does not report all changes of. The
  /// answer is kept until the statement is compiled again.
  func silentTables(of statement: Statement) -> SilentTables {
    let count = statement.handle.reprepareCount
    if let known = statement.silentTables, known.reprepareCount == count { return known.tables }
    var tables: SilentTables = [:]
    for schema in statement.effects.changedSchemas {
      for key in statement.effects.changedTables {
        let silence = fullTextSilence(ofTable: key.text, inSchema: schema.text)
        tables[key] = [tables[key], silence].compactMap { $0 }.max()
      }
    }
    statement.silentTables = (count, tables)
    return tables
  }

  private func fullTextSilence(ofTable table: String, inSchema schema: String) -> FullTextSilence? {
    func hasShadows(_ names: String...) -> Bool {
      names.allSatisfy { knowsTable("\(table)_\($0)", inSchema: schema) }
    }
    if hasShadows("segdir", "segments") { return hasShadows("docsize") ? nil : .deletions }
    guard hasShadows("idx", "data", "config") else { return nil }
    return hasShadows("docsize") || hasShadows("content") ? nil : .changes
  }
}
