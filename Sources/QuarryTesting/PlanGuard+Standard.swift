import Foundation
public import Quarry
public import QuarryPlans

extension PlanGuard {
  /// Reports requests with plans that take long in large databases: once each SQL.
  ///
  /// ```swift
  /// var configuration = Configuration()
  /// configuration.planGuard = .standard(scansOver: 1000)
  /// ```
  ///
  /// - parameter rowCount: a table with up to so many rows may be scanned.
  /// - parameter sorts: whether sorts in temporary trees are reported.
  /// - parameter automaticIndexes: whether indexes that SQLite makes for a statement are reported.
  /// - parameter tables: tables that may be scanned.
  /// - parameter report: is called with each report. The request throws its error. By default,
  ///   reports are written to the standard error.
  public static func standard(
    scansOver rowCount: Int = 1000, sorts: Bool = true, automaticIndexes: Bool = true,
    exceptFor tables: Set<String> = [],
    report: @escaping @Sendable (PlanReport) throws -> Void = { $0.print() }
  ) -> PlanGuard {
    let known = Locked<Set<String>>([])
    return PlanGuard { db, sql, arguments in
      guard known.withLock({ $0.insert(sql).inserted }) else { return }
      let plan = try db.explain(sql: sql, arguments: arguments)
      var findings = try plan.largeScans(db, over: rowCount, exceptFor: tables)
      if automaticIndexes {
        findings += plan.automaticIndexes.map { .automaticIndex(table: $0) }
      }
      if sorts { findings += plan.temporaryTrees.map { .temporaryTree($0) } }
      guard !findings.isEmpty else { return }
      try report(
        PlanReport(findings: findings, plan: plan, index: IndexAdvice.best(for: plan, db)))
    }
  }

  /// The standard guard in debug builds, and none in release builds. See
  /// ``standard(scansOver:sorts:automaticIndexes:exceptFor:report:)``.
  public static func debugBuilds(scansOver rowCount: Int = 1000) -> PlanGuard? {
    #if DEBUG
      standard(scansOver: rowCount)
    #else
      nil
    #endif
  }
}

/// A request whose plan takes long in a large database.
public struct PlanReport: Sendable, CustomStringConvertible {
  /// What takes long.
  public enum Finding: Hashable, Sendable {
    /// All rows of a table are read, which has more rows than the guard allows.
    case scan(table: String, moreThan: Int)
    /// An index on a table is made each time the request runs.
    case automaticIndex(table: String)
    /// Rows are sorted, grouped, or made distinct in a temporary tree.
    case temporaryTree(String)
  }

  /// What takes long.
  public let findings: [Finding]

  /// The plan of the request, with its SQL.
  public let plan: ExplainedPlan

  /// An index with which the plan is better, if one was found.
  public let index: SuggestedIndex?

  /// The findings, the SQL, the plan, and the index.
  public var description: String {
    let lines = findings.map(\.description) + [plan.sql, plan.description]
    return (lines + (index.map { [$0.description] } ?? [])).joined(separator: "\n")
  }

  /// Writes the report to the standard error.
  public func print() {
    FileHandle.standardError.write(Data("Quarry: \(self)\n".utf8))
  }
}

extension PlanReport.Finding: CustomStringConvertible {
  /// The finding in words.
  public var description: String {
    switch self {
    case .scan(let table, let count): "All rows of \(table) are read, which are more than \(count)"
    case .automaticIndex(let table): "An index on \(table) is made each time the request runs"
    case .temporaryTree(let purpose): "\(purpose) needs a temporary tree"
    }
  }
}

extension PlanReport: Error {}

extension ExplainedPlan {
  fileprivate func largeScans(
    _ db: Database, over limit: Int, exceptFor allowed: Set<String>
  ) throws -> [PlanReport.Finding] {
    // No table has more rows than the largest number.
    guard !endsAtLimit, limit < .max else { return [] }
    return try Set(tableScans(db)).sorted().filter { table in
      guard !allowed.contains(where: table.isSameIdentifier) else { return false }
      // Nothing is known of an alias that is not understood.
      guard try db.tableExists(table) else { return true }
      let count = try Int.fetchOne(
        db,
        sql: "SELECT COUNT(*) FROM (SELECT 1 FROM \(table.quotedDatabaseIdentifier) LIMIT ?)",
        arguments: [max(0, limit) + 1])
      return count ?? 0 > limit
    }.map { .scan(table: $0, moreThan: limit) }
  }

  /// Whether the scan is all there is, and ends with the rows of a limit: a first page.
  private var endsAtLimit: Bool {
    allSteps.count == 1 && sql.contains(" LIMIT ") && !sql.contains(" WHERE ")
      && !sql.contains(" HAVING ")
  }
}
