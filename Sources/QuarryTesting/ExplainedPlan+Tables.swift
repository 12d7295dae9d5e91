import Quarry
import QuarryPlans

extension ExplainedPlan {
  /// The tables of which all rows are read, by their names.
  func tableScans(_ db: Database) throws -> [String] {
    try scans.compactMap { try table(named: $0, db) }
  }

  /// The tables of the plan.
  func tables(_ db: Database) throws -> [String] {
    try Array(Set((scans + searches).compactMap { try table(named: $0, db) })).sorted()
  }

  /// The table that has a name in the plan, which is that of its alias: `FROM "book" "b"`. Nil for
  /// a subquery or a common table expression.
  func table(named name: String, _ db: Database) throws -> String? {
    let alias = RegexText.escaped(name)
    let pattern =
      #"(?i)(?:\bFROM|\bJOIN|,)\s+(?:(?:"[^"]+"|\w+)\s*\.\s*)?(?:"([^"]+)"|(\w+))\s+(?:AS\s+)?"#
      + "(?:\"\(alias)\"|\(alias)(?!\\w))"
    for match in sql.matches(of: try Regex(pattern)) {
      guard let table = match.output[1].substring ?? match.output[2].substring else { continue }
      if try db.tableExists(String(table)) { return String(table) }
    }
    return try db.tableExists(name) ? name : nil
  }
}

enum RegexText {
  /// A text, as a regular expression that matches it.
  static func escaped(_ text: String) -> String {
    text.map { $0.isLetter || $0.isNumber || $0 == "_" ? "\($0)" : "\\\($0)" }.joined()
  }
}
