// SQLite updates row by row, and evaluates a subquery when it needs its value: for each row, or for
// the first one that a short circuit of `OR`, `CASE` or `IFNULL` leaves undecided. A subquery that
// reads the updated table sees rows that are updated already. So does one that reads a view or a
// virtual table, which may read any other table.
//
// Rows are found by their key where conditions have such a subquery: SQLite collects the keys
// before it updates. Where values have one, an `UPDATE … FROM` collects these, too.

/// The subqueries of an update that may see rows which it has updated.
struct UpdatedRows {
  private let context: PlanningContext
  private let relation: Relation
  private let table: String
  private var areRead = false

  /// They read no table: <https://www.sqlite.org/json1.html#jeach>.
  private static let functions: Set = ["json_each", "json_tree"]

  /// Whether expressions, which belong to the rows of a relation, may see updated ones. SQLite
  /// collects all that it writes to a virtual table.
  static func areRead(
    by expressions: [SQLExpression], of relation: Relation, in context: PlanningContext
  ) throws -> Bool {
    guard case .table(let table) = relation.source else { return false }
    var rows = UpdatedRows(context: context, relation: relation, table: table)
    for expression in expressions { try rows.visit(expression) }
    return try rows.areRead && !(context.schema.exists(table) && context.schema.isVirtual(table))
  }

  private init(context: PlanningContext, relation: Relation, table: String) {
    self.context = context
    self.relation = relation
    self.table = table
  }

  private mutating func visit(_ expression: SQLExpression) throws {
    if areRead { return }
    try expression.checkStack()
    if case .membership(_, in: .table(let name), _) = expression.node {
      try visit(References(context) { try $0.visit(Source.table(name)) })
    }
    try visitChildren(of: expression.node)
  }

  private mutating func visitChildren(of part: some TreeParent) throws {
    try part.forEachChild {
      try visit($0)
    } query: { query in
      try visit(References(context) { try $0.visit(query) })
    } sql: {
      try visit($0)
    }
  }

  private mutating func visit(_ sql: SQL) throws {
    let references = try References(context) { try $0.visit(sql) }
    // `id IN task` has no `SELECT`.
    if references.mentions("select") || references.mentions("in") { try visit(references) }
    for element in sql.elements { try visitChildren(of: element) }
  }

  private mutating func visit(_ references: References) throws {
    if areRead { return }
    var references = references
    try references.visit(relation.allTableExpressions)
    let schema = context.schema
    let name = try TableName(table, schema).name
    // Its triggers update other tables.
    let isView = try schema.isView(table)
    areRead = try references.possibleTables.contains { other in
      if try TableName(other, schema).name.isSameIdentifier(as: name) { return true }
      return try !Self.functions.contains(other.lowercased())
        && schema.exists(other) && (isView || schema.hidesReturnedRows(other))
    }
  }
}
