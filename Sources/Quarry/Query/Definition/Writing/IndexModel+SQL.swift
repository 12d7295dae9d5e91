extension IndexModel {
  /// `CREATE UNIQUE INDEX "index_book_on_title" ON "book"("title") WHERE "year" > 1900`
  func sql(_ schema: any SchemaReader) throws -> String {
    let creation = name.creation(
      of: options.contains(.unique) ? "UNIQUE INDEX" : "INDEX",
      ifNotExists: options.contains(.ifNotExists))
    let terms = try terms.map { try $0.sql(schema) }.joined(separator: ", ")
    let filter = try condition.map { try " WHERE \(SQLWriter.literalSQL($0, schema: schema))" }
    return "\(creation) ON \(table.name.quotedDatabaseIdentifier)(\(terms))\(filter ?? "")"
  }
}

extension IndexModel.Term {
  fileprivate func sql(_ schema: any SchemaReader) throws -> String {
    switch self {
    case .column(let name): name.quotedDatabaseIdentifier
    case .expression(let expression): try SQLWriter.literalSQL(expression, schema: schema)
    }
  }
}
