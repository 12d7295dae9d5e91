extension Database {
  /// True for the names of the tables of SQLite: `sqlite_master`, `pragma_table_info`...
  public static func isSQLiteInternalTable(_ tableName: String) -> Bool {
    let name = tableName.lowercased()
    return name.hasPrefix("sqlite_") || name.hasPrefix("pragma_")
  }

  /// True for the names of the tables of the library: `grdb_migrations`.
  public static func isGRDBInternalTable(_ tableName: String) -> Bool {
    tableName.lowercased().hasPrefix("grdb_")
  }

  /// True if a table exists.
  ///
  /// - parameter name: The name of the table, case-insensitive.
  /// - parameter schemaName: The schema to look in. Nil for all of them.
  /// - throws: A ``DatabaseError`` when there is no such schema.
  public func tableExists(_ name: String, in schemaName: String? = nil) throws -> Bool {
    try objectExists("table", name, in: schemaName)
  }

  /// True if a view exists.
  ///
  /// - parameter name: The name of the view, case-insensitive.
  /// - parameter schemaName: The schema to look in. Nil for all of them.
  /// - throws: A ``DatabaseError`` when there is no such schema.
  public func viewExists(_ name: String, in schemaName: String? = nil) throws -> Bool {
    try objectExists("view", name, in: schemaName)
  }

  /// True if a trigger exists.
  ///
  /// - parameter name: The name of the trigger, case-insensitive.
  /// - parameter schemaName: The schema to look in. Nil for all of them.
  /// - throws: A ``DatabaseError`` when there is no such schema.
  public func triggerExists(_ name: String, in schemaName: String? = nil) throws -> Bool {
    try objectExists("trigger", name, in: schemaName)
  }

  /// The columns of a table or view, in table order.
  ///
  /// ```swift
  /// let names = try db.columns(in: "book").map(\.name)
  /// ```
  ///
  /// Generated columns are included, hidden columns of virtual tables are not.
  ///
  /// - parameter tableName: The name of the table, case-insensitive.
  /// - parameter schemaName: The schema to look in. Nil for all of them.
  /// - throws: A ``DatabaseError`` when there is no such table or schema.
  public func columns(in tableName: String, in schemaName: String? = nil) throws -> [ColumnInfo] {
    try schema.refresh()
    return try schema.columns(of: schema.resolve(tableName, in: schemaName))
  }

  /// The primary key of a table, or of a view that has one according to ``schemaSource``.
  ///
  /// ```swift
  /// try db.primaryKey("book").columns    // ["id"]
  /// ```
  ///
  /// - parameter tableName: The name of the table, case-insensitive.
  /// - parameter schemaName: The schema to look in. Nil for all of them.
  /// - throws: A ``DatabaseError`` when there is no such table or schema, or the view has no key.
  public func primaryKey(
    _ tableName: String, in schemaName: String? = nil
  ) throws -> PrimaryKeyInfo {
    try schema.refresh()
    guard let key = try schema.primaryKey(of: schema.resolve(tableName, in: schemaName)) else {
      throw DatabaseError.viewWithoutPrimaryKey(tableName)
    }
    return key
  }

  /// The indexes on columns of a table. Indexes on expressions are left out.
  ///
  /// - parameter tableName: The name of the table, case-insensitive.
  /// - parameter schemaName: The schema to look in. Nil for all of them.
  /// - throws: A ``DatabaseError`` when there is no such table or schema.
  public func indexes(on tableName: String, in schemaName: String? = nil) throws -> [IndexInfo] {
    try schema.refresh()
    return try schema.indexes(on: schema.resolve(tableName, in: schemaName))
  }

  /// True if no two rows of a table can have the same values in the columns.
  ///
  /// ```swift
  /// try db.table("book", hasUniqueKey: ["id"])      // true
  /// try db.table("book", hasUniqueKey: ["title"])   // false
  /// ```
  ///
  /// - throws: A ``DatabaseError`` when there is no such table.
  public func table(
    _ tableName: String, hasUniqueKey columns: some Collection<String>
  ) throws -> Bool {
    try schema.refresh()
    return try schema.hasUniqueKey(columns, in: tableName, orPartialOne: true)
  }

  private func objectExists(_ type: String, _ name: String, in schemaName: String?) throws -> Bool {
    try schema.refresh()
    var catalogs = try schema.catalogs(named: schemaName)
    if schemaName == nil { catalogs = schema.candidates(for: name, in: catalogs) }
    let isFound = try catalogs.contains { catalog in
      try schema.objects(of: catalog).contains {
        $0.type == type && $0.name.isSameIdentifier(as: name)
      }
    }
    guard !isFound, schemaName == nil, let id = try schema.definitionID(name) else {
      return isFound
    }
    return try objectExists(type, id.name, in: id.schemaID.name)
  }
}
