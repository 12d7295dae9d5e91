extension Relation: TreePart, Hashable {
  package static func == (lhs: Relation, rhs: Relation) -> Bool { lhs.isSame(as: rhs) }

  package func hash(into hasher: inout Hasher) { hashStructure(into: &hasher) }

  func write(to key: inout TreeKey) {
    // A part that the stack has no space for is different from all others. Planning may need less
    // of the stack, and its result is of the whole request.
    guard isFlat || ThreadStack.hasSpace else {
      return key.append(identityOf: TableAliasBase(name: nil))
    }
    guard let sharedRareClauses else { return writeClauses(to: &key) }
    key.withDefinitions(of: sharedRareClauses.value.tableExpressions) { writeClauses(to: &$0) }
  }

  /// Whether no relation is in this one, but those of expressions, which have checks of their own.
  private var isFlat: Bool {
    guard joins.isEmpty, sharedRareClauses == nil, case .table = source else { return false }
    return true
  }

  private func writeClauses(to key: inout TreeKey) {
    source.write(to: &key)
    key.append(aliases.count)
    for alias in aliases { key.append(alias) }
    selection.write(to: &key)
    key.append(kind: flags)
    filters.write(to: &key)
    ordering.write(to: &key)
    key.append(limit)
    key.append(queriedJoins)
    key.append(sharedRareClauses != nil)
    if let sharedRareClauses { sharedRareClauses.value.write(to: &key) }
  }

  private var flags: UInt8 {
    (isDistinct ? 1 : 0) | (isolatesAggregates ? 2 : 0) | (isCorrelated ? 4 : 0)
  }
}

extension RareClauses: TreePart {
  func write(to key: inout TreeKey) {
    key.append(grouping)
    key.append(havings)
    key.append(tableExpressions)
    key.append(windows)
    // Prefetches have keys of their own; the joins of aggregates are among those of the request.
    let notes = key.beginNotes(comparing: false)
    key.append(prefetches)
    key.append(aggregatedJoins)
    key.endNotes(notes)
    // Planning compares their values.
    if !mergedSources.isEmpty { key.refuse() }
    key.append(mergedSources)
    key.append(mergedConditions.areSame(in: key.context))
    key.append(fault)
  }
}

extension ClauseList: TreePart where Clause: TreePart {
  func write(to key: inout TreeKey) {
    // Where it is: the subscript would copy it.
    if let single {
      key.append(1)
      single.write(to: &key)
    } else {
      key.append(several)
    }
  }
}

extension Source: TreePart {
  func write(to key: inout TreeKey) {
    switch self {
    case .table(let name): key.append(kind: 0, name)
    case .tableExpression(let expression) where key.definitions.contains(expression.key):
      key.append(kind: 3, expression.name)
      key.append(expression.columns)
    case .tableExpression(let expression): key.append(kind: 1, expression)
    case .subquery(let query, let name):
      key.append(kind: 2, name)
      query.write(to: &key)
    case .function(let name, let arguments):
      key.append(kind: 4, name)
      key.append(arguments)
    }
  }
}

extension SQLSubquery: TreePart {
  func write(to key: inout TreeKey) {
    switch node {
    case .relation(let relation) where relation.joins.isEmpty: key.append(kind: 0, relation)
    case .relation(let relation):
      let notes = key.beginNotes(comparing: true)
      key.append(kind: 0, relation)
      key.endNotes(notes)
    case .compound(let compound): key.append(kind: 1, compound)
    case .literal(let sql): key.append(kind: 2, sql)
    case .planned:
      // Requests have none: a plan is different from all others.
      key.append(kind: 3)
      key.append(identityOf: TableAliasBase(name: nil))
    }
  }
}

extension Compound: TreePart, Hashable {
  package static func == (lhs: Compound, rhs: Compound) -> Bool { lhs.isSame(as: rhs) }

  package func hash(into hasher: inout Hasher) { hashStructure(into: &hasher) }

  func write(to key: inout TreeKey) {
    key.withDefinitions(of: tableExpressions) { writeClauses(to: &$0) }
  }

  private func writeClauses(to key: inout TreeKey) {
    key.append(kind: 9, first)
    key.append(others.count)
    for member in others {
      key.append(kind: member.op.rawValue)
      member.query.write(to: &key)
    }
    ordering.write(to: &key)
    key.append(limit)
    key.append(tableExpressions)
  }
}

extension TableExpression: TreePart {
  func write(to key: inout TreeKey) {
    key.append(name)
    key.append(columns)
    key.append(body)
    key.append(isRecursive)
    key.append(isMaterialized.map { $0 ? 1 : 0 } ?? 2)
  }
}

extension SelectionClause: TreePart {
  func write(to key: inout TreeKey) {
    switch self {
    case .items(let items): key.append(kind: 0, items)
    case .aggregates(let items, let isKept): key.append(kind: isKept ? 1 : 2, items)
    case .record(let type, let alias):
      key.append(kind: alias == nil ? 4 : 5)
      if let alias { key.append(alias) }
      write(type, to: &key)
    case .deferred(let selection): key.append(kind: 3, selection)
    }
  }

  /// The selection of a type may change while the program runs.
  private func write<Record: _RecordSelection>(_ type: Record.Type, to key: inout TreeKey) {
    guard key.isOfQuery else { return key.append(Int(bitPattern: ObjectIdentifier(type))) }
    let selection = type.databaseSelection
    if selection.count == 1, isAllColumns(selection[0]) { return key.append(1) }
    key.append(2)
    if selection.isEmpty { key.refuse() }
    key.append(selection.map { $0.sqlSelection })
  }

  /// A structure has no other type at run time: asking for that takes 100 instructions.
  private func isAllColumns<Selection: SQLSelectable>(_ selection: Selection) -> Bool {
    Selection.self == AllColumns.self
  }
}

extension FilterClause: TreePart {
  func write(to key: inout TreeKey) {
    switch self {
    case .expression(let expression): key.append(kind: 0, expression)
    case .deferred(let predicate): key.append(kind: 1, predicate)
    case .keys(let values):
      key.append(kind: 2)
      key.append(keys: values.count)
      for value in values where !key.isRefused { key.append(value) }
    case .scope(let scope):
      key.append(kind: 4)
      key.append(scope.column)
      key.append(kind: scope.rows.rawValue)
      key.append(kind: scope.modified.map { $0.rawValue + 1 } ?? 0)
    case .uniqueKeys(let keys):
      key.append(kind: 3)
      key.append(keys: keys.count)
      for columns in keys where !key.isRefused {
        key.append(columns.count)
        for (column, value) in columns {
          key.append(column)
          key.append(value)
        }
      }
    }
  }
}

extension TreeKey {
  /// Planning makes one argument of many keys.
  fileprivate mutating func append(keys count: Int) {
    if count > JSONKeys.listLimit { refuse() }
    append(count)
  }
}

extension Deferred: TreePart where Value: TreePart {
  /// Its value, if nothing but the schema decides it.
  func write(to key: inout TreeKey) {
    guard isOfSchema, let context = key.context, let value = try? self(context) else {
      return key.append(identityOf: self)
    }
    value.write(to: &key)
  }
}

extension GroupingClause: TreePart {
  func write(to key: inout TreeKey) {
    switch self {
    case .expressions(let expressions): key.append(kind: 0, expressions)
    case .deferred(let expressions): key.append(kind: 1, expressions)
    case .primaryKey: key.append(kind: 2)
    }
  }
}

extension OrderingClause: TreePart {
  func write(to key: inout TreeKey) {
    key.append(isReversed)
    key.append(isStable)
    key.append(terms)
  }
}

extension OrderingClause.Term: TreePart {
  func write(to key: inout TreeKey) {
    switch self {
    case .ordering(let ordering): key.append(kind: 0, ordering)
    case .deferred(let orderings): key.append(kind: 1, orderings)
    }
  }
}

extension Limit: TreePart {
  func write(to key: inout TreeKey) {
    key.append(count)
    key.append(offset != nil)
    key.append(offset ?? 0)
  }
}

extension WindowDefinition: TreePart {
  func write(to key: inout TreeKey) {
    key.append(name)
    window.write(to: &key)
  }
}

// Associations.

extension JoinNode: TreePart {
  // A call would copy the node.
  @inline(__always) func write(to key: inout TreeKey) {
    key.append(self.key)
    key.append(kind: kind.rawValue | (isToMany ? 8 : 0), condition)
    if let clauses = relation.sharedRareClauses {
      key.noteDefinitions(ofJoined: clauses.value.tableExpressions)
    }
    relation.write(to: &key)
  }
}

extension JoinCondition: TreePart {
  func write(to key: inout TreeKey) {
    switch self {
    case .foreignKey(let condition):
      key.append(kind: 0)
      key.append(condition.originColumns)
      key.append(condition.destinationColumns)
      key.append(condition.parentIsOrigin)
      key.append(condition.isReversed)
      key.append(condition.parentCompares)
    case .expression(nil): key.append(kind: 1)
    case .expression(let makeExpression?):
      // Each call returns the same condition on other aliases.
      let join = makeExpression()
      key.append(kind: 2)
      key.append(join.left)
      key.append(join.right)
      join.expression.write(to: &key)
    case .limited(let rows):
      key.append(kind: 3)
      let notes = key.beginNotes(comparing: true)
      key.append(rows.steps)
      key.endNotes(notes)
      rows.limit.write(to: &key)
      key.append(rows.isReversed)
    }
  }
}

extension [JoinCondition] {
  /// Whether all are one condition, also if it was built several times.
  func areSame(in context: PlanningContext?) -> Bool {
    guard let first else { return true }
    // Two conditions in one key: an alias of the request has one number in both, if it is one.
    let pair = [first, first]
    return dropFirst().allSatisfy { [first, $0].isSame(as: pair, in: context) }
  }
}

extension PrefetchNode: TreePart {
  func write(to key: inout TreeKey) {
    if key.isRefused { return }
    key.append(self.key)
    key.append(steps)
  }
}

extension AssociationStep: TreePart {
  func write(to key: inout TreeKey) {
    key.append(self.key.singular)
    key.append(self.key.plural)
    condition.write(to: &key)
    relation.write(to: &key)
    key.append(isToMany)
  }
}
