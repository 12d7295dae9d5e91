// The tables that have a name, in all schemas. SQLite announces the changes of a statement without
// their schema, and regions go by names: where one of the tables has a trait that observers must
// look at, they look at all of them.

/// The changes of a full-text table that SQLite reports too late, or not at all.
enum FullTextSilence: Comparable {
  case nothing
  /// FTS3 empties its tables when the last row goes, and SQLite does not report that. FTS4 also
  /// writes its sizes, which SQLite does.
  case deletions
  /// FTS5 keeps changes in memory until their transaction is committed, where it stores neither a
  /// text nor a size for each row.
  ///
  /// See <https://www.sqlite.org/fts5.html#contentless_tables>.
  case changes
}

extension DatabaseSchemaReader {
  /// The tables that have a name. See ``knownObjects(of:)``.
  func tables(named key: BinaryText) throws -> [CachedTable] {
    let catalogs = try catalogs(named: nil)
    let listing = try catalogs.filter { try tableNames(of: $0)[key] != nil }
    // No schema lists the tables that SQLite and modules provide.
    return try (listing.isEmpty ? catalogs.filter { $0.id == .main } : listing)
      .compactMap { try findKnown(key.text, in: $0) }
  }

  /// Whether all tables that have a name have rowids. False if there is none.
  func haveRowIDs(tablesNamed key: BinaryText) throws -> Bool {
    let tables = try tables(named: key)
    return try !tables.isEmpty && tables.allSatisfy(hasRowID)
  }

  /// Whether the rowids of all tables that have a name are a column. False if there is none.
  func haveRowIDColumns(tablesNamed key: BinaryText) throws -> Bool {
    let tables = try tables(named: key)
    return try !tables.isEmpty && tables.allSatisfy { try primaryKey(of: $0)?.rowIDColumn != nil }
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

  /// What SQLite does not report of the full-text tables that have a name. Each statement that is
  /// followed asks for it: it is known as long as the cache is not cleared.
  func fullTextSilence(ofTables key: BinaryText) throws -> FullTextSilence {
    if let known = fullTextSilences[key] { return known }
    let catalogs = try catalogs(named: nil)
    let silence = try catalogs.map { try fullTextSilence(ofTable: key, in: $0) }.max() ?? .nothing
    if catalogs.allSatisfy({ $0.objects != nil }) { fullTextSilences[key] = silence }
    return silence
  }

  private func fullTextSilence(
    ofTable key: BinaryText, in catalog: AttachedSchema
  ) throws -> FullTextSilence {
    let names = try tableNames(of: catalog)
    func hasShadow(_ name: String) -> Bool { names[BinaryText("\(key.text)_\(name)")] != nil }
    let isFTS3 = hasShadow("segdir")
    guard isFTS3 || hasShadow("idx") && !hasShadow("content"), !hasShadow("docsize"),
      try findKnown(key.text, in: catalog)?.isVirtual == true
    else { return .nothing }
    return isFTS3 ? .deletions : .changes
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
