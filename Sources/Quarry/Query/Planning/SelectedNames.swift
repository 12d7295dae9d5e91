/// The names of the values that a request selects, which its order may refer to: a term of
/// `ORDER BY` that is a name means the first selected value of that name, then a column.
///
/// See <https://www.sqlite.org/lang_select.html#orderby>.
package struct SelectedNames {
  private var expressions: [BinaryText: SQLExpression] = [:]
  private let aliases: [TableAliasBase]
  /// Whether columns are written with the name of their table, so that they mean no other value.
  private let areColumnsQualified: Bool
  /// Whether values that raw SQL selects may have the names of columns.
  package private(set) var areUnknown = false

  /// - parameter isJoined: whether the relation is joined to others, beside those of its own.
  package init(of relation: Relation, isJoined: Bool = false, in context: PlanningContext) throws {
    aliases = relation.aliases
    areColumnsQualified = isJoined || !relation.joins.isEmpty || relation.hasNamedAlias
    for item in try context.resolve(relation.selection) {
      try add(item, of: relation.source, in: context)
    }
  }

  /// The first value of a name counts.
  private mutating func add(
    _ item: SQLSelection, of source: Source, in context: PlanningContext
  ) throws {
    switch item.node {
    case .aliased(let expression, let name): add(expression, named: name)
    case .qualified(let inner, let alias):
      if case .aliased(let expression, let name) = inner.node {
        add(expression.qualified(by: alias), named: name)
      } else {
        try add(inner, of: source, in: context)
      }
    case .allColumns:
      guard case .table(let table) = source else { return areUnknown = true }
      for column in try context.schema.columns(of: table) {
        add(SQLExpression(.column(column.name)), named: column.name)
      }
    case .literal: areUnknown = true
    case .allColumnsExcluding, .expression, .primaryKey, .columns, .invalid: break
    }
  }

  private mutating func add(_ expression: SQLExpression, named name: String) {
    let key = name.identifierKey
    if expressions[key] == nil { expressions[key] = expression }
  }

  /// The selected expression that a term of the order is the name of.
  package func selectedExpression(of term: SQLExpression) -> SQLExpression? {
    switch term.node {
    case .column(let name):
      guard !areColumnsQualified, let expression = expressions[name.identifierKey] else {
        return nil
      }
      if case .column(let column) = expression.node, column.isSameIdentifier(as: name) {
        return nil
      }
      return expression
    case .qualified(let operand, let alias):
      return aliases.contains(alias) ? selectedExpression(of: operand) : nil
    case .literal(let sql):
      guard sql.elements.count == 1 else { return nil }
      switch sql.elements[0] {
      case .identifier(let name): return expressions[name.identifierKey]
      case .raw(let text, _): return expressions[text.identifierKey]
      default: return nil
      }
    case .collate(let operand, let collation):
      return selectedExpression(of: operand).map {
        SQLExpression(.collate($0, collation: collation))
      }
    default: return nil
    }
  }

  /// A term of the order, or its columns one by one, with selected values in the place of names.
  fileprivate func terms(
    for term: OrderingClause.Term, of source: Source, in context: PlanningContext
  ) throws -> [OrderingClause.Term] {
    guard case .ordering(let ordering) = term else { return [term] }
    switch ordering.node {
    case .expression(let expression, let direction): return [self.term(expression, direction)]
    case .columns(let columns, let direction):
      return columns.map { self.term(SQLExpression(.column($0)), direction) }
    case .primaryKey(let direction) where !areColumnsQualified:
      let columns = try context.schema.primaryKeyColumns(of: source)
      return columns.map { self.term(SQLExpression(.column($0)), direction) }
    case .primaryKey, .literal: return [term]
    }
  }

  private func term(
    _ expression: SQLExpression, _ direction: SQLOrdering.Direction
  ) -> OrderingClause.Term {
    .ordering(
      SQLOrdering(.expression(selectedExpression(of: expression) ?? expression, direction)))
  }
}

extension Relation {
  /// Whether the order may have names of selected values.
  func mayOrderBySelectedValues(in context: PlanningContext) throws -> Bool {
    if ordering.terms.isEmpty { return false }
    return try context.resolve(selection).contains(where: \.isNamed)
  }

  /// Puts selected values into the order, in the place of their names, so that another selection
  /// leaves the order as it is. Values are those named by `forKey`, and names are whole terms: raw
  /// SQL stays as it is, as a selection or inside of a term.
  ///
  /// - parameter isJoined: whether the relation is joined to others, beside those of its own.
  mutating func orderBySelectedValues(isJoined: Bool = false, in context: PlanningContext) throws {
    guard try mayOrderBySelectedValues(in: context) else { return }
    let names = try SelectedNames(of: self, isJoined: isJoined, in: context)
    ordering = try context.resolve(ordering)
    ordering.terms = try ordering.terms.flatMap {
      try names.terms(for: $0, of: source, in: context)
    }
  }
}

extension SQLSelection {
  /// Whether the application gave the value a name.
  fileprivate var isNamed: Bool {
    switch node {
    case .aliased: true
    case .qualified(let inner, _): inner.isNamed
    case .allColumns, .allColumnsExcluding, .columns, .expression, .literal, .primaryKey, .invalid:
      false
    }
  }
}
