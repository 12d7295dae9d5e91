/// A request, ready to be executed: a statement with its arguments, and the adapter of its rows.
///
/// ```swift
/// let request = Player.filter(Column("score") > 1000)
/// let prepared = try request.makePreparedRequest(db, forSingleResult: false)
/// print(prepared.statement.sql) // SELECT * FROM "player" WHERE "score" > ?
/// ```
public struct PreparedRequest {
  /// The statement, with its arguments.
  public var statement: Statement

  /// Shows the columns of the statement to decoders.
  public var adapter: (any RowAdapter)? {
    get { sharedAdapter?.value }
    set { sharedAdapter = newValue.shared }
  }

  @usableFromInline private(set) var sharedAdapter: SharedRowAdapter?

  let pendingPrefetch: PendingPrefetch?

  init(statement: Statement, adapter: SharedRowAdapter? = nil, prefetch: PrefetchPlan? = nil) {
    self.statement = statement
    sharedAdapter = adapter
    pendingPrefetch = prefetch.map { PendingPrefetch(plan: $0, of: statement) }
  }

  /// The associations to fetch once the rows are known.
  package var prefetch: PrefetchPlan? { pendingPrefetch?.plan }

  @usableFromInline var hasPrefetch: Bool { pendingPrefetch != nil }
}

/// An object, since most requests have none, and a plan is large to move.
final class PendingPrefetch {
  let plan: PrefetchPlan

  /// - parameter statement: the statement of the parents, whose region is larger now.
  init(plan: PrefetchPlan, of statement: Statement) {
    var plan = plan
    plan.isBasePlain = !statement.effects.callsFunctions && statement.effects.selectCount == 1
    self.plan = plan
    statement.bindings.request = RequestRegion(prefetch: self)
  }
}

extension Database {
  /// A statement of the library's own cache, with its arguments.
  func internalStatement(_ text: SQLText) throws -> Statement {
    try internalStatement(sql: text.sql).releasingOnError { statement in
      try statement.setArguments(text.arguments)
      return statement
    }
  }
}
