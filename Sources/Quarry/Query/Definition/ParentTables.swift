/// The tables that the foreign keys of a table may lead to: those of its schema.
struct ParentTables {
  let child: DefinitionName
  /// The schema of the child, also where its name has none.
  let schemaID: DatabaseSchemaID
  let schema: any SchemaReader
  /// The columns of the primary key of the child.
  var key: [String] = []

  /// The name that a foreign key gives to a table.
  func referenceName(of table: String) throws -> String {
    guard let id = try schema.definitionID(table) else { return table }
    guard id.schemaID == schemaID else {
      throw InvalidRequest(
        "a foreign key of table \(child.sql) can't reference \(table), which is in another schema")
    }
    return id.name
  }

  /// The name of a table for a look-up. Without its schema, the name may find a table of another
  /// one.
  func lookUpName(of table: String) throws -> String {
    if child.schema == nil {
      guard let id = try schema.tableID(table), id.schemaID != schemaID else { return table }
    }
    return "\(schemaID.name).\(table)"
  }

  func resolve(_ reference: ReferenceModel) throws -> ReferenceModel {
    var reference = reference
    reference.table = try referenceName(of: reference.table)
    reference.columns = try reference.columns ?? keyColumns(of: reference.table)
    return reference
  }

  func resolve(_ column: ColumnModel) throws -> ColumnModel {
    var column = column
    column.type = column.type.map { type in
      Database.ColumnType(rawValue: schema.storedTypeName(type.rawValue))
    }
    column.references = try column.references.map(resolve)
    return column
  }

  private func keyColumns(of other: String) throws -> [String] {
    if other.isSameIdentifier(as: child.name) { return key }
    return try schema.primaryKey(of: lookUpName(of: other)).columns
  }
}
