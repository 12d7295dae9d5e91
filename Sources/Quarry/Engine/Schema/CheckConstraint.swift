import Foundation

/// A check of a table, read from the SQL that created the table: SQLite has no pragma for checks.
///
/// See <https://www.sqlite.org/lang_createtable.html#check_constraints>.
struct CheckConstraint: Equatable {
  /// The name that SQLite reports when the check fails: that of the constraint, else its condition,
  /// which SQLite takes for a quoted name when it begins with a quote, so that only that name is
  /// left.
  let reportedName: String
  let condition: String
  /// The name that the definition gives to the check.
  let name: String?

  /// The checks of a table.
  static func all(in sql: String) -> [CheckConstraint] {
    let tokens = SQLTokens(sql)
    var list = tokens.filter { $0 != .comment }[...]
    var checks: [CheckConstraint] = []
    var name: String?
    while let token = list.popFirst() {
      guard case .word(let range) = token else { continue }
      switch tokens.text(range).uppercased() {
      case "CONSTRAINT":
        name = list.first.flatMap(tokens.name)
      case "CHECK":
        guard let condition = tokens.parenthesized(&list) else { continue }
        checks.append(
          CheckConstraint(
            reportedName: name ?? reportedName(condition), condition: condition, name: name))
        name = nil
      case "PRIMARY", "UNIQUE", "NOT", "DEFAULT", "COLLATE", "REFERENCES", "FOREIGN", "GENERATED":
        name = nil
      default:
        break
      }
    }
    return checks
  }

  private static func reportedName(_ condition: String) -> String {
    var tokens = SQLTokens(condition)
    guard case .quoted(let first)? = tokens.next() else { return condition }
    var name = tokens.text(first)
    var end = first.upperBound
    // A doubled quote stands for a quote.
    while case .quoted(let next)? = tokens.next(), next.lowerBound == end + 2 {
      name += tokens.text(end..<end + 1) + tokens.text(next)
      end = next.upperBound
    }
    return name
  }
}

extension SQLTokens {
  fileprivate func name(_ token: Token) -> String? {
    switch token {
    case .word(let range), .quoted(let range): text(range)
    case .comment, .symbol: nil
    }
  }

  /// Removes what is in parentheses from the front of a list of tokens. Returns its text.
  fileprivate func parenthesized(_ list: inout ArraySlice<Token>) -> String? {
    guard case .symbol(UInt8(ascii: "("), let start)? = list.popFirst() else { return nil }
    var depth = 1
    while let token = list.popFirst() {
      if case .symbol(UInt8(ascii: "("), _) = token { depth += 1 }
      guard case .symbol(UInt8(ascii: ")"), let end) = token else { continue }
      depth -= 1
      if depth == 0 { return text(start + 1..<end).trimmingCharacters(in: .whitespacesAndNewlines) }
    }
    return nil
  }
}
