/// The name of a table in a statement, with that of its schema where the request has it:
/// `archive.book`.
struct TableName: Sendable {
  let name: String
  let schema: String?

  init(_ name: String, _ reader: any SchemaReader) throws {
    let table = try reader.qualifiedTable(name)
    self.name = table?.name ?? name
    schema = table?.schemaID.name
  }
}
