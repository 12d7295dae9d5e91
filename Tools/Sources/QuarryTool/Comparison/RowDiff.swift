import Quarry

/// The differences between the rows of a table and those of the table with its name in the schema
/// `quarry_other`.
struct RowDiff {
  private let table: Catalog.Table
  private let limit: Int
  private let key: [String]
  /// The columns that both tables have, generated ones included.
  private let columns: [String]
  private let old: String
  private let new: String

  init(table: Catalog.Table, other: Catalog.Table, limit: Int) {
    self.table = table
    self.limit = limit
    columns = table.columns.map(\.name).filter { other.column($0) != nil }
    let hasSameKey = table.primaryKey.map(\.nameKey) == other.primaryKey.map(\.nameKey)
    key = hasSameKey ? table.primaryKey : []
    old = "main.\(table.quotedName)"
    new = "quarry_other.\(other.quotedName)"
  }

  /// - returns: the number of rows that differ.
  func show(_ db: Database) throws -> Int {
    guard !columns.isEmpty else { return 0 }
    let counts = try [
      showMissing("-", from: old, in: new, db), showMissing("+", from: new, in: old, db),
      key.isEmpty ? 0 : showChanges(db),
    ]
    let total = counts.reduce(0, +)
    if total > 0 {
      Output.line(
        "\(table.name.onOneLine): - \(counts[0].counted("row")), + \(counts[1].counted("row")), ~ \(counts[2].counted("row"))"
      )
    }
    return total
  }

  private func showMissing(
    _ sign: String, from table: String, in other: String, _ db: Database
  ) throws -> Int {
    let rows = try key.isEmpty ? 0 : show(sign, rows(of: table, missingIn: other), db)
    return try rows + show(sign, surplus(of: table, over: other), db)
  }

  private func show(_ sign: String, _ sql: String, _ db: Database) throws -> Int {
    let rows = try Row.fetchCursor(db, sql: sql)
    var count = 0
    while let row = try rows.next() {
      count += 1
      if count <= limit { Output.line("\(sign) \(table.name.onOneLine) \(Self.text(row))") }
    }
    return count
  }

  /// Writes the key of each row, and the columns that have changed.
  private func showChanges(_ db: Database) throws -> Int {
    let rows = try Row.fetchCursor(db, sql: changes)
    var count = 0
    while let row = try rows.next() {
      count += 1
      guard count <= limit else { continue }
      let values = Array(row.databaseValues)
      let names = zip(key, values).map { "\($0)=\($1.shown)" }.joined(separator: " ")
      let changed = columns.indices.compactMap { index -> String? in
        let before = values[key.count + index]
        let after = values[key.count + columns.count + index]
        return before.storage == after.storage
          ? nil : "\(columns[index]): \(before.shown) -> \(after.shown)"
      }
      Output.line("~ \(table.name.onOneLine) \(names): \(changed.joined(separator: ", "))")
    }
    return count
  }

  private static func text(_ row: Row) -> String {
    row.map { name, value in "\(name)=\(value.shown)" }.joined(separator: " ")
  }
}

// SQL.
extension RowDiff {
  private func list(_ columns: [String], of alias: String) -> String {
    columns.map { "\(alias).\($0.quotedDatabaseIdentifier)" }.joined(separator: ", ")
  }

  private var hasSameKey: String {
    key.map(\.quotedDatabaseIdentifier).map { "a.\($0) = b.\($0)" }.joined(separator: " AND ")
  }

  /// Whether nothing identifies a row. Many may have NULL in the key.
  private var lacksKey: String {
    let conditions = key.map { "\($0.quotedDatabaseIdentifier) IS NULL" }
    return conditions.isEmpty ? "1" : "(\(conditions.joined(separator: " OR ")))"
  }

  private func rows(of table: String, missingIn other: String) -> String {
    """
    SELECT \(list(columns, of: "a")) FROM \(table) a
    WHERE NOT \(lacksKey) AND NOT EXISTS (SELECT 1 FROM \(other) b WHERE \(hasSameKey))
    ORDER BY \(list(key, of: "a"))
    """
  }

  /// Values are the same if they have the same type and bytes, whatever the collation of the
  /// column.
  private var changes: String {
    let differences = columns.map(\.quotedDatabaseIdentifier).map { column in
      "a.\(column) IS NOT b.\(column) COLLATE BINARY OR typeof(a.\(column)) <> typeof(b.\(column))"
    }
    return """
      SELECT \(list(key, of: "a")), \(list(columns, of: "a")), \(list(columns, of: "b"))
      FROM \(old) a JOIN \(new) b ON \(hasSameKey)
      WHERE \(differences.joined(separator: " OR "))
      ORDER BY \(list(key, of: "a"))
      """
  }

  /// The rows without key that a table has more often than the other one. Values are compared as
  /// those of ``changes``.
  private func surplus(of table: String, over other: String) -> String {
    let names = columns.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
    return """
      SELECT \(names), "(times)"
      FROM (\(countedRows(of: table)) EXCEPT \(countedRows(of: other)))
      """
  }

  /// The different rows without key, how often the table has each, and the types of their values.
  private func countedRows(of table: String) -> String {
    let names = columns.map(\.quotedDatabaseIdentifier)
    let values = names.map { "\($0) COLLATE BINARY AS \($0)" }.joined(separator: ", ")
    // A result has 2000 columns at most.
    let types = stride(from: 0, to: names.count, by: 100).map { start in
      names[start..<min(start + 100, names.count)].map { "typeof(\($0))" }
        .joined(separator: " || ' ' || ")
    }
    let groups = names.map { "\($0) COLLATE BINARY" } + types
    return """
      SELECT \(values), COUNT(*) AS "(times)", \(types.joined(separator: ", "))
      FROM \(table) WHERE \(lacksKey) GROUP BY \(groups.joined(separator: ", "))
      """
  }
}
