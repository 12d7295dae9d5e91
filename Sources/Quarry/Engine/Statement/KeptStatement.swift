/// SQL that is executed again and again: its statement is at hand, as long as the cache of the
/// connection keeps it.
final class KeptStatement {
  let sql: String
  private var place: StatementCache.Place?

  init(sql: String) { self.sql = sql }

  /// The statement, or another one while somebody holds it. See
  /// ``Database/internalStatement(sql:)``.
  func idle(_ db: Database) throws -> Statement {
    if let place, let statement = db.statements.idleStatement(at: place) { return statement }
    let statement = try db.internalStatement(sql: sql)
    place = db.statements.place(sql: sql)
    return statement
  }
}
