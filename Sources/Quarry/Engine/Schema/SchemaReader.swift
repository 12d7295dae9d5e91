/// The questions of planning about the tables and views of a database.
///
/// A connection answers with its cache (`DatabaseSchemaReader`), a test with literal values. Names
/// of tables are case-insensitive. An unknown one throws `no such table: t`, except in `exists` and
/// `isView`.
package protocol SchemaReader: AnyObject {
  /// True for a table or a view.
  func exists(_ table: String) throws -> Bool

  func isView(_ table: String) throws -> Bool

  /// True for a virtual table of the schema.
  func isVirtual(_ table: String) throws -> Bool

  /// In table order, generated columns included, hidden columns of virtual tables excluded.
  func columns(of table: String) throws -> [ColumnInfo]

  /// Nil for a view whose key is unknown.
  func primaryKeyIfKnown(of table: String) throws -> PrimaryKeyInfo?

  /// False for a column whose declared collation takes different texts for equal.
  func comparesBytes(of column: String, in table: String) throws -> Bool

  /// False for a column whose declared collation is none of SQLite.
  ///
  /// See <https://www.sqlite.org/datatype3.html#collating_sequences>.
  func hasCollationOfSQLite(_ column: String, in table: String) throws -> Bool

  /// The foreign keys declared in the table, whose columns are known: not those to a missing table
  /// that name none of its columns.
  func foreignKeys(from table: String) throws -> [ForeignKeyInfo]

  /// Indexes on expressions excluded.
  func indexes(on table: String) throws -> [IndexInfo]

  /// False for an index that takes texts for different which a column takes for equal.
  func comparesAsColumns(_ index: IndexInfo, of table: String) throws -> Bool

  /// False for views and `WITHOUT ROWID` tables.
  func hasRowID(_ table: String) throws -> Bool

  /// True for `STRICT` tables.
  func isStrict(_ table: String) throws -> Bool

  /// The table that a name designates, nil if there is none. The name may have that of the schema:
  /// `archive.player`.
  func tableID(_ name: String) throws -> DatabaseObjectID?

  /// The object that a name in a definition designates, if it has the name of a schema, and is not
  /// the very name of an object.
  func definitionID(_ name: String) throws -> DatabaseObjectID?

  /// The name of a column type in the statements that create columns: an engine may need another
  /// one.
  func storedTypeName(_ name: String) -> String
}

extension SchemaReader {
  /// All names are stored.
  func storedTypeName(_ name: String) -> String { name }

  /// Nil for a table that does not exist.
  func columnsIfExists(of table: String) throws -> [ColumnInfo]? {
    try exists(table) ? columns(of: table) : nil
  }

  /// There are no collations.
  func comparesBytes(of column: String, in table: String) throws -> Bool { true }

  /// There are no collations.
  func hasCollationOfSQLite(_ column: String, in table: String) throws -> Bool { true }

  /// There are no collations.
  func comparesAsColumns(_ index: IndexInfo, of table: String) throws -> Bool { true }

  /// There is no virtual table.
  func isVirtual(_ table: String) throws -> Bool { false }

  /// There is no strict table.
  func isStrict(_ table: String) throws -> Bool { false }

  /// Whether `RETURNING` does not report the rows actually written: for views, whose triggers do
  /// the changes, and for virtual tables.
  ///
  /// See <https://www.sqlite.org/lang_returning.html#limitations_and_caveats>.
  package func hidesReturnedRows(_ table: String) throws -> Bool {
    try isView(table) || isVirtual(table)
  }

  /// There is no other schema.
  func tableID(_ name: String) throws -> DatabaseObjectID? {
    DatabaseObjectID(name: name, schemaID: .main)
  }

  /// There is no other schema.
  func definitionID(_ name: String) throws -> DatabaseObjectID? { nil }

  /// The table that a name such as `archive.player` designates with its schema, nil for a name
  /// without schema.
  func qualifiedTable(_ name: String) throws -> DatabaseObjectID? {
    guard name.mayHaveSchema, let id = try tableID(name), !id.name.isSameIdentifier(as: name)
    else { return nil }
    return id
  }

  /// The name that the foreign keys of a table give to another one. Nil if it is in another schema,
  /// that foreign keys can't lead to.
  package func foreignKeyDestination(_ table: String, from origin: String) throws -> String? {
    guard table.mayHaveSchema || origin.mayHaveSchema, let id = try tableID(table),
      let originID = try tableID(origin)
    else { return table }
    return id.schemaID == originID.schemaID ? id.name : nil
  }
}

extension SchemaReader {
  func columnNames(of table: String) throws -> [String] { try columns(of: table).map(\.name) }

  /// Throws `database view v has no primary key` for a view whose key is unknown.
  func primaryKey(of table: String) throws -> PrimaryKeyInfo {
    guard let key = try primaryKeyIfKnown(of: table) else {
      throw DatabaseError.viewWithoutPrimaryKey(table)
    }
    return key
  }

  /// True if `rowid` is the rowid of the table, and no other column.
  func hasRowIDNamedRowID(_ table: String) throws -> Bool {
    try primaryKeyIfKnown(of: table)?.rowIDName == "rowid"
  }

  /// True if the columns contain those of the primary key or of a unique index, so that no two rows
  /// have equal values in them.
  ///
  /// - parameter isPartial: unique indexes of some of the rows, and those with other collations
  ///   than their columns, count too.
  func hasUniqueKey(
    _ columns: some Collection<String>, in table: String, orPartialOne isPartial: Bool = false
  ) throws -> Bool {
    let columns = Set(columns.map(\.identifierKey))
    func covers(_ key: [String]) -> Bool { key.allSatisfy { columns.contains($0.identifierKey) } }
    if let key = try primaryKeyIfKnown(of: table), key.isNamed, covers(key.columns),
      try isPartial || comparesAsColumns(key, of: table)
    {
      return true
    }
    if columns == ["rowid"], try hasRowIDNamedRowID(table) { return true }
    return try indexes(on: table).contains { index in
      guard index.isUnique, covers(index.columns) else { return false }
      if isPartial { return true }
      return try !index.isPartial && comparesAsColumns(index, of: table)
    }
  }

  /// The same for the index of a primary key.
  private func comparesAsColumns(_ key: PrimaryKeyInfo, of table: String) throws -> Bool {
    if try key.columns.allSatisfy({ try comparesBytes(of: $0, in: table) }) { return true }
    let index = try indexes(on: table).first { $0.origin == .primaryKeyConstraint }
    return try index.map { try comparesAsColumns($0, of: table) } ?? true
  }

  /// True if an index, or the primary key, begins with the columns, in any order.
  package func hasIndex(beginningWith columns: [String], on table: String) throws -> Bool {
    let names = Set(columns.map(\.identifierKey))
    func begins(_ indexed: [String]) -> Bool {
      Set(indexed.prefix(names.count).map(\.identifierKey)) == names
    }
    if let key = try primaryKeyIfKnown(of: table)?.columns, begins(key) { return true }
    return try indexes(on: table).contains { begins($0.columns) }
  }
}

extension DatabaseError {
  static func noSuchTable(_ name: String) -> DatabaseError {
    DatabaseError(message: "no such table: \(name)")
  }

  static func viewWithoutPrimaryKey(_ name: String) -> DatabaseError {
    DatabaseError(message: "database view \(name) has no primary key")
      .detailed("the `schemaSource` of the configuration can declare one")
  }
}
