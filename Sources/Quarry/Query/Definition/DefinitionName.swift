/// The name that a definition gives to a table, view, index or trigger, with its schema where the
/// name has one.
///
/// `archive.player` is `player` in the schema `archive`. It is a name as any other where there is
/// no such schema, and where an object has this very name: requests read names the same way.
struct DefinitionName {
  /// Nil where SQLite finds the schema.
  var schema: DatabaseSchemaID?
  /// The name in the schema.
  var name: String

  init(_ name: String, _ reader: any SchemaReader) throws {
    let id = try reader.definitionID(name)
    schema = id?.schemaID
    self.name = id?.name ?? name
  }

  /// A name that SQLite finds.
  init(unqualified name: String) {
    self.name = name
  }

  init(schema: DatabaseSchemaID?, name: String) {
    self.schema = schema
    self.name = name
  }

  /// `"player"`, or `"archive"."player"`.
  var sql: String {
    let name = name.quotedDatabaseIdentifier
    return schema.map { "\($0.name.quotedDatabaseIdentifier).\(name)" } ?? name
  }

  var withoutSchema: DefinitionName {
    var other = self
    other.schema = nil
    return other
  }

  /// Another object of the same schema.
  func sibling(_ name: String) -> DefinitionName {
    var sibling = self
    sibling.name = name
    return sibling
  }

  /// The name of another table for a look-up in the schema of this one.
  func lookUpName(of table: String) -> String {
    schema.map { "\($0.name).\(table)" } ?? table
  }

  /// The name that a foreign key of this table gives to another one: foreign keys don't leave their
  /// schema.
  func referenceName(of table: String, _ reader: any SchemaReader) throws -> String {
    guard let id = try reader.definitionID(table) else { return table }
    let isReachable =
      if let schema { schema == id.schemaID } else { id.schemaID == .main || id.schemaID == .temp }
    guard isReachable else {
      throw InvalidRequest(
        "a foreign key of table \(sql) can't reference \(table), which is in another schema")
    }
    return id.name
  }

  /// Puts an index or a trigger, or the new name of a table, in the schema of the table.
  mutating func move(toSchemaOf table: DefinitionName) throws {
    guard let tableSchema = table.schema else { return }
    guard schema == nil || schema == tableSchema else {
      throw InvalidRequest("\(sql) can't be in another schema than its table \(table.sql)")
    }
    schema = tableSchema
  }
}
