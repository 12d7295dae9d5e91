/// Finds the columns that foreign keys reference.
struct ReferenceResolver {
  let parents: ParentTables
  /// The columns of the primary key of the table that has the foreign keys.
  let key: [String]

  func resolve(_ reference: ReferenceModel) throws -> ReferenceModel {
    var reference = reference
    reference.table = try parents.referenceName(of: reference.table)
    reference.columns = try reference.columns ?? keyColumns(of: reference.table)
    return reference
  }

  func resolve(_ column: ColumnModel) throws -> ColumnModel {
    var column = column
    column.type = column.type.map { type in
      Database.ColumnType(rawValue: parents.schema.storedTypeName(type.rawValue))
    }
    column.references = try column.references.map(resolve)
    return column
  }

  private func keyColumns(of other: String) throws -> [String] {
    try other.isSameIdentifier(as: parents.child.name)
      ? key : parents.schema.primaryKey(of: parents.lookUpName(of: other)).columns
  }
}

extension ColumnModel {
  /// The index that `indexed()` asks for.
  func index(of table: DefinitionName, options: IndexOptions) -> IndexModel? {
    guard case .plain = index else { return nil }
    let name = table.sibling("\(table.name)_on_\(name)")
    return IndexModel(
      name: name, table: table, terms: [SQLExpression(.column(self.name))], options: options)
  }
}
