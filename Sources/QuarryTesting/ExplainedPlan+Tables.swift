import Quarry
import QuarryPlans

extension ExplainedPlan {
  /// The tables of which all rows are read, by their names. One that is not found has the name that
  /// it has in the plan.
  func tableScans(_ db: Database) throws -> [String] {
    let subqueries = allSteps.compactMap(\.subqueryName)
    return try tableSteps.compactMap { step in
      guard let name = try scannedName(of: step, db) else { return nil }
      if let table = try table(named: name, db) { return table }
      // The alias of a subquery, or the schema, whose rows are few.
      let sources = try sources(named: name, db)
      let isOther =
        sources.contains { subqueries.contains($0) }
        || (sources + [name]).contains { $0.contains(#/(?i)^(?:\w+\.)?sqlite_/#) }
      return isOther ? nil : name
    }
  }

  /// The name that the step gives to the table of which it reads all rows: also for a minimum or
  /// maximum without index.
  func scannedName(of step: Step, _ db: Database) throws -> String? {
    switch step.kind {
    case .scan(let name, _): name
    case .search(let name, nil) where !step.detail.contains(" USING "):
      try scansForExtreme(db) ? name : nil
    default: nil
    }
  }

  /// Whether a search without index surely reads all rows: those of the only table, for the minimum
  /// or maximum of a column that does not begin its primary key.
  private func scansForExtreme(_ db: Database) throws -> Bool {
    let items = SQLTokens.items(sql)
    func name(at index: Int) -> [String] {
      guard index < items.count, let first = items[index].name else { return [] }
      guard index + 1 < items.count, items[index + 1] == .symbol(UInt8(ascii: ".")) else {
        return [first]
      }
      return [first] + name(at: index + 2)
    }
    let sources = items.indices.filter { items[$0].isKeyword("FROM") }
    let calls = items.indices.dropLast().filter {
      (items[$0].isKeyword("MIN") || items[$0].isKeyword("MAX")) && items[$0 + 1] == .open
    }
    guard allSteps.count == 1, sources.count == 1, calls.count == 1 else { return false }
    let table = name(at: sources[0] + 1).joined(separator: ".")
    let argument = name(at: calls[0] + 2)
    let end = calls[0] + 1 + 2 * argument.count
    guard let column = argument.last, end < items.count, items[end] == .close,
      try db.tableExists(table)
    else { return false }
    let key = try db.schema.primaryKeyIfKnown(of: table)?.columns.first
    return try db.schema.columns(of: table).contains { $0.name.isSameIdentifier(as: column) }
      && key?.isSameIdentifier(as: column) != true
  }

  /// The tables of the plan.
  func tables(_ db: Database) throws -> [String] {
    try Array(Set((scans + searches).compactMap { try table(named: $0, db) })).sorted()
  }

  /// The table that has a name in the plan, which is that of its alias: `FROM "book" "b"`. Nil for
  /// a subquery or a common table expression.
  func table(named name: String, _ db: Database) throws -> String? {
    let names = try sources(named: name, db) + [name]
    guard let table = try names.first(where: { try db.tableExists($0) }) else { return nil }
    return try db.plainName(ofTable: table)
  }

  /// What may have an alias: `book`, `archive.book`.
  private func sources(named alias: String, _ db: Database) throws -> [String] {
    let pattern = try Regex(RegexText.sources(named: alias))
    return try texts(db).flatMap { text in
      text.matches(of: pattern).map { match in
        [match.output[1], match.output[2]].compactMap { $0.substring.map(RegexText.unquoted) }
          .joined(separator: ".")
      }
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

extension Database {
  /// The name of a table without its schema, unless that name means another table.
  func plainName(ofTable name: String) throws -> String {
    guard let id = try schema.tableID(name) else { return name }
    return try schema.tableID(id.name) == id ? id.name : "\(id.schemaID.name).\(id.name)"
  }
}

enum RegexText {
  private static let name =
    #"(?:"(?:[^"]|"")+"|`(?:[^`]|``)+`|'(?:[^']|'')+'|\[[^\]]+\]|[\w$]+(?![\w$]))"#

  /// A text, as a regular expression that matches it.
  static func escaped(_ text: String) -> String {
    text.map { symbol in
      let isPlain = !symbol.isASCII || symbol.isLetter || symbol.isNumber || symbol == "_"
      return isPlain ? "\(symbol)" : "\\\(symbol)"
    }.joined()
  }

  /// A regular expression that matches sources with an alias, and captures their schemas and names.
  static func sources(named alias: String) -> String {
    let quoted = ["\"\"", "``", "''", "[]"].map { quotes in
      let close = quotes.suffix(1)
      return quotes.prefix(1) + alias.replacing(close, with: close + close) + close
    }
    let aliases = [escaped(alias) + #"(?![\w$])"#] + quoted.map { escaped(String($0)) }
    return #"(?i)(?:\bFROM\b|\bJOIN\b|[,(])\s*(?:(\#(name))\s*\.\s*)?(\#(name))\s*(?:\bAS\b\s*)?"#
      + "(?:\(aliases.joined(separator: "|")))"
  }

  /// A name without its quotes.
  static func unquoted(_ name: Substring) -> String {
    guard let first = name.first, "\"`'[".contains(first) else { return String(name) }
    let close = name.suffix(1)
    return String(name.dropFirst().dropLast().replacing(close + close, with: close))
  }
}
