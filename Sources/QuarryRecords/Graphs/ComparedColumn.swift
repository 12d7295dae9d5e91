import Quarry

/// A column of a key, and how SQLite compares it with values.
struct ComparedColumn {
  let name: String
  /// The collation. Nil for that of the column.
  let collation: String?
  /// The affinity of what the column refers to, where that decides: the column has none.
  private let affinity: ColumnInfo.Affinity?
}

extension ComparedColumn {
  /// A column of a primary key: the index of the key decides which rows are equal.
  init(_ name: String, collation: String?) {
    self.name = name
    self.collation = collation
    affinity = nil
  }

  /// A column of a foreign key, as joins compare it: by the affinities of both columns, and by the
  /// collation of the one that they lead to. But a column of texts finds a number as SQLite writes
  /// it: no index finds other texts of it, such as `'01'`.
  ///
  /// See <https://www.sqlite.org/datatype3.html#type_conversions_prior_to_comparison>.
  init(
    _ pair: (origin: String, destination: String), of table: String, to referred: String,
    startsAtForeignKey: Bool, _ db: Database
  ) throws {
    name = pair.origin
    let own = try db.schema.affinity(of: pair.origin, in: table)
    let other = try db.schema.affinity(of: pair.destination, in: referred)
    // Other columns convert values by themselves.
    affinity = own == .none && other != .none ? other : nil
    collation =
      try startsAtForeignKey ? db.collation(referredBy: pair, of: table, in: referred) : nil
  }

  /// The condition that a row has a value, both as SQL.
  func equals(_ value: String, in row: String) -> String {
    let column = "\(row).\(name.quotedDatabaseIdentifier)"
    let collation = collation.map { " COLLATE \($0.quotedDatabaseIdentifier)" } ?? ""
    switch affinity {
    case nil, .some(.none): return "\(column) = \(value)\(collation)"
    // Between a column of texts and one without affinity, nothing is converted.
    case .text: return "\(column) = \(Self.stored(value, as: "TEXT"))\(collation)"
    case .numeric:
      // An index finds equal values, and all texts, which are above infinity: some are numbers.
      // SQLite uses none for a term of OR with COLLATE, which numbers don't need.
      let number = "CAST(\(column) AS NUMERIC)"
      return """
        (\(column) = \(Self.stored(value, as: "NUMERIC"))\(collation) \
        OR \(column) > 9e999 AND \(column) < x'' \
        AND \(number) = \(column) AND \(number) = \(value))
        """
    }
  }

  /// The value that a column of a type stores. A cast changes other values, too.
  private static func stored(_ value: String, as type: String) -> String {
    let cast = "CAST(\(value) AS \(type))"
    return "CASE WHEN \(cast) = \(value) THEN \(cast) ELSE \(value) END"
  }

  /// The condition that a row of a request has a value.
  func equals(_ value: DatabaseValue) -> SQLExpression {
    // Not by `??`, which would be IFNULL.
    guard let collation else { return .equal(Column(name).sqlExpression, SQLExpression(value)) }
    return .equal(Column(name).compared(by: collation), SQLExpression(value))
  }
}

extension Database {
  /// The collation of what a column refers to, by which joins and foreign keys compare. Nil for
  /// that of the column.
  func collation(
    referredBy pair: (origin: String, destination: String), of table: String, in referred: String
  ) throws -> String? {
    guard let own = try declaredCollation(pair.origin, of: table),
      let collation = try declaredCollation(pair.destination, of: referred),
      !own.isSameIdentifier(as: collation)
    else { return nil }
    return collation
  }

  /// The collation of a column of a table. Nil for others.
  private func declaredCollation(_ column: String, of table: String) throws -> String? {
    try schema.tableID(table).flatMap { try collation(ofColumn: column, in: $0) }
  }

  /// Whether values are equal, also by the collation of a column of the destination.
  func isEqual(
    _ value: DatabaseValue, _ other: DatabaseValue, in column: String, of destination: Source
  ) throws -> Bool {
    if value == other { return true }
    guard case .table(let table) = destination,
      let collation = try declaredCollation(column, of: table)
    else { return false }
    let sql = "SELECT ? = ? COLLATE \(collation.quotedDatabaseIdentifier)"
    return try Bool.fetchOne(self, sql: sql, arguments: [value, other]) ?? false
  }
}
