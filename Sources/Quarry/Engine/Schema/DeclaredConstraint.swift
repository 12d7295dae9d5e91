import Foundation

/// A constraint, read from the SQL that created its table: SQLite has no pragma for checks, and
/// does not report the names of keys.
///
/// See <https://www.sqlite.org/syntax/table-constraint.html>.
struct DeclaredConstraint: Equatable {
  enum Kind {
    case primaryKey, unique, notNull, foreignKey, check
  }

  let kind: Kind
  /// The name that the definition gives to the constraint.
  let name: String?
  /// Empty for checks.
  let columns: [String]
  /// Empty for all but checks.
  let condition: String

  /// The name that SQLite reports when the check fails: that of the constraint, else its condition,
  /// which SQLite takes for a quoted name when it begins with a quote, so that only that name is
  /// left.
  var reportedName: String {
    guard name == nil, let (item, bytes) = SQLTokens.placedItems(condition).first,
      case .quoted(let quoted) = item, bytes.lowerBound == 0
    else { return name ?? condition }
    return quoted
  }

  /// The checks of a table.
  static func checks(in sql: String) -> [DeclaredConstraint] {
    all(in: sql).filter { $0.kind == .check }
  }

  /// The constraints of a table.
  static func all(in sql: String) -> [DeclaredConstraint] {
    let items = SQLTokens.placedItems(sql)
    guard let start = items.firstIndex(where: { $0.item == .open }) else { return [] }
    let tokens = SQLTokens(sql)
    return SQLTokens.elements(items[(start + 1)...]).flatMap { declared(in: $0, of: tokens) }
  }

  /// The constraints in the definition of a column, or a constraint of the table.
  private static func declared(
    in element: SQLTokens.Items, of tokens: SQLTokens
  ) -> [DeclaredConstraint] {
    guard let first = element.first?.item else { return [] }
    let isConstraint = tableConstraints.contains { first.isKeyword($0) }
    let column = isConstraint ? nil : first.name
    var constraints: [DeclaredConstraint] = []
    var name: String?
    var depth = 0
    for (index, item) in zip(element.indices, element.lazy.map(\.item)) {
      if item == .open { depth += 1 }
      if item == .close { depth -= 1 }
      guard depth == 0 else { continue }
      let rest = element[(index + 1)...]
      if item.isKeyword("CONSTRAINT") {
        name = rest.first?.item.name
      } else if let keyword = keywords.first(where: { item.isKeyword($0.keyword) }) {
        let isCheck = keyword.kind == .check
        if let kind = keyword.kind, let condition = isCheck ? tokens.parenthesized(rest) : "" {
          let columns = isCheck ? [] : column.map { [$0] } ?? columns(rest)
          constraints.append(
            DeclaredConstraint(kind: kind, name: name, columns: columns, condition: condition))
        }
        name = nil
      }
    }
    return constraints
  }

  /// The columns of the next list in parentheses.
  private static func columns(_ items: SQLTokens.Items) -> [String] {
    guard let start = items.firstIndex(where: { $0.item == .open }) else { return [] }
    return SQLTokens.elements(items[(start + 1)...]).compactMap { $0.first?.item.name }
  }

  private static let tableConstraints = ["CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN"]

  /// The words after the name of a constraint, without kind for those that none begins with.
  private static let keywords: [(keyword: String, kind: Kind?)] = [
    ("PRIMARY", .primaryKey), ("UNIQUE", .unique), ("NOT", .notNull), ("FOREIGN", .foreignKey),
    ("REFERENCES", .foreignKey), ("CHECK", .check), ("DEFAULT", nil), ("COLLATE", nil),
    ("GENERATED", nil), ("AS", nil),
  ]
}

extension SQLTokens {
  /// The text in the parentheses that items begin with.
  fileprivate func parenthesized(_ items: Items) -> String? {
    guard let open = items.first, open.item == .open,
      let end = Self.elements(items.dropFirst()).last?.endIndex, items[end].item == .close
    else { return nil }
    return text(open.bytes.upperBound..<items[end].bytes.lowerBound)
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
