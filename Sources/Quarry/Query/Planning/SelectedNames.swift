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

  /// The names of a relation, then those of the relations joined to it, as they are written. With
  /// joins, values are qualified by an alias of their source, which gets one if it has none.
  ///
  /// - parameter isJoined: whether the relation is joined to others, beside those of its own.
  init(ofAll relation: inout Relation, isJoined: Bool, in context: PlanningContext) throws {
    let hasJoins = !relation.joins.isEmpty
    if hasJoins { relation.makeAlias() }
    aliases = relation.aliases
    areColumnsQualified = isJoined || hasJoins || relation.hasNamedAlias
    let alias = hasJoins ? aliases[0] : nil
    for item in try context.resolve(relation.selection) {
      try add(item, of: relation.source, qualifiedBy: alias, in: context)
    }
    try addJoins(of: &relation, in: context)
  }

  private mutating func addJoins(of relation: inout Relation, in context: PlanningContext) throws {
    try context.checkStack()
    for index in relation.joins.indices {
      var joined = relation.joins[index].relation
      joined.makeAlias()
      for item in try context.resolve(joined.selection) {
        try add(item, of: joined.source, qualifiedBy: joined.aliases[0], in: context)
      }
      try addJoins(of: &joined, in: context)
      relation.joins[index].relation = joined
    }
  }

  /// The first value of a name counts.
  private mutating func add(
    _ item: SQLSelection, of source: Source, qualifiedBy alias: TableAliasBase?,
    in context: PlanningContext
  ) throws {
    switch item.node {
    case .aliased(let expression, let name): add(expression, named: name, alias)
    case .qualified(let inner, let own):
      if case .aliased(let expression, let name) = inner.node {
        add(expression.qualified(by: own), named: name, alias)
      } else {
        try add(inner, of: source, qualifiedBy: alias, in: context)
      }
    case .allColumns:
      guard case .table(let table) = source else { return areUnknown = true }
      for column in try context.schema.columns(of: table) {
        add(SQLExpression(.column(column.name)), named: column.name, alias)
      }
    case .literal: areUnknown = true
    case .allColumnsExcluding, .expression, .primaryKey, .columns, .invalid: break
    }
  }

  private mutating func add(
    _ expression: SQLExpression, named name: String, _ alias: TableAliasBase?
  ) {
    let key = name.identifierKey
    if expressions[key] != nil { return }
    expressions[key] = if let alias { expression.qualified(by: alias) } else { expression }
  }

  /// Forgets the values of some names.
  mutating func remove(_ names: [String]) {
    for name in names { expressions[name.identifierKey] = nil }
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
  func terms(
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
    // The operator `??` would be that of SQL.
    let value =
      if let selected = selectedExpression(of: expression) { selected } else { expression }
    return .ordering(SQLOrdering(.expression(value, direction)))
  }
}

extension Relation {
  fileprivate mutating func makeAlias() {
    if aliases.isEmpty { aliases.append(TableAliasBase(name: nil)) }
  }
}
