/// SQL that is executed again and again: its statement is at hand, as long as the cache of the
/// connection keeps it.
final class KeptStatement {
  let sql: String
  private var place: StatementCache.Entry?

  init(sql: String) {
    self.sql = sql
  }

  /// The statement, or another one while somebody holds it. See
  /// ``Database/internalStatement(sql:)``.
  func idle(_ db: Database) throws -> Statement {
    if let place, let statement = db.statements.idleStatement(of: place) {
      // Somebody may have dropped it in the middle of its rows.
      statement.release()
      if statement.requestRegion != nil { statement.requestRegion = nil }
      return statement
    }
    let statement = try db.internalStatement(sql: sql)
    place = db.statements.entry(sql: sql)
    return statement
  }
}
