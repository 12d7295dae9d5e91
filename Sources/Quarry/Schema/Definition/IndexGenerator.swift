/// Makes the SQL of an index.
struct IndexGenerator {
  private let name: DefinitionName
  private let table: DefinitionName
  private let options: IndexOptions

  init(name: DefinitionName, table: DefinitionName, options: IndexOptions) throws {
    var name = name
    try name.move(toSchemaOf: table)
    self.name = name
    self.table = table
    self.options = options
  }

  /// An index whose name is made.
  init(defaultName: String, table: DefinitionName, options: IndexOptions) {
    name = table.sibling(defaultName)
    self.table = table
    self.options = options
  }

  /// `index_book_on_authorId_year`
  static func defaultName(table: String, columns: [String]) -> String {
    "index_\(table)_on_\(columns.joined(separator: "_"))"
  }

  /// - parameter condition: The SQL of the condition of a partial index.
  func sql(columns: [String], condition: String? = nil) -> String {
    sql(terms: columns.map(\.quotedDatabaseIdentifier), condition: condition)
  }

  /// - parameter terms: The SQL of what is indexed.
  func sql(terms: [String], condition: String? = nil) -> String {
    var sql = "CREATE "
    if options.contains(.unique) { sql += "UNIQUE " }
    sql += "INDEX "
    if options.contains(.ifNotExists) { sql += "IF NOT EXISTS " }
    sql += "\(name.sql) ON \(table.name.quotedDatabaseIdentifier)"
    sql += "(\(terms.joined(separator: ", ")))"
    if let condition { sql += " WHERE \(condition)" }
    return sql
  }
}
