/// The schema of a connection, read when it is asked for, and kept until it changes.
///
/// The connection clears the cache after a statement that changes the schema, and after a rollback.
/// Other connections may have changed it: the first look-up of each access, of each transaction,
/// and after SQLite compiled a statement again, asks for the version of the schema (`verify`). The
/// other ones are trusted: a hit costs one look-up in a dictionary. Introspection always asks
/// (`refresh`), and so does what fails.
package final class DatabaseSchemaReader: SchemaReader {
  /// Reports the primary keys of views.
  var source: (any DatabaseSchemaSource)?

  /// The connection, which sets it when it is made.
  unowned var database: Database!
  /// In the order of the look-up of unqualified names.
  private(set) var catalogs: [AttachedSchema]? {
    didSet {
      guard let catalogs else { return }
      attachedIDs = catalogs.map(\.id).filter { $0 != .main && $0 != .temp }
    }
  }
  /// The attached databases when the catalogs were last known.
  private(set) var attachedIDs: [DatabaseSchemaID] = []
  /// Why attached databases could not be read when their versions were asked for.
  private var failures: [DatabaseSchemaID: any Error] = [:]
  /// By name, with or without that of a schema: as it was asked for, and lower-cased.
  private var tablesByName: [BinaryText: CachedTable] = [:]
  private var tablesByID: [DatabaseObjectID: CachedTable] = [:]
  /// The versions of the schemas that the cache knows.
  var versions = SchemaVersions()
  var isRefreshing = false
  /// True when the versions need not be asked for: they were, in this access and in this
  /// transaction.
  var isVerified = false
  /// The schemas whose versions a deferred transaction has not asked for: it has no lock of them.
  var doubts: [DatabaseSchemaID] = [] { didSet { isDoubtful = !doubts.isEmpty } }
  /// Read before each statement.
  private(set) var isDoubtful = false

  init(source: (any DatabaseSchemaSource)?) { self.source = source }

  /// How often the cache was cleared.
  private(set) var generation = 0
  /// The same, for other libraries: accesses to a stored property of theirs would be checked.
  package var clearCount: Int { generation }
  /// Set by all look-ups, once they know the version: their own look at it clears the cache before
  /// they answer.
  var wasAsked = false
  /// The generation of the first answer since `wasAsked` was reset.
  var answeredGeneration = 0

  func clear() {
    generation &+= 1
    if !wasAsked { answeredGeneration = generation }
    catalogs = nil
    tablesByName.removeAll(keepingCapacity: true)
    tablesByID.removeAll(keepingCapacity: true)
  }
}

extension DatabaseSchemaReader {
  package func exists(_ table: String) throws -> Bool { try find(table) != nil }

  package func isView(_ table: String) throws -> Bool { try find(table)?.kind == .view }

  package func isVirtual(_ table: String) throws -> Bool { try find(table)?.isVirtual == true }

  package func comparesBytes(of column: String, in table: String) throws -> Bool {
    try collation(ofColumn: column, in: table) == "BINARY"
  }

  package func hasCollationOfSQLite(_ column: String, in table: String) throws -> Bool {
    try ["BINARY", "NOCASE", "RTRIM"].contains(collation(ofColumn: column, in: table))
  }

  /// In uppercase.
  private func collation(ofColumn column: String, in table: String) throws -> String {
    guard let table = try tableID(table) else { return "BINARY" }
    return try database.collation(ofColumn: column, in: table)?.uppercased() ?? "BINARY"
  }

  package func comparesAsColumns(_ index: IndexInfo, of table: String) throws -> Bool {
    if try index.columns.allSatisfy({ try comparesBytes(of: $0, in: table) }) { return true }
    guard let table = try tableID(table) else { return true }
    return try terms(of: index, on: table).allSatisfy { term in
      term.columnCollation.isSameIdentifier(as: "BINARY")
        || term.columnCollation.isSameIdentifier(as: term.collation)
    }
  }

  /// The module of a virtual table, in lowercase. Empty for other tables, nil where it is not
  /// known.
  func module(of table: String) throws -> String? {
    guard let table = try find(table) else { return nil }
    guard table.isVirtual else { return "" }
    return SQLTokens.items(table.sql ?? "").drop { !$0.isKeyword("USING") }.dropFirst().first?
      .name?.lowercased()
  }

  package func columns(of table: String) throws -> [ColumnInfo] { try columns(of: resolve(table)) }

  package func primaryKeyIfKnown(of table: String) throws -> PrimaryKeyInfo? {
    try primaryKey(of: resolve(table))
  }

  package func foreignKeys(from table: String) throws -> [ForeignKeyInfo] {
    try foreignKeys(from: resolve(table)).filter { !$0.mapping.isEmpty }
  }

  package func indexes(on table: String) throws -> [IndexInfo] { try indexes(on: resolve(table)) }

  package func hasRowID(_ table: String) throws -> Bool { try hasRowID(resolve(table)) }

  package func isStrict(_ table: String) throws -> Bool { try isStrict(resolve(table)) }

  package func tableID(_ name: String) throws -> DatabaseObjectID? { try find(name)?.id }

  package func storedTypeName(_ name: String) -> String {
    database.engine?.storedTypeName(name) ?? name
  }

  package func definitionID(_ name: String) throws -> DatabaseObjectID? {
    guard name.mayHaveSchema else { return nil }
    try refresh()
    let catalogs = try candidates(for: name, in: allCatalogs())
    if try catalogs.contains(where: { try objectExists(name, in: $0) }) { return nil }
    let ids = qualifiedIDs(name)
    return try ids.first { try objectExists($0.name, in: catalog(named: $0.schemaID.name)) }
      ?? ids.first
  }
}

extension DatabaseSchemaReader {
  /// The table or view with a name, in the given schema, or in the first one that has it.
  package func resolve(_ name: String, in schema: String? = nil) throws -> CachedTable {
    if let table = try resolveIfExists(name, in: schema) { return table }
    throw DatabaseError.noSuchTable(name).detailed(try? database.tableDetails(name))
  }

  /// The same, or nil.
  @inline(__always)
  func resolveIfExists(_ name: String, in schema: String?) throws -> CachedTable? {
    if let table = try find(name, inSchema: schema) { return table }
    // Another connection may have created it.
    return try refresh() ? find(name, inSchema: schema) : nil
  }

  private func find(_ name: String, inSchema schema: String?) throws -> CachedTable? {
    guard let schema else { return try find(name) }
    try verifyOnce()
    wasAsked = true
    return try find(name, in: catalog(named: schema))
  }

  /// The objects of a schema, or of the first schemas to the last if none is given.
  package func catalogs(named name: String?) throws -> [AttachedSchema] {
    try verifyOnce()
    guard let name else { return try allCatalogs() }
    return try [catalog(named: name)]
  }

  package func objects(of catalog: AttachedSchema) throws -> [SchemaObject] {
    try checkIsReadable(catalog.id)
    return try knownObjects(of: catalog)
  }

  /// The objects of a schema, also as they were before it could not be read any more: none where
  /// they were never read. This is for the observers of a statement: one that needs the schema
  /// fails by itself.
  func knownObjects(of catalog: AttachedSchema) throws -> [SchemaObject] {
    if let objects = catalog.objects { return objects }
    if isUnreadable(catalog.id) { return [] }
    let objects = try database.readObjects(of: catalog.id)
    catalog.objects = objects
    return objects
  }

  /// Whether a schema, or what a name means there, has one of the names: a table, or a view that is
  /// in the cache. The cache may be empty, and so SQLite is asked, of the schemas that it has
  /// compiled the statement for.
  func isNamed(_ id: DatabaseSchemaID, by names: Set<BinaryText>) -> Bool {
    let ids = [.temp, .main] + attachedIDs
    return names.contains(id.name.identifierKey)
      || names.contains { name in
        tablesByName[name]?.id.schemaID == id
          || ids.first { database.knowsTable(name.text, inSchema: $0.name) } == id
      }
  }

  private func find(_ name: String) throws -> CachedTable? {
    try verifyOnce()
    wasAsked = true
    return try tablesByName[BinaryText(name)] ?? search(name)
  }

  private func search(_ name: String) throws -> CachedTable? {
    let key = name.identifierKey
    guard let table = try tablesByName[key] ?? searchCatalogs(name) else { return nil }
    tablesByName[key] = table
    tablesByName[BinaryText(name)] = table
    return table
  }

  /// `archive.player` is the table `player` of the schema `archive`, unless a table has this very
  /// name.
  private func searchCatalogs(_ name: String) throws -> CachedTable? {
    for catalog in try candidates(for: name, in: allCatalogs()) {
      if let table = try find(name, in: catalog) { return table }
    }
    for id in qualifiedIDs(name) {
      if let table = try find(id.name, in: catalog(named: id.schemaID.name)) { return table }
    }
    return nil
  }

  /// The objects that a name may designate when it begins with the name of a schema: each dot may
  /// be the separator.
  private func qualifiedIDs(_ name: String) -> [DatabaseObjectID] {
    name.indices.filter { name[$0] == "." }.compactMap { dot in
      (try? catalog(named: String(name[..<dot]))).map { catalog in
        DatabaseObjectID(
          name: String(name[name.index(after: dot)...]), schemaID: catalog.id)
      }
    }
  }

  private func objectExists(_ name: String, in catalog: AttachedSchema) throws -> Bool {
    try objects(of: catalog).contains { $0.name.isSameIdentifier(as: name) }
  }

  private func find(_ name: String, in catalog: AttachedSchema) throws -> CachedTable? {
    try checkIsReadable(catalog.id)
    return try findKnown(name, in: catalog)
  }

  func findKnown(_ name: String, in catalog: AttachedSchema) throws -> CachedTable? {
    let key = DatabaseObjectID(name: name.identifierKey.text, schemaID: catalog.id)
    if let table = tablesByID[key] { return table }
    guard let table = try readTable(named: key.name, in: catalog) else { return nil }
    tablesByID[key] = table
    return table
  }

  /// Besides the objects of the schema, finds the tables that SQLite provides: `sqlite_master`, and
  /// the tables of modules such as `json_each`.
  private func readTable(named key: String, in catalog: AttachedSchema) throws -> CachedTable? {
    let object = try knownObjects(of: catalog).first {
      ($0.type == "table" || $0.type == "view") && $0.name.isSameIdentifier(as: key)
    }
    if let object {
      let id = DatabaseObjectID(name: object.name, schemaID: catalog.id)
      return CachedTable(id: id, kind: object.type == "view" ? .view : .table, sql: object.sql)
    }
    guard catalog.id == .main || catalog.schemaTableNames.contains(key) else { return nil }
    let id = DatabaseObjectID(name: key, schemaID: catalog.id)
    let columns = try database.readColumns(of: id)
    guard !columns.isEmpty else { return nil }
    let table = CachedTable(id: id, kind: .builtIn, sql: nil)
    table.columns = columns
    return table
  }

  private func catalog(named name: String) throws -> AttachedSchema {
    if let catalog = try allCatalogs().first(where: { $0.id.isNamed(name) }) { return catalog }
    // SQLite lists the temporary schema once it has an object.
    if DatabaseSchemaID.temp.isNamed(name) { return AttachedSchema(id: .temp) }
    throw DatabaseError(message: "no such schema: \(name)")
  }

  func allCatalogs() throws -> [AttachedSchema] {
    if let catalogs { return catalogs }
    let catalogs = try database.readSchemaIDs().map(AttachedSchema.init)
    self.catalogs = catalogs
    failures = failures.filter { attachedIDs.contains($0.key) }
    return catalogs
  }
}

// Attached databases that are locked or damaged: requests that don't need them go on.
extension DatabaseSchemaReader {
  /// Notes whether an attached database can be read. If not, what is known of it may be outdated.
  func note(_ failure: (any Error)?, of id: DatabaseSchemaID) {
    if failure == nil, failures.isEmpty { return }
    failures[id] = failure
    guard failure != nil else { return }
    tablesByName = tablesByName.filter { $0.value.id.schemaID != id }
  }

  /// The schemas that may have an object with this very name. One that can't be read is passed over
  /// where the name begins with that of a schema.
  func candidates(for name: String, in catalogs: [AttachedSchema]) -> [AttachedSchema] {
    guard !failures.isEmpty, !qualifiedIDs(name).isEmpty else { return catalogs }
    return catalogs.filter { failures[$0.id] == nil }
  }

  func isUnreadable(_ id: DatabaseSchemaID) -> Bool { isVerified && failures[id] != nil }

  private func checkIsReadable(_ id: DatabaseSchemaID) throws {
    // Without a look at the versions, failures are old.
    guard isVerified, let failure = failures[id] else { return }
    // This look-up is the first to ask.
    if doubts.contains(id) { return note(nil, of: id) }
    // The next look-up tries again.
    isVerified = false
    throw failure
  }

  /// The error of an attached database that can't be read, for a statement whose table SQLite does
  /// not find elsewhere: of the one that the statement names, or of any.
  func failureHiding(_ error: DatabaseError) -> (any Error)? {
    let prefix = "no such table: "
    guard isVerified, !failures.isEmpty, let message = error.message, message.hasPrefix(prefix)
    else { return nil }
    let named = qualifiedIDs(String(message.dropFirst(prefix.count))).map(\.schemaID)
    let found = named.isEmpty ? Array(failures.values) : named.compactMap { failures[$0] }
    guard let failure = found.first else { return nil }
    isVerified = false
    return failure
  }
}
