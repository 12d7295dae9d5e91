/// Looks at the plans of requests, in tests and in debug builds.
///
/// The product `QuarryTesting` has guards that report full scans of large tables, indexes that
/// SQLite makes for a statement, and sorts in temporary trees:
///
/// ```swift
/// var configuration = Configuration()
/// configuration.planGuard = .standard(scansOver: 1000)
/// ```
///
/// A guard of your own gets each request when it is prepared for the first time. The product
/// `QuarryPlans` has the plan:
///
/// ```swift
/// configuration.planGuard = PlanGuard { db, sql, arguments in
///   print(try db.explain(sql: sql, arguments: arguments))
/// }
/// ```
public struct PlanGuard: Sendable {
  let check:
    @Sendable (_ db: Database, _ sql: String, _ arguments: StatementArguments) throws -> Void

  /// Creates a guard.
  ///
  /// - parameter check: is called with the SQL and the arguments of a request of the query
  ///   interface, or of an ``SQLRequest``, when a connection compiles it: once or a few times for
  ///   each SQL, and each time for requests that are not remembered. The request throws the error
  ///   of the function.
  public init(
    _ check:
      @escaping @Sendable (
        _ db: Database, _ sql: String, _ arguments: StatementArguments
      ) throws -> Void
  ) { self.check = check }
}

extension Database {
  /// Shows the statement of a request to the guard of the configuration, if there is one.
  package func guardPlan(of statement: Statement) throws {
    guard let planGuard = configuration.planGuard else { return }
    try statement.releasingOnError { statement in
      try unrecorded { try planGuard.check(self, statement.sql, statement.arguments) }
    }
  }
}
