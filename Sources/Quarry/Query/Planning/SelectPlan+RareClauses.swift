extension SelectPlan {
  /// Adds the definitions of a source, which are those of the whole query.
  mutating func addDefinitions(
    of clauses: RareClauses, source: Int, in context: PlanningContext
  ) throws {
    try checkNames(of: clauses.tableExpressions, in: context)
    tableExpressions = tableExpressions.merged(with: clauses.tableExpressions)
    // SQLite would let the first one with a name hide the others.
    for definition in clauses.windows {
      guard !windows.contains(where: { $0.name.isSameIdentifier(as: definition.name) }) else {
        throw InvalidRequest("Two joined requests define a window named \"\(definition.name)\"")
      }
      windows.append(
        PlannedWindow(name: definition.name, window: definition.window, source: source))
    }
  }

  /// Checks that a name is not that of another table expression, in another joined request.
  private func checkNames(of definitions: [TableExpression], in context: PlanningContext) throws {
    for definition in definitions {
      for other in tableExpressions
      where other.name.isSameIdentifier(as: definition.name)
        && !definition.hasSameRows(as: other, in: context)
      {
        throw InvalidRequest(
          "Two joined requests define different table expressions named \"\(definition.name)\". To "
            + "fix this error, give one of them another name.")
      }
    }
  }

  var hasOpenRareClauses: Bool {
    !tableExpressions.isEmpty || grouping.contains(where: \.isOpen)
      || havings.contains(where: \.isOpen) || windows.contains(where: \.window.isOpen)
  }

  mutating func closeRareClauses(_ planner: ClausePlanner) throws {
    tableExpressions = try tableExpressions.map(planner.map)
    grouping = try planner.map(grouping)
    havings = try planner.map(havings)
    for index in windows.indices where windows[index].window.isOpen {
      windows[index].window = try windows[index].window.mapChildren(
        planner.of(source(windows[index].source)))
    }
  }
}
