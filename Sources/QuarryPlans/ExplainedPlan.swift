/// How SQLite executes a statement: which tables it scans or searches, by which indexes, and what
/// it keeps in temporary trees.
///
/// ```swift
/// // SEARCH book USING INDEX index_book_on_authorId (authorId=?)
/// // USE TEMP B-TREE FOR ORDER BY
/// let plan = try Book.filter(Column("authorId") == 1).order(Column("title")).explain(db)
/// print(plan)
/// print(plan.indexNames)      // ["index_book_on_authorId"]
/// print(plan.temporaryTrees)  // ["ORDER BY"]
/// ```
///
/// The texts of SQLite are not part of its interface: what a later version words differently has
/// the kind ``Kind/other``, and its text is in ``Step/detail``.
///
/// See <https://www.sqlite.org/eqp.html>.
public struct ExplainedPlan: Hashable, Sendable {
  /// The SQL of the statement.
  public let sql: String

  /// The steps, in their order. Steps may have steps of their own.
  public let steps: [Step]

  /// A step of a plan.
  public struct Step: Hashable, Sendable {
    /// The text of SQLite, as it is.
    public let detail: String

    /// What SQLite does.
    public let kind: Kind

    /// The steps inside: those of a subquery, or of a part of a compound query.
    public let steps: [Step]
  }

  /// What a step does.
  public enum Kind: Hashable, Sendable {
    /// All rows are read, in the order of an index perhaps. A table has the name of its alias, if
    /// it has one.
    case scan(table: String, index: Index?)
    /// Some rows are found. Without index, they are those of a minimum or a maximum, which may be
    /// found by a scan.
    case search(table: String, index: Index?)
    /// Rows are sorted, or kept, in a temporary tree: for `ORDER BY`, `GROUP BY`, `DISTINCT`, the
    /// `RIGHT PART OF ORDER BY`…
    case temporaryTree(String)
    /// A query inside: `CO-ROUTINE`, `MATERIALIZE`, `SCALAR SUBQUERY`…, with its name or number.
    case subquery(String)
    /// A part of a compound query: `UNION ALL`, `MERGE (UNION)`, `LEFT-MOST SUBQUERY`…
    case compound(String)
    /// A condition with `OR` that several indexes answer.
    case alternatives
    /// Any other step.
    case other
  }

  /// The index of a step.
  public enum Index: Hashable, Sendable {
    /// An index of the schema. A covering one has all columns that the statement needs.
    case named(String, isCovering: Bool)
    /// The rowid of the table, or its integer primary key.
    case rowID
    /// The primary key of a table without rowid.
    case primaryKey
    /// An index that is made for this statement, each time it runs.
    case automatic
    /// The number and the name of the plan of a virtual table.
    case virtualTable(String)
  }
}

extension ExplainedPlan {
  /// All steps, each before those inside it.
  public var allSteps: [Step] {
    func all(_ steps: [Step]) -> [Step] { steps.flatMap { [$0] + all($0.steps) } }
    return all(steps)
  }

  /// The names of the tables of which all rows are read. Subqueries and virtual tables, which may
  /// find rows by themselves, are left out.
  public var scans: [String] {
    tableSteps.compactMap { if case .scan(let table, _) = $0.kind { table } else { nil } }
  }

  /// The scans and searches of tables: not those of the rows of a subquery, which are outside of it
  /// or recursive, nor those of virtual tables.
  package var tableSteps: [Step] {
    let subqueries = allSteps.compactMap(\.subqueryName)
    func isOfTable(_ step: Step, inside enclosing: [String]) -> Bool {
      switch step.kind {
      case .scan(_, .virtualTable?), .search(_, .virtualTable?): false
      case .scan(let name, _), .search(let name, _):
        subqueries.count { $0 == name } == enclosing.count { $0 == name }
      default: false
      }
    }
    func stepsOfTables(_ steps: [Step], inside enclosing: [String]) -> [Step] {
      steps.flatMap { step in
        let inner =
          step.detail == "RECURSIVE STEP" ? [] : enclosing + [step.subqueryName].compactMap(\.self)
        return (isOfTable(step, inside: enclosing) ? [step] : [])
          + stepsOfTables(step.steps, inside: inner)
      }
    }
    return stepsOfTables(steps, inside: [])
  }

  /// The names of the tables of which some rows are found.
  public var searches: [String] {
    allSteps.compactMap { if case .search(let table, _) = $0.kind { table } else { nil } }
  }

  /// The names of the indexes of the schema.
  public var indexNames: [String] {
    allSteps.compactMap { if case .named(let name, _)? = $0.index { name } else { nil } }
  }

  /// The names of the tables for which an index is made each time the statement runs.
  public var automaticIndexes: [String] {
    allSteps.compactMap { if case .search(let table, .automatic?) = $0.kind { table } else { nil } }
  }

  /// The purposes of temporary trees: `ORDER BY`, `GROUP BY`, `DISTINCT`…
  public var temporaryTrees: [String] {
    allSteps.compactMap { if case .temporaryTree(let purpose) = $0.kind { purpose } else { nil } }
  }
}

extension ExplainedPlan.Step {
  /// The index of a scan or a search.
  public var index: ExplainedPlan.Index? {
    switch kind {
    case .scan(_, let index), .search(_, let index): index
    case .temporaryTree, .subquery, .compound, .alternatives, .other: nil
    }
  }

  /// The name that a scan of the rows of a subquery has.
  package var subqueryName: String? {
    guard case .subquery = kind else { return nil }
    for word in ["CO-ROUTINE ", "MATERIALIZE "] where detail.hasPrefix(word) {
      return String(detail.dropFirst(word.count))
    }
    return nil
  }
}

extension ExplainedPlan: CustomStringConvertible {
  /// The plan as a tree, as the shell of SQLite shows it.
  public var description: String {
    func lines(_ steps: [Step], margin: String) -> [String] {
      steps.enumerated().flatMap { index, step in
        let isLast = index == steps.count - 1
        return [margin + (isLast ? "`--" : "|--") + step.detail]
          + lines(step.steps, margin: margin + (isLast ? "   " : "|  "))
      }
    }
    return (["QUERY PLAN"] + lines(steps, margin: "")).joined(separator: "\n")
  }
}
