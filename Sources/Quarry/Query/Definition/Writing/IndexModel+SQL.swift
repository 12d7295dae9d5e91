extension IndexModel {
  /// `CREATE UNIQUE INDEX "index_book_on_title" ON "book"("title") WHERE "year" > 1900`
  func sql(_ schema: any SchemaReader) throws -> String {
    let creation = name.creation(
      of: options.contains(.unique) ? "UNIQUE INDEX" : "INDEX",
      ifNotExists: options.contains(.ifNotExists))
    let terms = try terms.map { try SQL($0).text(schema) }
    let filter = try condition.map { try " WHERE \(SQL($0).text(schema))" }
    return
      "\(creation) ON \(table.name.quotedDatabaseIdentifier)(\(terms.joined(separator: ", ")))\(filter ?? "")"
  }
}
