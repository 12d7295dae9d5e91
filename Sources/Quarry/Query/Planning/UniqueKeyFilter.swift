/// Filters on the columns of a unique key.
struct UniqueKeyFilter {
  let source: Source
  let context: PlanningContext

  typealias Key = [(column: String, value: DatabaseValue)]

  /// The rows that have one of the keys.
  func expression(_ keys: [Key]) throws -> SQLExpression {
    if keys.isEmpty { return SQLExpression(false.databaseValue) }
    if keys.count <= JSONKeys.listLimit { return .associative(.or, try keys.map(expression)) }
    if context.hasJSONKeys, let expression = try jsonExpression(keys) { return expression }
    // SQLite limits the depth of expressions, not their width: alternatives of alternatives are
    // less deep.
    let size = JSONKeys.listLimit
    let groups = try stride(from: 0, to: keys.count, by: size).map { start in
      let group = try keys[start..<min(start + size, keys.count)].map(expression)
      return SQLExpression(.associative(.or, RunList(group)))
    }
    return SQLExpression(.associative(.or, RunList(groups)))
  }

  /// All keys in one argument. Nil if they have different columns, or values that JSON lacks.
  private func jsonExpression(_ keys: [Key]) throws -> SQLExpression? {
    let columns = keys[0].map(\.column)
    guard keys.allSatisfy({ $0.map(\.column).hasSameTexts(as: columns) }),
      let json = JSONKeys.array(of: keys.map { $0.map(\.value) })
    else { return nil }
    let unique = try uniqueKey(in: keys[0])
    return .membership(row: columns.map(unique.expression(of:)), inJSON: json)
  }

  private func expression(_ key: Key) throws -> SQLExpression {
    let unique = try uniqueKey(in: key)
    let leading = unique.columns.compactMap { column in
      key.first { $0.column.isSameIdentifier(as: column) }
    }
    let others = key.filter { pair in
      !unique.columns.contains { $0.isSameIdentifier(as: pair.column) }
    }
    let conditions = (leading + others).map { column, value in
      SQLExpression.equal(unique.expression(of: column), SQLExpression(value))
    }
    return .associative(.and, conditions)
  }

  /// The unique key that the given columns contain, as a primary key.
  private func uniqueKey(in key: Key) throws -> PrimaryKeyInfo {
    guard case .table(let table) = source else {
      throw InvalidRequest("The \(source.description) has no unique key")
    }
    let schema = context.schema
    func contains(_ columns: [String]) -> Bool {
      columns.allSatisfy { column in key.contains { $0.column.isSameIdentifier(as: column) } }
    }
    if let key = try schema.primaryKeyIfKnown(of: table), key.isNamed, contains(key.columns) {
      return key
    }
    if key.count == 1, key[0].column.isSameIdentifier(as: "rowid"),
      try schema.hasRowIDNamedRowID(table)
    {
      return .regular([key[0].column], rowIDName: nil)
    }
    for index in try schema.indexes(on: table) where index.isUnique && contains(index.columns) {
      return .regular(index.columns, rowIDName: nil)
    }
    let kind = try schema.isView(table) ? "database view" : "table"
    let names = key.map(\.column).sorted().joined(separator: ", ")
    throw InvalidRequest("\(kind) \(table) has no unique key on column(s) \(names)")
  }
}
