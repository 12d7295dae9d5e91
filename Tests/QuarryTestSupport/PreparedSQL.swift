public import Quarry

/// The SQL that SQLite prepares for a request, with its arguments.
public func sql(of request: some FetchRequest, in db: Database) throws -> RenderedSQL {
  let statement = try request.makePreparedRequest(db, forSingleResult: false).statement
  return RenderedSQL(statement.sql, statement.arguments)
}

/// A database in memory, after some statements.
public func makeDatabase(sql: String) throws -> DatabaseQueue {
  let database = try DatabaseQueue()
  try database.write { db in try db.execute(sql: sql) }
  return database
}
