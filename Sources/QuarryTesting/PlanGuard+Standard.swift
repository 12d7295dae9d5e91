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
  /// A request that scans tables with few rows, or a first page of them, is checked again when it
  /// is compiled for the second, fourth, eighth… time, until there is something to report.
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
    let statements = Locked(KnownStatements())
    return PlanGuard { db, sql, arguments in
      guard statements.withLock({ $0.isDue(sql) }), sql.hasPlan else { return }
      let plan = try db.explain(sql: sql, arguments: arguments)
      let scans = try Set(plan.tableScans(db)).sorted()
      var findings: [PlanReport.Finding] = []
      if try !scans.isEmpty && !plan.isFirstPage(db, arguments, upTo: max(1, rowCount)) {
        findings = try db.largeScans(scans, over: rowCount, exceptFor: tables)
      }
      if automaticIndexes { findings += plan.automaticIndexes.map { .automaticIndex(table: $0) } }
      if sorts { findings += plan.temporaryTrees.map { .temporaryTree($0) } }
      guard scans.isEmpty || !findings.isEmpty, statements.withLock({ $0.settle(sql) }),
        !findings.isEmpty
      else { return }
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

/// The statements that a guard has seen, with the number of their uses: the largest one for those
/// that need no other look.
private struct KnownStatements {
  private var useCounts: [String: Int] = [:]

  /// Counts a use. Returns whether it is the first, second, fourth, eighth… one.
  mutating func isDue(_ sql: String) -> Bool {
    let count = useCounts[sql] ?? 0
    guard count < .max else { return false }
    useCounts[sql] = count + 1
    return count & (count + 1) == 0
  }

  /// Returns false if another connection was faster.
  mutating func settle(_ sql: String) -> Bool { useCounts.updateValue(.max, forKey: sql) != .max }
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

extension Database {
  fileprivate func largeScans(
    _ tables: [String], over limit: Int, exceptFor allowed: Set<String>
  ) throws -> [PlanReport.Finding] {
    // No table has more rows than the largest number.
    guard limit < .max else { return [] }
    let allowed = try allowed.map(plainName(ofTable:))
    return try tables.filter { table in
      guard !allowed.contains(where: table.isSameIdentifier) else { return false }
      // Nothing is known of an alias that is not understood.
      guard try tableExists(table), let id = try schema.tableID(table) else { return true }
      let source = "\(id.schemaID.sqlName).\(id.name.quotedDatabaseIdentifier)"
      let count = try Int.fetchOne(
        self, sql: "SELECT COUNT(*) FROM (SELECT 1 FROM \(source) LIMIT ?)",
        arguments: [max(0, limit) + 1])
      return count ?? 0 > limit
    }.map { .scan(table: $0, moreThan: limit) }
  }
}

extension ExplainedPlan {
  /// Whether the scan is all there is, and ends with the rows of a limit and its offset: in doubt,
  /// it does.
  fileprivate func isFirstPage(
    _ db: Database, _ arguments: StatementArguments, upTo rowCount: Int
  ) throws -> Bool {
    let items = SQLTokens.items(sql)
    guard allSteps.count == 1,
      !items.contains(where: { $0.isKeyword("WHERE") || $0.isKeyword("HAVING") }),
      items.contains(where: { $0.isKeyword("LIMIT") }),
      !exceedsLimit(db, arguments, of: rowCount)
    else { return false }
    if items.contains(where: { $0.isKeyword("GROUP") }) { return true }
    // An aggregate of all rows reads them before the limit. It may be one of the application.
    let program = try Row.fetchAll(db, sql: "EXPLAIN \(sql)", arguments: arguments)
    return try !program.contains { row in
      let instruction = try row.decode(String.self, atIndex: 1)
      return instruction.hasPrefix("AggStep") || instruction == "Count"
    }
  }

  /// Whether the limit is known to allow more rows: it is negative, or larger with its offset.
  private func exceedsLimit(
    _ db: Database, _ arguments: StatementArguments, of rowCount: Int
  ) -> Bool {
    let (tokens, items) = (SQLTokens(sql), SQLTokens.placedItems(sql))
    guard let limit = items.lastIndex(where: { $0.item.isKeyword("LIMIT") }),
      // All arguments are those of the limit.
      !items[..<limit].contains(where: { tokens.text($0.bytes).contains(#/^[?:@$]/#) })
    else { return false }
    let parts = items[(limit + 1)...].split {
      [.comma, .symbol(UInt8(ascii: ";"))].contains($0.item) || $0.item.isKeyword("OFFSET")
    }
    let terms = parts.compactMap { part -> String? in
      guard let first = part.first, let last = part.last else { return nil }
      return tokens.text(first.bytes.lowerBound..<last.bytes.upperBound)
    }
    let isReversed = items[limit...].contains { $0.item == .comma }
    guard let count = isReversed ? terms.last : terms.first, terms.count <= 2 else { return false }
    let offset = terms.count < 2 ? "0" : isReversed ? terms[0] : terms[1]
    // What is no number is not compared, and neither is what SQLite does not evaluate alone.
    let exceeds = try? Bool.fetchOne(
      db,
      sql: """
        SELECT x < 0 OR x + max(y, 0) > \(rowCount)
        FROM (SELECT \(count) AS x, \(offset) AS y)
        """, arguments: arguments)
    return exceeds == true
  }
}
