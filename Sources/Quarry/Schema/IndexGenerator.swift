/// Makes the SQL of an index.
struct IndexGenerator {
  let name: String
  let table: String
  let options: IndexOptions

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
    sql += "\(name.quotedDatabaseIdentifier) ON \(table.quotedDatabaseIdentifier)"
    sql += "(\(terms.joined(separator: ", ")))"
    if let condition { sql += " WHERE \(condition)" }
    return sql
  }
}
