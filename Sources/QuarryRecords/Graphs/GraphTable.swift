import Quarry

/// A table of a graph.
struct GraphTable {
  let name: String
  /// The columns of the primary key.
  let key: [String]
  /// These columns, as the index of the key compares them.
  let comparedKey: [ComparedColumn]
  /// The column that is not null in rows that are marked as deleted.
  let deletionColumn: String?

  init(_ name: String, deletionColumn: String?, _ db: Database) throws {
    self.name = name
    self.deletionColumn = deletionColumn
    let key = try db.primaryKeyColumns(name)
    self.key = key
    let collations = try db.schema.primaryKeyIfKnown(of: name)?.keyCollations ?? [:]
    comparedKey = key.map { ComparedColumn($0, collation: collations[$0.identifierKey]) }
  }

  func isMarked(_ row: StoredRow) -> Bool {
    guard let deletionColumn, let value = row[deletionColumn] else { return false }
    return !value.isNull
  }
}

/// A row as it was before the save.
struct StoredRow {
  /// The position of what it was searched by.
  let index: Int
  /// The primary key.
  let key: [DatabaseValue]
  private let row: Row

  fileprivate init(_ row: Row, keyCount: Int, first: Int) {
    let end = row.count - 1
    index = first + (row[end] as Int)
    key = (end - keyCount..<end).map { row[$0] as DatabaseValue }
    self.row = row
  }

  /// Nil for a column that the table does not have.
  subscript(_ column: String) -> DatabaseValue? {
    row.hasColumn(column) ? row[column] as DatabaseValue : nil
  }

  /// The values of columns. Nil if one is null.
  func values(_ columns: [String]) -> [DatabaseValue]? {
    let values = columns.map { self[$0] ?? .null }
    return values.contains(where: \.isNull) ? nil : values
  }

  /// Whether a record stores other values.
  func differs(from columns: PersistenceContainer) -> Bool {
    columns.contains { column, value in self[column] != value.stored }
  }
}

// SQLite compares, with the affinities and collations of keys: Swift would take the text '1' for
// another key than the number 1.
extension GraphTable {
  /// The rows whose columns have the values of one of the keys.
  ///
  /// ```sql
  /// SELECT "stored".*, "stored"."id", "given"."column1"
  /// FROM (VALUES (0,?),(1,?)) AS "given"
  /// CROSS JOIN "book" AS "stored" ON "stored"."authorId" = "given"."column2"
  /// ```
  func rows(
    where columns: [ComparedColumn], equal keys: [[DatabaseValue]], _ db: Database
  ) throws -> [StoredRow] {
    let size = max(1, min(500, db.maximumStatementArgumentCount / max(1, columns.count)))
    return try stride(from: 0, to: keys.count, by: size).flatMap { first in
      try Row.fetchAll(
        db, SQLRequest(literal: query(columns, keys[first..<min(first + size, keys.count)]))
      ).map { StoredRow($0, keyCount: key.count, first: first) }
    }
  }

  private func query(_ columns: [ComparedColumn], _ keys: ArraySlice<[DatabaseValue]>) -> SQL {
    let parameters = String(repeating: ",?", count: columns.count)
    let values = (0..<keys.count).map { "(\($0)\(parameters))" }.joined(separator: ",")
    let selected = key.map { "\"stored\".\($0.quotedDatabaseIdentifier), " }.joined()
    let conditions = columns.enumerated().map { index, column in
      column.equals("\"given\".\"column\(index + 2)\"", in: "\"stored\"")
    }
    let given = SQL(
      sql: """
        SELECT "stored".*, \(selected)"given"."column1" FROM (VALUES \(values)) AS "given" CROSS JOIN
        """ + " ", arguments: StatementArguments(keys.joined()))
    return given + SQL("\(Table<Row>(name))")
      + SQL(sql: " AS \"stored\" ON " + conditions.joined(separator: " AND "))
  }

  /// - Throws: ``GraphSaveError`` for rows whose key has a NULL: by it, others would be found, too.
  func checkKeys(of rows: [StoredRow], at path: String) throws {
    guard rows.contains(where: { $0.key.contains(where: \.isNull) }) else { return }
    throw GraphSaveError(
      .key, at: path, name,
      "a row that the value does not contain has NULL in its primary key "
        + key.quotedDatabaseIdentifiers + ", and can't be removed by it: give it a key")
  }

  /// The requests for rows, of some hundred each.
  func requests<T>(
    _ rows: [StoredRow], among all: QueryInterfaceRequest<T>
  ) -> [QueryInterfaceRequest<T>] {
    stride(from: 0, to: rows.count, by: 500).map { first in
      let keys = rows[first..<min(first + 500, rows.count)].map(\.key)
      if comparedKey.contains(where: { $0.collation != nil }) {
        return all.filter(SQLExpression.associative(.or, keys.map(isKey)))
      }
      if key.count == 1 { return all.filter(keys: keys.map { $0[0] }) }
      return all.filter(
        keys: keys.map { values in
          Dictionary(zip(key, values.map { $0 as (any DatabaseValueConvertible)? })) { $1 }
        })
    }
  }
}

extension GraphTable {
  private func isKey(_ values: [DatabaseValue]) -> SQLExpression {
    .associative(.and, zip(comparedKey, values).map { $0.equals($1) })
  }

  /// A key as the table stores it: another form would be taken for another row.
  ///
  /// See <https://www.sqlite.org/datatype3.html#type_affinity>.
  func stored(_ values: [DatabaseValue], _ db: Database) throws -> [DatabaseValue] {
    try zip(key, values).map { column, value in
      let type: String
      switch (try db.schema.affinity(of: column, in: name), value.storage) {
      case (.text, .int64(let number)): return String(number).databaseValue
      case (.text, .double): type = "TEXT"
      case (.numeric, .string) where value.isNumberAsText: type = "NUMERIC"
      default: return value
      }
      let sql = "SELECT CAST(? AS \(type))"
      return try DatabaseValue.fetchOne(db, sql: sql, arguments: [value]) ?? value
    }
  }
}
