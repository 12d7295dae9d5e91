extension SelectPlan {
  /// Adds the named windows of a source. SQLite would let the first one with a name hide the
  /// others.
  mutating func define(_ definitions: [WindowDefinition], of source: Int) throws {
    for definition in definitions {
      guard !windows.contains(where: { $0.name.isSameIdentifier(as: definition.name) }) else {
        throw InvalidRequest("Two joined requests define a window named \"\(definition.name)\"")
      }
      windows.append(
        PlannedWindow(name: definition.name, window: definition.window, source: source))
    }
  }
}
