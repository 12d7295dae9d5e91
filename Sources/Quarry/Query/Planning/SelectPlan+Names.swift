// The names of the sources of a query.
//
// A source keeps the name that the user gave it, or the name of its table. Sources that would
// share a name are numbered, except the one that the user named.

extension Relation {
  /// The name that the user gave the source.
  var userName: String? {
    get throws {
      var userName: String?
      for alias in aliases {
        guard let name = alias.name else { continue }
        if let userName, !userName.isSameIdentifier(as: name) {
          throw InvalidRequest(
            "ambiguous alias: \(name). The alias of \(source.description) has another name, "
              + "too: \(userName). To fix this error, give it one TableAlias.")
        }
        userName = name
      }
      return userName
    }
  }
}

extension SelectPlan {
  /// Names the sources, and numbers those that would share a name.
  mutating func nameSources(in context: PlanningContext) throws {
    let names = sources.map { $0.userName ?? $0.source.name }
    scope.names = names
    let isShared = names.indices.contains {
      names[..<$0].contains(where: names[$0].isSameIdentifier)
    }
    if isShared { try numberSources(in: context) }
  }

  /// Names of tables that subqueries select from are skipped: these may refer to the source.
  private mutating func numberSources(in context: PlanningContext) throws {
    let identities = scope.names
    let groups = Dictionary(grouping: sources.indices) { identities[$0].identifierKey }.values
      .sorted { $0[0] < $1[0] }
    let references = try references(in: context)
    // Names that are no source's yet may be given; those that are settled may not.
    var taken: Set<BinaryText> = []
    for group in groups {
      let named = group.filter { sources[$0].userName != nil }
      if named.count > 1 {
        throw InvalidRequest(
          "ambiguous alias: \(identities[named[1]]). It names \(source(named[0]).description), and "
            + "\(source(named[1]).description). To fix this error, give them different names.")
      }
      if named.count == 1 || group.count == 1 { taken.insert(identities[group[0]].identifierKey) }
    }
    for group in groups where group.count > 1 {
      let others = group.filter { sources[$0].userName == nil }
      let radical = identities[others[0]].withoutTrailingDigits
      for source in others {
        let name = try radical.numbered { name in
          if taken.contains(name.identifierKey) { return true }
          if identities.contains(where: name.isSameIdentifier) { return false }
          return try references.tables.contains(name.identifierKey)
            || references.mentions("select") && references.mentions(name)
              && context.schema.exists(name)
        }
        scope.names[source] = name
        taken.insert(name.identifierKey)
      }
    }
  }
}

extension SelectPlan {
  /// Whether a source has the name of a source of an enclosing query that an alias designates.
  func sharesName(with enclosing: [SelectPlan]) -> Bool {
    enclosing.contains { plan in
      plan.scope.aliases.contains { binding in
        let names = [plan.name(of: binding.source), plan.source(binding.source).name]
        return sources.indices.contains { names.contains(where: name(of: $0).isSameIdentifier) }
      }
    }
  }

  /// The names of the sources of enclosing queries that the query refers to. The table
  /// expressions that it defines do not see its sources, and are looked at on their own.
  func names(of enclosing: [SelectPlan], in references: References) -> [String] {
    references.aliases.flatMap { names(of: $0, in: enclosing) }
  }

  private func names(of alias: TableAliasBase, in enclosing: [SelectPlan]) -> [String] {
    guard source(of: alias) == nil,
      let plan = enclosing.last(where: { $0.source(of: alias) != nil }),
      let source = plan.source(of: alias)
    else { return [] }
    // The same table may have the name of its schema in the query.
    return [plan.name(of: source)] + (plan.isReturned ? [plan.source(source).name] : [])
  }

  /// Gives the only table of another schema the name that it has in the request, where SQLite would
  /// give it that of an enclosing source: `"archive"."book" AS "archive.book"`.
  mutating func nameWithSchema(inside enclosing: [SelectPlan], in context: PlanningContext) throws {
    let source = root.source
    guard !scope.isQualified, scope.aliases.isEmpty, source.name.mayHaveSchema,
      let name = try source.nameWithoutSchema(in: context),
      enclosing.contains(where: { $0.scope.names.contains(where: name.isSameIdentifier) })
    else { return }
    let references = try references(in: context)
    guard names(of: enclosing, in: references).contains(where: name.isSameIdentifier) else {
      return
    }
    if references.qualifies(name) {
      if try lacksColumns(of: name, in: enclosing, references, context) { return }
      throw InvalidRequest.ambiguousAlias(name, of: source)
    }
    scope.names = [source.name]
    scope.isQualified = true
  }

  /// Whether the table has none of the columns of enclosing sources with the name: SQLite looks
  /// for them there.
  private func lacksColumns(
    of name: String, in enclosing: [SelectPlan], _ references: References,
    _ context: PlanningContext
  ) throws -> Bool {
    // Columns of virtual tables may be hidden.
    guard let table = root.table, try context.schema.exists(table),
      try !context.schema.isVirtual(table)
    else { return false }
    let columns = try context.schema.columnNames(of: table) + PrimaryKeyInfo.rowIDNames
    return references.aliasedColumns.allSatisfy { column, alias in
      guard names(of: alias, in: enclosing).contains(where: name.isSameIdentifier) else {
        return true
      }
      guard let column else { return false }
      return !columns.contains(where: column.isSameIdentifier)
    }
  }

  func references(in context: PlanningContext) throws -> References {
    try References(context) { references in
      for source in sources {
        try references.visit(source.source)
        try references.visit(source.selection)
        try references.visit(conditionsOf: source)
        try references.visit(source.ordering)
      }
      try references.visit(grouping)
      try references.visit(havings)
      for definition in windows { try references.visitChildren(of: definition.window) }
    }
  }

  /// Gives numbered names to the sources that have one of the names.
  ///
  /// - Throws: `InvalidRequest` for a name that the user gave, or that SQL written by hand has.
  mutating func rename(
    avoiding names: [String], in references: References, replacesUserNames: Bool
  ) throws {
    for source in sources.indices where names.contains(where: name(of: source).isSameIdentifier) {
      let name = name(of: source)
      if references.qualifies(name) || sources[source].userName != nil && !replacesUserNames {
        throw InvalidRequest.ambiguousAlias(name, of: self.source(source))
      }
      let ownNames = sources.indices.map { self.name(of: $0) }
      scope.names = ownNames
      scope.names[source] = name.withoutTrailingDigits.numbered {
        (names + ownNames).contains(where: $0.isSameIdentifier) || references.mentions($0)
      }
      scope.isQualified = true
    }
  }
}

extension Source {
  /// The name that SQLite gives a table or a function of a schema. Nil without schema.
  fileprivate func nameWithoutSchema(in context: PlanningContext) throws -> String? {
    switch self {
    case .table(let name), .function(let name, _): try context.schema.qualifiedTable(name)?.name
    case .tableExpression, .subquery: nil
    }
  }
}

extension InvalidRequest {
  fileprivate static func ambiguousAlias(_ name: String, of source: Source) -> InvalidRequest {
    InvalidRequest(
      "ambiguous alias: \(name). It names \(source.description) in a subquery, which refers to "
        + "another source of this name. To fix this error, give them different names, by "
        + "TableAlias, and use these in SQL.")
  }
}

extension String {
  /// With the first number that makes it a free name.
  func numbered(unless isTaken: (String) throws -> Bool) rethrows -> String {
    var number = 1
    while try isTaken("\(self)\(number)") { number += 1 }
    return "\(self)\(number)"
  }
}
