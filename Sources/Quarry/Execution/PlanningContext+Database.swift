extension PlanningContext {
  init(_ db: Database) {
    self.init(schema: db.schema, connection: db)
  }

  /// The connection that the request is prepared for.
  var connectedDatabase: Database {
    get throws {
      guard let database = connection as? Database else {
        throw InvalidRequest("A clause of the request needs a database connection")
      }
      return database
    }
  }
}
