public import Quarry
public import QuarryPlans

extension FetchRequest {
  /// Checks that SQLite finds the rows of a request by indexes: it reads no table from end to end,
  /// and makes no index for the statement. The requests of `including(all:)` are checked, too. A
  /// minimum or maximum of a column reads all rows, unless it is found by an index or the rowid:
  /// that of the only table is checked.
  ///
  /// ```swift
  /// let request = Book.filter(Column("authorId") == 1)
  /// try request.expectSearch(db)
  /// try request.expectSearch(db, of: "book", using: "index_book_on_authorId")
  /// ```
  ///
  /// The error fails a test of any framework. SQLite chooses the same plan for empty tables, unless
  /// `ANALYZE` has run.
  ///
  /// - parameter db: A connection.
  /// - parameter table: the table that is searched, by its name or its alias: others may be
  ///   scanned. Nil for all tables.
  /// - parameter index: the index that finds the rows. Nil for any index, the rowid included.
  /// - parameter fileID: The file that the error names.
  /// - parameter line: The line that the error names.
  /// - Returns: The plan of the request, without those of `including(all:)`.
  /// - Throws: ``PlanError``; `InvalidRequest` and `DatabaseError` of the request.
  @discardableResult
  public func expectSearch(
    _ db: Database, of table: String? = nil, using index: String? = nil,
    fileID: String = #fileID, line: Int = #line
  ) throws -> ExplainedPlan {
    let main = try explain(db)
    let plans = try [main] + explainPrefetches(db)
    for plan in plans {
      guard let fault = try plan.fault(of: table, using: index, db) else { continue }
      throw PlanError(fault, plan, advice: try IndexAdvice.best(for: plan, db), fileID, line)
    }
    let missing: String? =
      if let table {
        try plans.contains { try $0.searches(table, db) }
          ? nil : "The request does not search \(table)"
      } else if let index {
        plans.contains { $0.uses(index) } ? nil : "The index \(index) is not used"
      } else {
        nil
      }
    guard let missing else { return main }
    throw PlanError(missing, main, advice: try IndexAdvice.best(for: main, db), fileID, line)
  }

  /// Checks that SQLite needs no temporary tree to sort, to group, or to remove duplicates: rows
  /// come in the order of an index.
  ///
  /// ```swift
  /// try Book.order(Column("title")).limit(20).expectNoTemporaryTree(db)
  /// ```
  ///
  /// - Throws: ``PlanError``; `InvalidRequest` and `DatabaseError` of the request.
  @discardableResult
  public func expectNoTemporaryTree(
    _ db: Database, fileID: String = #fileID, line: Int = #line
  ) throws -> ExplainedPlan {
    let plan = try explain(db)
    guard let purpose = plan.temporaryTrees.first else { return plan }
    throw PlanError(
      "\(purpose) needs a temporary tree", plan, advice: try IndexAdvice.best(for: plan, db),
      fileID, line)
  }
}

extension ExplainedPlan {
  /// What is wrong with the plan itself. Nil for a table that it does not name.
  fileprivate func fault(of table: String?, using index: String?, _ db: Database) throws -> String?
  {
    if let table { return try fault(ofSearch: table, using: index, db) }
    if let table = try tableScans(db).first { return "All rows of \(table) are read" }
    return automaticIndexes.first.map(Self.automaticIndex)
  }

  fileprivate func uses(_ index: String) -> Bool {
    indexNames.contains { $0.isSameIdentifier(as: index) }
  }

  fileprivate func searches(_ table: String, _ db: Database) throws -> Bool {
    try searches.contains { try isName($0, of: table, db) }
  }

  private func fault(
    ofSearch table: String, using index: String?, _ db: Database
  ) throws -> String? {
    for step in allSteps {
      if let name = try scannedName(of: step, db), try isName(name, of: table, db) {
        return "All rows of \(table) are read"
      }
      switch step.kind {
      case .search(let name, let used) where try isName(name, of: table, db):
        if used == .automatic { return Self.automaticIndex(table) }
        guard let index else { continue }
        if case .named(let name, _)? = used, name.isSameIdentifier(as: index) { continue }
        return "The index \(index) does not find the rows of \(table)"
      default: break
      }
    }
    return nil
  }

  private static func automaticIndex(_ table: String) -> String {
    "An index on \(table) is made each time the request runs"
  }

  /// Whether a name in the plan is that of the table, or of its alias.
  private func isName(_ name: String, of table: String, _ db: Database) throws -> Bool {
    try name.isSameIdentifier(as: table)
      || self.table(named: name, db)?.isSameIdentifier(as: db.plainName(ofTable: table)) == true
  }
}

/// A plan that is not the one that a test expects.
public struct PlanError: Error, Sendable, CustomStringConvertible {
  /// The expectation that is not met.
  public let message: String

  /// The plan of the request, with its SQL.
  public let plan: ExplainedPlan

  /// An index with which the plan is better, if one was found.
  public let index: SuggestedIndex?

  /// The place of the call: `ShopTests/PlanTests.swift:12`.
  public let place: String

  init(
    _ message: String, _ plan: ExplainedPlan, advice: SuggestedIndex?, _ fileID: String, _ line: Int
  ) {
    self.message = message
    self.plan = plan
    index = advice
    place = "\(fileID):\(line)"
  }

  /// The message, the place, the SQL, the plan, and the index.
  public var description: String {
    let advice = index.map { "\n\($0)" } ?? ""
    return "\(place): \(message)\n\(plan.sql)\n\(plan)\(advice)"
  }
}
