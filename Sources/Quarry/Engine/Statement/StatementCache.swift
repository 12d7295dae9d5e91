/// The prepared statements of a connection, by SQL text: the ones used last are kept.
///
/// A statement is in use as long as somebody else than the cache holds it. Meanwhile the same text
/// gets another statement, which is not kept.
final class StatementCache {
  typealias Place = RecentValues<BinaryText, Statement>.Place

  @safe @exclusivity(unchecked) private var statements: RecentValues<BinaryText, Statement>

  init(capacity: Int) { statements = RecentValues(capacity: capacity) }

  /// The statement for an SQL text, whoever uses it.
  func statement(sql: String) -> Statement? { statements.value(BinaryText(sql)) }

  /// The statement for an SQL text, unless there is none, or somebody holds it.
  func idleStatement(sql: String) -> Statement? { place(sql: sql).flatMap(idleStatement(at:)) }

  /// The statement of a place, unless it is forgotten, or in use.
  @inline(__always) func idleStatement(at place: Place) -> Statement? {
    guard isKnownUniquelyReferenced(&place.value), let statement = place.value else { return nil }
    statements.use(place)
    statement.startUse()
    return statement
  }

  /// The place of an SQL text, if its statement is kept.
  func place(sql: String) -> Place? { statements.place(BinaryText(sql)) }

  /// Keeps a statement, unless another one with the same text is kept.
  func insert(_ statement: Statement, sql: String) {
    if place(sql: sql) == nil { statements.insert(statement, BinaryText(sql)) }
  }

  /// Forgets a statement, if it is kept.
  func remove(_ statement: Statement) { statements.removeAll { $0 === statement } }

  func removeAll() { statements.removeAll() }
}
