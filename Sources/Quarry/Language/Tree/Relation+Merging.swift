// Each clause knows how it merges with the same clause of another relation to the same source.

extension Relation {
  /// The relation of two associations with the same key.
  func merged(with newer: Relation, key: String) -> Relation {
    guard source.name.isSameIdentifier(as: newer.source.name) else {
      return failing(
        key, "One leads to \(source.description), the other one to \(newer.source.description).")
    }
    guard let aliases = aliases.merged(with: newer.aliases) else {
      let names = [self, newer].compactMap { $0.aliases.lazy.compactMap(\.name).first }
      return failing(
        key, "The alias of \(source.description) has two names: \(names.joined(separator: ", ")).")
    }
    var relation = Relation(
      source: newer.source, aliases: aliases, selection: selection.merged(with: newer.selection),
      filters: filters.merged(with: newer.filters))
    relation.isDistinct = isDistinct || newer.isDistinct
    relation.ordering = ordering.merged(with: newer.ordering)
    relation.limit = newer.limit ?? limit
    relation.joins = joins.merged(with: newer.joins)
    relation.isolatesAggregates = isolatesAggregates || newer.isolatesAggregates
    relation.rareClauses = rareClauses.merged(with: newer.rareClauses)
    switch source {
    // Their names don't say which rows they have.
    case .subquery, .function: relation.mergedSources.append(source)
    case .table, .tableExpression: break
    }
    return relation
  }

  private func failing(_ key: String, _ reason: String) -> Relation {
    var relation = self
    relation.fail(.ambiguousAssociationKey(key, reason))
    return relation
  }
}

extension Source {
  /// `table "author"`
  package var description: String {
    switch self {
    case .table(let name): "table \(name.quotedDatabaseIdentifier)"
    case .subquery(_, let name): "subquery \(name.quotedDatabaseIdentifier)"
    case .function(let name, _): "table function \(name.quotedDatabaseIdentifier)"
    case .tableExpression(let expression):
      "common table expression \(expression.name.quotedDatabaseIdentifier)"
    }
  }
}

extension [TableAliasBase] {
  /// All aliases designate the source. Nil when they give it two names.
  func merged(with newer: [TableAliasBase]) -> [TableAliasBase]? {
    if newer.isEmpty { return self }
    let aliases = self + newer.filter { !contains($0) }
    let names = Set(aliases.compactMap { $0.name?.identifierKey })
    return names.count > 1 ? nil : aliases
  }
}

extension ClauseList<SelectionClause> {
  /// The last selection wins, unless it is empty: joining never undoes including.
  func merged(with newer: Self) -> Self { newer.selectsNothing ? self : newer }

  var selectsNothing: Bool {
    allSatisfy { if case .items(let items) = $0 { items.isEmpty } else { false } }
  }

  /// Another selection, before the aggregates of associations.
  func replaced(by selection: SelectionClause) -> Self {
    var clauses = ClauseList(single: selection)
    for case .aggregates(let items, _) in self { clauses.append(.aggregates(items, isKept: true)) }
    return clauses
  }

  /// The last selection, without the aggregates that it kept.
  var withoutKeptAggregates: Self {
    filter { if case .aggregates(_, isKept: true) = $0 { false } else { true } }
  }
}

extension RangeReplaceableCollection<FilterClause> {
  /// All conditions apply.
  func merged(with newer: Self) -> Self {
    if newer.isEmpty { return self }
    return isEmpty ? newer : self + newer.withoutScopes(of: self)
  }
}

extension OrderingClause {
  /// The last ordering wins, unless it is empty.
  func merged(with newer: OrderingClause) -> OrderingClause {
    newer.terms.isEmpty && !newer.isStable ? self : newer
  }
}

/// A part of a request that becomes one with the same part of another request.
package protocol MergedPart {
  func isSame(as other: Self) -> Bool
  func merged(with newer: Self) -> Self
}

extension MergedPart {
  /// A definition replaces the one with the same name.
  package func merged(with newer: Self) -> Self { newer }
}

extension Array where Element: MergedPart {
  /// Old elements first, then the new ones. Two that are the same become one, in the old place.
  package func merged(with newer: [Element]) -> [Element] {
    var elements = self
    for element in newer {
      if let index = elements.firstIndex(where: { $0.isSame(as: element) }) {
        elements[index] = elements[index].merged(with: element)
      } else {
        elements.append(element)
      }
    }
    return elements
  }
}

extension TableExpression: MergedPart {
  package func isSame(as other: TableExpression) -> Bool { name.isSameIdentifier(as: other.name) }
}

extension WindowDefinition: MergedPart {
  package func isSame(as other: WindowDefinition) -> Bool { name.isSameIdentifier(as: other.name) }
}
