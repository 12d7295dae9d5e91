// The first rows of an association, for each parent:
//
//     "book"."id" = (SELECT "id" FROM "book" WHERE "authorId" = "author"."id" ORDER BY "year" DESC LIMIT 1)
//     "book"."id" IN (SELECT "id" FROM "book" WHERE "authorId" = "author"."id" ORDER BY "year" DESC LIMIT 3)
//
// The subquery runs once per parent. With an index on the foreign key and the order, it reads the
// first rows only; a window function would read and number all rows of all parents. (10,000 parents
// with 100 children each: 0.17 s against 4 s with such an index, 2.5 s against 3.8 s with an index
// on the foreign key alone.)

/// The parent that the first rows are looked for.
struct LimitingParent {
  var source: Source
  /// An alias of the parent, in the enclosing query. Nil for a record.
  var alias: TableAliasBase?
  /// The value of a column: that of the source, or of the record. Nil for a null.
  var column: (String) -> SQLExpression?
}

extension LimitingParent {
  init(source: Source, alias: TableAliasBase) {
    self.init(source: source, alias: alias) { SQLExpression(.column($0)).qualified(by: alias) }
  }
}

/// The steps of an association whose row determines that of a neighbor.
private struct StepLinks {
  /// Whether the row of a step is determined by that of the step before it, or of the parent.
  private var followsPrevious: [Bool] = []
  /// Whether the row of a step is determined by that of the next step.
  private var followsNext: [Bool] = []

  init(_ steps: [AssociationStep], from parent: Source, in context: PlanningContext) throws {
    for index in steps.indices {
      let source = steps[index].relation.source
      let previous = index == 0 ? parent : steps[index - 1].relation.source
      followsPrevious.append(
        try context.isToOne(steps[index].condition, from: previous, to: source))
      let isDetermined =
        if let next = steps.dropFirst(index + 1).first, let key = next.foreignKey {
          try context.isToOne(.foreignKey(key.reversed), from: next.relation.source, to: source)
        } else { false }
      followsNext.append(isDetermined)
    }
  }

  /// Whether the rows of some steps determine those of all steps.
  func determineAll(from steps: Set<Int>, andParent parent: Bool) -> Bool {
    var known = steps
    for index in followsNext.indices.reversed()
    where followsNext[index] && known.contains(index + 1) { known.insert(index) }
    for index in followsPrevious.indices
    where followsPrevious[index] && (index == 0 ? parent : known.contains(index - 1)) {
      known.insert(index)
    }
    return known.count == followsPrevious.count
  }
}

/// The condition on the first rows, and more aliases of the parent that it refers to.
struct LimitCondition {
  var expression: SQLExpression
  var parentAliases: [TableAliasBase] = []
}

extension LimitedAssociation {
  /// The steps whose keys, together, identify a row: they and the parent determine the others. A
  /// distinct row is one, whichever others lead to it.
  ///
  /// - returns: the steps, and true if the link to the parent is needed to identify the others.
  func identifyingSteps(
    from parent: Source, in context: PlanningContext
  ) throws -> (steps: [Int], needsParent: Bool) {
    let links = try StepLinks(steps, from: parent, in: context)
    var identifying = Set(steps.indices)
    if steps[steps.count - 1].relation.isDistinct { identifying = [steps.count - 1] }
    for index in steps.indices where identifying.count > 1 {
      identifying.remove(index)
      if !links.determineAll(from: identifying, andParent: true) { identifying.insert(index) }
    }
    return (
      identifying.sorted(), needsParent: !links.determineAll(from: identifying, andParent: false)
    )
  }

  /// The condition that a row is one of the first ones of its parent.
  ///
  /// - parameter rows: the steps that identify the row, and their aliases in the enclosing query.
  func condition(
    on rows: [(step: Int, alias: TableAliasBase)], of parent: LimitingParent,
    in context: PlanningContext
  ) throws -> LimitCondition {
    var steps = steps
    var keys: [SQLExpression] = []
    var selection: [SQLSelection] = []
    for (index, alias) in rows {
      let inner = TableAliasBase(name: nil)
      for column in try context.schema.groupingColumns(of: steps[index].relation.source) {
        keys.append(column.qualified(by: alias))
        selection.append(SQLSelection(.expression(column.qualified(by: inner))))
      }
      steps[index].relation.aliases.append(inner)
    }
    let link = try steps.link(to: parent, in: context)
    var query = steps.destination(where: .expression(link.expression))
    // The request for all records of one record is not joined either.
    try query.orderBySelectedValues(isJoined: parent.alias != nil, in: context)
    query = query.selectingNothing
    query.selection = [.items(selection)]
    query.limit = limit
    query.isCorrelated = true
    if !query.hasOrdering {
      query.ordering.terms = [.ordering(SQLOrdering(.primaryKey(.unspecified)))]
    }
    try query.checkOrdering(in: context)
    return LimitCondition(
      expression: .matching(keys, SQLSubquery(.relation(query)), isSingle: limit.count == 1),
      parentAliases: link.parentAliases)
  }
}

extension [AssociationStep] {
  /// The condition that the first step is linked to the parent.
  fileprivate mutating func link(
    to parent: LimitingParent, in context: PlanningContext
  ) throws -> LimitCondition {
    switch self[0].condition {
    case .foreignKey(let condition):
      let mapping = try context.schema.mapping(
        condition, parent: parent.source, child: self[0].relation.source)
      var column = parent.column
      if parent.alias == nil {
        column = try context.schema.comparable(
          column, of: parent.source, with: self[0].relation.source, along: mapping,
          parentIsOrigin: condition.parentIsOrigin)
      }
      return LimitCondition(
        expression: .matching(
          mapping, parentIsOrigin: condition.parentIsOrigin,
          parentCompares: condition.parentCompares, column))
    case .expression(nil): return LimitCondition(expression: SQLExpression(true.databaseValue))
    case .expression(let makeExpression?):
      guard parent.alias != nil else { throw InvalidRequest.recordWithoutForeignKey }
      let join = makeExpression()
      self[0].relation.aliases.append(join.right)
      return LimitCondition(expression: join.expression, parentAliases: [join.left])
    case .limited(let rows):
      let alias = TableAliasBase(name: nil)
      self[0].relation.aliases.append(alias)
      return try rows.condition(on: [(rows.steps.count - 1, alias)], of: parent, in: context)
    }
  }
}

extension Relation {
  /// SQLite has no subqueries that are ordered by columns of the enclosing query.
  fileprivate func checkOrdering(in context: PlanningContext) throws {
    let references = try References(context) { try $0.visitOrderings(of: self) }
    guard references.aliases.isSubset(of: allAliases) else {
      throw InvalidRequest(
        "The order of a limited association to \(source.description) can't refer to an alias of "
          + "another table: SQLite has no such subqueries")
    }
  }
}

extension SelectPlan {
  /// Writes columns with the name of the table if it lacks one of them: SQLite would take that for
  /// one of the enclosing query.
  mutating func qualifyMissingColumns(in context: PlanningContext) throws {
    guard !scope.isQualified, !scope.names.isEmpty, let table = root.table,
      try context.schema.exists(table)
    else { return }
    var names = try context.schema.columnNames(of: table)
    if try context.schema.hasRowID(table) { names += PrimaryKeyInfo.rowIDNames }
    var search = MissingColumnSearch(
      names: Set(names.map(\.identifierKey)), aliases: scope.aliases.map(\.alias))
    for case .expression(let filter) in root.filters { search.visit(filter) }
    for case .ordering(let term) in root.ordering.terms { search.visitChildren(of: term) }
    scope.isQualified = search.isFound
  }
}

/// Looks for a column that a source lacks. Those of subqueries, and in SQL text, are not known.
private struct MissingColumnSearch {
  let names: Set<BinaryText>
  /// Those of the source.
  let aliases: [TableAliasBase]
  var isFound = false

  mutating func visit(_ expression: SQLExpression) {
    guard !isFound, expression.fitsStack else { return }
    switch expression.node {
    case .column(let name): isFound = !names.contains(name.identifierKey)
    case .qualified(let inner, let alias): if aliases.contains(alias) { visit(inner) }
    case .associated: break
    default: visitChildren(of: expression.node)
    }
  }

  mutating func visitChildren(of part: some TreeParent) {
    part.forEachChild {
      visit($0)
    } query: { _ in
    } sql: {
      for element in $0.elements { visitChildren(of: element) }
    }
  }
}

extension SQLExpression {
  /// The columns of a foreign key equal those of the parent; false if the parent has a null there.
  ///
  /// - parameter parentCompares: Whether the columns of the parent stand on the left.
  static func matching(
    _ mapping: [(origin: String, destination: String)], parentIsOrigin: Bool,
    parentCompares: Bool = false, _ parentColumn: (String) -> SQLExpression?
  ) -> SQLExpression {
    var conditions: [SQLExpression] = []
    for pair in mapping {
      guard let value = parentColumn(parentIsOrigin ? pair.origin : pair.destination) else {
        return SQLExpression(false.databaseValue)
      }
      let column = SQLExpression(.column(parentIsOrigin ? pair.destination : pair.origin))
      conditions.append(parentCompares ? .equal(value, column) : .equal(column, value))
    }
    return .associative(.and, conditions)
  }

  /// `"id" = (SELECT …)`, or `"id" IN (SELECT …)`
  fileprivate static func matching(
    _ keys: [SQLExpression], _ query: SQLSubquery, isSingle: Bool
  ) -> SQLExpression {
    let key = keys.count == 1 ? keys[0] : SQLExpression(.row(keys))
    return isSingle
      ? SQLExpression(.comparison(.equal, key, SQLExpression(.subquery(query))))
      : SQLExpression(.membership(key, in: .subquery(query), isNegated: false))
  }
}
