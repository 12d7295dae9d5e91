extension PlanningContext {
  init(_ db: Database) {
    self.init(schema: db.schema, columnCounter: db)
  }

  /// The connection that the request is prepared for: that of the schema.
  var connectedDatabase: Database {
    get throws {
      guard let schema = schema as? DatabaseSchemaReader else {
        throw InvalidRequest("A clause of the request needs a database connection")
      }
      return schema.database
    }
  }
}

extension Database: ColumnCounter {
  func columnCount(of query: QueryPlan) throws -> Int {
    schema.wasAsked = true
    var writer = SQLWriter()
    try writer.write(root: query)
    return try internalStatement(sql: writer.finish().sql).use { $0.columnCount }
  }
}
