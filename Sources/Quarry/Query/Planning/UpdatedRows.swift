// SQLite updates and deletes row by row, and evaluates a subquery when it needs its value: for each
// row, or for the first one that a short circuit of `OR`, `CASE` or `IFNULL` leaves undecided. A
// subquery that reads the modified table misses rows that are modified already. So does one that
// reads a view or a virtual table, which may read any other table.
//
// Rows are found by their key where conditions have such a subquery: SQLite collects the keys
// before it modifies the first row. Where values have one, an `UPDATE … FROM` collects these, too.

extension Relation {
  /// They read no table: <https://www.sqlite.org/json1.html#jeach>.
  private static let functions: Set = ["json_each", "json_tree"]

  /// Whether subqueries of expressions, which belong to the rows of the relation, may read modified
  /// rows. SQLite collects all that it writes to a virtual table.
  func modifiedRowsAreRead(by references: References, in context: PlanningContext) throws -> Bool {
    var references = references
    guard references.hasSubqueries, case .table(let table) = source else { return false }
    try references.visit(allTableExpressions)
    let schema = context.schema
    let name = try TableName(table, schema).name
    // Its triggers modify other tables.
    let isView = try schema.isView(table)
    let areRead = try references.possibleTables.contains { other in
      if try TableName(other, schema).name.isSameIdentifier(as: name) { return true }
      guard try schema.exists(other) else { return false }
      return try isView || schema.isView(other)
        || schema.isVirtual(other) && !Self.functions.contains(other.lowercased())
    }
    return try areRead && !(schema.exists(table) && schema.isVirtual(table))
  }
}
