// SQLite updates row by row, and may evaluate a subquery for each of them. Then it sees rows that
// are updated already, if it reads the updated table:
//
// - a correlated subquery, and SQL written by hand, which may be one;
// - an unfiltered list of `IN`, which SQLite may look up in an index of the table:
//   <https://www.sqlite.org/queryplanner.html>.
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

  /// Whether expressions, which belong to the rows of a relation, may see updated ones.
  static func areRead(
    by expressions: [SQLExpression], of relation: Relation, in context: PlanningContext
  ) throws -> Bool {
    guard case .table(let table) = relation.source else { return false }
    var rows = UpdatedRows(context: context, relation: relation, table: table)
    for expression in expressions { try rows.visit(expression) }
    return rows.areRead
  }

  private init(context: PlanningContext, relation: Relation, table: String) {
    self.context = context
    self.relation = relation
    self.table = table
  }

  private mutating func visit(_ expression: SQLExpression) throws {
    if areRead { return }
    try expression.checkStack()
    if case .membership(_, in: let list, _) = expression.node { try visit(list) }
    try visitChildren(of: expression.node)
  }

  private mutating func visitChildren(of part: some TreeParent) throws {
    try part.forEachChild {
      try visit($0)
    } query: {
      try visit($0)
    } sql: {
      try visit($0)
    }
  }

  private mutating func visit(_ query: SQLSubquery) throws {
    let references = try References(context) { try $0.visit(query) }
    guard references.hasText || relation.aliases.contains(where: references.contains) else {
      return
    }
    try visit(references)
  }

  private mutating func visit(_ sql: SQL) throws {
    let references = try References(context) { try $0.visit(sql) }
    if references.mentions("select") { try visit(references) }
    for element in sql.elements { try visitChildren(of: element) }
  }

  private mutating func visit(_ list: SQLExpression.MembershipList) throws {
    switch list {
    case .table(let name) where !relation.allTableExpressions.define(name):
      try visit(References(context) { try $0.visit(Source.table(name)) })
    case .subquery(let query):
      guard case .relation(let list) = query.node, case .table = list.source, list.joins.isEmpty,
        try context.resolve(list.filters, of: list.source).isEmpty
      else { return }
      try visit(References(context) { try $0.visit(query) })
    case .table, .list, .rows: break
    }
  }

  /// Looks for a table that may have the rows. Views and virtual tables may read any other, but
  /// SQLite collects all that it writes to them.
  private mutating func visit(_ references: References) throws {
    let schema = context.schema
    func isOrdinary(_ name: String) throws -> Bool {
      try Self.functions.contains(name.lowercased())
        || !(schema.exists(name) && schema.hidesReturnedRows(name))
    }
    guard !areRead, try isOrdinary(table) else { return }
    var references = references
    try references.visit(relation.allTableExpressions)
    let name = try TableName(table, schema).name
    areRead = try references.possibleTables.contains { other in
      try TableName(other, schema).name.isSameIdentifier(as: name) || !isOrdinary(other)
    }
  }
}
