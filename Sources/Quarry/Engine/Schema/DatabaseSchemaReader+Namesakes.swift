// The tables that have a name, in all schemas. SQLite announces the changes of a statement without
// their schema, and regions go by names: where one of the tables has a trait that observers must
// look at, they look at all of them.

extension DatabaseSchemaReader {
  /// The tables that have a name. See ``knownObjects(of:)``.
  func tables(named key: BinaryText) throws -> [CachedTable] {
    let catalogs = try catalogs(named: nil)
    let listing = try catalogs.filter { try tableNames(of: $0)[key] != nil }
    // No schema lists the tables that SQLite and modules provide.
    return try (listing.isEmpty ? catalogs.filter { $0.id == .main } : listing)
      .compactMap { try findKnown(key.text, in: $0) }
  }

  /// Whether there are tables that have a name, and all of them have a trait.
  func areTables(named key: BinaryText, _ hasTrait: (CachedTable) throws -> Bool) throws -> Bool {
    let tables = try tables(named: key)
    return try !tables.isEmpty && tables.allSatisfy(hasTrait)
  }

  /// The generated columns of the tables that have a name.
  func generatedColumns(ofTables name: String) throws -> [String] {
    try tables(named: name.identifierKey).flatMap { table -> [String] in
      guard table.kind == .table, table.columns != nil || !isUnreadable(table.id.schemaID) else {
        return []
      }
      return try columns(of: table).filter(\.isGenerated).map(\.name)
    }
  }

  /// The names of the tables of a schema, by their keys.
  func tableNames(of catalog: AttachedSchema) throws -> [BinaryText: String] {
    if let names = catalog.tableNames { return names }
    let tables = try knownObjects(of: catalog).filter { $0.type == "table" }
    let names = Dictionary(tables.map { ($0.name.identifierKey, $0.name) }) { first, _ in first }
    if catalog.objects != nil { catalog.tableNames = names }
    return names
  }
}
