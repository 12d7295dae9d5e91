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
  /// A request is checked each time it is compiled, until there is something to report: its tables
  /// may have few rows first.
  ///
  /// - parameter rowCount: a table with up to so many rows may be scanned, or so many rows of a
  ///   larger one: a first page, by a limit. One row always may.
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
      guard sql.hasPlan, !known.withLock({ $0.contains(sql) }) else { return }
      let plan = try db.explain(sql: sql, arguments: arguments)
      let isFirstPage = try plan.isFirstPage(db, arguments, upTo: max(1, rowCount))
      var findings =
        try isFirstPage ? [] : plan.largeScans(db, over: rowCount, exceptFor: tables)
      if automaticIndexes { findings += plan.automaticIndexes.map { .automaticIndex(table: $0) } }
      if sorts { findings += plan.temporaryTrees.map { .temporaryTree($0) } }
      guard !findings.isEmpty, known.withLock({ $0.insert(sql).inserted }) else { return }
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
  public func print() { FileHandle.standardError.write(Data("Quarry: \(self)\n".utf8)) }
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
    guard limit < .max else { return [] }
    let allowed = try allowed.map(db.plainName(ofTable:))
    return try Set(tableScans(db)).sorted().filter { table in
      guard !allowed.contains(where: table.isSameIdentifier) else { return false }
      // Nothing is known of an alias that is not understood.
      guard try db.tableExists(table), let id = try db.schema.tableID(table) else { return true }
      let source = "\(id.schemaID.sqlName).\(id.name.quotedDatabaseIdentifier)"
      let count = try Int.fetchOne(
        db, sql: "SELECT COUNT(*) FROM (SELECT 1 FROM \(source) LIMIT ?)",
        arguments: [max(0, limit) + 1])
      return count ?? 0 > limit
    }.map { .scan(table: $0, moreThan: limit) }
  }

  /// Whether the scan is all there is, and ends with the rows of a limit and its offset.
  fileprivate func isFirstPage(
    _ db: Database, _ arguments: StatementArguments, upTo rowCount: Int
  ) throws -> Bool {
    let pattern = #/(?i)\bLIMIT\s+(\?|\d+)(?:\s*(?:,|\bOFFSET\b)\s*(\?|\d+))?\s*;?\s*$/#
    guard allSteps.count == 1, !sql.contains(#/(?i)\b(?:WHERE|HAVING|DISTINCT)\b/#),
      let limit = sql.firstMatch(of: pattern),
      // All arguments are those of the limit.
      !sql[..<limit.range.lowerBound].contains(#/[?:@$]/#)
    else { return false }
    let isSmall = try Bool.fetchOne(
      db,
      sql: """
        SELECT x >= 0 AND y >= 0 AND x + y <= \(rowCount)
        FROM (SELECT \(limit.output.1) AS x, \(limit.output.2 ?? "0") AS y)
        """, arguments: arguments)
    guard isSmall == true else { return false }
    // An aggregate reads all rows before the limit.
    let program = try Row.fetchAll(db, sql: "EXPLAIN \(sql)", arguments: arguments)
    return try !program.contains { row in
      let instruction = try row.decode(String.self, atIndex: 1)
      return instruction.hasPrefix("AggStep") || instruction == "Count"
    }
  }
}
