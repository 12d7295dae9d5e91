import Quarry
import QuarryPlans

extension ExplainedPlan {
  /// The tables of which all rows are read, by their names. One that is not found has the name that
  /// it has in the plan.
  func tableScans(_ db: Database) throws -> [String] {
    let subqueries = allSteps.compactMap(\.subqueryName)
    return try scans.compactMap { name in
      if let table = try table(named: name, db) { return table }
      // The alias of a subquery, or the schema, whose rows are few.
      let isOther = try (sources(named: name, db) + [name]).contains { source in
        subqueries.contains(source) || source.lowercased().hasPrefix("sqlite_")
      }
      return isOther ? nil : name
    }
  }

  /// The tables of the plan.
  func tables(_ db: Database) throws -> [String] {
    try Array(Set((scans + searches).compactMap { try table(named: $0, db) })).sorted()
  }

  /// The table that has a name in the plan, which is that of its alias: `FROM "book" "b"`. Nil for
  /// a subquery or a common table expression.
  func table(named name: String, _ db: Database) throws -> String? {
    try (sources(named: name, db) + [name]).first { try db.tableExists($0) }
  }

  /// What may have an alias.
  private func sources(named alias: String, _ db: Database) throws -> [String] {
    let pattern = try Regex(RegexText.sources(named: alias))
    return try texts(db).flatMap { text in
      text.matches(of: pattern).compactMap { $0.output[1].substring.map(RegexText.unquoted) }
    }
  }

  /// The SQL of the statement, and that of the views that it reads.
  private func texts(_ db: Database) throws -> [String] {
    var texts = [sql]
    var views = try Row.fetchAll(
      db,
      sql: """
        SELECT name, sql FROM main.sqlite_master WHERE type = 'view'
        UNION ALL SELECT name, sql FROM temp.sqlite_master WHERE type = 'view'
        """
    ).map { row -> (name: String, sql: String) in
      let name: String = row[0]
      return (name.lowercased(), row[1])
    }
    while let index = views.firstIndex(where: { view in
      texts.contains { $0.lowercased().contains(view.name) }
    }) {
      texts.append(views.remove(at: index).sql)
    }
    return texts
  }
}

enum RegexText {
  /// A text, as a regular expression that matches it.
  static func escaped(_ text: String) -> String {
    text.map { $0.isLetter || $0.isNumber || $0 == "_" ? "\($0)" : "\\\($0)" }.joined()
  }

  /// A regular expression that matches sources with an alias, and captures their names.
  static func sources(named alias: String) -> String {
    let name = #"(?:"(?:[^"]|"")+"|`(?:[^`]|``)+`|'(?:[^']|'')+'|\[[^\]]+\]|[\w$]+(?![\w$]))"#
    let quoted = ["\"\"", "``", "''", "[]"].map { quotes in
      let close = quotes.suffix(1)
      return quotes.prefix(1) + alias.replacing(close, with: close + close) + close
    }
    let aliases = [escaped(alias) + #"(?![\w$])"#] + quoted.map { escaped(String($0)) }
    return #"(?i)(?:\bFROM\b|\bJOIN\b|[,(])\s*(?:\#(name)\s*\.\s*)?(\#(name))\s*(?:\bAS\b\s*)?"#
      + "(?:\(aliases.joined(separator: "|")))"
  }

  /// A name without its quotes.
  static func unquoted(_ name: Substring) -> String {
    guard let first = name.first, "\"`'[".contains(first) else { return String(name) }
    let close = name.suffix(1)
    return String(name.dropFirst().dropLast().replacing(close + close, with: close))
  }
}
