extension PlanningContext {
  package init(_ db: Database) {
    self.init(schema: db.schema, connection: db)
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

extension Database: ConnectionFacts {
  func columnNames(of query: any PlannedQuery) throws -> [String] {
    schema.wasAsked = true
    let text = try SQLWriter.text(in: PlanningContext(self)) { try $0.write(root: query.plan) }
    return try internalStatement(sql: text.sql).use { $0.columnNames }
  }
}
