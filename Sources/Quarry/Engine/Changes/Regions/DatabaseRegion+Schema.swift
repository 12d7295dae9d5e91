extension DatabaseRegion {
  /// The region that an observation watches: the tables that exist, by their declared names.
  ///
  /// Names of other objects are removed: views, whose tables are in the region too, common table
  /// expressions, table-valued functions of SQLite. Tables that are registered on the connection
  /// stay. Changes of the schema itself are not observed.
  func observed(in db: Database) throws -> DatabaseRegion {
    guard tables != nil else { return self }
    var region = DatabaseRegion()
    for table in try normalized(in: db) where !table.name.isSQLiteName {
      region.formUnion(DatabaseRegion(table))
    }
    return region
  }

  /// The region without the tables of SQLite itself.
  var withoutSQLiteTables: DatabaseRegion {
    var region = self
    region.tables = tables?.filter { !$0.value.name.isSQLiteName }
    return region
  }

  /// The region with all columns of its tables.
  var withAllColumns: DatabaseRegion {
    var region = self
    region.tables = tables?.mapValues { table in
      TableRegion(name: table.name, columns: nil, rowIDs: table.rowIDs)
    }
    return region
  }

  /// The tables of the region that exist, by their declared names. All tables for the full
  /// database.
  func normalized(in db: Database) throws -> [TableRegion] {
    guard let tables else {
      let names = try db.schema.declaredTables() + db.moduleTables.sorted()
      return names.map { TableRegion(name: $0, columns: nil) }
    }
    return try tables.values.sorted { $0.name < $1.name }.compactMap { table in
      guard let name = try db.observedName(ofTable: table.name) else { return nil }
      var table = table
      table.name = name
      return table
    }
  }

  /// True if all tables of the region still exist.
  func hasAllTables(_ db: Database) -> Bool {
    guard let tables else { return true }
    return tables.values.allSatisfy { (try? db.observedName(ofTable: $0.name)) != nil }
  }

  init(_ table: TableRegion) {
    self.init()
    tables?[table.name.identifierKey] = table
  }
}

extension String {
  /// True for the tables of SQLite itself. No schema has those of pragmas, such as
  /// `pragma_table_info`.
  fileprivate var isSQLiteName: Bool { identifierKey.hasPrefix("sqlite_") }
}

extension Database {
  /// The name of a table, as it is declared, or registered. Nil for what can't be observed.
  fileprivate func observedName(ofTable name: String) throws -> String? {
    try schema.declaredName(ofTable: name) ?? registeredTables[name.identifierKey]?.name
  }
}

extension DatabaseSchemaReader {
  /// The name of a table in the first schema that has it, as it is declared. Nil for views, and for
  /// what does not exist.
  func declaredName(ofTable name: String) throws -> String? {
    let key = name.identifierKey
    if key == "sqlite_master" || key == "sqlite_temp_master" { return key.text }
    for catalog in try catalogs(named: nil) {
      if let name = try tableNames(of: catalog)[key] { return name }
    }
    return nil
  }

  /// The names of all tables of all schemas.
  func declaredTables() throws -> [String] {
    try catalogs(named: nil).flatMap { catalog in
      try objects(of: catalog).filter { $0.type == "table" }.map(\.name)
    }
  }
}
