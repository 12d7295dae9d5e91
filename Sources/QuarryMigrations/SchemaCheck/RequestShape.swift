import Quarry

/// The rows of a request: their columns and scopes, and those of the rows that are prefetched.
struct RequestShape {
  private let layout: RowLayout
  private let prefetches: [(path: [String], key: String, shape: RequestShape)]

  /// Prepares the request, and those of its prefetches. None is executed.
  init(_ query: CompiledQuery, _ db: Database) throws {
    let names = try db.internalStatement(sql: query.text.sql).use { $0.columnNames }
    let columns = RowLayout(columnNames: names)
    layout = try query.rowScopes?.value.layout(over: columns) ?? columns
    prefetches = try (query.prefetchPlan?.prefetches ?? []).map { prefetch in
      let rows = prefetch.relation(where: .expression(SQLExpression(false.databaseValue)))
      let query = try CompiledQuery(rows, in: PlanningContext(db))
      return (prefetch.scopePath, prefetch.key, try RequestShape(query, db))
    }
  }

  /// The properties that may be any of several records, with their types.
  func ambiguities(of type: any Decodable.Type) -> [(type: Any.Type, key: AmbiguousKey)] {
    ambiguities(of: type, in: layout, at: [], [])
  }

  /// - parameter mainTypes: the types that are decoded from the same row, as the main record of a
  ///   join is.
  private func ambiguities(
    of type: any Decodable.Type, in layout: RowLayout, at path: [String],
    _ mainTypes: [ObjectIdentifier]
  ) -> [(type: Any.Type, key: AmbiguousKey)] {
    guard !mainTypes.contains(ObjectIdentifier(type)) else { return [] }
    let members = PropertyProbe(type).members
    let strategy = (type as? any FetchableRecord.Type)?.databaseColumnDecodingStrategy
    let columnKeys = layout.columnNames.map { strategy?.codingKey(ofColumn: $0) ?? $0 }
    var ambiguities: [(type: Any.Type, key: AmbiguousKey)] = []
    for (name, member) in members where !columnKeys.contains(where: name.isSameIdentifier) {
      let paths = layout.paths(forProperty: name)
      let ambiguity = layout.ambiguity(ofProperty: name, at: paths) { column in
        let key = strategy?.codingKey(ofColumn: column) ?? column
        return members.contains { $0.name.isSameIdentifier(as: key) }
      }
      if let ambiguity, !paths.isEmpty {
        ambiguities.append((type, ambiguity))
        continue
      }
      guard let member = member as? any Decodable.Type else { continue }
      if let scope = paths.first {
        let inner = scope.reduce(layout) { $0.scope(named: $1) ?? $0 }
        ambiguities += self.ambiguities(of: member, in: inner, at: path + scope, [])
      } else if let shape = prefetch(name, behind: path) {
        ambiguities += shape.ambiguities(of: member)
      } else if !(member is any DatabaseValueConvertible.Type) {
        ambiguities += self.ambiguities(
          of: member, in: layout, at: path, mainTypes + [ObjectIdentifier(type)])
      }
    }
    return ambiguities
  }

  /// The nearest prefetched rows with a key.
  private func prefetch(_ key: String, behind path: [String]) -> RequestShape? {
    prefetches.filter { $0.key.isSameIdentifier(as: key) && $0.path.starts(with: path) }
      .min { $0.path.count < $1.path.count }?.shape
  }
}

extension RowLayout {
  /// The names of the scopes that lead to the nearest ones for a property.
  fileprivate func paths(forProperty name: String) -> [[String]] {
    let paths = pathsOfScope { $0.hasSameBytes(as: name) }
    return paths.isEmpty ? pathsOfScope(where: name.isSameIdentifier) : paths
  }
}
