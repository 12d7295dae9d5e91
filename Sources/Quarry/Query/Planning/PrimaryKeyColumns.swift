// The columns that identify the rows of a source: they are asked for by groupings, aggregates,
// tests of existence, updates and deletions.

extension SchemaReader {
  /// The columns of the primary key of a source.
  ///
  /// - Throws: `InvalidRequest` for a rowid without name.
  package func primaryKeyColumns(of source: Source) throws -> [String] {
    try namedKey(of: source).columns
  }

  /// The columns that identify a row, and make groups of one row: the rowid, or the primary key of
  /// a table without rowid.
  func groupingColumns(of source: Source) throws -> [SQLExpression] {
    let key = try namedKey(of: source)
    return key.identityColumns.map(key.expression(of:))
  }

  /// A column of the primary key of a table, compared as the index of the key does.
  func keyExpression(_ column: String, of table: String) throws -> SQLExpression {
    try primaryKey(of: table).expression(of: column)
  }

  private func namedKey(of source: Source) throws -> PrimaryKeyInfo {
    let key = try primaryKey(of: requireTable(source))
    guard key.isNamed else { throw InvalidRequest.namelessRowID(of: source) }
    return key
  }

  /// Whether no two rows of a table have the same values in the columns. A unique index allows many
  /// rows with NULL.
  func identifiesRows(of table: String, by columns: [String]) throws -> Bool {
    guard let key = try primaryKeyIfKnown(of: table) else { return false }
    func contains(_ names: [String]) -> Bool {
      names.allSatisfy { columns.contains(where: $0.isSameIdentifier) }
    }
    if key.isNamed {
      if contains(key.identityColumns) { return true }
      if let rowIDName = key.rowIDName, contains([rowIDName]) { return true }
    }
    let known = try self.columns(of: table).filter(\.isNotNull).map(\.name)
    return try hasUniqueKey(
      columns.filter { known.contains(where: $0.isSameIdentifier) }, in: table)
  }

  /// The columns of which one at least is not null in a row that exists.
  func existenceColumns(of source: Source) throws -> [String] {
    switch source {
    case .table(let table):
      guard let key = try primaryKeyIfKnown(of: table), key.isNamed else {
        return try columnNames(of: table)
      }
      return key.identityColumns
    case .function(let name, _): return try columnNames(of: name)
    case .tableExpression, .subquery:
      throw InvalidRequest("Can't test the existence of a row of \"\(source.name)\"")
    }
  }

  /// The names of the columns of a source. Nil for a query that does not list them.
  func columnNamesIfKnown(of source: Source) throws -> [String]? {
    switch source {
    case .table(let table), .function(let table, _): return try columnNames(of: table)
    case .tableExpression(let expression):
      guard let columns = expression.columns, !columns.isEmpty else { return nil }
      return columns
    case .subquery: return nil
    }
  }

  private func requireTable(_ source: Source) throws -> String {
    guard case .table(let table) = source else {
      throw InvalidRequest(
        "The \(source.description) has no primary key",
        details: "name the columns instead: filter(Column(…)), order(Column(…)), group(Column(…))")
    }
    return table
  }
}

extension InvalidRequest {
  /// See ``PrimaryKeyInfo/isNamed``.
  static func namelessRowID(of source: Source) -> InvalidRequest {
    InvalidRequest(
      "The rows of \(source.description) can't be identified: the rowid has no name, since "
        + "columns have all its names. To fix this error, declare a primary key.")
  }
}

extension PrimaryKeyInfo {
  /// A column, with the collation of the index of the key where the column has another one.
  func expression(of column: String) -> SQLExpression {
    let expression = SQLExpression(.column(column))
    guard let collation = keyCollations[column.identifierKey] else { return expression }
    return SQLExpression(.collate(expression, collation: collation))
  }

  /// The rowid, where there is one: it is the fastest key.
  fileprivate var identityColumns: [String] {
    if let rowIDColumn { return [rowIDColumn] }
    return rowIDName.map { [$0] } ?? columns
  }
}
