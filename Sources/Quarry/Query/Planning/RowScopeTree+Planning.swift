extension CompoundPlan {
  /// The scopes of the first request. See ``SelectPlan/rowScopes(in:)``.
  ///
  /// Where it is a subquery, SQLite has made its names unique: the second `id` is `id:1`. The names
  /// are those that it has when it stands alone.
  func rowScopes(in context: PlanningContext) throws -> RowScopeTree? {
    guard let first = firstSelect, var tree = try first.rowScopes(in: context) else { return nil }
    if isWrappedForOrdering || members[0].isWrapped {
      tree.columnNames = try context.connection?.columnNames(of: QueryPlan.select(first))
    }
    return tree
  }
}

extension SelectPlan {
  /// How the columns of the query are divided among the main row and the scopes of the associations
  /// that it includes. Nil when it includes none.
  ///
  /// - Throws: `InvalidRequest` for a selection of unknown width, in a request with joins.
  func rowScopes(in context: PlanningContext) throws -> RowScopeTree? {
    if joins.isEmpty { return nil }
    let counting = ColumnCounting(context: context, tableExpressions: tableExpressions)
    let widths = try sources.indices.map { try counting.count(of: $0, in: self) }
    guard widths.dropFirst().contains(where: { $0 > 0 }) || isRootOptional else { return nil }
    var source = 0
    var offset = 0
    var tree = try scopeTree(widths, source: &source, offset: &offset, in: context)
    if isRootOptional { tree.addScopeOfItself(named: root.source.name.singularized) }
    return tree
  }

  /// A joined row may be there without row of the root: the root is in a scope too, which shows its
  /// absence.
  private var isRootOptional: Bool { joins.contains(where: \.keepsRows) }

  /// Sources are numbered depth first, as columns are: each one is visited once.
  private func scopeTree(
    _ widths: [Int], source: inout Int, offset: inout Int, in context: PlanningContext
  ) throws -> RowScopeTree {
    let parent = source
    var tree = RowScopeTree(range: offset..<(offset + widths[parent]))
    offset = tree.range.upperBound
    source += 1
    while source < sources.count, sources[source].parent == parent {
      let key = sources[source].key
      let child = try scopeTree(widths, source: &source, offset: &offset, in: context)
      if child.range.isEmpty && child.scopes.isEmpty { continue }
      tree.scopes.append(RowScopeTree.Scope(name: key, tree: child))
    }
    if !tree.scopes.isEmpty {
      let name = self.source(parent).name.singularized
      if tree.hasScope(named: name) {
        let columns = try context.schema.columnNamesIfKnown(of: self.source(parent))
        tree.namesake = NamesakeRecord(name: name, columns: columns)
      }
    }
    return tree
  }
}

extension RowScopeTree {
  fileprivate mutating func addScopeOfItself(named name: String) {
    guard !scopes.contains(where: { $0.name.hasSameBytes(as: name) }) else { return }
    scopes.append(Scope(name: name, tree: RowScopeTree(range: range)))
    namesake = nil
  }
}
