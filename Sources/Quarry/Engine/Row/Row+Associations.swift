// Which association feeds a property: the one whose key is the name of the property, else one whose
// key differs by the case of letters. The key of an association is the name of its table, and
// tables are often capitalized.

extension Row {
  /// The part of a row that an association adds.
  enum PropertySource {
    /// The names of the scopes that lead to the row of a record: several lists, if several records
    /// are equally near.
    case scopes([[String]])
    /// The key of prefetched rows.
    case prefetched(String)
  }

  /// The association that feeds a property.
  func association(forProperty name: String) -> PropertySource? {
    let found =
      association { $0.hasSameBytes(as: name) } ?? association { $0.isSameIdentifier(as: name) }
    if found != nil { noteAssociation() }
    return found
  }

  /// Notes that an association feeds a property: see `decodeLink`.
  @inline(__always) func noteAssociation() { if count == 0 { extras?.feedsProperties = true } }

  private func association(where isKey: (String) -> Bool) -> PropertySource? {
    let paths = layout.pathsOfScope(where: isKey)
    if !paths.isEmpty { return .scopes(paths) }
    return prefetchedGroup(where: isKey).map { .prefetched($0.association.key) }
  }

  /// The nearest scope whose name is that of a property.
  func scope(forProperty name: String) -> Row? {
    scopesTree[name] ?? nearestScope { $0.isSameIdentifier(as: name) }
  }

  /// The scope whose name fits, and that is nearest to the row.
  func nearestScope(where isName: (String) -> Bool) -> Row? {
    layout.pathsOfScope(where: isName).first?
      .reduce(self) { row, name in row?.scope(named: name) }
  }

  /// The nearest prefetched rows whose key is the name of a property.
  func prefetchedGroup(forProperty name: String) -> PrefetchedGroup? {
    prefetchedGroup { $0.hasSameBytes(as: name) }
      ?? prefetchedGroup { $0.isSameIdentifier(as: name) }
  }

  /// The keys of all associations, at all levels.
  var associationKeys: [String] { scopesTree.names.union(prefetchedRows.keys).sorted() }

  /// True for the scope of an association that selects nothing, and joins others that do.
  var isLink: Bool { layout.columnNames.isEmpty && !layout.scopes.isEmpty }
}

extension RowLayout {
  /// The names of the scopes that lead to the nearest scopes with a name: several ones if they are
  /// equally near.
  package func pathsOfScope(where isName: (String) -> Bool) -> [[String]] {
    var level: [(path: [String], layout: RowLayout)] = [([], self)]
    while !level.isEmpty {
      var paths: [[String]] = []
      for (path, layout) in level {
        for scope in layout.scopes where isName(scope.name) { paths.append(path + [scope.name]) }
      }
      if !paths.isEmpty { return paths }
      level = level.flatMap { path, layout in
        layout.scopes.map { (path: path + [$0.name], layout: $0.layout) }
      }
    }
    return []
  }
}
