// The texts of SQLite 3.40 to 3.53. Names are not quoted in them: a table whose name contains a
// word such as ` USING ` is not separated from what follows.

extension ExplainedPlan {
  /// - parameter rows: the rows of `EXPLAIN QUERY PLAN`. A step comes before those inside.
  init(sql: String, rows: [(id: Int, parent: Int, detail: String)]) {
    let children = Dictionary(grouping: rows, by: \.parent)
    func steps(of parent: Int, depth: Int) -> [Step] {
      (children[parent] ?? []).map { row in
        Step(
          detail: row.detail, kind: Kind(row.detail),
          // A step is never inside of itself.
          steps: row.id == parent || depth > rows.count ? [] : steps(of: row.id, depth: depth + 1))
      }
    }
    self.init(sql: sql, steps: steps(of: 0, depth: 0))
  }
}

extension ExplainedPlan.Kind {
  private static let subqueries = [
    "CO-ROUTINE ", "MATERIALIZE ", "SCALAR SUBQUERY ", "CORRELATED SCALAR SUBQUERY ",
    "LIST SUBQUERY ", "CORRELATED LIST SUBQUERY ", "REUSE LIST SUBQUERY ", "REUSE SUBQUERY ",
    "SUBQUERY ", "RECURSIVE STEP", "SETUP",
  ]

  private static let compounds = [
    "COMPOUND QUERY", "LEFT-MOST SUBQUERY", "MERGE (", "UNION", "EXCEPT", "INTERSECT", "LEFT",
    "RIGHT",
  ]

  init(_ detail: String) {
    if let text = detail.removing(prefix: "SCAN ") {
      guard !text.isConstantRows else {
        self = .other
        return
      }
      let (table, index) = text.source
      self = .scan(table: table, index: index)
    } else if let text = detail.removing(prefix: "SEARCH ") {
      let (table, index) = text.source
      self = .search(table: table, index: index)
    } else if let purpose = detail.removing(prefix: "USE TEMP B-TREE FOR ") {
      self = .temporaryTree(purpose)
    } else if detail == "MULTI-INDEX OR" {
      self = .alternatives
    } else if detail.hasSuffix(" USING TEMP B-TREE") {
      self = .temporaryTree(String(detail.dropLast(" USING TEMP B-TREE".count)))
    } else if Self.compounds.contains(where: {
      $0.last == "(" ? detail.hasPrefix($0) : detail == $0
    })
      || detail == "UNION ALL"
    {
      self = .compound(detail)
    } else if Self.subqueries.contains(where: detail.hasPrefix) {
      self = .subquery(detail)
    } else {
      self = .other
    }
  }
}

extension String {
  fileprivate func removing(prefix: String) -> String? {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
  }

  fileprivate func removing(suffix: String) -> String {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
  }

  /// `CONSTANT ROW`, `2 CONSTANT ROWS`, `3-ROW VALUES CLAUSE`
  fileprivate var isConstantRows: Bool {
    let words = drop { $0.isNumber || $0 == " " || $0 == "-" }
    return words == "CONSTANT ROW" || words == "CONSTANT ROWS" || words == "ROW VALUES CLAUSE"
  }

  /// `book USING INDEX i (year=?) LEFT-JOIN`: the table, and its index.
  fileprivate var source: (table: String, index: ExplainedPlan.Index?) {
    let text = removing(suffix: " LEFT-JOIN")
    if let range = text.firstRange(of: " VIRTUAL TABLE INDEX ") {
      let table = String(text[..<range.lowerBound]).removing(suffix: " EXISTS")
      return (table, .virtualTable(String(text[range.upperBound...])))
    }
    guard let range = text.firstRange(of: " USING ") else {
      return (text.removing(suffix: " EXISTS"), nil)
    }
    return (
      String(text[..<range.lowerBound]).removing(suffix: " EXISTS"),
      ExplainedPlan.Index(String(text[range.upperBound...]))
    )
  }
}

extension ExplainedPlan.Index {
  /// - parameter text: what follows `USING`.
  fileprivate init?(_ text: String) {
    if text.hasPrefix("AUTOMATIC ") {
      self = .automatic
    } else if text.hasPrefix("INTEGER PRIMARY KEY") {
      self = .rowID
    } else if text.hasPrefix("PRIMARY KEY") {
      self = .primaryKey
    } else if let name = text.removing(prefix: "COVERING INDEX ") {
      self = .named(name.nameBeforeTerms, isCovering: true)
    } else if let name = text.removing(prefix: "INDEX ") {
      self = .named(name.nameBeforeTerms, isCovering: false)
    } else {
      return nil
    }
  }
}

extension String {
  /// The name of an index, without `(year=? AND title>?)`.
  fileprivate var nameBeforeTerms: String {
    firstRange(of: " (").map { String(self[..<$0.lowerBound]) } ?? self
  }
}
