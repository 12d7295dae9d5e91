/// The name that a definition gives to a table, view, index or trigger, with its schema where the
/// name has one.
///
/// `archive.player` is `player` in the schema `archive`. It is a name as any other where there is
/// no such schema, and where an object has this very name: requests read names the same way.
package struct DefinitionName {
  /// Nil where SQLite finds the schema.
  package var schema: DatabaseSchemaID?
  /// The name in the schema.
  package var name: String

  package init(_ name: String, _ reader: any SchemaReader) throws {
    let id = try reader.definitionID(name)
    schema = id?.schemaID
    self.name = id?.name ?? name
  }

  init(schema: DatabaseSchemaID?, name: String) {
    self.schema = schema
    self.name = name
  }

  /// `"player"`, or `"archive"."player"`.
  package var sql: String {
    let name = name.quotedDatabaseIdentifier
    return schema.map { "\($0.name.quotedDatabaseIdentifier).\(name)" } ?? name
  }

  /// `CREATE TEMPORARY TABLE IF NOT EXISTS "player"`
  func creation(of kind: String, isTemporary: Bool = false, ifNotExists: Bool) -> String {
    let temporary = isTemporary ? "TEMPORARY " : ""
    let condition = ifNotExists ? "IF NOT EXISTS " : ""
    return "CREATE \(temporary)\(kind) \(condition)\(sql)"
  }

  package var withoutSchema: DefinitionName {
    var other = self
    other.schema = nil
    return other
  }

  /// Another object of the same schema.
  package func sibling(_ name: String) -> DefinitionName {
    var sibling = self
    sibling.name = name
    return sibling
  }

  /// The name of another table for a look-up in the schema of this one.
  package func lookUpName(of table: String) -> String {
    schema.map { "\($0.name).\(table)" } ?? table
  }

  /// Puts an index or a trigger, or the new name of a table, in the schema of the table.
  package mutating func move(toSchemaOf table: DefinitionName) throws {
    guard let tableSchema = table.schema else { return }
    guard schema == nil || schema == tableSchema else {
      throw InvalidRequest("\(sql) can't be in another schema than its table \(table.sql)")
    }
    schema = tableSchema
  }
}
