/// Writes the statements that persist records.
///
/// The `?` of the columns of records have no arguments in the result: records bind them. Arguments
/// of the result are those of assignments and returned expressions.
enum RecordStatementWriter {
  /// `INSERT INTO "author" ("id", "name") VALUES (?,?)`
  ///
  /// - parameter columns: `DEFAULT VALUES` are inserted if there are none.
  /// - parameter rowCount: how many rows the statement inserts.
  /// - parameter conflict: `IGNORE`, `REPLACE`… or nil.
  /// - parameter ignoring: the unique key whose conflicts do nothing: no column for any key.
  static func insert(
    table: String, columns: [String], rowCount: Int = 1, conflict: String? = nil,
    ignoring: [String]? = nil, returning: [SQLSelection] = [], schema: any SchemaReader
  ) throws -> SQLText {
    var writer = SQLWriter()
    writer.writeInsert(
      try TableName(table, schema), columns: columns, rowCount: rowCount, conflict: conflict)
    if let ignoring {
      writer.writeOnConflict(target: ignoring)
      writer.buffer.append(" DO NOTHING")
    }
    try writer.write(returning: planner(table, schema).map(returning))
    return try writer.finish()
  }

  /// `UPDATE "author" SET "name"=?, "country"=? WHERE "id"=?`
  ///
  /// - parameter versionColumn: a column to raise: its value is compared after the key.
  static func update(
    table: String, columns: [String], keyColumns: [String], versionColumn: String? = nil,
    conflict: String? = nil,
    returning: [SQLSelection] = [], schema: any SchemaReader
  ) throws -> SQLText {
    var writer = SQLWriter()
    writer.buffer.append("UPDATE ")
    writer.write(conflictResolution: conflict)
    writer.write(try TableName(table, schema))
    writer.buffer.append(" SET ")
    writer.writeList(columns, separator: ", ") { $0.write(equalityOf: $1) }
    if let versionColumn { writer.write(raising: versionColumn) }
    writer.buffer.append(" WHERE ")
    try writer.write(
      conditionsOn: keyColumns + (versionColumn.map { [$0] } ?? []), of: table, schema)
    try writer.write(returning: planner(table, schema).map(returning))
    return try writer.finish()
  }

  /// `DELETE FROM "author" WHERE "id"=?`
  static func delete(
    table: String, keyColumns: [String], schema: any SchemaReader
  ) throws -> String {
    var writer = SQLWriter()
    writer.buffer.append("DELETE FROM ")
    writer.write(try TableName(table, schema))
    writer.buffer.append(" WHERE ")
    try writer.write(conditionsOn: keyColumns, of: table, schema)
    return writer.text.sql
  }

  /// `SELECT EXISTS (SELECT 1 FROM "author" WHERE "id"=?)`
  static func exists(
    table: String, keyColumns: [String], nullColumn: String? = nil, schema: any SchemaReader
  ) throws -> String {
    var writer = SQLWriter()
    writer.buffer.append("SELECT EXISTS (SELECT 1 FROM ")
    writer.write(try TableName(table, schema))
    writer.buffer.append(" WHERE ")
    try writer.write(conditionsOn: keyColumns, of: table, schema)
    if let nullColumn {
      writer.buffer.append(" AND ")
      writer.buffer.append(identifier: nullColumn)
      writer.buffer.append(" IS NULL")
    }
    writer.buffer.append(")")
    return writer.text.sql
  }

  /// `INSERT INTO "author" ("id", "name") VALUES (?,?) ON CONFLICT DO UPDATE SET "name" =
  /// "excluded"."name"`
  ///
  /// - parameter conflictTarget: the columns of the unique key in conflict, none for any key.
  /// - parameter overwriting: columns that take the inserted value, after the assignments.
  /// - parameter fallbackColumn: a column to set to itself when there is nothing to set.
  /// - parameter rowIDName: what the rowid is called, to return it in the last column.
  static func upsert(
    table: String, columns: [String], conflictTarget: [String],
    assignments: [ColumnAssignment], overwriting: [String], fallbackColumn: String,
    returning: [SQLSelection], rowIDName: String?, schema: any SchemaReader
  ) throws -> SQLText {
    var writer = SQLWriter()
    let name = try TableName(table, schema)
    // In the table `excluded`, "excluded"."name" would be the column of the row in conflict.
    let alias = name.name.isSameIdentifier(as: "excluded") ? "target" : nil
    writer.writeInsert(name, alias: alias, columns: columns, conflict: nil)
    writer.writeOnConflict(target: conflictTarget)
    writer.buffer.append(" DO UPDATE SET ")
    let assignments =
      assignments.filter { $0.value != nil } + overwriting.map(ColumnAssignment.excluded)
    let fallback = ColumnAssignment(
      columnName: fallbackColumn, value: SQLExpression(.column(fallbackColumn)))
    let planner = planner(table, schema)
    try writer.write(
      assignments: planner.map(assignments.isEmpty ? [fallback] : assignments))
    let rowID = rowIDName.map { SQLSelection(.expression(SQLExpression(.column($0)))) }
    try writer.write(returning: planner.map(returning + (rowID.map { [$0] } ?? [])))
    return try writer.finish()
  }

  private static func planner(_ table: String, _ schema: any SchemaReader) -> ClausePlanner {
    ClausePlanner(
      context: PlanningContext(schema: schema), plans: [], source: .table(table))
  }
}

extension ColumnAssignment {
  /// `"c" = "excluded"."c"`
  fileprivate static func excluded(_ column: String) -> ColumnAssignment {
    let alias = TableAliasBase(name: "excluded")
    return ColumnAssignment(
      columnName: column, value: SQLExpression(.column(column)).qualified(by: alias))
  }
}

extension SQLWriter {
  fileprivate mutating func writeInsert(
    _ table: TableName, alias: String? = nil, columns: [String], rowCount: Int = 1,
    conflict: String?
  ) {
    buffer.append("INSERT ")
    write(conflictResolution: conflict)
    buffer.append("INTO ")
    write(table)
    if let alias {
      buffer.append(" AS ")
      buffer.append(identifier: alias)
    }
    guard !columns.isEmpty else { return buffer.append(" DEFAULT VALUES") }
    buffer.append(" (")
    write(columns: columns)
    buffer.append(") VALUES ")
    for row in 0..<rowCount {
      buffer.append(row == 0 ? "(" : ",(")
      for index in columns.indices { buffer.append(index == 0 ? "?" : ",?") }
      buffer.append(")")
    }
  }

  /// ` ON CONFLICT("email")`
  fileprivate mutating func writeOnConflict(target: [String]) {
    buffer.append(" ON CONFLICT")
    guard !target.isEmpty else { return }
    buffer.append("(")
    write(columns: target)
    buffer.append(")")
  }

  /// `, "version"="version"+1`
  fileprivate mutating func write(raising column: String) {
    buffer.append(", ")
    buffer.append(identifier: column)
    buffer.append("=")
    buffer.append(identifier: column)
    buffer.append("+1")
  }

  /// `"a"=? AND "b"=?`: columns of the key are compared as its index does.
  fileprivate mutating func write(
    conditionsOn columns: [String], of table: String, _ schema: any SchemaReader
  ) throws {
    let collations = try schema.primaryKeyIfKnown(of: table)?.keyCollations ?? [:]
    writeList(columns, separator: " AND ") {
      $0.write(equalityOf: $1, collation: collations[$1.identifierKey])
    }
  }

  /// `"a"=?`, or `"a" COLLATE NOCASE=?`
  fileprivate mutating func write(equalityOf column: String, collation: String? = nil) {
    buffer.append(identifier: column)
    if let collation {
      buffer.append(" COLLATE ")
      buffer.append(text: collation.plainUnlessKeyword)
    }
    buffer.append("=?")
  }
}
