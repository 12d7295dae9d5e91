/// A column of a `CREATE TABLE` statement.
struct ColumnText {
  /// `NOT NULL`, `CONSTRAINT year CHECK (year > 0)`
  struct Clause {
    /// The first keyword: `PRIMARY`, `NOT`, `CHECK`.
    let kind: String
    /// Whether the clause begins with `CONSTRAINT`.
    let isNamed: Bool
    let tokens: [SQLToken]
  }

  let name: String
  /// Of `"cover page" INT`, the name in quotes is the type.
  let type: [SQLToken]
  /// Whether the type is nothing but `INTEGER`, and the column as primary key shows the rowid. Not
  /// of `"INTEGER"(5)` and `"INTEGER "`.
  let isInteger: Bool
  let clauses: [Clause]
  /// The column as it is written.
  let sql: String

  init(_ tokens: [SQLToken], sql: String) {
    name = tokens[0].name
    self.sql = sql
    let end = tokens.dropFirst().firstIndex { $0.isOne(of: Self.keywords) } ?? tokens.count
    let words = tokens[1..<end]
    type = Array(words.first?.kind == .word ? words : words.prefix(1))
    isInteger = words.map(\.name.asciiLowercased) == ["integer"]
    clauses = Self.split(Array(tokens[end...])).compactMap { tokens in
      let isNamed = tokens[0].isOne(of: "CONSTRAINT")
      guard let first = isNamed ? tokens.dropFirst(2).first : tokens[0] else { return nil }
      return Clause(kind: first.text.asciiUppercased, isNamed: isNamed, tokens: tokens)
    }
  }

  func clause(_ kind: String) -> Clause? { clauses.first { $0.kind == kind } }

  var isNotNull: Bool { clause("NOT") != nil }
  var isGenerated: Bool { generation != nil }
  var generation: Clause? { clause("GENERATED") ?? clause("AS") }

  /// The tokens of the default value. Nil without one, and for NULL.
  var defaultValue: [SQLToken]? {
    guard let clause = clause("DEFAULT") else { return nil }
    let value = Array(clause.tokens.drop { !$0.isOne(of: "DEFAULT") }.dropFirst())
    return value.isNull ? nil : value
  }

  private static let keywords = [
    "CONSTRAINT", "PRIMARY", "NOT", "NULL", "UNIQUE", "CHECK", "DEFAULT", "COLLATE", "REFERENCES",
    "GENERATED", "AS",
  ]

  private static func split(_ tokens: [SQLToken]) -> [[SQLToken]] {
    var clauses: [[SQLToken]] = []
    var depth = 0
    for (index, token) in tokens.enumerated() {
      let next = index + 1 < tokens.count ? tokens[index + 1] : nil
      if depth == 0, begins(token, next, after: clauses.last) {
        clauses.append([token])
      } else {
        clauses[clauses.count - 1].append(token)
      }
      depth += token.depthChange
    }
    return clauses
  }

  /// Whether a keyword begins another clause, and does not belong to the one before.
  private static func begins(_ token: SQLToken, _ next: SQLToken?, after clause: [SQLToken]?)
    -> Bool
  {
    guard let clause, let last = clause.last else { return true }
    guard token.isOne(of: keywords) else { return false }
    if last.isOne(of: "SET", "COLLATE", "ALWAYS", "CONSTRAINT") { return false }
    // A value follows, but not after `ON DELETE SET DEFAULT`.
    let isReference = clause.contains { $0.isOne(of: "REFERENCES") }
    if last.isOne(of: "DEFAULT"), !isReference { return false }
    if last.isOne(of: "NOT") { return false }
    // The name of a constraint comes before its keyword.
    if clause.count == 2, clause[0].isOne(of: "CONSTRAINT") { return false }
    return !(token.isOne(of: "NOT") && next?.isOne(of: "DEFERRABLE") == true)
  }
}

extension [SQLToken] {
  /// Whether a value is NULL, also in parentheses.
  var isNull: Bool {
    let words = filter { $0.depthChange == 0 }
    return words.count == 1 && words[0].isOne(of: "NULL")
  }
}

extension SQLToken {
  func isOne(of words: [String]) -> Bool { kind == .word && words.contains(text.asciiUppercased) }

  /// How a token changes the depth of parentheses.
  var depthChange: Int { kind != .symbol ? 0 : text == "(" ? 1 : text == ")" ? -1 : 0 }
}
